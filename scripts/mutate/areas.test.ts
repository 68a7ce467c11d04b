import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { AREAS, areaOf, isAreaName, isMutated } from "./areas.ts";
import { sqlMutants } from "./sql-mutants.ts";

const filesBelow = (folder: string) =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map(
    (name) => folder + name,
  );
const tests = ["tests/", "server/", "supabase/functions/", "web/"]
  .flatMap(filesBelow)
  .filter((name) => /\.test\.tsx?$/.test(name));

describe.each(Object.keys(AREAS).filter(isAreaName))("the area %s", (name) => {
  const { sources, functions, tests: beginnings } = areaOf(name);

  it("names tests that exist", () => {
    const unknown = beginnings.filter((start) => !tests.some((test) => test.startsWith(start)));
    expect(unknown).toEqual([]);
  });

  it.each(sources)("has mutants in %s", (source) => {
    if (source.endsWith("/")) {
      expect(filesBelow(source).filter(isMutated)).not.toEqual([]);
      return;
    }
    const text = readFileSync(fileURLToPath(new URL(source, ROOT)), "utf8");
    const mutants = sqlMutants(source, text);
    expect(mutants.filter(({ where }) => functions?.test(where) ?? true)).not.toEqual([]);
  });
});

it("plants no mutants in words, tests and entry points", () => {
  expect(isMutated("web/customer/parts/ticket.tsx")).toBe(true);
  expect(isMutated("supabase/functions/redeem/handler.ts")).toBe(true);
  expect(isMutated("supabase/functions/redeem/index.ts")).toBe(false);
  expect(isMutated("web/customer/parts/ticket.copy.ts")).toBe(false);
  expect(isMutated("web/customer/parts/ticket.copy.it.ts")).toBe(false);
  expect(isMutated("web/customer/parts/dates.test.ts")).toBe(false);
  expect(isMutated("web/customer/customer.css")).toBe(false);
});
