import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { type Billing, plan as planSchema } from "#domain/rules/plan-names.ts";
import type { Operator } from "#domain/schemas/operator.ts";
import { useTakeOver } from "../../../lib/input/early-input.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { billingOwnersCopy } from "../../../ui/plans/billing-owners.copy.ts";
import { SiteFooter } from "../../../ui/site-footer.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { MemberLinks } from "./member-links.tsx";
import { planAction, type Subscribed } from "./plan-action.ts";
import { PlanCard } from "./plan-card.tsx";
import { pricingCopy as copy } from "./pricing.copy.ts";

type PricingPageProps = {
  subscribed: Subscribed;
  /** Why the plan of a signed-in user is unknown. */
  problem: string | null;
  onRetry: () => void;
  operator: Operator;
  /** Whether this service sells its plans. */
  canSubscribe: boolean;
  isSignedIn: boolean;
};

/** `/pricing`: three plans, by the month or by the year (specification, section 2.3). */
export function PricingPage(props: PricingPageProps) {
  const { subscribed, problem, onRetry, operator, canSubscribe, isSignedIn } = props;
  usePageTitle(copy.title);
  const [billing, setBilling] = useState<Billing>(subscribed?.billing ?? "monthly");
  useTakeOver();
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader member={isSignedIn && <MemberLinks subscribed={subscribed} />} />
      <main className="mx-auto grid w-full max-w-6xl flex-1 gap-16 px-4 pt-10 pb-20 sm:px-8 sm:pt-16">
        <div className="grid gap-8">
          <div className="mx-auto grid max-w-2xl justify-items-center gap-4 text-center">
            <h1 className="text-3xl text-balance">{copy.title}</h1>
            <DeploymentValue
              entry="payments"
              value={canSubscribe}
              otherwise={<p className="text-lg text-pretty text-muted">{copy.textUnsold}</p>}
            >
              {() => <p className="text-lg text-pretty text-muted">{copy.text}</p>}
            </DeploymentValue>
          </div>
          <div className="flex flex-wrap items-center justify-center gap-3">
            <Choice
              label={copy.billing.label}
              options={[
                { name: "monthly", label: copy.billing.monthly },
                { name: "yearly", label: copy.billing.yearly },
              ]}
              current={billing}
              onChange={setBilling}
            />
            <p className="rounded-full bg-mint-soft px-3 py-1 font-semibold text-mint-ink">
              {copy.billing.discount}
            </p>
          </div>
          {subscribed?.mayManage === false && (
            <p
              role="status"
              className="mx-auto max-w-2xl rounded-field bg-violet-soft px-4 py-3 text-center font-medium text-pretty"
            >
              {billingOwnersCopy.ask}
            </p>
          )}
          {problem && (
            <div role="alert" className="mx-auto flex flex-wrap items-center gap-3">
              <p>
                {copy.planUnknown} {problem}
              </p>
              <button
                type="button"
                className={buttonClass({ variant: "secondary" })}
                onClick={onRetry}
              >
                {copy.retry}
              </button>
            </div>
          )}
          <div className="grid gap-5">
            <h2 className="sr-only">{copy.plansLabel}</h2>
            <div className="grid items-stretch gap-5 md:grid-cols-3">
              {planSchema.options.map((plan) => (
                <PlanCard
                  key={plan}
                  plan={plan}
                  billing={billing}
                  action={planAction(subscribed, plan, billing)}
                  canSubscribe={canSubscribe}
                />
              ))}
            </div>
            <p className="text-center text-muted">{copy.tax}</p>
          </div>
        </div>
        <PricingFaq />
        <section
          aria-labelledby="closing"
          className="laid-out-later grid justify-items-center gap-5 rounded-card bg-violet-soft px-6 py-12 text-center"
        >
          <div className="grid gap-2">
            <h2 id="closing" className="text-2xl">
              {copy.closing.title}
            </h2>
            <p className="text-lg text-muted">{copy.closing.text}</p>
          </div>
          {isSignedIn ? (
            <a href="/dashboard" className={buttonClass({ size: "lg" })}>
              {copy.closing.dashboard}
            </a>
          ) : (
            <a href="/auth/signup" className={`for-visitors ${buttonClass({ size: "lg" })}`}>
              {copy.closing.signup}
            </a>
          )}
        </section>
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}

/** The questions that come before a purchase; the browser's own disclosure opens them. */
function PricingFaq() {
  return (
    <section aria-labelledby="faq" className="mx-auto grid w-full max-w-3xl gap-4">
      <h2 id="faq" className="text-2xl">
        {copy.faq.title}
      </h2>
      <div className="divide-y divide-line rounded-card bg-surface shadow-card">
        {copy.faq.entries.map(({ question, answer }) => (
          <details key={question} className="group">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 px-5 py-3 font-semibold [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden="true"
                className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180 motion-reduce:transition-none"
              />
            </summary>
            <p className="max-w-[65ch] px-5 pb-5 text-pretty text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
