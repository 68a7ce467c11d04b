/** Value of a cell. */
export type Cell = string | number | null;

/** Spreadsheets take a file for UTF-8 by this mark alone. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** How a text begins that a spreadsheet would run as a formula; tab and return hide one from a careless look. */
const FORMULA = /^[=+\-@\t\r]/;

/** Characters that would end a cell or a line, or be trimmed away. */
const NEEDS_QUOTES = /[;"\r\n]|^\s|\s$/;

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
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
