const SEGMENTS = [0, 1, 2, 3, 4, 5] as const;

/** One sixth of a ring, pointing up, with half a gap on each side. */
const SLICE = "M-3.4-8.6-9.4-20.2A22.3 22.3 0 0 1 9.4-20.2L3.4-8.6A9.3 9.3 0 0 0-3.4-8.6Z";

/** The wheel of six segments lighting up in turn: something is being waited for. Decoration. */
export function SegmentSpinner({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="-24 -24 48 48" aria-hidden="true" className={className} fill="currentColor">
      {SEGMENTS.map((segment) => (
        <path
          key={segment}
          d={SLICE}
          transform={`rotate(${segment * 60})`}
          className="animate-segment"
          style={{ animationDelay: `${segment * 0.2 - 1.2}s` }}
        />
      ))}
    </svg>
  );
}
