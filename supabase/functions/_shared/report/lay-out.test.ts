import { describe, expect, it } from "vitest";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { renderMail } from "../messages/render.ts";
import { layOutReport } from "./lay-out.ts";
import { printReport } from "./print-report.ts";

/** What a report says, and that it is printed whatever it is called. */

const NOTHING = {
  scans: 0,
  reviews: 0,
  rating_sum: 0,
  five_star_reviews: 0,
  wins: 0,
  redemptions: 0,
};

const REPORT: MonthlyReport = {
  organization: "Café Bertille",
  month: "2026-02-01",
  figures: {
    totals: {
      scans: 1280,
      reviews: 439,
      rating_sum: 1930,
      five_star_reviews: 278,
      wins: 281,
      redemptions: 161,
    },
    previous: { ...NOTHING, scans: 1024, reviews: 439, rating_sum: 1830, five_star_reviews: 230 },
    days: Array.from({ length: 28 }, (_none, n) => ({
      day: `2026-02-${String(n + 1).padStart(2, "0")}`,
      scans: n,
      reviews: 3,
      spins: 2,
    })),
    funnel: {
      ...{ scans: 1280, reviews: 439, spins: 407, wins: 256, redemptions: 260 },
      free: { spins: 41, wins: 25, redemptions: 11 },
    },
    return: {
      ...{ visits: 161, revenue: 3944.5, unestimated: 3, cost: 412.25, unpriced: 7, stores: 1 },
      baskets: [],
      plan: { plan: "basic", billing: "monthly" },
    },
  },
  public_pages: [
    {
      name: "Café Bertille",
      at: { day: "2026-02-28", rating: 4, reviews: 524 },
      before: { day: "2026-01-01", rating: 4.3, reviews: 412 },
    },
  ],
};

const texts = (report: MonthlyReport) =>
  layOutReport(report).flatMap((mark) =>
    mark.kind === "text" ? [mark.text.replaceAll(/\s/gu, " ")] : [],
  );

describe("the report of a month", () => {
  it("says its figures, how they moved, and what they brought", () => {
    const said = texts(REPORT);
    for (const text of [
      "Rapport du mois : février 2026",
      "Évolution par rapport aux 28 jours d'avant.",
      "1 280",
      "+25 %",
      "4,4",
      "+0,2",
      "63,3 %",
      "+10,9 pts",
      "À côté, participations sans avis : 41, dont 25 gagnantes ; codes utilisés : 11.",
      "Visites ramenées, au panier moyen (158)",
      "3 944,50 €",
      "-412,25 €",
      "-45,11 €",
      "3 487,14 €",
      "4,0 sur 5, 524 avis au 28 février 2026 · +112 avis depuis le 1er janvier 2026",
    ]) {
      expect(said).toContain(text);
    }
    expect(said.filter((text) => text === "rien à comparer avant")).toHaveLength(2);
  });

  it("draws no step wider than the one before", () => {
    const bars = layOutReport(REPORT).flatMap((mark) =>
      mark.kind === "box" && mark.height === 12 ? [mark.width] : [],
    );
    expect(bars).toHaveLength(5);
    expect(bars).toEqual([...bars].sort((one, other) => other - one));
  });

  it("goes with its mail, which says its first figures", async () => {
    const mail = await renderMail(
      {
        template: "monthly_report",
        recipient: "ana@exemple.fr",
        data: { name: "Ana", report: REPORT, facts: { organization: "Chez Ana", token: "t" } },
      },
      {
        siteUrl: "https://avis.exemple.fr",
        operator: { company: null, address: null, contact_email: null },
      },
    );
    expect(mail.subject).toBe("Votre rapport du mois : février 2026");
    expect(mail.text.replaceAll(/\s/gu, " ")).toContain("Scans : 1 280");
    expect(mail.unsubscribeUrl).toContain("kind=report");
    const [file] = mail.files;
    expect([file?.name, file?.type]).toEqual(["rapport-2026-02.pdf", "application/pdf"]);
    expect(new TextDecoder().decode(file?.bytes.slice(0, 5))).toBe("%PDF-");
  });

  it("of a quiet month says so", () => {
    const { figures } = REPORT;
    const quiet: MonthlyReport = {
      ...REPORT,
      figures: {
        totals: NOTHING,
        previous: NOTHING,
        days: figures.days.map(({ day }) => ({ day, scans: 0, reviews: 0, spins: 0 })),
        funnel: {
          ...{ scans: 0, reviews: 0, spins: 0, wins: 0, redemptions: 0 },
          free: { spins: 0, wins: 0, redemptions: 0 },
        },
        return: { ...figures.return, visits: 0, revenue: 0, unestimated: 0, cost: 0, unpriced: 0 },
      },
      public_pages: [],
    };
    const said = texts(quiet);
    expect(said).toContain("Rien ce mois-là.");
    expect(said).not.toContain("Page publique");
    expect(said.join(" ")).not.toMatch(/NaN|Infinity|-0/);
  });

  it.each(["Café Bertille", "Łódź 寿司 🍕 œuf", "寿司", "a".repeat(300)])(
    "is one page of PDF also for %s",
    async (organization) => {
      const { PDFDocument } = await import("@cantoo/pdf-lib");
      const bytes = await printReport({ ...REPORT, organization });
      const opened = await PDFDocument.load(bytes);
      expect(opened.getPageCount()).toBe(1);
      expect(opened.getTitle()).toContain("février 2026");
      expect(bytes.byteLength).toBeLessThan(40_000);
    },
  );
});
