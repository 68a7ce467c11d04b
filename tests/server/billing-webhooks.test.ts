import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { Hono } from "hono";
import postgres, { type Sql, type TransactionSql } from "postgres";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/text/durations.ts";
import { createSandboxApi } from "../../server/payments-sandbox/api.ts";
import {
  ageBills,
  buy,
  changeCard,
  changePrice,
  end,
  payBills,
  renew,
  setCancelling,
} from "../../server/payments-sandbox/ledger.ts";
import {
  invoice as invoiceSchema,
  priceOf,
  SANDBOX_PRICES,
  SANDBOX_TAX_RATE,
  type Session,
  type Subscription,
  seconds,
  subscription as subscriptionSchema,
} from "../../server/payments-sandbox/objects.ts";
import { listOf, lockSandbox } from "../../server/payments-sandbox/store.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { offerOf } from "../../supabase/functions/_shared/http/payments.ts";
import { handler } from "../../supabase/functions/stripe-webhook/handler.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";

/** Messages of the provider, which in any order lead to the state that the provider holds. */

const KEY = "sk_test_essais";
const SECRET = "whsec_essais";

let database: TestDatabase;
let sql: Sql;
let providerSql: Sql;
let stripe: Stripe;
/** The clock of everybody here. */
let clock = secondsFromNow(0);

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  // A pool of its own, as on the server: the work waits for the provider while it holds a connection.
  providerSql = postgres(database.url, { max: 2, onnotice: () => {} });
  const api = new Hono().route(
    "/v1",
    createSandboxApi({ sql: providerSql, apiKey: KEY, now: () => clock }),
  );
  stripe = new Stripe(KEY, {
    host: "bac.exemple",
    protocol: "http",
    httpClient: Stripe.createFetchHttpClient(async (url, init) =>
      api.fetch(new Request(url, init)),
    ),
  });
});
afterAll(async () => {
  await providerSql.end();
  await database.drop();
});

function deps(): Deps {
  return {
    sql,
    now: () => clock,
    verifyAccessToken: async () => null,
    signApiToken: null,
    keyedHash: (_, value) => value,
    clientAddress: () => "192.0.2.1",
    logos: null,
    log: () => {},
    payments: {
      stripe,
      sql,
      webhookSecret: SECRET,
      prices: SANDBOX_PRICES,
      taxRate: SANDBOX_TAX_RATE,
      isTest: true,
      siteUrl: null,
    },
  };
}

async function deliver(payload: string, secret = SECRET, sentAt = clock): Promise<number> {
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(sentAt.getTime() / 1000),
  });
  const request = new Request("http://ici.exemple/functions/v1/stripe-webhook", {
    method: "POST",
    headers: { "stripe-signature": signature },
    body: payload,
  });
  const answer = await handler(request, deps());
  if (answer.ok) expect(await answer.json()).toEqual({ received: true });
  return answer.status;
}

/** An organisation on trial that is a customer of the provider. */
async function customerOrganization(): Promise<Organization & { customer: string }> {
  const organization = await createOrganization(sql, { plan: "free_trial" });
  const { id } = await stripe.customers.create({ name: organization.name });
  await sql`select public.set_billing_customer(${organization.id}, ${id})`;
  return { ...organization, customer: id };
}

/** Runs something at the provider, in turn with everybody. */
const atProvider = (work: (sql: TransactionSql) => Promise<unknown>) =>
  providerSql.begin(async (transaction) => {
    await lockSandbox(transaction);
    await work(transaction);
  });

const readSubscription = (customer: string) =>
  providerSql.begin(async (transaction) => {
    const [newest] = await listOf(transaction, "subscription", customer, subscriptionSchema);
    return { newest: newest ?? null };
  });

const sessionFor = (customer: string, price: string): Session => ({
  id: `cs_${randomUUID().replaceAll("-", "")}`,
  object: "checkout.session",
  customer,
  mode: "subscription",
  status: "open",
  payment_status: "unpaid",
  subscription: null,
  url: null,
  success_url: "http://ici.exemple/",
  cancel_url: "http://ici.exemple/",
  created: Math.floor(clock.getTime() / 1000),
  livemode: false,
  metadata: {},
  price,
  subscription_metadata: {},
});

