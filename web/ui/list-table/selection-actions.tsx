import type { ReactNode } from "react";
import type { ListItemsProps } from "./list-column.ts";
import { listTableCopy as copy } from "./list-table.copy.ts";

type SelectionActionsProps<Item extends { id: string }> = {
  actions: ListItemsProps<Item>["actions"];
  selected: readonly Item[];
  onDone: () => void;
  className?: string;
  children?: ReactNode;
};

/** Actions on the ticked items, once there are any. */
export function SelectionActions<Item extends { id: string }>(props: SelectionActionsProps<Item>) {
  const { actions, selected, onDone, className = "", children } = props;
  if (!actions || selected.length === 0) return null;
  return (
    <fieldset className={`flex flex-wrap items-center gap-2 ${className}`}>
      <legend className="sr-only">{copy.actions}</legend>
      {actions(selected, onDone)}
      {children}
    </fieldset>
  );
}
