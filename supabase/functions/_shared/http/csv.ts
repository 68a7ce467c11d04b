import { withoutReversing } from "./clean-text.ts";

/** Value of a cell. */
export type Cell = string | number | null;

/** Spreadsheets take a file for UTF-8 by this mark alone. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Signs that begin a formula, also in the full width of East Asian keyboards, behind whatever a spreadsheet skips. */
const FORMULA = /^[\s"\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r]/u;

/**
 * Words and numbers behind a plus or a minus, to the end of their line: « - le café », « -10 % ». Nothing among them calls,
 * quotes or refers to another file; they end as no operator does, so that following cells cannot go on with them.
 */
const WORDS =
  /[+-](?:[ \u00A0\u202F:.,%€\p{L}\p{M}\p{N}]|(?<=\p{L})['’-](?=\p{L}))*[%€\p{L}\p{N}][ \u00A0\u202F]?[.!?…]*(?=[\r\n]|$)/u;

/** The same where a spreadsheet that separates cells by another sign than ours would see one begin. */
const INNER_FORMULA = new RegExp(
  `([,;\\t\\r\\n][\\s"\\p{Cf}]*)(?=[=+\\-@＝＋－＠])(?:(?<=")|(?!${WORDS.source}))`,
  "gu",
);

/** Characters that end a cell or a line, here or where others separate cells, or would be trimmed away. */
const NEEDS_QUOTES = /[;,\t"\r\n]|^\s|\s$/;

/** Cells that nothing takes for anything else, as most are: looked at once, they save half of the work. */
const PLAIN = /^[A-Za-z0-9][\w.@:+-]*$/;

/**
 * One line, its cells separated by semicolons as spreadsheets in French expect. A text that a customer
 * wrote to be run as a formula is led by an apostrophe: it is shown, and nothing happens.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell).replace(".", ",");
  if (PLAIN.test(cell)) return cell;
  const legible = withoutReversing(cell);
  const led = legible.replaceAll(INNER_FORMULA, "$1'");
  const text = FORMULA.test(legible) ? `'${led}` : led;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
