/** One fifth of a ring, pointing up, with half a gap on each side. */
const SEGMENT = "M-4.4-9.4-12.1-20.6A24 24 0 0 1 12.1-20.6L4.4-9.4A10.4 10.4 0 0 0-4.4-9.4Z";

/** The hue of each step, in the order of the wheel. */
const HUES = ["fill-violet", "fill-sun", "fill-mint", "fill-sky", "fill-rose"] as const;

/** The five steps as a wheel that fills, segment after segment. Decoration: the words stand beside it. */
export function StepWheel({ done, className }: { done: number; className?: string }) {
  return (
    <svg viewBox="-25 -25 50 50" aria-hidden="true" className={className}>
      {HUES.map((hue, index) => (
        <path
          key={hue}
          d={SEGMENT}
          transform={`rotate(${index * 72 + 36})`}
          className={index < done ? hue : "fill-line"}
        />
      ))}
    </svg>
  );
}
