import { Link } from "@tanstack/react-router";
import { Infinity as Endless } from "lucide-react";
import { useId } from "react";
import { type Bounded, planWithMore } from "#domain/rules/plans.ts";
import { type Usage, usageOf } from "#domain/rules/usage.ts";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.usage;

const BADGES: Partial<Record<Usage["state"], { tone: BadgeTone; text: string }>> = {
  unlimited: { tone: "violet", text: copy.unlimited },
  near: { tone: "careful", text: copy.near },
  reached: { tone: "bad", text: copy.reached },
};

/** Limits of the plan, and how much of each is used. */
export function UsageCards({ limits, used }: Pick<Dashboard, "limits" | "used">) {
  const titleId = useId();
  const cards = [
    {
      of: "campaigns",
      label: copy.campaigns,
      used: used.active_campaigns,
      limit: limits.max_active_campaigns,
    },
    { of: "spins", label: copy.spins, used: used.monthly_spins, limit: limits.monthly_spins },
    { of: "users", label: copy.users, used: used.users, limit: limits.max_users },
  ] as const;
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="sr-only">
        {copy.title}
      </h2>
      <ul className="grid max-sm:divide-y max-sm:divide-line max-sm:rounded-card max-sm:bg-surface max-sm:px-5 max-sm:py-2 max-sm:shadow-card sm:grid-cols-3 sm:gap-4">
        {cards.map(({ of, label, used: count, limit }) => {
          const usage = usageOf(count, limit);
          const badge = BADGES[usage.state];
          return (
            <li
              key={label}
              className="flex items-center gap-4 max-sm:py-3 sm:max-lg:flex-col sm:max-lg:items-start sm:rounded-card sm:bg-surface sm:p-5 sm:shadow-card"
            >
              <UsageRing usage={usage} />
              <div className="grid min-w-0 grow justify-items-start gap-1 sm:max-lg:grow-0 max-sm:grid-cols-[1fr_auto] max-sm:items-center max-sm:gap-x-3 max-sm:*:nth-[n+3]:col-span-2">
                <h3 className="font-medium text-muted">{label}</h3>
                <p className="font-display text-xl font-bold tabular-nums">
                  {usage.percent === null
                    ? formatNumber(count)
                    : copy.of(formatNumber(count), formatNumber(limit))}
                </p>
                {badge ? (
                  <>
                    <Badge tone={badge.tone}>{badge.text}</Badge>
                    {usage.state === "reached" && <Reason of={of} used={count} limit={limit} />}
                  </>
                ) : (
                  <p className="text-sm text-muted">
                    {copy.percent(formatShare(usage.percent ?? 0, 100))}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Why a limit is reached, and what goes beyond it; the link there for members who may use it. */
function Reason({ of, used, limit }: { of: Bounded; used: number; limit: number }) {
  const { mayOpen } = useMay();
  const more = planWithMore(of, limit);
  const offer =
    more &&
    (more.limit < 0 ? copy.endless : (plan: string) => copy.allows[of](plan, more.limit))(
      copy.plans[more.plan],
    );
  const text = copy.reason(copy.full[of](used, limit), offer);
  if (more === null || !mayOpen("/pricing")) return <p className="text-sm text-muted">{text}</p>;
  return (
    <Link
      to="/pricing"
      className="inline-flex min-h-11 items-center text-sm font-semibold underline underline-offset-4"
    >
      {text}
    </Link>
  );
}

/** Green from nothing, yellow from 80%, red at the limit; the words beside it say the same. */
const TINTS = { fine: "stroke-mint", near: "stroke-sun", reached: "stroke-coral" } as const;

/** A ring that closes at the limit. Decoration: the figures are beside it. */
function UsageRing({ usage }: { usage: Usage }) {
  if (usage.state === "unlimited") {
    return (
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-violet-soft sm:size-14">
        <Endless aria-hidden="true" className="size-6 text-violet sm:size-7" />
      </span>
    );
  }
  const percent = usage.percent ?? 0;
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-11 shrink-0 -rotate-90 sm:size-14">
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
