import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { officeErrorCopy } from "#domain/errors/office-errors.copy.ts";
import type { Billing, PaidPlan } from "#domain/rules/plan-names.ts";
import { PLAN_LIMITS } from "#domain/rules/plans.ts";
import type { BillingOverview } from "#domain/schemas/billing.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { useRestored } from "../../../lib/input/use-restored.ts";
import { isUnpaid } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { billingOwnersCopy } from "../../../ui/plans/billing-owners.copy.ts";
import { paymentProblem, type usePay } from "../billing.mutations.ts";
import { isSubscribed } from "../billing.queries.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import type { Due } from "./use-due.ts";

type CheckoutPayProps = {
  overview: BillingOverview;
  plan: PaidPlan;
  billing: Billing;
  /** Nothing can be paid before one sees what is due. */
  due: Due;
  pay: ReturnType<typeof usePay>;
};

/** The button that pays, what has to be chosen before, and why it cannot be pressed. */
export function CheckoutPay({ overview, plan, billing, due, pay }: CheckoutPayProps) {
  const { config } = useApp();
  useRestored(pay.reset);
  const [kept, setKept] = useState<string[]>([]);
  const campaigns = overview?.active_campaigns ?? [];
  const room = PLAN_LIMITS[plan].campaigns;
  const mustChoose = room >= 0 && campaigns.length > room;
  const price = config.payments?.prices[plan][billing];

  // A change that is being made is already the plan that one has.
  const refusal = pay.isPending ? null : refusalOf(overview, plan, billing, price);
  const failed = due.kind === "failed" ? due : null;
  const problem = pay.isError ? paymentProblem(pay.error, errorMessage) : (failed?.problem ?? null);
  const isChange = isSubscribed(overview);
  const isOff =
    Boolean(refusal ?? problem) || due.kind !== "today" || (mustChoose && kept.length === 0);
  const submit = () => {
    if (!overview || !price || due.kind !== "today") return;
    pay.mutate({ overview, plan, billing, price, campaignIds: kept, ...due });
  };
  const retry = () => {
    pay.reset();
    failed?.retry();
  };
  return (
    <div className="grid gap-4">
      {mustChoose && !refusal && (
        <KeepCampaigns campaigns={campaigns} room={room} kept={kept} onChange={setKept} />
      )}
      {(refusal ?? problem) && <Alert>{refusal ?? problem}</Alert>}
      <Button
        size="lg"
        busy={pay.isPending || pay.data === "leaving"}
        waiting={isOff}
        variant={isOff ? "secondary" : "primary"}
        className={isOff ? "text-muted" : ""}
        onClick={submit}
      >
        {isChange ? copy.change : copy.pay}
      </Button>
      {problem && !refusal && (
        <Button variant="secondary" onClick={retry}>
          {copy.retry}
        </Button>
      )}
      {(refusal === officeErrorCopy.payment_overdue || isOfThePortal(pay.error)) && (
        <Link
          to="/settings"
          search={{ section: "subscription", pay: true }}
          className={buttonClass({ variant: refusal ? "primary" : "secondary" })}
        >
          {copy.portal}
        </Link>
      )}
      {overview?.may_manage === false && <p className="text-pretty">{billingOwnersCopy.ask}</p>}
      {!(refusal ?? problem) && (
        <p className="text-center text-sm text-muted">
          {isChange ? copy.hint.change : copy.hint.pay}
        </p>
      )}
    </div>
  );
}

/** Whether a failure is mended at the provider's own pages: an open bill, or a card that its bank refused. */
function isOfThePortal(error: unknown): boolean {
  return error instanceof AppError && ["payment_overdue", "card_declined"].includes(error.code);
}

/** Why nothing can be bought here; null when it can. */
function refusalOf(
  overview: BillingOverview,
  plan: PaidPlan,
  billing: Billing,
  price: string | undefined,
): string | null {
  if (!overview?.may_manage) return officeErrorCopy.billing_forbidden;
  if (!price) return officeErrorCopy.payments_off;
  if (isSubscribed(overview) && isUnpaid(overview)) return officeErrorCopy.payment_overdue;
  const isCurrent =
    isSubscribed(overview) && overview.plan === plan && overview.billing === billing;
  return isCurrent ? copy.errors.current : null;
}

type KeepCampaignsProps = {
  campaigns: readonly { id: string; name: string }[];
  /** Most campaigns that the plan lets run. */
  room: number;
  kept: readonly string[];
  onChange: (kept: string[]) => void;
};

/** Which campaigns go on when the plan has room for fewer. */
function KeepCampaigns({ campaigns, room, kept, onChange }: KeepCampaignsProps) {
  return (
    <fieldset className="grid gap-3 rounded-card bg-surface p-6 shadow-card">
      <legend className="float-left text-xl font-bold">{copy.keep.title}</legend>
      <p className="clear-both text-pretty text-muted">{copy.keep.text(room)}</p>
      <div className="grid">
        {campaigns.map(({ id, name }) => {
          const isKept = kept.includes(id);
          return (
            <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 accent-violet"
                checked={isKept}
                disabled={!isKept && kept.length >= room}
                onChange={() =>
                  onChange(isKept ? kept.filter((other) => other !== id) : [...kept, id])
                }
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </label>
          );
        })}
      </div>
      <p role="status" className="text-muted">
        {copy.keep.count(kept.length, room)}
      </p>
    </fieldset>
  );
}
