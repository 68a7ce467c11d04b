import {
  type ColumnDef,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type MouseEvent, useLayoutEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { columnsKey, deviceMemory } from "../../lib/device-memory.ts";
import { Button } from "../button.tsx";
import { ColumnChoice } from "./column-choice.tsx";
import type { ColumnSort, ListColumn, ListViewProps } from "./list-column.ts";
import { isGreatestFirst, readSort, sortsOf, writeSort } from "./list-sort.ts";
import { listTableCopy as copy } from "./list-table.copy.ts";
import { LIST_TOOLS } from "./list-tools.tsx";
import { SelectAllBox } from "./select-all-box.tsx";
import { SelectionActions } from "./selection-actions.tsx";

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });

const CELL = "px-2 py-1.5 first:pl-5 last:pr-5";
const CHECKBOX = "size-5 cursor-pointer";
const ORDERS = { asc: "ascending", desc: "descending" } as const;

function alignment<Item>(column: ListColumn<Item> | undefined): string {
  return column?.kind === "figure" || column?.kind === "actions" ? "text-right" : "";
}

/** Figures and dates are written in one line; their headings take two before the table grows wider than the page. */
function lines<Item>(column: ListColumn<Item> | undefined): string {
  const isInOne = column?.kind === "figure" || column?.kind === "date";
  return isInOne ? "whitespace-nowrap tabular-nums" : "";
}

