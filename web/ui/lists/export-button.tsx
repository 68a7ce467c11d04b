import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import type { ExportRequest } from "#domain/schemas/customers.ts";
import { AppError, errorMessage } from "../../lib/app-error.ts";
import { useCsvExport } from "../../lib/lists/use-csv-export.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../button.tsx";
import { uiCopy } from "../ui.copy.ts";
import { useDismissal } from "../use-dismissal.ts";

type ExportButtonProps = {
  label: string;
  /** Whether the plan exports; else the button says what it takes. */
  isIncluded: boolean;
  order: ExportRequest;
  /** Name of what the list is of, for that of the file. */
  of?: string | undefined;
};

/**
 * Exports a list as a file, or says why not, right below. Beside a title or a search (`data-beside`) its word is left out where
 * there is little room.
 */
export function ExportButton({ label, isIncluded, order, of = "" }: ExportButtonProps) {
  const exporting = useCsvExport(of);
  const [isAsked, setIsAsked] = useState(false);
  // The notice covers what is below: a press there dismisses it.
  const root = useDismissal(isAsked, setIsAsked);
  const { mayOpen } = useMay();
  const isRefused = !exporting.isError && isAsked && !isIncluded;
  const problem = isRefused ? new AppError("export_not_in_plan") : exporting.error;

  return (
    <div ref={root} className="relative grid">
      <Button
        variant="secondary"
        aria-label={label}
        busy={exporting.isPending}
        onClick={() => (isIncluded ? exporting.mutate(order) : setIsAsked(!isAsked))}
      >
        {!exporting.isPending && <Download aria-hidden="true" className="size-5" />}
        <span className="max-sm:in-data-beside:hidden lg:in-data-[beside=search]:hidden">
          {label}
        </span>
      </Button>
      <div
        role="status"
        className="absolute top-full right-0 z-10 mt-2 w-72 max-sm:not-in-data-beside:right-auto max-sm:not-in-data-beside:left-0 in-data-[sticks=selection]:top-auto in-data-[sticks=selection]:bottom-full in-data-[sticks=selection]:mt-0 in-data-[sticks=selection]:mb-2"
      >
        {problem && (
          <p className="rounded-card border border-line bg-surface p-4 text-pretty shadow-card">
            {errorMessage(problem)}{" "}
            {isRefused && mayOpen("/pricing") && (
              <Link to="/pricing" className="inline-block font-semibold text-violet underline">
                {uiCopy.seePlans}
              </Link>
            )}
          </p>
        )}
      </div>
    </div>
  );
}
