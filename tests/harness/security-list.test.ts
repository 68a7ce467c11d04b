import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";

/** docs/security.md: what it names exists, and nothing of the standard is left out. */

/** Requirements of levels 1 and 2 in each section of ASVS 5.0.0: the identifiers of the section that belong to them. */
const ASVS: Readonly<Record<string, readonly number[]>> = {
  "1.1": [1, 2],
  "1.2": [1, 2, 3, 4, 5, 6, 7, 8, 9],
  "1.3": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "1.4": [1, 2, 3],
  "1.5": [1, 2],
  "2.1": [1, 2, 3],
  "2.2": [1, 2, 3],
  "2.3": [1, 2, 3, 4],
  "2.4": [1],
  "3.2": [1, 2],
  "3.3": [1, 2, 3, 4],
  "3.4": [1, 2, 3, 4, 5, 6],
  "3.5": [1, 2, 3, 4, 5],
  "3.7": [1, 2],
  "4.1": [1, 2, 3],
  "4.2": [1],
  "4.3": [1, 2],
  "4.4": [1, 2, 3, 4],
  "5.1": [1],
  "5.2": [1, 2, 3],
  "5.3": [1, 2],
  "5.4": [1, 2, 3],
  "6.1": [1, 2, 3],
  "6.2": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  "6.3": [1, 2, 3, 4],
  "6.4": [1, 2, 3, 4],
  "6.5": [1, 2, 3, 4, 5],
  "6.6": [1, 2, 3],
  "6.8": [1, 2, 3, 4],
  "7.1": [1, 2, 3],
  "7.2": [1, 2, 3, 4],
  "7.3": [1, 2],
  "7.4": [1, 2, 3, 4, 5],
  "7.5": [1, 2],
  "7.6": [1, 2],
  "8.1": [1, 2],
  "8.2": [1, 2, 3],
  "8.3": [1],
  "8.4": [1],
  "9.1": [1, 2, 3],
  "9.2": [1, 2, 3, 4],
  "10.1": [1, 2],
  "10.2": [1, 2],
  "10.3": [1, 2, 3, 4],
  "10.4": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "10.5": [1, 2, 3, 4, 5],
  "10.6": [1, 2],
  "10.7": [1, 2, 3],
  "11.1": [1, 2],
  "11.2": [1, 2, 3],
  "11.3": [1, 2, 3],
  "11.4": [1, 2, 3, 4],
  "11.5": [1],
  "11.6": [1],
  "12.1": [1, 2, 3],
  "12.2": [1, 2],
  "12.3": [1, 2, 3, 4],
  "13.1": [1],
  "13.2": [1, 2, 3, 4, 5],
  "13.3": [1, 2],
  "13.4": [1, 2, 3, 4, 5],
  "14.1": [1, 2],
  "14.2": [1, 2, 3, 4],
  "14.3": [1, 2, 3],
  "15.1": [1, 2, 3],
  "15.2": [1, 2, 3],
  "15.3": [1, 2, 3, 4, 5, 6, 7],
  "16.1": [1],
  "16.2": [1, 2, 3, 4, 5],
  "16.3": [1, 2, 3, 4],
  "16.4": [1, 2, 3],
  "16.5": [1, 2, 3],
  "17.1": [1],
  "17.2": [1, 2, 3, 4],
  "17.3": [1, 2],
};

const ROW = /^\| (\d+\.\d+\.\d+) \| ([a-z/ ]+) \| (.+) \| (.+) \|$/gm;
const NAMED = /`([\w./-]+\.test\.tsx?) › ([^`]+)`/g;
const STATES = new Set(["test", "code", "doc", "operator", "n/a", "not met"]);

const text = await readFile(new URL("docs/security.md", ROOT), "utf8");
const rows = [...text.matchAll(ROW)].map(([, id = "", state = "", , where = ""]) => ({
  id,
  state,
  where,
}));

it("names each of the 253 requirements once, in the standard's order", () => {
  const ids = Object.entries(ASVS).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  expect(ids).toHaveLength(253);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

it("counts the states as its table says", () => {
  for (const state of STATES) {
    const stated = new RegExp(`^\\| ${state} \\| .* \\| (\\d+) \\|$`, "m").exec(text)?.[1];
    expect([state, Number(stated)]).toEqual([
      state,
      rows.filter((row) => row.state === state).length,
    ]);
  }
  expect(rows.filter(({ state }) => !STATES.has(state))).toEqual([]);
});

it("names a test where it says so, and each test that it names exists", async () => {
  const missing: string[] = rows
    .filter(({ state, where }) => state === "test" && where.match(NAMED) === null)
    .map(({ id }) => `${id} names no test`);
  for (const { id, where } of rows) {
    for (const [, file = "", name = ""] of where.matchAll(NAMED)) {
      const source = await readFile(new URL(file, ROOT), "utf8").catch(() => "");
      // A name stands in quotes; one that is built stands in a template.
      const isThere = ['"', "`", "'"].some((quote) => source.includes(`${quote}${name}${quote}`));
      if (!isThere) missing.push(`${id}: ${file} › ${name}`);
    }
  }
  expect(missing).toEqual([]);
});
