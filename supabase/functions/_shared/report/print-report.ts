import { setTimeout as delay } from "node:timers/promises";
import type { PDFFont } from "@cantoo/pdf-lib";
import { channelsOf } from "../domain/rules/colors.ts";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { drawnLetters, fontRuns } from "../domain/text/drawn-letters.ts";
import { isLegible } from "../domain/text/legible.ts";
import { typeset } from "../domain/text/typeset.ts";
import { layOutReport, type Mark, SHEET } from "./lay-out.ts";
import { monthlyReportCopy } from "./monthly-report.copy.ts";
import { inMonth } from "./report-words.ts";

/** Smallest that a text is set, as a part of its size, before it is cut. */
const SMALLEST = 0.7;

/** Smallest that a text of two lines is set before it is cut, in points. */
const SMALLEST_OF_TWO = 8;

/** Size of a text that has just become two lines, as a part of its size, and their distance as a part of theirs. */
const TWO_LINES = { size: 0.75, leading: 1.15 } as const;

/** Fonts of a face: the first that has a letter draws it. */
type Face = readonly { font: PDFFont; letters: ReadonlySet<number> }[];

type Faces = Readonly<Record<"display" | "text", Face>>;

/** Place in a face of the first font that has a letter; −1 for none. */
const fontOf = (face: Face, letter: string) =>
  face.findIndex(({ letters }) => letters.has(letter.codePointAt(0) ?? 0));

/** A text in pieces of one font each. */
function runsOf(text: string, face: Face): { text: string; font: PDFFont }[] {
  return fontRuns(text, (letter) => fontOf(face, letter)).flatMap(({ text, font }) => {
    const found = face[font];
    return found ? [{ text, font: found.font }] : [];
  });
}

function widthOf(text: string, face: Face, size: number): number {
  const widths = runsOf(text, face).map((run) => run.font.widthOfTextAtSize(run.text, size));
  return widths.reduce((sum, width) => sum + width, 0);
}

/** A text in letters that both faces have: others as near as can be, or left out. */
function printable(text: string, faces: Faces): string {
  const isKnown = (letter: string) =>
    fontOf(faces.display, letter) >= 0 && fontOf(faces.text, letter) >= 0;
  // The faces have no narrow space: where a browser makes one, a PDF takes the full one.
  const spaced = typeset(text.normalize("NFC")).replaceAll("\u202F", "\u00A0");
  return drawnLetters(spaced, isKnown).text.replaceAll(/ {2,}/g, " ").trim();
}

/** A report whose names say something in the letters of the page. The window's title has them as they are. */
function legible(report: MonthlyReport, faces: Faces): MonthlyReport {
  const nameOr = (name: string, other: string) =>
    isLegible(printable(name, faces), name) ? name : other;
  return {
    ...report,
    organization: nameOr(report.organization, monthlyReportCopy.unnamed),
    public_pages: report.public_pages.map((page, n) => ({
      ...page,
      name: nameOr(page.name, monthlyReportCopy.unnamedStore(n + 1)),
    })),
  };
}

/** A text in lines no wider than they may be, and their size. */
type Fitted = { lines: readonly string[]; size: number };

