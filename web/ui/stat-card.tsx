import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type StatCardProps = {
  label: string;
  /** The figure, formatted; nothing yet while it loads. */
  value: string | undefined;
  /** Parts of the figure, in a few words. */
  hint?: ReactNode;
  icon?: LucideIcon;
};

/** One figure with its name; several are placed side by side in a `dl`. */
export function StatCard({ label, value, hint, icon: Icon }: StatCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-card bg-surface p-4 shadow-card max-sm:gap-0.5 max-sm:py-3 sm:p-5">
      <dt className="flex items-center gap-2 text-sm font-medium text-muted sm:text-base">
        {Icon && (
          <Icon aria-hidden="true" className="hidden size-5 shrink-0 text-violet sm:block" />
        )}
        {label}
      </dt>
      <dd className="font-display text-xl font-bold tabular-nums sm:text-2xl">
        {value ?? (
          <span className="inline-block h-6 w-16 animate-pulse rounded-field bg-line align-middle" />
        )}
      </dd>
      {hint && <dd className="text-sm text-muted">{hint}</dd>}
    </div>
  );
}
