import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { identityOf } from "./mutant.ts";
import { typescriptMutants } from "./typescript-mutants.ts";

it("names the mutants of a file by their declaration, and writes the code that has them all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tournavis-mutants-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = [
    'export const WORDS = "left alone";',
    "",
    "export function isOld(",
    "  age: number,",
    "): boolean {",
    "  return age > 17;",
    "}",
  ].join("\n");
  writeFileSync(join(folder, "age.ts"), source);
  const { mutants, instrumented } = await typescriptMutants(pathToFileURL(`${folder}/`), [
    "age.ts",
  ]);
  expect(mutants.filter(({ original }) => original === "age > 17").map(identityOf)).toEqual([
    "age.ts isOld: ConditionalExpression: age > 17 → true",
    "age.ts isOld: ConditionalExpression: age > 17 → false",
    "age.ts isOld: EqualityOperator: age > 17 → age >= 17",
    "age.ts isOld: EqualityOperator: age > 17 → age <= 17",
  ]);
  expect(mutants.filter(({ where }) => where === "WORDS")).toEqual([]);
  expect(mutants.find(({ original }) => original === "age > 17")?.line).toBe(6);
  expect(instrumented).toHaveLength(1);
  expect(instrumented[0]?.code).toContain("age >= 17");
});
