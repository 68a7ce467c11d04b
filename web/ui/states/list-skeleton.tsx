import { uiCopy } from "../ui.copy.ts";

const ROWS = ["first", "second", "third", "fourth"] as const;

/** The shape of a list that is on its way. */
export function ListSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{uiCopy.loading}</span>
      {ROWS.map((row) => (
        <div
          key={row}
          aria-hidden="true"
          className="grid animate-pulse gap-3 rounded-card bg-surface p-5 shadow-card"
        >
          <div className="h-5 w-2/5 rounded-field bg-line" />
          <div className="h-4 w-3/5 rounded-field bg-line" />
          <div className="h-4 w-1/3 rounded-field bg-line" />
        </div>
      ))}
    </div>
  );
}
