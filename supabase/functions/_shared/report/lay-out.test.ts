import { describe, expect, it } from "vitest";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { renderMail } from "../messages/render.ts";
import { layOutReport, type Mark, SHEET } from "./lay-out.ts";
import { printReport } from "./print-report.ts";

/** Contents of a report, which is printed whatever its organisation's name. */

const NOTHING = {
  scans: 0,
  reviews: 0,
  rating_sum: 0,
  five_star_reviews: 0,
  wins: 0,
  points_wins: 0,
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
      points_wins: 0,
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
      ...{
        visits: 161,
        revenue: 3944.5,
        unestimated: 3,
        return_share: 100,
        cost: 412.25,
        unpriced: 7,
        stores: 1,
      },
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

/** A mark in one line: where it stands, how large it is, and what it says. */
function lineOf(mark: Mark): string {
  const at = [mark.x, mark.y].map((place) => place.toFixed(1)).join(" ");
  if (mark.kind === "box") {
    return `${at} ${mark.width.toFixed(1)}×${mark.height.toFixed(1)} ${mark.color}`;
  }
  const { size, isBold, color, align = "left", width = 0, text } = mark;
  const look = [size, isBold ? "bold" : "plain", color, align, width.toFixed(1)].join(" ");
  return `${at} ${look} ${text.replaceAll(/\s/gu, " ")}`;
}

describe("the report of a month", () => {
  it("counts the share of visits that the merchant counts", () => {
    const { figures } = REPORT;
    const said = texts({
      ...REPORT,
      figures: { ...figures, return: { ...figures.return, return_share: 80 } },
    });
    expect(said).toContain("Visites de retour, au panier moyen (80 % de 158)");
    expect(said).toContain("3 155,60 €");
    expect(texts(REPORT)).toContain("Visites de retour, au panier moyen (158)");
  });

  it("compares a first day with the day before it", () => {
    const days = REPORT.figures.days.slice(0, 1);
    const said = texts({ ...REPORT, figures: { ...REPORT.figures, days } });
    expect(said).toContain("Évolution par rapport au jour précédent.");
  });

  it("says its figures, how they moved, and what they brought", () => {
    const said = texts(REPORT);
    for (const text of [
      "Rapport du mois : février 2026",
      "Évolution par rapport aux 28 jours précédents.",
      "1 280",
      "+25 %",
      "4,4",
      "+0,2",
      "63,3 %",
      "+10,9 pts",
      "À côté, participations sans avis : 41 ; gagnantes : 25 ; codes utilisés : 11.",
      "Visites de retour, au panier moyen (158)",
      "3 944,50 €",
      "-412,25 €",
      "-45,11 €",
      "3 487,14 €",
      "4,0 sur 5, 524 avis au 28 février 2026 · +112 avis depuis le 1er janvier 2026",
    ]) {
      expect(said).toContain(text);
    }
    expect(said.filter((text) => text === "aucun chiffre avant")).toHaveLength(2);
  });

  it("puts each thing in its place", () => {
    const days = [
      { day: "2026-02-01", scans: 0, reviews: 0, spins: 0 },
      { day: "2026-02-02", scans: 20, reviews: 5, spins: 4 },
      { day: "2026-02-03", scans: 4, reviews: 8, spins: 8 },
      { day: "2026-02-04", scans: 12, reviews: 3, spins: 2 },
      { day: "2026-02-05", scans: 1, reviews: 1, spins: 0 },
    ];
    const marks = layOutReport({ ...REPORT, figures: { ...REPORT.figures, days } });
    expect(marks.map(lineOf)).toEqual([
      "0.0 0.0 99.7×8.0 #8b5cf6",
      "99.2 0.0 99.7×8.0 #10b981",
      "198.4 0.0 99.7×8.0 #f59e0b",
      "297.6 0.0 99.7×8.0 #ef4444",
      "396.9 0.0 99.7×8.0 #06b6d4",
      "496.1 0.0 99.7×8.0 #ec4899",
      "44.0 52.0 22 bold #1b1530 left 507.3 Café Bertille",
      "44.0 78.0 13 bold #7c3aed left 0.0 Rapport du mois : février 2026",
      "44.0 95.0 10 plain #5f5876 left 0.0 Évolution par rapport aux 5 jours précédents.",
      "44.0 112.0 162.4×68.0 #f4f0fe",
      "56.0 131.0 10 plain #5f5876 left 0.0 Scans",
      "56.0 155.0 20 bold #1b1530 left 0.0 1 280",
      "56.0 170.0 8.5 plain #5f5876 left 0.0 +25 %",
      "216.4 112.0 162.4×68.0 #f4f0fe",
      "228.4 131.0 10 plain #5f5876 left 0.0 Avis collectés",
      "228.4 155.0 20 bold #1b1530 left 0.0 439",
      "228.4 170.0 8.5 plain #5f5876 left 0.0 0 %",
      "388.9 112.0 162.4×68.0 #f4f0fe",
      "400.9 131.0 10 plain #5f5876 left 0.0 Note moyenne",
      "400.9 155.0 20 bold #1b1530 left 0.0 4,4",
      "400.9 170.0 8.5 plain #5f5876 left 0.0 +0,2",
      "44.0 190.0 162.4×68.0 #f4f0fe",
      "56.0 209.0 10 plain #5f5876 left 0.0 Avis 5 étoiles",
      "56.0 233.0 20 bold #1b1530 left 0.0 63,3 %",
      "56.0 248.0 8.5 plain #5f5876 left 0.0 +10,9 pts",
      "216.4 190.0 162.4×68.0 #f4f0fe",
      "228.4 209.0 10 plain #5f5876 left 0.0 Gains",
      "228.4 233.0 20 bold #1b1530 left 0.0 281",
      "228.4 248.0 8.5 plain #5f5876 left 0.0 aucun chiffre avant",
      "388.9 190.0 162.4×68.0 #f4f0fe",
      "400.9 209.0 10 plain #5f5876 left 0.0 Codes utilisés",
      "400.9 233.0 20 bold #1b1530 left 0.0 161",
      "400.9 248.0 8.5 plain #5f5876 left 0.0 aucun chiffre avant",
      "44.0 282.0 13 bold #1b1530 left 0.0 Jour par jour",
      "447.3 282.0 8.0×8.0 #c4b5fd",
      "459.3 289.5 9 plain #5f5876 left 0.0 Scans",
      "509.3 282.0 8.0×8.0 #db2777",
      "521.3 289.5 9 plain #5f5876 left 0.0 Avis",
      "56.2 418.0 77.1×0.0 #c4b5fd",
      "76.5 418.0 36.5×0.0 #db2777",
      "157.6 306.0 77.1×112.0 #c4b5fd",
      "177.9 390.0 36.5×28.0 #db2777",
      "259.1 395.6 77.1×22.4 #c4b5fd",
      "279.4 373.2 36.5×44.8 #db2777",
      "360.5 350.8 77.1×67.2 #c4b5fd",
      "380.8 401.2 36.5×16.8 #db2777",
      "462.0 412.4 77.1×5.6 #c4b5fd",
      "482.3 412.4 36.5×5.6 #db2777",
      "44.0 418.0 507.3×0.7 #e4dff2",
      "64.3 430.0 8 plain #5f5876 left 0.0 1",
      "470.1 430.0 8 plain #5f5876 left 0.0 5",
      "44.0 452.0 13 bold #1b1530 left 0.0 De la porte à la caisse",
      "44.0 475.0 10 plain #1b1530 left 0.0 Scans",
      "194.0 475.0 10 bold #1b1530 right 0.0 1 280",
      "202.0 475.0 8.5 plain #5f5876 left 0.0 ",
      "281.3 466.0 270.0×12.0 #7c3aed",
      "44.0 493.0 10 plain #1b1530 left 0.0 Avis",
      "194.0 493.0 10 bold #1b1530 right 0.0 439",
      "202.0 493.0 8.5 plain #5f5876 left 0.0 34,3 %",
      "281.3 484.0 92.6×12.0 #7c3aed",
      "44.0 511.0 10 plain #1b1530 left 0.0 Participations",
      "194.0 511.0 10 bold #1b1530 right 0.0 407",
      "202.0 511.0 8.5 plain #5f5876 left 0.0 92,7 %",
      "281.3 502.0 85.9×12.0 #7c3aed",
      "44.0 529.0 10 plain #1b1530 left 0.0 Gains",
      "194.0 529.0 10 bold #1b1530 right 0.0 256",
      "202.0 529.0 8.5 plain #5f5876 left 0.0 62,9 %",
      "281.3 520.0 54.0×12.0 #7c3aed",
      "44.0 547.0 10 plain #1b1530 left 0.0 Codes utilisés",
      "194.0 547.0 10 bold #1b1530 right 0.0 260",
      "202.0 547.0 8.5 plain #5f5876 left 0.0 ",
      "281.3 538.0 54.0×12.0 #7c3aed",
      "44.0 568.0 8.5 plain #5f5876 left 507.3 À côté, participations sans avis : 41 ; gagnantes : 25 ; codes utilisés : 11.",
      "44.0 598.0 13 bold #1b1530 left 0.0 Ce que ça rapporte",
      "44.0 618.0 10 plain #1b1530 left 0.0 Visites de retour, au panier moyen (158)",
      "551.3 618.0 10 plain #1b1530 right 0.0 3 944,50 €",
      "44.0 635.0 10 plain #1b1530 left 0.0 Récompenses",
      "551.3 635.0 10 plain #1b1530 right 0.0 -412,25 €",
      "44.0 652.0 10 plain #1b1530 left 0.0 Abonnement, hors taxes",
      "551.3 652.0 10 plain #1b1530 right 0.0 -8,05 €",
      "44.0 658.0 507.3×0.7 #e4dff2",
      "44.0 676.0 12 bold #1b1530 left 0.0 Il reste (estimation)",
      "551.3 676.0 14 bold #1b1530 right 0.0 3 524,20 €",
      "44.0 692.0 8.5 plain #5f5876 left 507.3 Non comptées, faute de panier moyen : 3. Récompenses sans coût renseigné, non comptées : 7.",
      "44.0 732.0 13 bold #1b1530 left 0.0 Page publique",
      "44.0 750.0 10 bold #1b1530 left 150.0 Café Bertille",
      "204.0 750.0 10 plain #1b1530 left 347.3 4,0 sur 5, 524 avis au 28 février 2026 · +112 avis depuis le 1er janvier 2026",
      "44.0 806.0 507.3×0.7 #e4dff2",
      "44.0 822.0 8.5 plain #5f5876 left 507.3 Café Bertille · chiffres de Tournavis",
    ]);
    for (const mark of marks) {
      const { x, y } = mark;
      const right = mark.kind === "box" ? x + mark.width : x;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThan(SHEET.width + 1);
      expect(y).toBeLessThan(SHEET.height);
    }
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
    expect(mail.subject).toBe("Votre rapport du mois\u00a0: février 2026");
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
    expect(said).toEqual([
      "Café Bertille",
      "Rapport du mois : février 2026",
      "Évolution par rapport aux 28 jours précédents.",
      "Scans",
      "0",
      "aucun chiffre avant",
      "Avis collectés",
      "0",
      "aucun chiffre avant",
      "Note moyenne",
      "–",
      "aucun chiffre avant",
      "Avis 5 étoiles",
      "–",
      "aucun chiffre avant",
      "Gains",
      "0",
      "aucun chiffre avant",
      "Codes utilisés",
      "0",
      "aucun chiffre avant",
      "Jour par jour",
      "Rien ce mois-là.",
      "De la porte à la caisse",
      "Scans",
      "0",
      "",
      "Avis",
      "0",
      "–",
      "Participations",
      "0",
      "–",
      "Gains",
      "0",
      "–",
      "Codes utilisés",
      "0",
      "–",
      "Ce que ça rapporte",
      "Codes utilisés à la caisse : 0. Sans panier moyen, ce qu'ils rapportent n'est pas connu.",
      "Café Bertille · chiffres de Tournavis",
    ]);
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
