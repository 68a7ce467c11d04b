import type { TransactionSql } from "postgres";
import type { Deps } from "./deps.ts";
import type { Payments } from "./payments.ts";
import { readState } from "./subscription-state.ts";

/**
 * Makes the row of a customer's organisation say what the provider holds now. Call it under the billing
 * lock (`begin_billing`, `lock_billing_customer`), in the transaction that took it: nobody else then
 * reads an older state and writes it later. Answers whether the row changed.
 */
export async function applyState(
  sql: TransactionSql,
  payments: Payments,
  customerId: string,
  now: Date,
): Promise<boolean> {
  const state = await readState(payments, customerId);
  const [row] = await sql<{ changed: boolean }[]>`
    select public.apply_subscription(
      ${customerId}, ${state?.subscriptionId ?? null}, ${state?.plan ?? null}, ${state?.billing ?? null},
      ${state?.state ?? null}, ${state?.currentPeriodEnd ?? null}, ${state?.cancelAtPeriodEnd ?? null},
      ${state?.pastDueSince ?? null}, ${state?.endedAt ?? null}, ${now}) as changed`;
  return row?.changed ?? false;
}

/** The same for whoever is only told that something happened to a customer; false for one whom we do not know. */
export async function syncCustomer(
  { now }: Pick<Deps, "now">,
  payments: Payments,
  customerId: string,
): Promise<boolean> {
  return payments.sql.begin(async (transaction) => {
    const [row] = await transaction<{ org_id: string | null }[]>`
      select public.lock_billing_customer(${customerId}) as org_id`;
    return row?.org_id ? applyState(transaction, payments, customerId, now()) : false;
  });
}
