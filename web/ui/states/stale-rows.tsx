import type { ReactNode } from "react";

/** Rows of a list that are not, or not yet, those that were asked for: they lose their colour, not their words. */
export function StaleRows({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div
      aria-busy={isStale}
      className="grid gap-4 transition-[filter,opacity] delay-150 duration-200 aria-busy:opacity-90 aria-busy:grayscale"
    >
      {children}
    </div>
  );
}
