import { customerCopy } from "../customer.copy.ts";

const STEPS = 3;

/** Three segments of a ring, with a gap between them; the ring is 100 units around. */
const LENGTH = 100 / STEPS;
const GAP = 7;

/** How far the journey is: segments of a wheel that fill. */
export function Progress({ step }: { step: number }) {
  const label = customerCopy.progress(step, STEPS);
  return (
    <p className="flex shrink-0 items-center gap-2 text-sm text-muted">
      <svg viewBox="0 0 38 38" className="size-9 -rotate-90" role="img" aria-label={label}>
        {Array.from({ length: STEPS }, (_, index) => index + 1).map((segment) => (
          <circle
            key={segment}
            cx="19"
            cy="19"
            r="15.915"
            fill="none"
            strokeWidth="6"
            strokeDasharray={`${LENGTH - GAP} ${100 - LENGTH + GAP}`}
            strokeDashoffset={-((segment - 1) * LENGTH + GAP / 2)}
            className={`transition-colors duration-500 ${segment <= step ? "stroke-violet" : "stroke-line"}`}
          />
        ))}
      </svg>
      <span aria-hidden="true">
        {step}/{STEPS}
      </span>
    </p>
  );
}