const { basic, pro } = SANDBOX_PRICES;
const OFFERS = [basic.monthly, basic.yearly, pro.monthly, pro.yearly];

type Deed = (sql: TransactionSql, subscription: Subscription) => Promise<unknown>;

async function changeTo(tx: TransactionSql, subscription: Subscription, id: string) {
  const price = priceOf(id);
  if (price) await changePrice(tx, subscription, { price, at: seconds(clock), now: clock });
}

/** Events that may happen at the provider; an event that a refused card forbids does not happen. */
const DEEDS: Record<string, Deed> = {
  renew: (tx, subscription) => renew(tx, subscription, clock),
  declined: (tx, { customer }) => changeCard(tx, customer, "declined"),
  good: (tx, { customer }) => changeCard(tx, customer, "good"),
  pay: (tx, subscription) => payBills(tx, subscription),
  cancel: (tx, subscription) => setCancelling(tx, subscription, true),
  resume: (tx, subscription) => setCancelling(tx, subscription, false),
  age: (tx, subscription) => ageBills(tx, subscription, 5),
  end: (tx, subscription) => end(tx, subscription, clock),
  toBasic: (tx, subscription) => changeTo(tx, subscription, basic.monthly),
  toPro: (tx, subscription) => changeTo(tx, subscription, pro.yearly),
};

async function happen(customer: string, name: string, price: string): Promise<void> {
  const { newest } = await readSubscription(customer);
  // Events of one second stand for events whose order nobody knows.
  clock = new Date(clock.getTime() + 1000);
  const isOver = newest === null || newest.status === "canceled";
  const work = isOver
    ? (tx: TransactionSql) => buy(tx, sessionFor(customer, price), "good", clock)
    : (tx: TransactionSql) => DEEDS[name]?.(tx, newest) ?? Promise.resolve();
  await atProvider(work).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== "DeclinedError") throw error;
  });
}

/** Row expected of us, worked out from the provider's data alone. */
async function expectedRow(customer: string) {
  const { newest } = await readSubscription(customer);
  if (newest === null) return { plan: "free_trial", status: "active" };
  const [item] = newest.items.data;
  const invoices = await providerSql.begin((tx) => listOf(tx, "invoice", customer, invoiceSchema));
  const open = invoices.filter((one) => one.status === "open" && one.subscription === newest.id);
  const since =
    newest.status === "past_due"
      ? new Date(Math.min(...open.map((one) => one.created)) * 1000)
      : null;
  const isLate = since !== null && since.getTime() <= clock.getTime() - 8 * DAY_MS;
  return {
    ...offerOf(SANDBOX_PRICES, item.price.id),
    status: isLate ? "suspended" : newest.status,
    subscription: newest.id,
    period_end: new Date(item.current_period_end * 1000),
    cancel_at_period_end: newest.cancel_at_period_end,
    past_due_since: since,
  };
}

async function rowOf({ id }: Organization) {
  const [row] = await sql`
    select plan, billing, status, stripe_subscription_id as subscription, current_period_end as period_end,
      cancel_at_period_end, past_due_since, closed_at
    from public.subscriptions where org_id = ${id}`;
  return row ?? {};
}

async function eventsOf(customer: string): Promise<string[]> {
  const rows = await providerSql<{ body: unknown }[]>`
    select body from private.payment_sandbox
    where kind = 'event' and customer_id = ${customer} order by serial`;
  return rows.map(({ body }) => JSON.stringify(body));
}

