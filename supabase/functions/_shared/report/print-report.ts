import type { PDFFont } from "@cantoo/pdf-lib";
import { channelsOf } from "../domain/rules/colors.ts";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { isLegible } from "../domain/text/legible.ts";
import { typeset } from "../domain/text/typeset.ts";
import { layOutReport, type Mark, SHEET } from "./lay-out.ts";
import { monthlyReportCopy } from "./monthly-report.copy.ts";
import { inMonth } from "./report-words.ts";

/** Smallest that a text is set before it is cut. */
const SMALLEST = 0.7;

/** Letters that are no base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { Ł: "L", ł: "l", Đ: "D", đ: "d", ı: "i" };

/** A text in the letters that every PDF reader brings along: others as near as can be, or left out. */
function printable(text: string, known: ReadonlySet<number>): string {
  const isKnown = (letter: string) => known.has(letter.codePointAt(0) ?? 0);
  return Array.from(
    typeset(text.normalize("NFC")).replaceAll("\u202F", "\u00A0").replaceAll("\u2212", "-"),
  )
    .map((letter) => {
      if (isKnown(letter)) return letter;
      const plain = Array.from(
        (PLAIN[letter] ?? letter).normalize("NFKD").replaceAll(/\p{M}/gu, ""),
      );
      return plain.every(isKnown) ? plain.join("") : "";
    })
    .join("")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}

/** A report whose names say something in the letters of the page. The window's title has them as they are. */
function legible(report: MonthlyReport, known: ReadonlySet<number>): MonthlyReport {
  const nameOr = (name: string, other: string) =>
    isLegible(printable(name, known), name) ? name : other;
  return {
    ...report,
    organization: nameOr(report.organization, monthlyReportCopy.unnamed),
    public_pages: report.public_pages.map((page, n) => ({
      ...page,
      name: nameOr(page.name, monthlyReportCopy.unnamedStore(n + 1)),
    })),
  };
}

/** A text no wider than it may be, and its size. */
function fitted(text: string, font: PDFFont, size: number, width: number) {
  const natural = font.widthOfTextAtSize(text, size);
  if (natural <= width) return { text, size };
  if (width / natural >= SMALLEST) return { text, size: (size * width) / natural };
  const smallest = size * SMALLEST;
  const letters = Array.from(text);
  while (letters.length > 0 && font.widthOfTextAtSize(`${letters.join("")}…`, smallest) > width) {
    letters.pop();
  }
  return { text: `${letters.join("")}…`, size: smallest };
}

/** A report as a PDF of one page. Its fonts are those that every reader brings along: no file is needed where it is made. */
export async function printReport(report: MonthlyReport): Promise<Uint8Array> {
  // Only here: reading the library costs a start of the server a fifth of its processor time.
  const { PDFDocument, rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  const rgbOf = (color: string) => {
    const [red, green, blue] = channelsOf(color);
    return rgb(red / 255, green / 255, blue / 255);
  };
  const document = await PDFDocument.create();
  document.setTitle(`${report.organization} · ${monthlyReportCopy.title(inMonth(report.month))}`, {
    showInWindowTitleBar: true,
  });
  document.setLanguage("fr");
  const [regular, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ]);
  const known = new Set(regular.getCharacterSet());
  const page = document.addPage([SHEET.width, SHEET.height]);
  const draw = (mark: Mark) => {
    const { x, y } = mark;
    if (mark.kind === "box") {
      const { width, height, color } = mark;
      page.drawRectangle({ x, y: SHEET.height - y - height, width, height, color: rgbOf(color) });
      return;
    }
    const font = mark.isBold ? bold : regular;
    const { text, size } = fitted(
      printable(mark.text, known),
      font,
      mark.size,
      mark.width ?? Number.POSITIVE_INFINITY,
    );
    const left = mark.align === "right" ? x - font.widthOfTextAtSize(text, size) : x;
    page.drawText(text, { x: left, y: SHEET.height - y, size, font, color: rgbOf(mark.color) });
  };
  for (const mark of layOutReport(legible(report, known))) draw(mark);
  return document.save();
}
