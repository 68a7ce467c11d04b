import type { Sql } from "postgres";
import type Stripe from "stripe";
import { z } from "zod";

/** Timeout of our own endpoint. */
const TIMEOUT_MS = 20_000;

/** Our endpoint did not take an event: it is sent again later, as the provider would. */
class UndeliveredError extends Error {
  override readonly name = "UndeliveredError";
  readonly code: string;

  constructor(status: number) {
    super(`status ${status}`);
    this.code = `status_${status}`;
  }
}

/** Sends one event of the sandbox to our own endpoint, signed as the provider signs. */
export async function deliverEvent(
  {
    sql,
    stripe,
    webhookSecret,
    endpoint,
    now,
  }: {
    sql: Sql;
    stripe: Stripe;
    webhookSecret: string;
    endpoint: string;
    now: () => Date;
  },
  eventId: string,
): Promise<void> {
  const [row] = await sql<{ body: unknown }[]>`
    select body from private.payment_sandbox where id = ${eventId} and kind = 'event'`;
  if (!row) return;
  const payload = JSON.stringify(z.json().parse(row.body));
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    timestamp: Math.floor(now().getTime() / 1000),
  });
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body: payload,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new UndeliveredError(response.status);
}
