import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { knownFiles } from "./known-files.ts";

let root: URL;

const write = (name: string, text: string) => writeFileSync(new URL(name, root), text);

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "tournavis-known-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  root = pathToFileURL(`${folder}/`);
  mkdirSync(new URL("supabase/schemas/", root), { recursive: true });
  write("supabase/schemas/01_first.sql", "select 1;");
  write("age.ts", "export const old = 17;");
  write("name.ts", "export const long = 40;");
  write("age.test.ts", "old");
  write("name.test.ts", "long");
});

const open = (codes: Parameters<typeof knownFiles>[1]) =>
  knownFiles(new URL("files.json", root), codes, root);

describe("of sources that hold mutants", () => {
  const code = (file: string, ids: readonly string[]) => ({ file, code: "", ids });
  const codes = [code("age.ts", ["0", "1", "2"]), code("name.ts", ["3", "4"])];

  beforeEach(() => {
    const { learn } = open(codes);
    learn("age.test.ts", { ms: 12.4, called: null, met: new Set(["0", "2"]) });
    learn("name.test.ts", { ms: 9, called: null, met: new Set(["1", "4"]) });
  });

  it("knows which mutants a test file ran past, also when their numbers have moved", () => {
    expect(open(codes).known).toEqual({
      "age.test.ts": { ms: 12, called: null, met: new Set(["0", "2"]) },
      "name.test.ts": { ms: 9, called: null, met: new Set(["1", "4"]) },
    });
    const moved = [code("a-new-one.ts", ["0"]), code("age.ts", ["1", "2", "3"])];
    expect(open(moved).known["age.test.ts"]?.met).toEqual(new Set(["1", "3"]));
  });

  it("forgets whoever ran past a source that has changed, and nobody else", () => {
    write("name.ts", "export const long = 41;");
    expect(Object.keys(open(codes).known)).toEqual(["age.test.ts"]);
  });

  it("forgets a test file that has changed, or that has gone", () => {
    write("age.test.ts", "older");
    rmSync(new URL("name.test.ts", root));
    expect(open(codes).known).toEqual({});
  });

  it("asks nothing of the schema", () => {
    write("supabase/schemas/01_first.sql", "select 2;");
    expect(Object.keys(open(codes).known)).toEqual(["age.test.ts", "name.test.ts"]);
  });
});

describe("of schemas", () => {
  beforeEach(() => {
    open([]).learn("age.test.ts", { ms: 12, called: { "public.f": 3 }, met: new Set() });
  });

  it("knows what a test file calls until a schema changes", () => {
    expect(open([]).known["age.test.ts"]?.called).toEqual({ "public.f": 3 });
    write("supabase/schemas/01_first.sql", "select 2;");
    expect(open([]).known).toEqual({});
  });
});
