import { SquareCheckBig } from "lucide-react";
import { useId } from "react";
import { Button } from "../button.tsx";
import type { ListViewProps } from "./list-column.ts";
import { sortsOf } from "./list-sort.ts";
import { listTableCopy as copy } from "./list-table.copy.ts";
import { SelectAllBox } from "./select-all-box.tsx";
import { SelectionActions } from "./selection-actions.tsx";
import { SortChoice } from "./sort-choice.tsx";
import { useSelectionMode } from "./use-selection-mode.ts";

const CHECKBOX = "size-6 shrink-0 cursor-pointer";

/** The items of a list as cards, with an order to choose, and checkboxes in selection mode. */
export function ListCards<Item extends { id: string }>(props: ListViewProps<Item>) {
  const { label, items, columns, card, nameOf, sort, onSort, actions, selection } = props;
  const { ticked, selected } = selection;
  const { root, isOn, enter, leave } = useSelectionMode(selection, actions !== undefined);
  const allId = useId();
  const sorts = onSort ? columns.flatMap(sortsOf) : [];
  const onTick = (id: string, isTicked: boolean) =>
    selection.onTicked(({ [id]: _, ...others }) => (isTicked ? { ...others, [id]: true } : others));

  return (
    <div ref={root} className="grid gap-3 sm:gap-4">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2 empty:hidden">
        {onSort && sorts.length > 0 && <SortChoice sorts={sorts} sort={sort} onSort={onSort} />}
        {isOn && (
          <label
            htmlFor={allId}
            className="flex min-h-12 cursor-pointer items-center gap-4 rounded-field px-5 font-semibold sm:ml-auto"
          >
            <SelectAllBox
              id={allId}
              data-selects=""
              selected={selected.length}
              total={items.length}
              onAll={selection.onAll}
              className={CHECKBOX}
            />
            {copy.selectAll}
          </label>
        )}
        {actions && !isOn && (
          <Button
            data-selects=""
            variant="secondary"
            className="min-h-12 sm:ml-auto"
            onClick={enter}
          >
            <SquareCheckBig aria-hidden="true" className="size-5" />
            {copy.start}
          </Button>
        )}
      </div>
      <ul
        aria-label={label}
        data-selecting={isOn || undefined}
        className="group/cards grid gap-3 sm:gap-4"
      >
        {items.map((item) => (
          <li
            key={item.id}
            data-selected={(isOn && ticked[item.id]) || undefined}
            className="relative rounded-card bg-surface p-5 shadow-card group-data-selecting/cards:flex group-data-selecting/cards:gap-4 data-selected:bg-violet-soft data-selected:ring-2 data-selected:ring-violet"
          >
            {isOn && (
              // The whole card is the box's label: what else it has to press is hidden for as long.
              <label className="flex shrink-0 cursor-pointer items-start after:absolute after:inset-0">
                <input
                  type="checkbox"
                  checked={ticked[item.id] ?? false}
                  onChange={(event) => onTick(item.id, event.target.checked)}
                  className={`relative z-1 ${CHECKBOX}`}
                />
                <span className="sr-only">{copy.select(nameOf(item))}</span>
              </label>
            )}
            <div className="min-w-0 group-data-selecting/cards:flex-1">{card(item)}</div>
          </li>
        ))}
      </ul>
      {isOn && (
        <div
          data-sticks="selection"
          className="sticky bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-10 -mx-4 grid gap-2 border-t border-line bg-surface px-4 py-2 shadow-card sm:-mx-2 sm:rounded-card sm:border sm:px-4 md:bottom-3 [@media(max-height:30em)]:static"
        >
          <div className="flex items-center justify-between gap-3">
            <p role="status" className="font-semibold tabular-nums">
              {copy.ticked(selected.length)}
            </p>
            <Button variant="quiet" className="-mr-4 shrink-0 text-violet" onClick={leave}>
              {copy.finish}
            </Button>
          </div>
          <SelectionActions
            actions={actions}
            selected={selected}
            onDone={leave}
            className="pb-1 *:min-w-0 *:grow"
          />
        </div>
      )}
    </div>
  );
}
