import { expect, it } from "vitest";
import { type Fate, identityOf, type Mutant } from "./mutant.ts";
import { reportOf, scoreOf, summaryOf } from "./report.ts";

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
  { ...tried("1", "killed"), noticedBy: "a.test.ts >\n  fails" },
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
    "## What noticed the others",
    "",
    "- `a.sql f: moved bound: 1 → 9` (line 7): a.test.ts > fails",
    "- `a.sql f: moved bound: 2 → 9` (line 7): ",
    "",
  ]);
});

it("puts the last runs of the areas side by side", () => {
  const outcomes = all.map(({ mutant, fate }) => ({ name: identityOf(mutant), line: 7, fate }));
  const run = {
    area: "a",
    seed: 3,
    sample: 6,
    mutants: 40,
    commit: "abc1234",
    times: {},
    outcomes,
  };
  expect(summaryOf([run], why).split("\n").at(-2)).toBe(
    "| a | 40 | 5 | 2 | 2 | 1 | 50.0 % | 3 | abc1234 |",
  );
});
