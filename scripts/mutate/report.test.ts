import { expect, it } from "vitest";
import { type Fate, identityOf, type Mutant } from "./mutant.ts";
import { reportOf, scoreOf } from "./report.ts";

const mutant = (original: string): Mutant => ({
  file: "a.sql",
  line: 7,
  where: "f",
  mutator: "moved bound",
  original,
  replacement: "9",
  plant: { id: original },
});
const tried = (original: string, fate: Fate) => ({ mutant: mutant(original), fate });

const all = [
  tried("1", "killed"),
  tried("2", "killed"),
  tried("3", "survived"),
  tried("4", "uncovered"),
  tried("5", "survived"),
  tried("6", "invalid"),
];
const why = new Map([
  [identityOf(mutant("5")), "Nobody can tell."],
  [identityOf(mutant("1")), "Explained, and noticed all the same."],
]);

it("counts what was noticed; what is explained or does not build counts neither way", () => {
  expect(scoreOf(all, why)).toEqual({ tried: 5, noticed: 2, explained: 1, rate: 0.5 });
});

it("names every survivor with its place, and why it is left", () => {
  expect(reportOf("Mutants of a", all, why).split("\n")).toEqual([
    "# Mutants of a",
    "",
    "2 of 5 noticed, 1 explained: 50.0 % of the others.",
    "",
    "- `a.sql f: moved bound: 3 → 9` (line 7, survived)",
    "- `a.sql f: moved bound: 4 → 9` (line 7, uncovered)",
    "- `a.sql f: moved bound: 5 → 9` (line 7, survived): Nobody can tell.",
    "",
  ]);
});
