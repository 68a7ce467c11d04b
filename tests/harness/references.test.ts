import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commentsIn } from "./comments.ts";

/** References in code and documents: what they name exists (CONTRIBUTING.md, « Documents »). */

const root = fileURLToPath(new URL("../../", import.meta.url));

const FOLDERS = ["bench", "docs", "scripts", "server", "supabase", "tests", "web"];
/** Applied migrations never change, so their comments are not looked at: `supabase/schemas` has the same ones. */
const LEFT_OUT = /^supabase\/migrations\/|^tests\/harness\/references\.test\.ts$|\.gen\.ts$/;
const KINDS = /\.(ts|tsx|js|css|sql|toml|md)$/;

const DOCUMENTS = { specification: "docs/product.md", design: "docs/design.md" } as const;
type Document = keyof typeof DOCUMENTS;

/** « section 4.2 », « sections 2.3, 2.4 and 9 », « section 5: … ». */
const SECTIONS = /\bsections?\s+(\d+(?:\.\d+)*(?:(?:\s*,\s*|\s+(?:and|or)\s+)\d+(?:\.\d+)*)*)/gi;
const DECISIONS = /\bdecisions?(?:\/|\s+)(\d{3})\b/gi;
const DECISION_FILES = /docs\/decisions\/(\d{3}-[\w-]+\.md)/g;
const LINKS = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;
const CODE = /^```.*?^```/gms;

/**
 * Names in backticks that look like a file of the project: letters, a folder perhaps, and an
 * extension of ours.
 */
const QUOTED = /`([\w.@$/-]*\w\.(?:tsx?|js|css|sql|toml|md))(?::\d+)?`/g;
/** A folder of the project. */
const QUOTED_FOLDER = /`((?:bench|docs|scripts|server|supabase|tests|web)\/[\w@$/-]*)`/g;
/** Files that are built, stand for many, or are another project's (decisions 072 and 038). */
const NOT_OURS =
  /^(?:dist|mutation|node_modules)\/|^x\.|(?:^|\/)NN_topic\.|^\.|^(?:test\/e2e\/realtime-check\.ts|supabase\/realtime|preflight\.css)$/;

async function files(): Promise<string[]> {
  const names = await readdir(root);
  const found = names.filter((name) => KINDS.test(name));
  for (const folder of FOLDERS) {
    const entries = await readdir(join(root, folder), { recursive: true });
    found.push(...entries.map((entry) => `${folder}/${entry}`).filter((name) => KINDS.test(name)));
  }
  return found.filter((name) => !LEFT_OUT.test(name)).sort();
}

/** Numbers of the headings of a document: « ## 2. … », « ### 2.10 … ». */
function numbered(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map((found) => found[1] ?? ""),
  );
}

/** Whose section it is: the document named last before it in its sentence, else the specification. */
function documentOf(before: string): Document | null {
  const sentence = before.slice(before.search(/[^.;:!?]*$/));
  if (/\bRFC\b/.test(sentence)) return null;
  const named = [...sentence.matchAll(/\b(specification|design)\b/gi)].at(-1)?.[1]?.toLowerCase();
  return named === "design" ? "design" : "specification";
}

/** Lines joined, without the signs that begin a line of a comment, so that a reference may go over two lines. */
function unwrapped(text: string): string {
  return text.replace(/\s*\n\s*(?:\/\/|--|\*(?!\/)|#|' *\|\| *')?\s*/g, " ").replace(/'\s+'/g, "");
}

type Facts = {
  sections: Readonly<Record<Document, ReadonlySet<string>>>;
  decisions: ReadonlySet<string>;
  exists: (path: string) => boolean;
  /** Whether there is a file of that name, in whichever folder. */
  isSomewhere: (ending: string) => boolean;
};

/** Prose of a file: its comments, or all of it where it is a document. */
function proseOf(name: string, text: string): string {
  if (name.endsWith(".md")) return text.replace(CODE, "");
  if (/\.(tsx?|js)$/.test(name)) {
    return commentsIn(name, text)
      .map((comment) => comment.text)
      .join("\n");
  }
  return text;
}

/** References of a file to missing files, sections or other parts. */
function missingIn(name: string, text: string, facts: Facts): string[] {
  const prose = unwrapped(name.endsWith(".md") ? text.replace(CODE, "") : text);
  const missing: string[] = [];
  for (const found of prose.matchAll(SECTIONS)) {
    const after = prose.slice(found.index + found[0].length, found.index + found[0].length + 40);
    const document = /^ of the design\b/.test(after)
      ? "design"
      : documentOf(prose.slice(Math.max(0, found.index - 160), found.index));
    if (document === null) continue;
    for (const [number] of (found[1] ?? "").matchAll(/\d+(?:\.\d+)*/g)) {
      if (!facts.sections[document].has(number)) missing.push(`${document}, section ${number}`);
    }
  }
  for (const [, number = ""] of prose.matchAll(DECISIONS)) {
    if (!facts.decisions.has(number)) missing.push(`decision ${number}`);
  }
  // SQL names decisions by their number alone: a file may get another name.
  if (!name.endsWith(".sql")) {
    for (const [path] of text.matchAll(DECISION_FILES)) if (!facts.exists(path)) missing.push(path);
  }
  if (name.endsWith(".md")) {
    for (const [, target = ""] of text.replace(CODE, "").matchAll(LINKS)) {
      if (/^[a-z]+:/.test(target)) continue;
      if (!facts.exists(join(dirname(name), target))) missing.push(target);
    }
  }
  for (const [, path = ""] of proseOf(name, text).matchAll(QUOTED)) {
    if (NOT_OURS.test(path) || facts.exists(join(dirname(name), path))) continue;
    if (!facts.isSomewhere(path)) missing.push(path);
  }
  for (const [, path = ""] of proseOf(name, text).matchAll(QUOTED_FOLDER)) {
    if (!NOT_OURS.test(path) && !facts.exists(path)) missing.push(path);
  }
  return missing;
}

async function facts(): Promise<Facts> {
  const read = (path: string) => readFile(join(root, path), "utf8");
  const index = await read("docs/decisions/README.md");
  const names = [...(await files()), "tests/harness/references.test.ts"].map((name) => `/${name}`);
  return {
    sections: {
      specification: numbered(await read(DOCUMENTS.specification)),
      design: numbered(await read(DOCUMENTS.design)),
    },
    decisions: new Set([...index.matchAll(/^\| \[?(\d{3})\b/gm)].map((found) => found[1] ?? "")),
    exists: (path) => existsSync(join(root, path)),
    isSomewhere: (ending) => names.some((name) => name.endsWith(`/${ending}`)),
  };
}

it("every reference to a section, a decision or a file resolves", async () => {
  const known = await facts();
  const names = await files();
  const missing = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(root, name), "utf8");
      return missingIn(name, text, known).map((what) => `${name}: ${what}`);
    }),
  );
  expect(missing.flat()).toEqual([]);
});

