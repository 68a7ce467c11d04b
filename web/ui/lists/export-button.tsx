import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../button.tsx";
import { uiCopy } from "../ui.copy.ts";
import { useDismissal } from "../use-dismissal.ts";

type ExportButtonProps = {
  label: string;
  /** Whether the plan exports; else the button says what it takes. */
  isIncluded: boolean;
  notIncluded: string;
  busy: boolean;
  /** Why it did not work. */
  problem: string | null;
  onExport: () => void;
};

/** Exports a list as a file, or says why not, right below. */
export function ExportButton(props: ExportButtonProps) {
  const { label, isIncluded, notIncluded, busy, problem, onExport } = props;
  const [isAsked, setIsAsked] = useState(false);
  // The notice covers what is below: a press there dismisses it.
  const root = useDismissal(isAsked, setIsAsked);
  const { mayOpen } = useMay();
  const isRefused = problem === null && isAsked && !isIncluded;
  const text = problem ?? (isRefused ? notIncluded : null);

  return (
    <div ref={root} className="relative grid">
      <Button
        variant="secondary"
        busy={busy}
        onClick={() => (isIncluded ? onExport() : setIsAsked(!isAsked))}
      >
        {!busy && <Download aria-hidden="true" className="size-5" />}
        {label}
      </Button>
      <div
        role="status"
        className="absolute top-full right-0 z-10 mt-2 w-72 max-sm:right-auto max-sm:left-0 in-data-[sticks=selection]:top-auto in-data-[sticks=selection]:bottom-full in-data-[sticks=selection]:mt-0 in-data-[sticks=selection]:mb-2"
      >
        {text && (
          <p className="rounded-card border border-line bg-surface p-4 text-pretty shadow-card">
            {text}{" "}
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