/** The items of a list as a table: rows lead somewhere, can be ticked, and show the columns that one chose. */
export function ListTable<Item extends { id: string }>(props: ListViewProps<Item>) {
  const { name, label, items, columns, nameOf, sort, onSort, actions, selection } = props;
  const { selected, clear } = selection;
  const { visibility, onVisible } = useHiddenColumns(name);
  // An order of a joint column is one to the library too, which never shows.
  const joint = columns.flatMap(({ sorts = [] }) => sorts.map(({ id }) => [id, false] as const));
  const definitions = useMemo(
    () =>
      [...columns, ...columns.flatMap(({ sorts = [] }) => sorts)].map(
        ({ id, ...column }): ColumnDef<typeof features, Item> => ({
          id,
          accessorFn: (item) => item.id,
          enableHiding: "cell" in column && !column.isFixed,
          enableSorting: !("cell" in column) || (column.isSortable ?? false),
          sortDescFirst: isGreatestFirst(column),
        }),
      ),
    [columns],
  );
  const data = useMemo(() => [...items], [items]);
  const tools = useListTools();
  const order = readSort(sort);
  const sorting = order ? [order] : [];
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ id }) => id,
    // The database sorts: a page is not all there is.
    manualSorting: true,
    enableMultiSort: false,
    state: {
      rowSelection: selection.ticked,
      columnVisibility: { ...visibility, ...Object.fromEntries(joint) },
      sorting,
    },
    onRowSelectionChange: selection.onTicked,
    onSortingChange: (change) => {
      const [first] = typeof change === "function" ? change(sorting) : change;
      onSort?.(first && writeSort(first));
    },
  });
  const columnOf = new Map(columns.map((column) => [column.id, column]));
  const rows = table.getRowModel().rows;
  const choice = (
    <ColumnChoice
      columns={table
        .getAllLeafColumns()
        .filter((column) => column.getCanHide())
        .map((column) => ({
          id: column.id,
          label: columnOf.get(column.id)?.label ?? column.id,
          isVisible: column.getIsVisible(),
        }))}
      onVisible={onVisible}
    />
  );
  return (
    <div className="grid gap-3">
      {tools && createPortal(choice, tools)}
      {!tools && <div className="justify-self-end">{choice}</div>}
      <div className="rounded-card bg-surface shadow-card">
        <table className="w-full text-left">
          <caption className="sr-only">{label}</caption>
          <thead className="text-sm text-muted">
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {actions && (
                  <th scope="col" className={`${CELL} w-px`}>
                    <SelectAllBox
                      aria-label={copy.selectAll}
                      selected={selected.length}
                      total={items.length}
                      onAll={selection.onAll}
                      className={CHECKBOX}
                    />
                  </th>
                )}
                {group.headers.map(({ id, column }) => {
                  const shown = columnOf.get(column.id);
                  const sorts = shown ? sortsOf(shown) : [];
                  const sorted = order && sorts.some((one) => one.id === order.id);
                  const state = sorted ? ORDERS[order.desc ? "desc" : "asc"] : "none";
                  return (
                    <th
                      key={id}
                      scope="col"
                      aria-sort={sorts.length > 0 ? state : undefined}
                      className={`${CELL} font-semibold ${alignment(shown)}`}
                    >
                      {sorts.map((one) => (
                        <SortButton
                          key={one.id}
                          sort={one}
                          order={table.getColumn(one.id)?.getIsSorted() ?? false}
                          isAlone={sorts.length === 1}
                          onPress={table.getColumn(one.id)?.getToggleSortingHandler()}
                        />
                      ))}
                      {sorts.length === 0 && (
                        <span className={shown?.kind === "actions" ? "sr-only" : ""}>
                          {shown?.label}
                        </span>
                      )}
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody className="text-sm">
            {rows.map((row) => (
              <tr
                key={row.id}
                data-selected={row.getIsSelected() || undefined}
                onClick={openRow}
                onAuxClick={openRow}
                className="border-t border-line transition-colors duration-150 hover:bg-line/25 has-[a[data-row-link]]:cursor-pointer data-selected:bg-violet-soft"
              >
                {actions && (
                  <td className={`${CELL} w-px`}>
                    <input
                      type="checkbox"
                      aria-label={copy.select(nameOf(row.original))}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                      className={CHECKBOX}
                    />
                  </td>
                )}
                {row.getVisibleCells().map((cell, index) => {
                  const Cell = index === 0 ? "th" : "td";
                  const shown = columnOf.get(cell.column.id);
                  return (
                    <Cell
                      key={cell.id}
                      scope={index === 0 ? "row" : undefined}
                      className={`${CELL} font-normal ${alignment(shown)} ${lines(shown)}`}
                    >
                      {shown?.cell(row.original)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {/* Below the rows: a first tick moves none of them. */}
      <div
        data-sticks={selected.length > 0 ? "selection" : undefined}
        className="sticky bottom-3 z-10 hidden min-h-15 flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-5 py-1.5 shadow-card data-sticks:flex [@media(max-height:30em)]:static"
      >
        <p role="status" className="font-semibold tabular-nums">
          {selected.length > 0 && copy.selected(selected.length)}
        </p>
        <SelectionActions actions={actions} selected={selected} onDone={clear}>
          <Button variant="quiet" onClick={clear}>
            {copy.clear}
          </Button>
        </SelectionActions>
      </div>
    </div>
  );
}

type SortButtonProps = {
  sort: ColumnSort;
  order: false | "asc" | "desc";
  /** Of two in a heading, each is lower. */
  isAlone: boolean;
  onPress: ((event: unknown) => void) | undefined;
};

/** A heading that sorts. */
function SortButton({ sort: { label, heading }, order, isAlone, onPress }: SortButtonProps) {
  const Arrow = order === "asc" ? ArrowUp : order ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      aria-label={heading && label}
      onClick={onPress}
      className={`first:-ml-2 last:-mr-2 inline-flex ${isAlone ? "min-h-9" : "min-h-6"} items-center gap-1 rounded-field px-2 text-start hover:bg-line/60 hover:text-ink in-[.text-right]:text-end`}
    >
      {heading ?? label}
      <Arrow aria-hidden="true" className={`size-4 shrink-0 ${order ? "text-violet" : ""}`} />
    </button>
  );
}

/** The place beside the list's search; null where a page has none. */
function useListTools(): HTMLElement | null {
  const [tools, setTools] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setTools(document.getElementById(LIST_TOOLS)), []);
  return tools;
}

/** Elements that answer to a press by themselves. */
const INTERACTIVE = "a, button, input, select, label, dialog, [role=menu]";

/** Opens what a row leads to, as a press on the link in it does: also in a new tab, where one asks for that. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const link = event.currentTarget.querySelector<HTMLAnchorElement>("a[data-row-link]");
  const isMiddle = event.type === "auxclick" && event.button === 1;
  if (!link || (event.type === "auxclick" && !isMiddle)) return;
  if (event.target instanceof Element && event.target.closest(INTERACTIVE)) return;
  // A reader who marks words wants to copy them.
  if (!getSelection()?.isCollapsed) return;
  if (isMiddle || event.metaKey || event.ctrlKey || event.shiftKey) {
    window.open(link.href, "_blank", "noopener");
  } else {
    link.click();
  }
}

/** The columns of a list that are hidden on this device, as the table keeps them. */
function useHiddenColumns(name: string) {
  const key = columnsKey(name);
  const [hidden, setHidden] = useState(
    () => new Set(deviceMemory.read(key)?.split(" ").filter(Boolean)),
  );
  const onVisible = (id: string, isVisible: boolean) => {
    const changed = new Set(hidden);
    if (isVisible) changed.delete(id);
    else changed.add(id);
    setHidden(changed);
    deviceMemory.write(key, [...changed].join(" "));
  };
  const visibility = Object.fromEntries([...hidden].map((id) => [id, false]));
  return { visibility, onVisible };
}
