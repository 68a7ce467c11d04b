import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { commentsIn } from "./comments.ts";

/** Words of a sentence at most. What stands in parentheses counts by itself. */
const MAX_WORDS = 25;

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

/** Comments as texts, those inside the bodies of functions too. */
function schemaComments(file: string, sql: string): Comment[] {
  return [...sql.matchAll(/(?:^[ \t]*--.*\n)+/gm)].flatMap(({ 0: block, index }) => {
    const place = `${file}:${sql.slice(0, index).split("\n").length}`;
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

function termsIn(text: string, terms: Readonly<Record<string, string>> = STANDARD_TERMS): string[] {
  return Object.entries(terms)
    .filter(([word]) => new RegExp(word, "i").test(text))
    .map(([word, term]) => `${word}: better ${term}`);
}

function sentencesOf(text: string): string[] {
  const [inner, outer] = [text.match(/\([^)]*\)/g) ?? [], text.replace(/\s*\([^)]*\)/g, "")];
  return [outer, ...inner].flatMap((part) => part.split(/(?<=[.:;!?])\s+/));
}

function isLong(sentence: string): boolean {
  return sentence.split(/\s+/).filter(Boolean).length > MAX_WORDS;
}

/** Folders with sources in TypeScript, and generated files, whose words are those of what they were made of. */
const FOLDERS = ["bench/", "scripts/", "server/", "supabase/", "tests/", "web/"];
const GENERATED = /\.gen\.ts$|\/database\.types\.ts$/;

/** Names of tests, and of groups of them, as they are written. */
const TEST_NAME =
  /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/**
 * Words in names of tests, and the field's term for each. The movement of the wheel itself keeps
 * its verb.
 */
const TEST_TERMS: Readonly<Record<string, string>> = {
  "\\b(?:an?|the|one|no|each|every|other|last|identical|of 100) turns?\\b": "spin",
  "\\btold\\b": "notified, refused, answered",
  "\\bwhatever the weather\\b": "always",
};

async function typescriptFiles(): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(new URL(folder, ROOT), { recursive: true })).map((name) => folder + name),
    ),
  );
  const top = (await readdir(ROOT)).filter((name) => name.endsWith(".ts"));
  return [...found.flat(), ...top].filter(
    (name) => /\.(?:tsx?|js)$/.test(name) && !GENERATED.test(name),
  );
}

/** First words that keep a reader waiting for the noun. */
const RIDDLE = /^(?:What|Whoever|Who)\b/;

/** Comments that do not begin with a noun. */
function withoutNoun(comments: readonly { place: string; text: string }[]): string[] {
  return comments
    .filter(({ text }) => RIDDLE.test(text.trim()))
    .map(({ place, text }) => `${place}: begins without its noun: ${text}`);
}

function riddles(file: string, code: string): string[] {
  return withoutNoun(
    commentsIn(file, code).map(({ line, text }) => ({ place: `${file}:${line}`, text })),
  );
}

/** Sentences of a module's comments that are too long. */
function longSentences(file: string, code: string): string[] {
  return commentsIn(file, code).flatMap(({ line, text }) =>
    // An empty line ends a paragraph, and an item of a list is a sentence.
    text
      .split(/\n\s*\n|\n\s*(?:-|\d+\.) /)
      .flatMap(sentencesOf)
      .filter(isLong)
      .map((sentence) => `${file}:${line}: over ${MAX_WORDS} words: ${sentence}`),
  );
}

/** Names of a module's tests that are too long, or use another word than the field's. */
function wrongNames(file: string, code: string): string[] {
  return [...code.matchAll(TEST_NAME)].flatMap(([, plain, template]) => {
    const name = plain ?? template ?? "";
    return [
      ...(isLong(name) ? [`${file}: over ${MAX_WORDS} words: ${name}`] : []),
      ...termsIn(name, TEST_TERMS).map((found) => `${file}: ${name}: ${found}`),
    ];
  });
}