/** The letters of a text that fit into a line, the last one « … » where it was cut. */
function cutTo(text: string, face: Face, size: number, width: number): string {
  if (widthOf(text, face, size) <= width) return text;
  const letters = Array.from(text);
  while (letters.length > 0 && widthOf(`${letters.join("")}…`, face, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

function fitted(text: string, face: Face, size: number, width: number): Fitted {
  const natural = widthOf(text, face, size);
  if (natural <= width) return { lines: [text], size };
  const smaller = Math.max(size * SMALLEST, (size * width) / natural);
  return { lines: [cutTo(text, face, smaller, width)], size: smaller };
}

/** A text that wraps where it does not fit: between the words that leave its lines about as long as each other. */
function wrapped(text: string, face: Face, size: number, width: number): Fitted {
  if (widthOf(text, face, size) <= width) return { lines: [text], size };
  const words = text.split(" ");
  const breaks = words.slice(1).map((_word, n) => {
    const lines = [words.slice(0, n + 1).join(" "), words.slice(n + 1).join(" ")];
    const widths = lines.map((line) => widthOf(line, face, size));
    return { lines, first: widths[0] ?? 0, widest: Math.max(...widths) };
  });
  const [even] = breaks.toSorted((a, b) => a.widest - b.widest);
  // One long word becomes no more legible in two pieces.
  if (!even) return fitted(text, face, size, width);
  const smaller = Math.max(SMALLEST_OF_TWO, size * Math.min(TWO_LINES.size, width / even.widest));
  // Where the second line is cut, the first takes all that it can.
  const room = (width * size) / smaller;
  const full = breaks.findLast(({ first }) => first <= room) ?? even;
  const { lines } = even.widest <= room ? even : full;
  return { lines: lines.map((line) => cutTo(line, face, smaller, width)), size: smaller };
}

/** A report, drawn at once. */
async function drawReport(report: MonthlyReport): Promise<Uint8Array> {
  // Only here: reading the libraries costs a start of the server a fifth of its processor time.
  const [{ PDFDocument, rgb }, fontkit, { REPORT_FACES }] = await Promise.all([
    import("@cantoo/pdf-lib"),
    import("@cantoo/fontkit"),
    import("./report-faces.ts"),
  ]);
  const rgbOf = (color: string) => {
    const [red, green, blue] = channelsOf(color);
    return rgb(red / 255, green / 255, blue / 255);
  };
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setTitle(`${report.organization} · ${monthlyReportCopy.title(inMonth(report.month))}`, {
    showInWindowTitleBar: true,
  });
  document.setAuthor(monthlyReportCopy.product);
  document.setCreator(monthlyReportCopy.product);
  document.setLanguage("fr");
  const names = [report.organization, ...report.public_pages.map(({ name }) => name)].join(" ");
  const embed = async ([french, extended]: readonly [string, string]): Promise<Face> => {
    const open = async (file: string) => {
      const font = await document.embedFont(file, { subset: true });
      return { font, letters: new Set(font.getCharacterSet()) };
    };
    const first = await open(french);
    // Only here: most names are written with the first.
    return Array.from(names).every((letter) => fontOf([first], letter) >= 0)
      ? [first]
      : [first, await open(extended)];
  };
  const [display, text] = [await embed(REPORT_FACES.display), await embed(REPORT_FACES.text)];
  const faces = { display, text };
  const page = document.addPage([SHEET.width, SHEET.height]);
  const draw = (mark: Mark) => {
    if (mark.kind === "box") {
      const { x, y, width, height, color } = mark;
      page.drawRectangle({ x, y: SHEET.height - y - height, width, height, color: rgbOf(color) });
      return;
    }
    const face = mark.isBold ? display : text;
    const { width = Number.POSITIVE_INFINITY } = mark;
    const fitInto = mark.wraps ? wrapped : fitted;
    const { lines, size } = fitInto(printable(mark.text, faces), face, mark.size, width);
    for (const [n, line] of lines.entries()) {
      // Two lines stand around the place of one.
      const down = (n - (lines.length - 1) / 2) * size * TWO_LINES.leading;
      let x = mark.align === "right" ? mark.x - widthOf(line, face, size) : mark.x;
      for (const run of runsOf(line, face)) {
        const y = SHEET.height - mark.y - down;
        page.drawText(run.text, { x, y, size, font: run.font, color: rgbOf(mark.color) });
        x += run.font.widthOfTextAtSize(run.text, size);
      }
    }
  };
  for (const mark of layOutReport(legible(report, faces))) draw(mark);
  return document.save();
}

/** End of the report that is printed last, whether it succeeds or not. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A report as a PDF of one page, with the letters that it uses of the brand's faces: no file is needed where it is made. One after the
 * other: each takes tens of milliseconds of the processor, and requests of others go in between.
 */
export function printReport(report: MonthlyReport): Promise<Uint8Array> {
  const printed = last.then(() => drawReport(report));
  const turn = () => delay(0);
  last = printed.then(turn, turn);
  return printed;
}
