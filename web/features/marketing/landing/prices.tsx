import { type Plan, paidPlan, plan } from "#domain/rules/plan-names.ts";
import { amountsOf, PLAN_LIMITS } from "#domain/rules/plans.ts";
import { formatEuros, formatNumber } from "../../../lib/format.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { landingCopy } from "./landing.copy.ts";

const copy = landingCopy.prices;

/** The edge of each plan's ticket. */
const EDGES: Readonly<Record<Plan, string>> = {
  free_trial: "border-mint",
  basic: "border-violet",
  pro: "border-sun",
};

/** Lowest price of a month; the trial costs nothing. */
function leastOf(name: Plan): number {
  const paid = paidPlan.safeParse(name);
  return paid.success ? amountsOf(paid.data, "yearly").perMonth : 0;
}

/** The three plans in one line each; `/pricing` says everything. */
export function Prices() {
  return (
    <section aria-labelledby="tarifs" className="laid-out-later border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-8 lg:py-20">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
          <div>
            <h2 id="tarifs" className="text-2xl sm:text-3xl">
              {copy.title}
            </h2>
            <p className="mt-3 text-lg text-muted">
              <DeploymentValue entry="payments" value={true} otherwise={copy.textUnsold}>
                {() => copy.text}
              </DeploymentValue>
            </p>
          </div>
          <a href="/pricing" className={buttonClass({ variant: "secondary" })}>
            {copy.more}
          </a>
        </div>
        <ul className="mt-8 grid gap-4 md:grid-cols-3 md:gap-5">
          {plan.options.map((name) => (
            <li
              key={name}
              className={`grid gap-1 rounded-card border-t-4 bg-paper p-6 ring-1 ring-line ${EDGES[name]}`}
            >
              <h3 className="text-xl font-bold">{copy.names[name]}</h3>
              <p>
                {name !== "free_trial" && <span className="text-muted">{copy.from} </span>}
                <span className="font-display text-3xl font-bold tabular-nums">
                  {formatEuros(leastOf(name))}
                </span>{" "}
                <span className="text-muted">
                  {name === "free_trial" ? copy.trial : copy.month}
                </span>
              </p>
              <p className="mt-2 text-pretty text-muted">{limitsOf(name)}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function limitsOf(name: Plan): string {
  const { campaigns, spins } = PLAN_LIMITS[name];
  if (campaigns < 0) return copy.unlimited;
  return copy.limits(campaigns, formatNumber(spins));
}
