import { ChevronDown } from "lucide-react";
import { chartsCopy as copy } from "./charts.copy.ts";

type ChartTableProps = {
  caption: string;
  head: readonly string[];
  /** Each begins with what it is about. */
  rows: readonly (readonly string[])[];
};

/** The figures of a chart, as a table. */
export function ChartTable({ caption, head, rows }: ChartTableProps) {
  const [corner = "", ...columns] = head;
  return (
    <details className="group print:hidden">
      <summary className="inline-flex min-h-11 items-center gap-1.5 rounded-field font-semibold text-muted hover:text-ink">
        <ChevronDown aria-hidden="true" className="size-5 group-open:rotate-180" />
        {copy.table}
      </summary>
      <div className="mt-2 rounded-field border border-line">
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              <th scope="col" className="p-1.5 text-left font-semibold sm:p-2.5">
                {corner}
              </th>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="p-1.5 text-right font-semibold wrap-anywhere hyphens-auto sm:p-2.5"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name = "", ...cells]) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="p-1.5 text-left font-normal sm:p-2.5">
                  {name}
                </th>
                {columns.map((column, index) => (
                  <td key={column} className="p-1.5 text-right sm:p-2.5">
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
