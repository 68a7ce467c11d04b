import type { ColumnSort, ListColumn } from "./list-column.ts";

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

/** The orders that a column offers: its own, or those of the figures that it shows together. */
export function sortsOf<Item>(column: ListColumn<Item>): readonly ColumnSort[] {
  return column.sorts ?? (column.isSortable ? [column] : []);
}

/** Whether the first order of a column has the greatest first: of figures, these are looked for. */
export function isGreatestFirst({ kind }: Pick<ColumnSort, "kind">): boolean {
  return kind === "figure";
}
