import { Infinity as Endless } from "lucide-react";
import type { Usage } from "#domain/rules/usage.ts";

/** Green from nothing, yellow from 80%, red at the limit; the words beside it say the same. */
const TINTS = { fine: "stroke-mint", near: "stroke-sun", reached: "stroke-coral" } as const;

/** A ring that closes at the limit. Decoration: the figures stand beside it. */
export function UsageRing({ usage }: { usage: Usage }) {
  if (usage.state === "unlimited") {
    return (
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-violet-soft">
        <Endless aria-hidden="true" className="size-7 text-violet" />
      </span>
    );
  }
  const percent = usage.percent ?? 0;
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-14 shrink-0 -rotate-90">
      <circle cx="20" cy="20" r="15.9" className="fill-none stroke-line" strokeWidth="6" />
      {percent > 0 && (
        <circle
          cx="20"
          cy="20"
          r="15.9"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          strokeWidth="6"
          className={`fill-none ${TINTS[usage.state]}`}
        />
      )}
    </svg>
  );
}
