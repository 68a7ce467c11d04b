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

type Comment = { place: string; text: string };

/** Comments of the schema's files, as they are read from each. */
async function commentsBy(read: (file: string, sql: string) => Comment[]): Promise<Comment[]> {
  const folder = new URL("supabase/schemas/", ROOT);
  const files = (await readdir(folder)).sort();
  const comments = files.map(async (file) =>
    read(file, await readFile(new URL(file, folder), "utf8")),
  );
  return (await Promise.all(comments)).flat();
}

/** Comments as texts: those inside the bodies of functions are code's. */
function schemaComments(file: string, sql: string): Comment[] {
  const outside = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => body.replace(/[^\n]/g, ""));
  return [...outside.matchAll(/(?:^[ \t]*--.*\n)+/gm)].flatMap(({ 0: block, index }) => {
    const place = `${file}:${outside.slice(0, index).split("\n").length}`;
    const text = block.replace(/^[ \t]*--[ \t]?/gm, "").replace(/-{5,}/g, "");
    // An empty line ends a paragraph, and a heading has no full stop.
    return text.split(/\n\s*\n/).map((paragraph) => ({ place, text: paragraph }));
  });
}

/** Comments of the catalog (`comment on … is '…'`) as texts. */
function catalogComments(file: string, sql: string): Comment[] {
  const found = sql.matchAll(/^comment on ([^']+?)\s+is\s+((?:'(?:[^']|'')*'\s*)+);/gm);
  return [...found].map(([, name, literals]) => {
    const parts = literals?.match(/'(?:[^']|'')*'/g) ?? [];
    const text = parts.map((part) => part.slice(1, -1).replaceAll("''", "'")).join("");
    return { place: `${file}: ${name?.replace(/\s+/g, " ")}`, text };
  });
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
  const comments = await commentsBy(schemaComments);
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
  const comments = await commentsBy(catalogComments);
  expect(comments.length).toBeGreaterThan(800);
  expect(
    comments.flatMap(({ place, text }) => termsIn(text).map((found) => `${place}: ${found}`)),
  ).toEqual([]);
});
