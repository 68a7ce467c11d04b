import { expect, it } from "vitest";
import { counted, identityOf, type Mutant } from "./mutant.ts";

const mutant = (line: number, where: string, original: string): Mutant => ({
  ...{ file: "a.ts", line, where, original },
  mutator: "BooleanLiteral",
  replacement: "false",
  plant: { id: String(line) },
});

it("counts the same change of one function from its second occurrence on", () => {
  const mutants = [
    mutant(1, "f", "true"),
    mutant(2, "f", "true"),
    mutant(3, "g", "true"),
    mutant(4, "f", "!a"),
    mutant(5, "f", "true"),
  ];
  expect(counted(mutants).map(identityOf)).toEqual([
    "a.ts f: BooleanLiteral: true → false",
    "a.ts f: BooleanLiteral: true → false #2",
    "a.ts g: BooleanLiteral: true → false",
    "a.ts f: BooleanLiteral: !a → false",
    "a.ts f: BooleanLiteral: true → false #3",
  ]);
});

it("names a mutant that nobody has counted as the first", () => {
  expect(identityOf(mutant(1, "", "true"))).toBe("a.ts: BooleanLiteral: true → false");
});
