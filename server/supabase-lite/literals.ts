/** An item of an array: its text, null, or an array of the next dimension. */
export type Item = string | null | readonly Item[];

/** A text between quotation marks, as literals of arrays and rows have it. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/** PostgreSQL's literal of an array. */
export function arrayLiteral(items: readonly Item[]): string {
  const texts = items.map((item) => {
    if (item === null) return "NULL";
    return typeof item === "string" ? quoted(item) : arrayLiteral(item);
  });
  return `{${texts.join(",")}}`;
}

/** PostgreSQL's literal of a row. */
export function rowLiteral(fields: readonly (string | null)[]): string {
  return `(${fields.map((field) => (field === null ? "" : quoted(field))).join(",")})`;
}

/** Tokens of an array literal: brackets, texts between quotation marks, and bare ones. */
const TOKEN = /[{}]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs;

/** Reads PostgreSQL's literal of an array, item by item; the driver would take what is missing for the word « NULL ». */
export function readArray(literal: string, read: (text: string) => unknown): unknown[] {
  const outermost: unknown[] = [];
  const open: unknown[][] = [outermost];
  // Bounds other than the default ones precede the first bracket.
  for (const [token, inner] of literal.slice(literal.indexOf("{")).matchAll(TOKEN)) {
    const current = open.at(-1) ?? outermost;
    if (token === "{") {
      const next: unknown[] = [];
      current.push(next);
      open.push(next);
    } else if (token === "}") open.pop();
    else if (inner !== undefined) current.push(read(inner.replace(/\\(.)/gs, "$1")));
    else current.push(token === "NULL" ? null : read(token));
  }
  const [array] = outermost;
  return Array.isArray(array) ? array : [];
}
