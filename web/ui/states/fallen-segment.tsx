/** One segment of the wheel, pointing up from the centre, with half a gap on each side. */
const SEGMENT = "M-2.9-7.5-12.5-24A27 27 0 0 1 12.5-24L2.9-7.5A8 8 0 0 0-2.9-7.5Z";

/** The five segments that held, clockwise from the one under the pointer. */
const HELD = [
  ["fill-violet", 0],
  ["fill-mint", 120],
  ["fill-sky", 180],
  ["fill-rose", 240],
  ["fill-coral", 300],
] as const;

/** A wheel that lost a segment: something is missing or broken. Decoration. */
export function FallenSegment({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 92 72" aria-hidden="true" className={className}>
      <g transform="translate(30 41)">
        {HELD.map(([hue, angle]) => (
          <path key={hue} d={SEGMENT} transform={`rotate(${angle})`} className={hue} />
        ))}
      </g>
      <path d={SEGMENT} transform="translate(66 48) rotate(128)" className="fill-sun" />
      <path
        d="M22.9 0h14.2a1.9 1.9 0 0 1 1.5 3L31.5 12a1.9 1.9 0 0 1-3 0L21.4 3a1.9 1.9 0 0 1 1.5-3Z"
        fill="currentColor"
      />
    </svg>
  );
}
