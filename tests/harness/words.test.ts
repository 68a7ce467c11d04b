import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";

/** Words of a sentence at most. What stands in parentheses counts by itself. */
const MOST_WORDS = 25;

/** Words of our own, and the field's term that says the same. */
const STANDARD_TERMS: Readonly<Record<string, string>> = {
  "(?<!\\b(?:in|take) )\\bturns?\\b": "spin, attempt, or « one after the other »",
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

/** Comments of the catalog (`comment on … is '…'`) as texts. */
async function catalogComments(): Promise<{ place: string; text: string }[]> {
  const folder = new URL("supabase/schemas/", ROOT);
  const comments: { place: string; text: string }[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const sql = await readFile(new URL(file, folder), "utf8");
    for (const [, name, literals] of sql.matchAll(
      /^comment on ([^']+?)\s+is\s+((?:'(?:[^']|'')*'\s*)+);/gm,
    )) {
      const parts = literals?.match(/'(?:[^']|'')*'/g) ?? [];
      const text = parts.map((part) => part.slice(1, -1).replaceAll("''", "'")).join("");
      comments.push({ place: `${file}: ${name?.replace(/\s+/g, " ")}`, text });
    }
  }
  return comments;
}

function termsIn(text: string): string[] {
  return Object.entries(STANDARD_TERMS)
    .filter(([word]) => new RegExp(word, "i").test(text))
    .map(([word, term]) => `${word}: better ${term}`);
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
    ...termsIn(text).map((found) => `${place}: ${found}`),
  ]);
  expect(found).toEqual([]);
});

it("comments of the catalog use the field's words", async () => {
  const comments = await catalogComments();
  expect(comments.length).toBeGreaterThan(800);
  expect(
    comments.flatMap(({ place, text }) => termsIn(text).map((found) => `${place}: ${found}`)),
  ).toEqual([]);
});
