import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { formatDate } from "../../../lib/format.ts";
import { buttonClass } from "../../../ui/button-class.ts";
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
  let actions: ReactNode = null;
  if (mayManage) {
    actions = (
      <div className="grid gap-3 sm:justify-items-start">
        <Link to="/pricing" className={buttonClass()}>
          {copy.change}
        </Link>
        {customerId && <PortalButton customerId={customerId} isAsked={isPaying} />}
      </div>
    );
  }
  return (
    <TitledCard title={copy.title}>
      <dl className="grid grid-cols-2 gap-4">
        <Fact label={copy.plan}>{copy.plans[plan]}</Fact>
        <Fact label={copy.status}>{status === "active" ? copy.active : status}</Fact>
        <Fact label={label}>{date ? formatDate(new Date(date)) : copy.unlimited}</Fact>
      </dl>
      {actions}
    </TitledCard>
  );
}

/** The date that matters: the end of a trial or of what was cancelled, else when the next payment is due. */
function deadline({
  plan,
  trial_end,
  current_period_end,
  ends_at,
}: SubscriptionCardProps["subscription"]): { label: string; date: string | null } {
  if (plan === "free_trial") return { label: copy.trialEnd, date: trial_end };
  return ends_at
    ? { label: copy.end, date: ends_at }
    : { label: copy.nextBilling, date: current_period_end };
}
