import type { ReactNode } from "react";

/** Keeps the main action at the thumb, above what scrolls; where that is little, it stays in its place. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 short:static -mx-4 mt-auto grid gap-1 bg-linear-to-t from-paper from-75% to-transparent px-4 pt-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:mt-2 sm:from-surface sm:px-6">
      {children}
    </div>
  );
}
