import type { ListColumn } from "./list-column.ts";

/** The order of a list: the column that it is sorted by, and whether the greatest comes first. */
export type ListSort = { id: string; desc: boolean };

/** Reads the order from an address: a column's key, with a minus before it for the greatest first. */
export function readSort(sort: string | undefined): ListSort | undefined {
  return sort ? { id: sort.replace(/^-/, ""), desc: sort.startsWith("-") } : undefined;
}

/** An order as an address has it. */
export function writeSort({ id, desc }: ListSort): string {
  return `${desc ? "-" : ""}${id}`;
}

/** Whether the first order of a column has the greatest first: of figures, these are looked for. */
export function isGreatestFirst<Item>({ kind }: Pick<ListColumn<Item>, "kind">): boolean {
  return kind === "figure";
}
