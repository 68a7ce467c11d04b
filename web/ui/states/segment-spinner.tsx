/** When each begins, so that one follows the other; classes, since prerendered pages may carry no styles of their own. */
const DELAYS = [
  "[animation-delay:-1.2s]",
  "[animation-delay:-1s]",
  "[animation-delay:-0.8s]",
  "[animation-delay:-0.6s]",
  "[animation-delay:-0.4s]",
  "[animation-delay:-0.2s]",
] as const;

/** One sixth of a ring, pointing up, with half a gap on each side. */
const SEGMENT = "M-3.4-8.6-9.4-20.2A22.3 22.3 0 0 1 9.4-20.2L3.4-8.6A9.3 9.3 0 0 0-3.4-8.6Z";

/** The wheel of six segments lighting up in turn: something is being waited for. Decoration. */
export function SegmentSpinner({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="-24 -24 48 48" aria-hidden="true" className={className} fill="currentColor">
      {DELAYS.map((delay, segment) => (
        <path
          key={delay}
          d={SEGMENT}
          transform={`rotate(${segment * 60})`}
          className={`animate-segment ${delay}`}
        />
      ))}
    </svg>
  );
}
