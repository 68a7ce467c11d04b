import { PDFPage } from "@cantoo/pdf-lib";
import { expect, it, vi } from "vitest";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { SHEET } from "./lay-out.ts";
import { printReport } from "./print-report.ts";

/**
 * Drawing of the page: letters of its own fonts, no wider than the room, from the lower left
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

async function drawn(...named: Parameters<typeof reportOf>) {
  const texts = vi.spyOn(PDFPage.prototype, "drawText");
  const boxes = vi.spyOn(PDFPage.prototype, "drawRectangle");
  await printReport(reportOf(...named));
  const marks = {
    texts: texts.mock.calls.map(([text, { x = 0, y = 0, size = 0, font } = {}]) => ({
      ...{ text, x, y, size },
      width: font?.widthOfTextAtSize(text, size) ?? 0,
    })),
    boxes: boxes.mock.calls.map(([box]) => box),
  };
  texts.mockRestore();
  boxes.mockRestore();
  return marks;
}

const ROOM = SHEET.width - 88;

it("stands where the sheet has it, counted from below", async () => {
  const { texts, boxes } = await drawn("Café Bertille");
  expect(texts[0]).toMatchObject({ text: "Café Bertille", x: 44, y: SHEET.height - 56, size: 22 });
  expect(boxes[0]).toMatchObject({ x: 0, y: SHEET.height - 8, height: 8 });
  expect(boxes[0]?.color).toMatchObject({ red: 139 / 255, green: 92 / 255, blue: 246 / 255 });
  // Figures of the funnel end at one line.
  const figure = texts.find(({ x, y, text }) => text.startsWith("1") && x > 44 && y < 400);
  expect((figure?.x ?? 0) + (figure?.width ?? 0)).toBeCloseTo(194, 5);
});

it("is set smaller where there is no room, then cut", async () => {
  const [smaller] = (await drawn("M".repeat(30))).texts;
  expect(smaller?.text).toBe("M".repeat(30));
  expect(smaller?.size).toBeLessThan(22);
  expect(smaller?.width).toBeCloseTo(ROOM, 5);
  const [cut] = (await drawn("M".repeat(60))).texts;
  expect(cut?.text).toMatch(/^M{20,}…$/);
  expect(cut?.size).toBeCloseTo(15.4, 5);
  expect(cut?.width).toBeLessThanOrEqual(ROOM);
  // One letter more would not have fitted.
  expect((cut?.width ?? 0) + 15.4).toBeGreaterThan(ROOM);
});

it.each([
  ["Łódź 寿司 🍕 œuf", "Lódz œuf"],
  ["Đặng\u202Fₐ − B", "Dang\u00A0a - B"],
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
