import { Check, X } from "lucide-react";
import { useId } from "react";
import { type Billing, type Plan, paidPlan } from "#domain/rules/plan-names.ts";
import { amountsOf, PLAN_LIMITS } from "#domain/rules/plans.ts";
import { formatEuros, formatNumber } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { type ButtonLook, buttonClass } from "../../../ui/button-class.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import type { PlanAction } from "./plan-action.ts";
import { pricingCopy as copy } from "./pricing.copy.ts";

type PlanCardProps = { plan: Plan; billing: Billing; action: PlanAction; canSubscribe: boolean };

/** One plan: what it costs, what it includes, what it does not, and the way to it. */
export function PlanCard(props: PlanCardProps) {
  const { plan, billing } = props;
  const id = useId();
  const isPopular = plan === "basic";
  const note = copy.features.notes[plan];
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-col gap-6 rounded-card bg-surface p-6 shadow-card ${isPopular ? "outline-2 -outline-offset-2 outline-violet" : ""}`}
    >
      <div className="grid gap-2">
        <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
          <h3 id={id} className="font-display text-xl font-bold">
            {copy.names[plan]}
          </h3>
          {isPopular && <Badge tone="violet">{copy.popular}</Badge>}
        </div>
        <p className="text-pretty text-muted">{copy.descriptions[plan]}</p>
      </div>
      <PlanPrice plan={plan} billing={billing} />
      <Action {...props} isPopular={isPopular} />
      <div className="grid gap-5 border-t border-line pt-5">
        <Lines label={copy.included} lines={featuresOf(plan)} isIncluded />
        <Lines label={copy.excluded} lines={copy.features.limitations[plan]} isIncluded={false} />
        {note && <p className="text-pretty text-muted">{note}</p>}
      </div>
    </section>
  );
}

type ActionProps = PlanCardProps & { isPopular: boolean };

function Action({ plan, billing, action, canSubscribe, isPopular }: ActionProps) {
  const look: ButtonLook = { variant: isPopular ? "primary" : "secondary" };
  if (action.kind === "signup") {
    return (
      <a href="/auth/signup" className={`for-visitors ${buttonClass(look)}`}>
        {action.label}
      </a>
    );
  }
  const paid = paidPlan.safeParse(plan);
  if (action.kind === "off" || !paid.success) {
    return <Off label={action.label} />;
  }
  return (
    <DeploymentValue
      entry="payments"
      value={canSubscribe}
      otherwise={<Off label={copy.actions.unavailable} />}
    >
      {() => (
        <a
          href={`/checkout?${new URLSearchParams({ plan: paid.data, billing })}`}
          // The period may have been chosen before the page lives: the way waits for it.
          data-held
          className={`for-visitors ${buttonClass(look)}`}
        >
          {action.label}
          <span className="sr-only"> : {copy.names[plan]}</span>
        </a>
      )}
    </DeploymentValue>
  );
}

/** A plan that cannot be chosen, and why. */
function Off({ label }: { label: string }) {
  return (
    <Button variant="secondary" waiting className="text-muted">
      {label}
    </Button>
  );
}

type LinesProps = { label: string; lines: readonly string[]; isIncluded: boolean };

function Lines({ label, lines, isIncluded }: LinesProps) {
  if (lines.length === 0) return null;
  const Icon = isIncluded ? Check : X;
  return (
    <div className="grid gap-2">
      <h4 className={isIncluded ? "sr-only" : "text-sm font-semibold text-muted"}>{label}</h4>
      <ul className="grid gap-2">
        {lines.map((line) => (
          <li key={line} className={`flex gap-2.5 ${isIncluded ? "" : "text-muted"}`}>
            <Icon
              aria-hidden="true"
              className={`mt-0.5 size-5 shrink-0 ${isIncluded ? "text-mint-ink" : ""}`}
            />
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Features of a plan, in lines. */
function featuresOf(plan: Plan): readonly string[] {
  const { campaigns, spins, users } = PLAN_LIMITS[plan];
  return [
    campaigns < 0
      ? copy.features.unlimitedCampaigns
      : copy.features.campaigns(formatNumber(campaigns), campaigns > 1),
    spins < 0 ? copy.features.unlimitedSpins : copy.features.spins(formatNumber(spins)),
    users < 0 ? copy.features.unlimitedUsers : copy.features.users(formatNumber(users)),
    ...copy.features.own[plan],
  ];
}

const FIGURE = "font-display text-3xl font-bold tabular-nums";

/** Price of a plan a month; by the year, the payment and its savings. */
function PlanPrice({ plan, billing }: { plan: Plan; billing: Billing }) {
  if (plan === "free_trial") {
    return (
      <div className="grid min-h-26 content-start gap-1">
        <p className={FIGURE}>{copy.free}</p>
        <p className="text-muted">{copy.durations.free_trial}</p>
      </div>
    );
  }
  const amounts = amountsOf(plan, billing);
  return (
    <div className="grid min-h-26 content-start gap-1">
      <p>
        <span className={FIGURE}>{formatEuros(amounts.perMonth)}</span>{" "}
        <span className="text-muted">{copy.durations.paid}</span>
      </p>
      {billing === "monthly" ? (
        <p className="text-muted">{copy.monthlyNote}</p>
      ) : (
        <>
          <p className="text-muted">
            <span className="font-semibold text-ink">
              {copy.yearly.total(formatEuros(amounts.total))}
            </span>{" "}
            <s>{copy.yearly.original(formatEuros(amounts.original))}</s>
          </p>
          <p className="font-semibold text-mint-ink">
            {copy.yearly.savings(formatEuros(amounts.savings))}
          </p>
        </>
      )}
    </div>
  );
}
