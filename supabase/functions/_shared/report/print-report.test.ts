import { PDFPage } from "@cantoo/pdf-lib";
import { expect, it, vi } from "vitest";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { SHEET } from "./lay-out.ts";
import { printReport } from "./print-report.ts";

/**
 * Drawing of the page: letters of the brand's fonts, which it brings along, no wider than the room, from the lower left
 * corner.
 */

const NOTHING = { scans: 0, reviews: 0, spins: 0, wins: 0, redemptions: 0 };
const TOTALS = { ...NOTHING, rating_sum: 0, five_star_reviews: 0, points_wins: 0 };

const reportOf = (
  organization: string,
  public_pages: MonthlyReport["public_pages"] = [],
): MonthlyReport => ({
  organization,
  month: "2026-02-01",
  figures: {
    totals: { ...TOTALS, scans: 1280 },
    previous: TOTALS,
    days: [{ day: "2026-02-01", scans: 1280, reviews: 0, spins: 0 }],
    funnel: { ...NOTHING, scans: 1280, free: { spins: 0, wins: 0, redemptions: 0 } },
    return: {
      ...{
        visits: 0,
        revenue: 0,
        unestimated: 0,
        return_share: 100,
        cost: 0,
        unpriced: 0,
        stores: 1,
      },
      baskets: [],
      plan: { plan: "basic", billing: "monthly" },
    },
  },
  public_pages,
});

type Text = { text: string; x: number; y: number; size: number; width: number };

/** Texts as they are read: what two fonts drew one after the other is one. */
function joined(all: readonly Text[], next: Text): Text[] {
  const last = all.at(-1);
  const isOne = last?.y === next.y && Math.abs(last.x + last.width - next.x) < 0.01;
  if (!last || !isOne) return [...all, next];
  const both = { ...last, text: last.text + next.text, width: last.width + next.width };
  return [...all.slice(0, -1), both];
}

async function drawn(...named: Parameters<typeof reportOf>) {
  const texts = vi.spyOn(PDFPage.prototype, "drawText");
  const boxes = vi.spyOn(PDFPage.prototype, "drawRectangle");
  await printReport(reportOf(...named));
  const marks = {
    texts: texts.mock.calls
      .map(([text, { x = 0, y = 0, size = 0, font } = {}]) => ({
        ...{ text, x, y, size },
        width: font?.widthOfTextAtSize(text, size) ?? 0,
      }))
      .reduce(joined, []),
    boxes: boxes.mock.calls.map(([box]) => box),
  };
  texts.mockRestore();
  boxes.mockRestore();
  return marks;
}

const ROOM = SHEET.width - 88;

it("stands where the sheet has it, counted from below", async () => {
  const { texts, boxes } = await drawn("Café Bertille");
  expect(texts[0]).toMatchObject({ text: "Café Bertille", x: 44, y: SHEET.height - 52, size: 22 });
  expect(boxes[0]).toMatchObject({ x: 0, y: SHEET.height - 8, height: 8 });
  expect(boxes[0]?.color).toMatchObject({ red: 139 / 255, green: 92 / 255, blue: 246 / 255 });
  // Figures of the funnel end at one line.
  const figure = texts.find(({ x, y, text }) => text.startsWith("1") && x > 44 && y < 400);
  expect((figure?.x ?? 0) + (figure?.width ?? 0)).toBeCloseTo(194, 5);
});

it("a word without room is set smaller, then cut", async () => {
  const [smaller] = (await drawn("M".repeat(27))).texts;
  expect(smaller?.text).toBe("M".repeat(27));
  expect(smaller?.size).toBeLessThan(22);
  expect(smaller?.width).toBeCloseTo(ROOM, 5);
  const [cut] = (await drawn("M".repeat(60))).texts;
  expect(cut?.text).toMatch(/^M{20,}…$/);
  expect(cut?.size).toBeCloseTo(15.4, 5);
  expect(cut?.width).toBeLessThanOrEqual(ROOM);
  // One letter more would not have fitted.
  expect((cut?.width ?? 0) + 15.4).toBeGreaterThan(ROOM);
});

const LONGEST =
  "Boulangerie Pâtisserie Confiserie de la Place du Marché aux Fleurs de Saint-Germain, maison fondée en 1894 par Bertille";

