import type { Usage } from "#domain/usage.ts";

/** Green from nothing, yellow from 80%, red at the limit; the words beside it say the same. */
const TINTS = {
  unlimited: "stroke-violet",
  fine: "stroke-mint",
  near: "stroke-sun",
  reached: "stroke-coral",
} as const;

/** A ring that closes at the limit. Decoration: the figures stand beside it. */
export function UsageRing({ usage, className }: { usage: Usage; className?: string }) {
  const percent = usage.percent ?? 100;
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={`-rotate-90 ${className ?? ""}`}>
      <circle cx="20" cy="20" r="15.9" className="fill-none stroke-line" strokeWidth="6" />
      <circle
        cx="20"
        cy="20"
        r="15.9"
        pathLength="100"
        strokeDasharray={`${percent} 100`}
        strokeWidth="6"
        className={`fill-none ${percent === 0 ? "stroke-transparent" : TINTS[usage.state]}`}
      />
    </svg>
  );
}
