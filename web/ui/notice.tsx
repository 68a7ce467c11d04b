import { CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  /** Good to know. */
  info: { look: "bg-violet-soft text-ink", icon: Info, tint: "text-violet" },
  /** It worked. */
  done: { look: "bg-mint-soft text-mint-ink", icon: CircleCheck, tint: "" },
} as const;

/** A word in passing: said by screen readers when they are free, and shown with an icon. */
export function Notice({
  tone = "info",
  children,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
}) {
  const { look, icon: Icon, tint } = TONES[tone];
  return (
    <div role="status" className={`flex gap-3 rounded-field px-4 py-3 font-medium ${look}`}>
      <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${tint}`} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