it("the index of decisions lists every file once, with its own title", async () => {
  const folder = join(root, "docs/decisions");
  const index = await readFile(join(folder, "README.md"), "utf8");
  const listed = [...index.matchAll(/^\| \[(\d{3} [^\]]+)\]\(([^)]+)\)/gm)].map(
    ([, title, file]) => `${file}: ${title}`,
  );
  const names = (await readdir(folder)).filter((name) => /^\d{3}-/.test(name));
  const titles = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return `${name}: ${text.slice(2, text.indexOf("\n"))}`;
    }),
  );
  expect(listed.sort()).toEqual(titles.sort());
});

it("the specification lists every error code of the database, and no other", async () => {
  const folder = join(root, "supabase/schemas");
  const schemas = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
  const codesIn = (text: string) => [...new Set(text.match(/\bTV\d{3}\b/g))].sort();
  const raised = codesIn((await Promise.all(schemas)).join("\n"));
  expect(raised.length).toBeGreaterThan(40);
  const listed = codesIn(await readFile(join(root, DOCUMENTS.specification), "utf8"));
  expect(listed, "docs/product.md, section 8, « SQLSTATEs of the product »").toEqual(raised);
});

describe("what the search finds", () => {
  const known: Facts = {
    sections: { specification: new Set(["2.1", "5"]), design: new Set(["4"]) },
    decisions: new Set(["001"]),
    exists: (path) => path === "docs/decisions/001-a.md",
    isSomewhere: (ending) => "/server/web/site.ts".endsWith(`/${ending}`),
  };

  it.each([
    ["a.ts", "/** A rule (specification, section 9.9). */", ["specification, section 9.9"]],
    ["a.ts", "/** A rule (specification, sections 2.1, 5 and 6). */", ["specification, section 6"]],
    ["a.sql", "-- settled (design,\n-- section 7)", ["design, section 7"]],
    ["a.ts", "/** Section 4 of the design. Then section 5. */", []],
    ["a.ts", "/** RFC 5321, section 4.5.3.1.1 */", []],
    ["a.ts", "// decision 001, docs/decisions/001", []],
    ["a.ts", "// decision 002", ["decision 002"]],
    ["a.ts", "// docs/decisions/001-b.md", ["docs/decisions/001-b.md"]],
    ["docs/a.md", "[one](decisions/001-a.md), [web](https://a.test)", []],
    ["docs/a.md", "[gone](gone.md)", ["gone.md"]],
    ["docs/a.md", "`server/web/site.ts`, `web/site.ts:12`, `site.ts`", []],
    ["docs/a.md", "`server/web/page.ts:12`", ["server/web/page.ts"]],
    ["docs/a.md", "`dist/server.js`, `NN_topic.sql`, `x.copy.ts`, `*.copy.ts`", []],
    ["a.tsx", "// as `page.ts` does\nconst a = `gone.ts`;", ["page.ts"]],
    ["a.ts", "/**\n * What `web/gone.ts` said.\n */", ["web/gone.ts"]],
    ["docs/a.md", "`server/` and `web/gone`", ["server/", "web/gone"]],
    ["a.sql", "-- like `10_gone.sql`", ["10_gone.sql"]],
  ])("in %s: %s", (name, text, missing) => {
    expect(missingIn(name, text, known)).toEqual(missing);
  });
});
