import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";

/** Words of a sentence at most. What stands in parentheses counts by itself. */
const MOST_WORDS = 25;

/** Words of our own, and the field's term that says the same. */
const STANDARD_TERMS: Readonly<Record<string, string>> = {
  "\\bturns?\\b": "spin, attempt, or « one after the other »",
  "\\btold\\b": "notified, refused, answered",
  "\\bpaint(s|ed|er|ers)?\\b": "render, draw",
  "\\bwhatever the weather\\b": "always",
  "\\bbreath\\b": "space, delay",
};

/** Comments of the schema's files as texts: those inside the bodies of functions are code's. */
async function schemaComments(): Promise<{ place: string; text: string }[]> {
  const folder = new URL("supabase/schemas/", ROOT);
  const comments: { place: string; text: string }[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const sql = await readFile(new URL(file, folder), "utf8");
    const outside = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => body.replace(/[^\n]/g, ""));
    for (const { 0: block, index } of outside.matchAll(/(?:^[ \t]*--.*\n)+/gm)) {
      const line = outside.slice(0, index).split("\n").length;
      const text = block.replace(/^[ \t]*--[ \t]?/gm, "").replace(/-{5,}/g, "");
      // An empty line ends a paragraph, and a heading has no full stop.
      for (const paragraph of text.split(/\n\s*\n/))
        comments.push({ place: `${file}:${line}`, text: paragraph });
    }
  }
  return comments;
}

function sentencesOf(text: string): string[] {
  const [inner, outer] = [text.match(/\([^)]*\)/g) ?? [], text.replace(/\s*\([^)]*\)/g, "")];
  return [outer, ...inner].flatMap((part) => part.split(/(?<=[.:;!?])\s+/));
}

it("comments of the schema are short sentences in the field's words", async () => {
  const comments = await schemaComments();
  expect(comments.length).toBeGreaterThan(80);
  const found = comments.flatMap(({ place, text }) => [
    ...sentencesOf(text)
      .filter((sentence) => sentence.split(/\s+/).filter(Boolean).length > MOST_WORDS)
      .map((sentence) => `${place}: over ${MOST_WORDS} words: ${sentence}`),
    ...Object.entries(STANDARD_TERMS)
      .filter(([word]) => new RegExp(word, "i").test(text))
      .map(([word, term]) => `${place}: ${word}: better ${term}`),
  ]);
  expect(found).toEqual([]);
});
