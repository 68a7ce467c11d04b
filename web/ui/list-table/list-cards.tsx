import type { ListItemsProps } from "./list-column.ts";

/** The items of a list as cards. */
export function ListCards<Item extends { id: string }>(props: ListItemsProps<Item>) {
  const { label, items, card } = props;
  return (
    <ul aria-label={label} className="grid gap-3 sm:gap-4">
      {items.map(card)}
    </ul>
  );
}
