/** A piece of SQL with its place in the text. Blanks and comments are none. */
export type Token = {
  kind: "word" | "string" | "number" | "dollar" | "operator" | "mark";
  /** As it stands; words in lower case. */
  text: string;
  start: number;
  end: number;
};

const PIECE =
  /(?<skip>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>[eE]?'(?:[^']|'')*')|(?<dollar>\$[a-z_]*\$)|(?<number>\d+(?:\.\d+)?)|(?<word>[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*|"[^"]+")|(?<operator>::|:=|=>|<=|>=|<>|!=|->>|->|#>>|@>|<@|\|\||<<|>>|&&|\^@|!~\*?|~\*?|[-<>=+*/%^|&#?@!])|(?<mark>[\s\S])/gy;

const KINDS = ["string", "dollar", "number", "word", "operator", "mark"] as const;

/** Cuts SQL into tokens; the body of a function, between its dollars, is cut like everything else. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index: start, groups = {} } of sql.matchAll(PIECE)) {
    const kind = KINDS.find((name) => groups[name] !== undefined);
    if (kind === undefined) continue;
    const end = start + text.length;
    tokens.push({ kind, text: kind === "word" ? text.toLowerCase() : text, start, end });
  }
  return tokens;
}
