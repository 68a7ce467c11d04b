import type Stripe from "stripe";
import { isMissing } from "./payments.ts";
import { sha256 } from "./sha256.ts";
import type { BillingWork } from "./with-billing.ts";

/** Whether the provider has this customer, and has not deleted it. */
export async function hasCustomer(stripe: Stripe, customerId: string): Promise<boolean> {
  try {
    return !(await stripe.customers.retrieve(customerId)).deleted;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Makes the organisation a customer of the provider and notes it; a repeated call finds the first one. */
export async function createCustomer(
  { sql, payments, account }: BillingWork,
  { email, name }: { email: string | null; name: string },
): Promise<string> {
  // A header holds neither every script nor more than 255 characters.
  const print = sha256(JSON.stringify([account.org_id, account.customer_id, email, name]));
  const customer = await payments.stripe.customers.create(
    {
      name,
      ...(email && { email }),
      preferred_locales: ["fr"],
      metadata: { org_id: account.org_id },
    },
    { idempotencyKey: `tournavis customer ${print}` },
  );
  await sql`select public.set_billing_customer(${account.org_id}, ${customer.id})`;
  return customer.id;
}
