import type { ReactNode } from "react";
import type { ListSelection } from "./use-selection.ts";

/** An order that a column offers. */
export type ColumnSort = {
  /** Key that the list's function knows. */
  id: string;
  label: string;
  /** Part of the label that a heading shows, where the cells say the rest. */
  heading?: string;
  kind?: ColumnKind | undefined;
};

/** Dates and figures are written in one line. */
type ColumnKind = "text" | "date" | "figure" | "actions";

/** A column of a list. */
export type ListColumn<Item> = {
  /**
   * Key under which the device remembers the column; of a column that sorts, also the key that the
   * list's function knows.
   */
  id: string;
  /** Its heading; of the column of actions, for those who listen alone. */
  label: string;
  kind?: ColumnKind;
  isSortable?: boolean;
  /** The orders of a column that shows two figures below each other; its heading has both. */
  sorts?: readonly ColumnSort[];
  /** Always shown. */
  isFixed?: boolean;
  cell: (item: Item) => ReactNode;
};

/** Description of a list, whether it is shown as a table or as cards. */
export type ListItemsProps<Item extends { id: string }> = {
  /** Key under which the device remembers the columns. */
  name: string;
  label: string;
  items: readonly Item[];
  /** The first one says which item it is, and holds the way to it: a link with `data-row-link`. */
  columns: readonly ListColumn<Item>[];
  /** An item on a phone: what its card holds. What it has to press is hidden where `group-data-selecting/cards` is. */
  card: (item: Item) => ReactNode;
  nameOf: (item: Item) => string;
  /** Key of the column by which it is sorted, with a minus before it for the greatest first. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  /** Actions on the ticked items; without it, there are none. */
  actions?: ((selected: readonly Item[], onDone: () => void) => ReactNode) | undefined;
};

/** Properties of the table and of the cards: the list and its selection. */
export type ListViewProps<Item extends { id: string }> = ListItemsProps<Item> & {
  selection: ListSelection<Item>;
};