it("a name without room becomes two lines around its place, of letters that are read", async () => {
  const at = { day: "2026-02-28", rating: 4, reviews: 524 };
  const name = "Le Petit Comptoir des Halles et de la Gare";
  for (const organization of ["Boulangerie Pâtisserie de la Place du Marché aux Fleurs", LONGEST]) {
    const { texts } = await drawn(organization, [{ name, at, before: null }]);
    const [first, second] = texts;
    expect(`${first?.text} ${second?.text}`).toBe(organization);
    expect((first?.y ?? 0) + (second?.y ?? 0)).toBeCloseTo(2 * (SHEET.height - 52), 5);
    expect(first?.size).toBeGreaterThanOrEqual(14);
    expect(Math.max(first?.width ?? 0, second?.width ?? 0)).toBeLessThanOrEqual(ROOM + 0.01);
    const store = texts.filter(({ text }) => text !== "" && name.includes(text));
    expect(store.map(({ text }) => text).join(" ")).toBe(name);
    expect(store.map(({ size }) => size)).toEqual([8, 8]);
  }
});

it("what two lines cannot hold is cut at its end alone", async () => {
  const at = { day: "2026-02-28", rating: 4, reviews: 524 };
  const { texts } = await drawn("Rita", [{ name: LONGEST, at, before: null }]);
  const lines = texts.filter(({ x, size, text }) => x === 44 && size === 8 && text !== "Rita");
  expect(lines).toHaveLength(2);
  const said = lines.map(({ text }) => text).join(" ");
  expect(said).toMatch(/[^…]…$/);
  expect(LONGEST.startsWith(said.slice(0, -1))).toBe(true);
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(150);
});

it("brings the letters that it uses along, and says what it is", async () => {
  const { PDFDict, PDFDocument, PDFName } = await import("@cantoo/pdf-lib");
  const bytes = await printReport(reportOf("Łódź"));
  const file = await PDFDocument.load(bytes, { updateMetadata: false });
  const fonts = file.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict)
    .filter((object) => object.get(PDFName.of("Type")) === PDFName.of("FontDescriptor"));
  expect(fonts.length).toBeGreaterThan(0);
  for (const font of fonts) {
    expect(String(font.get(PDFName.of("FontName")))).toMatch(/^\/(BricolageGrotesque|Figtree)-/);
    expect(font.has(PDFName.of("FontFile2"))).toBe(true);
  }
  expect(bytes.byteLength).toBeLessThan(40_000);
  expect([file.getAuthor(), file.getCreator()]).toEqual(["Tournavis", "Tournavis"]);
  expect(file.catalog.get(PDFName.of("Lang"))?.toString()).toContain("fr");
});

it.each([
  ["Łódź 寿司 🍕 œuf", "Łódź œuf"],
  ["Đặng\u202Fₐ − B", "Đang\u00A0a − B"],
  ["  deux   espaces  ", "deux espaces"],
  ["e\u0301te\u0301", "été"],
])("« %s » is printed as « %s »", async (name, text) => {
  expect((await drawn(name)).texts[0]?.text).toBe(text);
});

it.each(["Кафе Пушкинъ", "Ταβέρνα", "مقهى", "寿司 24", "🍕"])(
  "« %s » leaves no blank where its letters cannot be printed",
  async (name) => {
    const at = { day: "2026-02-28", rating: 4, reviews: 524 };
    const pages = ["Rita", name].map((store) => ({ name: store, at, before: null }));
    const texts = (await drawn(name, pages)).texts.map(({ text }) => text);
    expect(texts[0]).toBe("Votre établissement");
    expect(texts.at(-1)).toBe("Votre établissement · chiffres de Tournavis");
    expect(texts).toContain("Rita");
    expect(texts).toContain("Établissement 2");
    const { PDFDocument } = await import("@cantoo/pdf-lib");
    const file = await PDFDocument.load(await printReport(reportOf(name)));
    expect(file.getTitle()).toContain(name);
  },
);

it("prints one report after the other, also after one that fails", async () => {
  const events: string[] = [];
  const watched = (name: string): MonthlyReport => {
    const { organization: _, ...report } = reportOf(name);
    return {
      ...report,
      get organization() {
        if (!events.includes(`${name} begins`)) events.push(`${name} begins`);
        if (name === "Broken") throw new Error("no name");
        return name;
      },
    };
  };
  const names = ["First", "Broken", "Third"];
  await Promise.allSettled(
    names.map((name) => printReport(watched(name)).finally(() => events.push(`${name} ends`))),
  );
  expect(events).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});
