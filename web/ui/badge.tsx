import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  neutral: "bg-line/70 text-ink",
  violet: "bg-violet-soft text-ink",
  good: "bg-mint-soft text-mint-ink",
  careful: "bg-sun-soft text-sun-ink",
  bad: "bg-coral-soft text-coral-ink",
} as const;

export type BadgeTone = keyof typeof TONES;

type BadgeProps = { tone?: BadgeTone; icon?: LucideIcon | undefined; children: ReactNode };

/** A state or a kind in a word. The colour only repeats what the word says. */
export function Badge({ tone = "neutral", icon: Icon, children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap ${TONES[tone]}`}
    >
      {Icon && <Icon aria-hidden="true" className="size-4" />}
      {children}
    </span>
  );
}
