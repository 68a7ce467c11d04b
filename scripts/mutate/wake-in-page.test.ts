import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { typescriptMutants } from "./typescript-mutants.ts";
import { wakeInPage } from "./wake-in-page.ts";

/** A function that the instrumenter has planted mutants in, and what a page has that runs it. */
async function page() {
  const folder = mkdtempSync(join(tmpdir(), "tournavis-wake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "age.ts"),
    "function rest(age) { while (age > 17) age--; return age; }",
  );
  const { mutants, instrumented } = await typescriptMutants(pathToFileURL(`${folder}/`), [
    "age.ts",
  ]);
  const numberOf = (replacement: string) => {
    const { plant } = mutants.find((one) => one.replacement === replacement) ?? {};
    return plant && "id" in plant ? plant.id : "";
  };
  const told: string[][] = [];
  const mutantsMet = async (numbers: string[]) => void told.push([...numbers]);
  const context = createContext({ queueMicrotask, mutantsMet });
  const run = (text: string): unknown => runInContext(text, context);
  return {
    told,
    numberOf,
    all: mutants.flatMap(({ plant }) => ("id" in plant ? plant.id : [])),
    run,
    open(mutant: string) {
      // As Playwright does: the function goes to the page as its text.
      run(`(${wakeInPage})(${JSON.stringify({ mutant, hitLimit: 100 })})`);
      run(instrumented[0]?.code ?? "");
    },
  };
}

it("leaves a page as it is without a mutant, and tells once what it has run past", async () => {
  const { told, all, run, open } = await page();
  open("");
  expect(run("rest(20)")).toBe(17);
  await Promise.resolve();
  const met = [...told.flat()].sort();
  expect(met).toEqual(all.sort());
  expect(run("rest(19)")).toBe(17);
  await Promise.resolve();
  expect(told.flat()).toHaveLength(met.length);
});

it("wakes the one that is meant, and tells nothing", async () => {
  const { told, numberOf, run, open } = await page();
  open(numberOf("age >= 17"));
  expect(run("rest(20)")).toBe(16);
  await Promise.resolve();
  expect(told).toEqual([]);
});

it("breaks a loop that a mutant has made endless", async () => {
  const { numberOf, run, open } = await page();
  open(numberOf("age++"));
  expect(() => run("rest(20)")).toThrow("Hit count limit");
});
