/** Start of a word that stands for an operand: nothing that the library would read as a number, a truth or null. */
const MARK = "operand-";
const MARKED = new RegExp(`^${MARK}((?:[0-9a-f]{2})*)$`);

/** The word that stands for a text within an address: the library reads the word, and the statement gets the text. */
export function wordFor(text: string): string {
  return MARK + Buffer.from(text).toString("hex");
}

/** The text that such a word stands for; any other text is itself. */
function textOf(word: string): string {
  const hex = MARKED.exec(word)?.[1];
  return hex === undefined ? word : Buffer.from(hex, "hex").toString();
}

/** Quantified operators: the library makes a list of their operand, which PostgreSQL reads as the literal of an array. */
const QUANTIFIED = /^\$.*(?:Any|All)$/;

function withTexts(part: unknown, key = ""): unknown {
  if (typeof part === "string") return textOf(part);
  if (Array.isArray(part)) {
    const texts = part.map((one) => withTexts(one));
    return QUANTIFIED.test(key) && texts.length === 1 ? texts[0] : texts;
  }
  return typeof part === "object" && part !== null ? textsIn(part) : part;
}

/** Filters or arguments as the library has read them, with texts in the place of the words that stand for them. */
export function textsIn(part: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => [name, withTexts(one, name)]),
  );
}
