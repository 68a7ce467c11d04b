import type { ReactNode } from "react";

/** One segment of the wheel, pointing up from the centre, with half a gap on each side. */
const SEGMENT = "M-2.9-7.5-12.5-24A27 27 0 0 1 12.5-24L2.9-7.5A8 8 0 0 0-2.9-7.5Z";
const EMPTY_PLACES = [60, 120, 180, 240, 300] as const;

type EmptyStateProps = {
  title: string;
  text?: string | undefined;
  /** Nothing has ever been there: figures of the same screen make room for it on a phone. */
  isFirst?: boolean;
  /** The first step. */
  children?: ReactNode;
};

/** Nothing to list yet, or nothing that matches: says so, and what to do about it. */
export function EmptyState({ title, text, isFirst, children }: EmptyStateProps) {
  return (
    <div
      data-first={isFirst}
      className="grid justify-items-center gap-5 rounded-card border-2 border-dashed border-line px-5 py-12 text-center"
    >
      <svg viewBox="-30 -30 60 60" aria-hidden="true" className="h-20">
        <path d={SEGMENT} className="fill-violet" />
        {EMPTY_PLACES.map((angle) => (
          <path
            key={angle}
            d={SEGMENT}
            transform={`rotate(${angle})`}
            className="fill-none stroke-field"
            strokeWidth="1.2"
            strokeDasharray="3 2.5"
          />
        ))}
      </svg>
      <div className="grid max-w-md gap-1.5">
        <p className="font-display text-xl font-bold text-balance">{title}</p>
        {text && <p className="text-pretty text-muted">{text}</p>}
      </div>
      {children}
    </div>
  );
}
