import type { AnyAST } from "@supabase/lite";
import { worded } from "./refusals.ts";

/** Names of trees of conditions, as the library has read them. */
const TREES = ["$and", "$or", "$not"];

/** A condition of one name, which may be a tree. */
type Condition = { name: string; value: unknown };

function conditionsOf(part: unknown): Condition[] {
  if (Array.isArray(part)) return part.flatMap(conditionsOf);
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).map(([name, value]) => ({ name, value }));
}

/** Conditions of columns and embedded rows within a tree, however deep. */
function leavesOf({ name, value }: Condition): Condition[] {
  return TREES.includes(name) ? conditionsOf(value).flatMap(leavesOf) : [{ name, value }];
}

/** Whether rows are embedded, or none, is all that a condition can ask of them. */
function isPresence({ value }: Condition): boolean {
  return conditionsOf(value).every(
    ({ name, value: operand }) => ["$is", "$isNot"].includes(name) && operand === null,
  );
}

/**
 * Refuses trees in which conditions of embedded rows stand beside those of columns: the library would look for a column
 * of that name. Trees of embedded rows alone are answered.
 */
export function refuseMixedTrees({ where, select = [] }: AnyAST, columns: ReadonlySet<string>) {
  const embedded = new Set(
    select.flatMap((entry) =>
      typeof entry === "string"
        ? []
        : Object.entries(entry).flatMap(([name, each]) => ("select" in each ? [name] : [])),
    ),
  );
  const isEmbedded = ({ name }: Condition) => embedded.has(name) && !columns.has(name);
  for (const tree of conditionsOf(where).filter(({ name }) => TREES.includes(name))) {
    const leaves = leavesOf(tree);
    const odd = leaves.find((leaf) => isEmbedded(leaf) && !isPresence(leaf));
    if (odd) {
      throw worded(400, {
        code: "PGRST120",
        message: `Bad operator on the '${odd.name}' embedded resource`,
        details: "Only is null or not is null filters are allowed on embedded resources",
        hint: null,
      });
    }
    if (leaves.some(isEmbedded) && !(leaves.every(isEmbedded) && tree.name !== "$not")) {
      throw worded(400, {
        code: "PGRST127",
        message: "Feature not implemented",
        details: "Conditions of embedded resources beside conditions of columns within a tree",
        hint: "Read both in two requests",
      });
    }
  }
}
