import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { Imports, needsBuild, PAGES, touchedTests } from "./touched.ts";

const FOLDERS = ["bench/", "scripts/", "server/", "supabase/", "tests/", "web/"];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map(
    (name) => folder + name,
  ),
);
const tests = sources.filter((file) => /\.test\.tsx?$/.test(file));
const read = (path: string) => {
  try {
    return readFileSync(new URL(path, ROOT), "utf8");
  } catch {
    return null;
  }
};

/** Tests of the project that a change of these files touches, without those that read all of it. */
const touched = (...changed: string[]) =>
  [...touchedTests(changed, tests, sources, read)].filter(
    (test) => !test.startsWith("tests/harness/"),
  );
const below = (...folders: string[]) =>
  tests.filter((test) => folders.some((folder) => test.startsWith(folder)));

describe("of the project, a change touches", () => {
  it("all of the database's tests, for a schema or a migration", () => {
    for (const file of ["supabase/schemas/13_spins.sql", "supabase/migrations/1_new.sql"]) {
      expect(touched(file)).toEqual(expect.arrayContaining(below("tests/database/")));
      expect(touched(file).filter((test) => test.startsWith("tests/e2e/"))).toEqual([]);
    }
  });

  it("the browser tests of its feature, for a screen, and no database's", () => {
    const found = touched("web/features/reviews/answer/answer-form.tsx");
    expect(found).toEqual(expect.arrayContaining(below("tests/e2e/reviews", "tests/e2e/bad-")));
    expect(found).not.toContain("tests/e2e/win.test.ts");
    expect(found.filter((test) => test.startsWith("tests/database/"))).toEqual([]);
  });

  it("those of every part that imports it, for what parts share", () => {
    const found = touched("web/ui/wheel/wheel.tsx");
    expect(found).toContain("tests/e2e/win.test.ts");
    expect(found).toContain("tests/e2e/wheel-editor.deep.test.ts");
    expect(found).not.toContain("tests/e2e/team.deep.test.ts");
  });

  it("those of the screen that a route opens, for a route", () => {
    const found = touched("web/routes/_member/_shell/customers/index.tsx");
    expect(found).toContain("tests/e2e/customers.test.ts");
    expect(found).not.toContain("tests/e2e/win.test.ts");
  });

  it("all browser tests, for what starts every page", () => {
    expect(touched("web/main.tsx")).toEqual(expect.arrayContaining(below("tests/e2e/reviews")));
  });

  it("the tests of the words that a translation stands in for, for a translation", () => {
    expect(touched("web/customer/parts/ticket.copy.it.ts")).toEqual(
      touched("web/customer/parts/ticket.copy.ts"),
    );
  });

  it("its own tests and those of the server, for the server and its functions", () => {
    const route = touched("server/auth/limits.ts");
    expect(route).toEqual(expect.arrayContaining(below("tests/server/", "tests/conformance/")));
    expect(route.filter((test) => test.startsWith("tests/e2e/"))).toEqual([]);
    const handler = touched("supabase/functions/redeem/handler.ts");
    expect(handler).toEqual(
      expect.arrayContaining(below("tests/server/", "tests/database/functions/")),
    );
  });

  it("whatever imports it, for a rule that tests compare", () => {
    const found = touched("supabase/functions/_shared/domain/text/slugify.ts");
    expect(found).toContain("tests/database/slug-parity.test.ts");
    expect(found).not.toContain("tests/database/team.test.ts");
  });

  it("a test that changed itself, and those that use a changed helper", () => {
    expect(touched("tests/database/team.test.ts")).toEqual(["tests/database/team.test.ts"]);
    expect(touched("tests/e2e/support/reviews.ts").sort()).toEqual(
      below("tests/e2e/reviews").sort(),
    );
  });

  it("nothing but what reads the documents, for a document", () => {
    expect(touched("docs/product.md")).toEqual([]);
    expect(touchedTests(["docs/product.md"], tests, sources, read)).toContain(
      "tests/harness/references.test.ts",
    );
  });

  it("everything, for what all tests rest on", () => {
    expect(touched("package-lock.json")).toEqual(
      below("").filter((test) => !test.startsWith("tests/harness/")),
    );
  });

  it("nothing at all where nothing changed", () => {
    expect([...touchedTests([], tests, sources, read)]).toEqual([]);
  });
});

describe("the table of pages", () => {
  it("has a row for every feature, and no other", () => {
    const features = readdirSync(new URL("web/features/", ROOT)).map(
      (name) => `web/features/${name}/`,
    );
    const rows = Object.keys(PAGES).filter((folder) => folder.startsWith("web/features/"));
    expect(rows.sort()).toEqual(features.sort());
  });

  it("names tests that exist, and every browser test of a page", () => {
    const names = [...new Set(Object.values(PAGES).flat())].map((name) => `tests/e2e/${name}`);
    expect(names.filter((name) => !tests.some((test) => test.startsWith(name)))).toEqual([]);
    const unnamed = below("tests/e2e/").filter(
      (test) => !names.some((name) => test.startsWith(name)),
    );
    // The mailbox and mails are no pages of the front end.
    expect(unnamed).toEqual(["tests/e2e/mailbox.deep.test.ts", "tests/e2e/mails.test.ts"]);
  });
});

it("builds the pages for tests that start the server, and for no others", () => {
  expect(needsBuild("tests/e2e/win.test.ts", read)).toBe(true);
  expect(needsBuild("tests/database/functions/redeem.test.ts", read)).toBe(true);
  expect(needsBuild("tests/database/team.test.ts", read)).toBe(false);
  expect(needsBuild("web/customer/parts/dates.test.ts", read)).toBe(false);
});

it.each([
  ['import { a } from "./a.ts";', ["x/a.ts"]],
  ['import {\n  a,\n  b,\n} from "../y/a.ts";', ["y/a.ts"]],
  ['import "./a.css";', ["x/a.css"]],
  ['export { a } from "./a.ts";', ["x/a.ts"]],
  ['const a = await import("./a.ts");', ["x/a.ts"]],
  ['import { a } from "#domain/text/a.ts";', ["supabase/functions/_shared/domain/text/a.ts"]],
  ['import type { A } from "./a.ts";', []],
  ['import { it } from "vitest";', []],
])("reads the imports of %s", (text, imported) => {
  expect(new Imports(() => text).of("x/file.ts")).toEqual(imported);
});
