import { uiCopy } from "../../ui/ui.copy.ts";

const ROWS = ["first", "second", "third"] as const;

/** The shape of the members that are on their way. */
export function TeamSkeleton() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{uiCopy.loading}</span>
      {ROWS.map((row) => (
        <div key={row} aria-hidden="true" className="grid animate-pulse gap-2.5">
          <div className="h-5 w-2/5 rounded-field bg-line" />
          <div className="h-4 w-3/5 rounded-field bg-line" />
        </div>
      ))}
    </div>
  );
}
