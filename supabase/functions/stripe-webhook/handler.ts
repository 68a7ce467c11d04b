import * as z from "zod/mini";
import { syncCustomer } from "../_shared/http/apply-state.ts";
import { readLimited } from "../_shared/http/parse.ts";
import type { Payments } from "../_shared/http/payments.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/** All that is read of an event: whom it is about. */
const subject = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.optional(z.string()),
      customer: z.optional(z.nullable(z.union([z.string(), z.object({ id: z.string() })]))),
    }),
  }),
});

/**
 * `POST stripe-webhook`, signed by the provider: something happened to a customer. What it was is read at
 * the provider, so that messages that come late, twice or in another order do no harm.
 */
export const handler = serve(
  { name: "stripe-webhook", method: "POST", failure: "internal_error" },
  async (request, deps) => {
    const { payments } = deps;
    if (!payments) return refuse("payments_off");
    const text = await readLimited(request);
    if (text === null) return refuse("body_too_large");
    const signature = request.headers.get("stripe-signature") ?? "";
    if (!(await isSigned(payments, text, signature, deps.now())))
      return refuse("invalid_signature");
    const customerId = customerOf(text);
    if (customerId) await syncCustomer(deps, payments, customerId);
    return json({ received: true });
  },
);

async function isSigned(
  { stripe, webhookSecret }: Payments,
  text: string,
  signature: string,
  now: Date,
): Promise<boolean> {
  try {
    await stripe.webhooks.constructEventAsync(
      text,
      signature,
      webhookSecret,
      undefined,
      undefined,
      now.getTime(),
    );
    return true;
  } catch {
    return false;
  }
}

function customerOf(text: string): string | null {
  const { data: event } = subject.safeParse(JSON.parse(text));
  const object = event?.data.object;
  if (!object) return null;
  if (object.object === "customer") return object.id ?? null;
  const { customer } = object;
  return typeof customer === "string" ? customer : (customer?.id ?? null);
}
