import { parseSync } from "vite";

/** A comment's text without its signs; lines of `//` that follow one another are one comment. */
export type Comment = { line: number; text: string };

const lineOf = (code: string, at: number) => code.slice(0, at).split("\n").length;

/** Comments of a module in TypeScript or JavaScript. */
export function commentsIn(file: string, code: string): Comment[] {
  const found: (Comment & { last: number; isBlock: boolean })[] = [];
  for (const { type, value, start, end } of parseSync(file, code).comments) {
    const line = lineOf(code, start);
    const isBlock = type === "Block";
    const before = found.at(-1);
    const isAlone = /^[ \t]*$/.test(code.slice(code.lastIndexOf("\n", start - 1) + 1, start));
    if (!isBlock && isAlone && before && !before.isBlock && before.last === line - 1) {
      before.text += `\n${value.trim()}`;
      before.last = line;
      continue;
    }
    const text = isBlock ? value.replace(/^\*|^[ \t]*\*[ \t]?/gm, "").trim() : value.trim();
    found.push({ line, text, last: lineOf(code, end), isBlock });
  }
  return found.map(({ line, text }) => ({ line, text }));
}
