import { Link } from "@tanstack/react-router";
import type { Settings } from "#domain/schemas/settings.ts";
import { formatDate } from "../../../lib/format.ts";
import { isUnpaid, useWorkspace } from "../../../lib/workspace.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { Notice } from "../../../ui/notice.tsx";
import { billingOwnersCopy } from "../../../ui/plans/billing-owners.copy.ts";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { Fact } from "../card-parts.tsx";
import { settingsCopy } from "../settings.copy.ts";
import { PortalButton } from "./portal-button.tsx";

const copy = settingsCopy.subscription;

type SubscriptionCardProps = {
  subscription: NonNullable<Settings["subscription"]>;
  /** May choose another plan and open the portal. */
  mayManage: boolean;
  /** Came to pay: the portal opens at once. */
  isPaying: boolean;
};

/** The plan, what it is worth until when, and the ways to change it. */
export function SubscriptionCard({ subscription, mayManage, isPaying }: SubscriptionCardProps) {
  const { plan, status, customer_id: customerId } = subscription;
  const { label, date } = deadline(subscription);
  const isDue = isUnpaid(subscription);
  const portal = customerId && (
    <PortalButton customerId={customerId} isAsked={isPaying} isFirst={isDue} />
  );
  const change = (
    <Link to="/pricing" className={buttonClass({ variant: isDue ? "secondary" : "primary" })}>
      {copy.change}
    </Link>
  );
  return (
    <TitledCard title={copy.title}>
      <dl className="grid grid-cols-2 gap-4">
        <Fact label={copy.plan}>{copy.plans[plan]}</Fact>
        <Fact label={copy.status}>{status === "active" ? copy.active : status}</Fact>
        <Fact label={label}>{date ? formatDate(new Date(date)) : copy.unlimited}</Fact>
        {isRenewed(subscription) && (
          <Fact label={copy.nextBilling}>
            {formatDate(new Date(subscription.current_period_end ?? ""))}
          </Fact>
        )}
      </dl>
      <Warning {...{ subscription, mayManage }} />
      {mayManage && (
        <div className="grid gap-3 sm:w-fit">
          {isDue && portal}
          {change}
          {!isDue && portal}
        </div>
      )}
    </TitledCard>
  );
}

/** Note on what is about to close the public pages, and who can prevent it where. */
function Warning({
  subscription,
  mayManage,
}: Pick<SubscriptionCardProps, "subscription" | "mayManage">) {
  const isErased = Boolean(useWorkspace()?.organization?.erase_at);
  const { status, ends_at: end, customer_id: customerId } = subscription;
  const isDue = isUnpaid(subscription);
  // An organisation that waits to be erased has a banner about that, and its subscription cannot be kept.
  if (isErased || !(isDue || (end && status === "active"))) return null;
  const ending = isRenewed(subscription) ? copy.endingLater : copy.ending;
  const here = customerId && (isDue ? copy.payHere : copy.keepHere);
  return (
    <Notice>
      {isDue ? copy.due : ending(formatDate(new Date(end ?? "")))}{" "}
      {mayManage ? here : billingOwnersCopy.ask}
    </Notice>
  );
}

/** Whether something is still charged before a subscription ends. */
function isRenewed({
  status,
  ends_at: end,
  current_period_end: next,
}: SubscriptionCardProps["subscription"]): boolean {
  return status === "active" && end !== null && next !== null && new Date(next) < new Date(end);
}

type Deadline = { label: string; date: string | null };

/** The date that matters: of a trial's end, an open bill, the end of what was cancelled, else the next payment. */
function deadline(subscription: SubscriptionCardProps["subscription"]): Deadline {
  const { plan, status, ends_at: end, due_until: due } = subscription;
  if (plan === "free_trial") return { label: copy.trialEnd, date: subscription.trial_end };
  if (status === "suspended")
    return { label: copy.suspendedSince, date: subscription.suspended_since };
  if (due) return { label: copy.dueUntil, date: due };
  return end
    ? { label: copy.end, date: end }
    : { label: copy.nextBilling, date: subscription.current_period_end };
}
