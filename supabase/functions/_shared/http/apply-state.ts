import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Deps } from "./deps.ts";
import type { Payments } from "./payments.ts";
import {
  type KnownPlan,
  readCharged,
  readState,
  type SubscriptionState,
} from "./subscription-state.ts";

/**
 * Makes the row of a customer's organisation say what the provider holds now. Call it under the billing
 * lock (`begin_billing`, `lock_billing_customer`), in the transaction that took it: nobody else then
 * reads an older state and writes it later. Answers whether the row changed.
 *
 * What runs although the organisation waits to be erased (a page to pay on that was still open, a subscription resumed at
 * the provider) is set to end: no customer is charged for what will not be there.
 *
 * At a price that is none of ours the subscription keeps the plan it was bought for, and the log says so
 * (`unknown_price`): who pays is not closed.
 */
export async function applyState(
  sql: TransactionSql,
  payments: Payments,
  { orgId, customerId }: { orgId: string; customerId: string },
  { now, log }: Pick<Deps, "now" | "log">,
): Promise<boolean> {
  const held = await readState(payments, customerId, await knownPlan(sql, orgId));
  if (held?.unknownPrice && held.state !== "canceled") {
    log({ event: "unknown_price", level: "error", price: held.unknownPrice, plan: held.plan });
  }
  const isCharged = held !== null && held.state !== "canceled" && !held.cancelAtPeriodEnd;
  const state = isCharged && (await isEnding(sql, orgId)) ? await endIt(payments, held) : held;
  const [row] = await sql<{ changed: boolean }[]>`
    select public.apply_subscription(
      ${customerId}, ${state?.subscriptionId ?? null}, ${state?.plan ?? null}, ${state?.billing ?? null},
      ${state?.state ?? null}, ${state?.currentPeriodEnd ?? null}, ${state?.cancelAtPeriodEnd ?? null},
      ${state?.pastDueSince ?? null}, ${state?.endedAt ?? null}, ${now()},
      ${state?.dueCents ?? null}, ${state?.cancelAt ?? null}) as changed`;
  return row?.changed ?? false;
}

/** The paid plan of an organisation's row, and the subscription that it was bought with. */
async function knownPlan(sql: TransactionSql, orgId: string): Promise<KnownPlan | null> {
  const [row] = await sql<KnownPlan[]>`
    select stripe_subscription_id as "subscriptionId", plan, billing from public.subscriptions
    where org_id = ${orgId} and stripe_subscription_id is not null and plan <> 'free_trial'`;
  return row ?? null;
}

/** Whether an organisation waits to be erased: then nothing is begun that would be charged. Ask under the billing lock. */
export async function isEnding(sql: TransactionSql, orgId: string): Promise<boolean> {
  const [row] = await sql<{ is_ending: boolean }[]>`
    select is_ending from public.subscriptions where org_id = ${orgId}`;
  return row?.is_ending ?? false;
}

/** Lets the paid period be the last one. */
async function endIt(payments: Payments, held: SubscriptionState): Promise<SubscriptionState> {
  await endSubscription(payments, held.subscriptionId);
  return { ...held, cancelAtPeriodEnd: true, cancelAt: null };
}

async function endSubscription({ stripe }: Payments, id: string): Promise<void> {
  await stripe.subscriptions.update(
    id,
    { cancel_at_period_end: true },
    // For the library's own repeats; it may be resumed, and ended, again.
    { idempotencyKey: `tournavis end ${randomUUID()}` },
  );
}

/** Lets every subscription of a customer end with its paid period, whatever it was sold for. */
async function endAll(payments: Payments, customer: string): Promise<void> {
  for (const { id } of await readCharged(payments, customer)) await endSubscription(payments, id);
}

/**
 * The same for a caller that only knows that something happened to a customer; false for an unknown customer. What a
 * customer whose organisation is erased would still be charged for is set to end.
 */
export async function syncCustomer(
  deps: Pick<Deps, "now" | "log">,
  payments: Payments,
  customerId: string,
): Promise<boolean> {
  return payments.sql.begin(async (transaction) => {
    const [row] = await transaction<{ org_id: string | null }[]>`
      select public.lock_billing_customer(${customerId}) as org_id`;
    if (row?.org_id) {
      return applyState(transaction, payments, { orgId: row.org_id, customerId }, deps);
    }
    const [former] = await transaction<{ is_former: boolean }[]>`
      select public.is_former_customer(${customerId}) as is_former`;
    if (former?.is_former) await endAll(payments, customerId);
    return false;
  });
}
