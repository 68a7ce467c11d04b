import { ArrowDown, ArrowUp } from "lucide-react";
import { useId } from "react";
import { Button } from "../button.tsx";
import { SelectInput } from "../forms/select-input.tsx";
import type { ColumnSort } from "./list-column.ts";
import { isGreatestFirst, readSort, writeSort } from "./list-sort.ts";
import { listTableCopy as copy } from "./list-table.copy.ts";

type SortChoiceProps = {
  sorts: readonly ColumnSort[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
};

/** The order of a list that has no headings to press: a column, and which end comes first. */
export function SortChoice({ sorts, sort, onSort }: SortChoiceProps) {
  const id = useId();
  const current = readSort(sort);
  const onChoice = (key: string) => {
    const chosen = sorts.find((one) => one.id === key);
    onSort(chosen && writeSort({ id: chosen.id, desc: isGreatestFirst(chosen) }));
  };
  const Arrow = current?.desc ? ArrowDown : ArrowUp;
  return (
    <div className={`grid min-w-0 grow gap-1 sm:max-w-80 ${current ? "basis-52" : "basis-40"}`}>
      <label htmlFor={id} className="text-sm font-semibold text-muted">
        {copy.sortBy}
      </label>
      <div className="flex gap-2">
        <div className="min-w-0 grow">
          <SelectInput
            id={id}
            value={current?.id ?? ""}
            onChange={(event) => onChoice(event.target.value)}
          >
            <option value="">{copy.usualOrder}</option>
            {sorts.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label}
              </option>
            ))}
          </SelectInput>
        </div>
        {current && (
          <Button
            variant="secondary"
            aria-label={current.desc ? copy.descending : copy.ascending}
            className="min-h-12 w-12 shrink-0 px-0"
            onClick={() => onSort(writeSort({ id: current.id, desc: !current.desc }))}
          >
            <Arrow aria-hidden="true" className="size-5" />
          </Button>
        )}
      </div>
    </div>
  );
}