it("comments of TypeScript begin with a noun, in short sentences; names of tests are short, too", async () => {
  const files = await typescriptFiles();
  expect(files.length).toBeGreaterThan(1_500);
  const found = await Promise.all(
    files.map(async (file) => {
      const code = await readFile(new URL(file, ROOT), "utf8");
      const isTest = /\.test\.tsx?$/.test(file) && file !== "tests/harness/words.test.ts";
      const names = isTest ? wrongNames(file, code) : [];
      return [...longSentences(file, code), ...riddles(file, code), ...names];
    }),
  );
  expect(found.flat()).toEqual([]);
});

/** Paragraphs and items of lists of a document; tables, headings and examples are no sentences. */
function paragraphsOf(markdown: string): string[] {
  return markdown
    .replace(/^```.*?^```/gms, "")
    .replaceAll("**", "")
    .replace(/\]\([^)]*\)/g, "]")
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |\n(?=[|#])/)
    .filter((paragraph) => !/^\s*[|#]/.test(paragraph));
}

it("the documents of the house and its decisions are written in short sentences", async () => {
  const folder = "docs/decisions/";
  const decisions = (await readdir(new URL(folder, ROOT))).map((name) => folder + name);
  const files = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", ...decisions];
  expect(files.length).toBeGreaterThan(60);
  const found = files.map(async (file) =>
    paragraphsOf(await readFile(new URL(file, ROOT), "utf8"))
      .flatMap(sentencesOf)
      .filter(isLong)
      .map((sentence) => `${file}: over ${MAX_WORDS} words: ${sentence}`),
  );
  expect((await Promise.all(found)).flat()).toEqual([]);
});

describe("what the search finds", () => {
  const long = Array.from({ length: MAX_WORDS + 1 }, () => "word").join(" ");

  it.each([
    [`/** ${long}. */`, 1],
    [`const a = 1; // ${long}`, 1],
    [`/** ${long.slice(5)}. Another. */`, 0],
    [`// ${long.slice(5)}:\n// ${long.slice(5)}`, 0],
    [`// ${long.slice(5)}\n// word`, 1],
    [`/**\n * ${long.slice(5)}\n *\n * word\n */`, 0],
    [`/** ${long.slice(5)} (in parentheses). */`, 0],
    [`const a = "${long}";`, 0],
  ])("in a comment: %#", (code, count) => {
    expect(longSentences("a.ts", code)).toHaveLength(count);
  });

  it.each([
    ["/** What is left of it. */", 1],
    ["// Whoever leaves finds it again.", 1],
    ["/** Rest of it: what is left. */", 0],
    ['const a = "What is left";', 0],
  ])("at the beginning of a comment: %s", (code, count) => {
    expect(riddles("a.ts", code)).toHaveLength(count);
  });

  it.each([
    ['it("refuses the turn", () => {});', 1],
    ['it.each([[1]])("turns the wheel %i times", () => {});', 0],
    ['describe("who is told", () => {});', 1],
    [`it("${long}", () => {});`, 1],
  ])("in the name of a test: %s", (code, count) => {
    expect(wrongNames("a.test.ts", code)).toHaveLength(count);
  });
});

/** Faults in texts of comments: long sentences, or another word than the field's. */
function wrongWords(comments: readonly Comment[]): string[] {
  return comments.flatMap(({ place, text }) => [
    ...sentencesOf(text)
      .filter(isLong)
      .map((sentence) => `${place}: over ${MAX_WORDS} words: ${sentence}`),
    ...termsIn(text).map((found) => `${place}: ${found}`),
  ]);
}

it("comments of the schema and of function bodies begin with a noun, in short sentences in the field's words", async () => {
  const comments = await commentsBy(schemaComments);
  expect(comments.length).toBeGreaterThan(400);
  expect(wrongWords(comments)).toEqual([]);
  expect(withoutNoun(comments)).toEqual([]);
});

it("comments of the catalog are short sentences in the field's words", async () => {
  const comments = await commentsBy(catalogComments);
  expect(comments.length).toBeGreaterThan(800);
  expect(wrongWords(comments)).toEqual([]);
  expect(withoutNoun(comments)).toEqual([]);
});
