import { useEffect, useState, useSyncExternalStore } from "react";
import { ListSkeleton } from "../states/list-skeleton.tsx";
import { ListCards } from "./list-cards.tsx";
import type { ListItemsProps } from "./list-column.ts";
import { useSelection } from "./use-selection.ts";

/** From this width on all columns of the widest list fit. */
const WIDE = "(min-width: 80rem)";

function onWidth(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The table, once a list has loaded it. */
let known: typeof ListCards | null = null;

/** The table, which no phone loads; a computer that cannot load it shows the cards. */
function useListTable(isWanted: boolean): typeof ListCards | null {
  const [Table, setTable] = useState(() => known);
  useEffect(() => {
    if (!isWanted || Table) return;
    let isGone = false;
    import("./list-table.tsx").then(
      ({ ListTable }) => {
        known = ListTable;
        if (!isGone) setTable(() => ListTable);
      },
      () => !isGone && setTable(() => ListCards),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, Table]);
  return Table;
}

/** The items of a list: a table on a computer, cards on a phone. */
export function ListItems<Item extends { id: string }>(props: ListItemsProps<Item>) {
  const isWide = useSyncExternalStore(onWidth, () => matchMedia(WIDE).matches);
  const Table = useListTable(isWide);
  // Kept here: turning a tablet forgets nothing.
  const selection = useSelection(props.items);
  if (!isWide) return <ListCards {...props} selection={selection} />;
  return Table ? <Table {...props} selection={selection} /> : <ListSkeleton />;
}
