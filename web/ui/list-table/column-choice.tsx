import { Columns3 } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../button.tsx";
import { useDismissal } from "../use-dismissal.ts";
import { listTableCopy } from "./list-table.copy.ts";

type ColumnChoiceProps = {
  columns: readonly { id: string; label: string; isVisible: boolean }[];
  onVisible: (id: string, isVisible: boolean) => void;
};

/** Which columns a table shows. */
export function ColumnChoice({ columns, onVisible }: ColumnChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useDismissal(isOpen, setIsOpen);
  const id = useId();
  return (
    <div ref={root} className="relative">
      <Button
        variant="secondary"
        className="min-h-12"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Columns3 aria-hidden="true" className="size-5" />
        {listTableCopy.columns}
      </Button>
      {isOpen && (
        <fieldset
          id={id}
          className="absolute right-0 z-20 mt-1 grid min-w-60 rounded-card border border-line bg-surface p-2 shadow-card"
        >
          <legend className="sr-only">{listTableCopy.columnsHint}</legend>
          {columns.map((column) => (
            <label
              key={column.id}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 font-medium hover:bg-line/60"
            >
              <input
                type="checkbox"
                checked={column.isVisible}
                onChange={(event) => onVisible(column.id, event.target.checked)}
                className="size-5"
              />
              {column.label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