describe("messages of the provider", () => {
  it("end in the provider's state, shuffled, doubled and late", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.constantFrom(...OFFERS)), {
          minLength: 1,
          maxLength: 7,
        }),
        fc.infiniteStream(fc.nat()),
        async (deeds, numbers) => {
          const next = () => Number(numbers.next().value);
          const organization = await customerOrganization();
          const { customer } = organization;
          const underWay: Promise<number>[] = [];
          await happen(customer, "renew", basic.monthly);
          for (const [deed, price] of deeds) {
            await happen(customer, deed, price);
            // One of the messages so far arrives while the next thing happens.
            const told = await eventsOf(customer);
            underWay.push(deliver(told[next() % told.length] ?? ""));
          }
          const told = await eventsOf(customer);
          const shuffled = [...told, ...told]
            .map((event) => ({ event, place: next() }))
            .sort((one, other) => one.place - other.place);
          for (const { event } of shuffled) underWay.push(deliver(event));
          expect(new Set(await Promise.all(underWay))).toEqual(new Set([200]));
          expect(await rowOf(organization)).toMatchObject(await expectedRow(customer));
        },
      ),
      { numRuns: 12 },
    );
  });

  it("of which the last alone arrives say everything", async () => {
    const organization = await customerOrganization();
    for (const deed of ["renew", "toPro", "declined", "renew"]) {
      await happen(organization.customer, deed, basic.monthly);
    }
    const told = await eventsOf(organization.customer);
    expect(await deliver(told[0] ?? "")).toBe(200);
    expect(await rowOf(organization)).toMatchObject({ plan: "pro", status: "past_due" });
    expect(await rowOf(organization)).toMatchObject(await expectedRow(organization.customer));
  });

  it("suspend eight days after the bill, by the clock of the server", async () => {
    const organization = await customerOrganization();
    for (const deed of ["renew", "declined", "renew"]) {
      await happen(organization.customer, deed, basic.monthly);
    }
    const [event = ""] = await eventsOf(organization.customer);
    await deliver(event);
    expect(await rowOf(organization)).toMatchObject({ status: "past_due", closed_at: null });
    const before = clock;
    clock = new Date(before.getTime() + 8 * DAY_MS - 1000);
    await deliver(event);
    expect((await rowOf(organization)).status).toBe("past_due");
    clock = new Date(before.getTime() + 8 * DAY_MS + 1000);
    await deliver(event);
    expect((await rowOf(organization)).status).toBe("suspended");
    clock = before;
  });

  it("are refused when somebody else signed them, or long ago, and change nothing", async () => {
    const organization = await customerOrganization();
    await happen(organization.customer, "renew", pro.monthly);
    const before = await rowOf(organization);
    const [event = ""] = await eventsOf(organization.customer);
    expect(await deliver(event, "whsec_autre")).toBe(400);
    expect(await deliver(event, SECRET, new Date(clock.getTime() - 3_600_000))).toBe(400);
    const tampered = new Request("http://ici.exemple/functions/v1/stripe-webhook", {
      method: "POST",
      headers: {
        "stripe-signature": stripe.webhooks.generateTestHeaderString({
          payload: event.replace(organization.customer, "cus_autre"),
          secret: SECRET,
        }),
      },
      body: event,
    });
    expect((await handler(tampered, deps())).status).toBe(400);
    const unsigned = new Request("http://ici.exemple/", { method: "POST", body: event });
    expect((await handler(unsigned, deps())).status).toBe(400);
    expect(await rowOf(organization)).toEqual(before);
    expect(before).toMatchObject({ plan: "free_trial", status: "active" });
  });

  it("are taken for five minutes, and refused a second later", async () => {
    const organization = await customerOrganization();
    await happen(organization.customer, "renew", pro.monthly);
    const [event = ""] = await eventsOf(organization.customer);
    const ago = (seconds: number) => new Date(clock.getTime() - seconds * 1000);
    expect(await deliver(event, SECRET, ago(301))).toBe(400);
    expect(await rowOf(organization)).toMatchObject({ plan: "free_trial" });
    expect(await deliver(event, SECRET, ago(300))).toBe(200);
    expect(await rowOf(organization)).toMatchObject({ plan: "pro" });
  });

  it.each<[Stripe.Event.Type, (customer: string) => object]>([
    ["checkout.session.completed", (customer) => ({ object: "checkout.session", customer })],
    ["customer.updated", (id) => ({ object: "customer", id })],
    ["customer.deleted", (id) => ({ object: "customer", id, deleted: true })],
    ["customer.discount.created", (customer) => ({ object: "discount", customer })],
    ["customer.subscription.created", (customer) => ({ object: "subscription", customer })],
    ["customer.subscription.deleted", (customer) => ({ object: "subscription", customer })],
    ["customer.subscription.paused", (customer) => ({ object: "subscription", customer })],
    ["customer.subscription.resumed", (customer) => ({ object: "subscription", customer })],
    [
      "customer.subscription.updated",
      (id) => ({ object: "subscription", customer: { id, object: "customer" } }),
    ],
    ["invoice.paid", (customer) => ({ object: "invoice", customer })],
    ["invoice.payment_action_required", (customer) => ({ object: "invoice", customer })],
    ["invoice.payment_failed", (customer) => ({ object: "invoice", customer })],
    ["invoice.voided", (customer) => ({ object: "invoice", customer })],
    ["payment_intent.succeeded", (customer) => ({ object: "payment_intent", customer })],
    [
      "subscription_schedule.released",
      (customer) => ({ object: "subscription_schedule", customer }),
    ],
  ])("of the kind %s have the provider read", async (type, about) => {
    const organization = await customerOrganization();
    await happen(organization.customer, "renew", pro.yearly);
    const event = { object: "event", type, data: { object: about(organization.customer) } };
    expect(await deliver(JSON.stringify(event))).toBe(200);
    expect(await rowOf(organization)).toMatchObject({
      ...{ plan: "pro", billing: "yearly", status: "active" },
    });
  });

  it.each<[Stripe.Event.Type, object]>([
    ["charge.dispute.created", { object: "dispute", id: "du_1", charge: "ch_1" }],
    ["invoice_payment.paid", { object: "invoice_payment", id: "inpay_1", invoice: "in_1" }],
    ["payment_method.detached", { object: "payment_method", id: "pm_1", customer: null }],
  ])("of the kind %s name no customer, and are taken", async (type, object) => {
    expect(await deliver(JSON.stringify({ object: "event", type, data: { object } }))).toBe(200);
  });

  it("end what an erased organisation would still be charged for, whatever it is", async () => {
    const organization = await customerOrganization();
    const { customer, id } = organization;
    await happen(customer, "renew", basic.monthly);
    await happen(customer, "cancel", basic.monthly);
    const [cancelled = ""] = await eventsOf(customer);
    await deliver(cancelled);
    await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${id}`;
    await sql`select private.erase_organizations(100000)`;
    expect(await sql`select from public.organizations where id = ${id}`).toHaveLength(0);

    // Resumed there, and a second one began that is none of our plans.
    await happen(customer, "resume", basic.monthly);
    const { newest } = await readSubscription(customer);
    await providerSql`
      insert into private.payment_sandbox (id, kind, customer_id, body)
      select id || '_b', kind, customer_id, jsonb_set(body, '{id}', to_jsonb(id || '_b'))
      from private.payment_sandbox where id = ${newest?.id ?? ""}`;
    const ends = async () => {
      const { data } = await stripe.subscriptions.list({ customer, status: "all" });
      return data.map(({ cancel_at_period_end }) => cancel_at_period_end);
    };
    expect(await ends()).toEqual([false, false]);
    const told = await eventsOf(customer);
    // Twice at the same time.
    const answers = [told.at(-1), told.at(-1)].map((event = "") => deliver(event));
    expect(await Promise.all(answers)).toEqual([200, 200]);
    expect(await ends()).toEqual([true, true]);
  });

  it("about somebody whom nobody knows are taken and change nothing", async () => {
    const payload = JSON.stringify({
      type: "customer.subscription.updated",
      data: { object: { object: "subscription", id: "sub_x", customer: "cus_inconnu" } },
    });
    expect(await deliver(payload)).toBe(200);
    expect(
      await deliver(JSON.stringify({ type: "ping", data: { object: { object: "price" } } })),
    ).toBe(200);
  });

  it("may promise anything: what they say of the subscription is not read", async () => {
    const organization = await customerOrganization();
    const payload = JSON.stringify({
      type: "customer.subscription.updated",
      data: {
        object: {
          object: "subscription",
          id: "sub_gratuit",
          customer: organization.customer,
          status: "active",
          items: { data: [{ price: { id: pro.yearly } }] },
        },
      },
    });
    expect(await deliver(payload)).toBe(200);
    expect(await rowOf(organization)).toMatchObject({ plan: "free_trial", subscription: null });
  });
});
