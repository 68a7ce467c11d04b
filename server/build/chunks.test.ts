import { expect, it } from "vitest";
import { chunksByRule } from "./chunks.ts";

/** Static imports of each module; `c` and `d` import each other. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  one: ["a", "b"],
  other: ["b", "c"],
  a: [],
  b: [],
  c: ["d"],
  d: ["c"],
};
const graph = {
  getModuleInfo: (id: string) => (IMPORTS[id] ? { importedIds: IMPORTS[id] } : null),
};

it("a module goes into the file of the first rule that takes it, by what its users reach", () => {
  const groups = chunksByRule({
    both: (id, reach) => reach("one").has(id) && reach("other").has(id),
    other: (id, reach) => id !== "other" && reach("other").has(id),
  });
  const fileOf = (id: string) =>
    groups.map(({ name }) => name(id, graph)).find((file) => file !== null);
  expect(Object.keys(IMPORTS).map((id) => [id, fileOf(id)])).toEqual([
    ["one", undefined],
    ["other", undefined],
    ["a", undefined],
    ["b", "both"],
    ["c", "other"],
    ["d", "other"],
  ]);
});
