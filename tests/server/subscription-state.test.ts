import type { Sql } from "postgres";
import Stripe from "stripe";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SANDBOX_PRICES } from "../../server/payments-sandbox/objects.ts";
import { syncCustomer } from "../../supabase/functions/_shared/http/apply-state.ts";
import {
  isRunning,
  readCharged,
  readState,
} from "../../supabase/functions/_shared/http/subscription-state.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, daysFromNow } from "../harness/fixtures.ts";
import { billingDeps, buyPlan, connectSandbox } from "./billing-calls.ts";

/** Which subscription of a customer counts where the provider holds several, and what it says in our words. */

const database = setUpTestDatabase();
let sql: Sql;
let stripe: Stripe;
let bought: { customer: string; subscription: string };

beforeAll(async () => {
  sql = database.sql;
  stripe = connectSandbox(sql);
});

beforeEach(async () => {
  const org = await createOrganization(sql);
  bought = await buyPlan({ sql, stripe }, org, SANDBOX_PRICES.basic.monthly);
});

const read = () => readState({ stripe, prices: SANDBOX_PRICES }, bought.customer);

/** Changes what the provider holds of something. */
const change = (id: string, facts: Record<string, string | number | boolean | null>) => sql`
  update private.payment_sandbox set body = body || ${sql.json(facts)} where id = ${id}`;

/** A second one like it, with other facts. */
const copy = (of: string, id: string, facts: Record<string, string | number | null>) => sql`
  insert into private.payment_sandbox (id, kind, customer_id, body)
  select ${id}, kind, customer_id, body || ${sql.json({ ...facts, id })}
  from private.payment_sandbox where id = ${of}`;

const seconds = (iso: string) => Date.parse(iso) / 1000;
const JUNE = seconds("2026-06-01T00:00:00Z");
const JULY = seconds("2026-07-01T00:00:00Z");

it("the plan is the one that was bought, in our words", async () => {
  const { data } = await stripe.subscriptions.list({ customer: bought.customer });
  const end = data[0]?.items.data[0]?.current_period_end ?? 0;
  expect(await read()).toEqual({
    subscriptionId: bought.subscription,
    plan: "basic",
    billing: "monthly",
    unknownPrice: null,
    state: "active",
    currentPeriodEnd: new Date(end * 1000),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    pastDueSince: null,
    dueCents: null,
    endedAt: null,
  });
});

it.each([
  ["trialing", "active"],
  ["active", "active"],
  ["past_due", "past_due"],
  ["unpaid", "past_due"],
  ["paused", "past_due"],
  ["canceled", "canceled"],
  ["incomplete", null],
  ["incomplete_expired", null],
] as const)("a subscription that the provider calls %s is %s to us", async (status, state) => {
  const listed = await stripe.subscriptions.list({ customer: bought.customer, status: "all" });
  const list = vi.spyOn(stripe.subscriptions, "list").mockResolvedValue({
    ...listed,
    data: listed.data.map((one) => ({ ...one, status })),
  });
  onTestFinished(() => list.mockRestore());
  expect((await read())?.state ?? null).toBe(state);
});

it("a subscription ends on the day that was chosen: within the period, with it, or after it was renewed", async () => {
  const { customer, subscription } = bought;
  const [held] = (await stripe.subscriptions.list({ customer })).data;
  const end = held?.items.data[0]?.current_period_end ?? 0;
  const DAY = 86_400;
  const charged = async () =>
    (await readCharged({ stripe }, customer)).map(({ id }) => id === subscription);
  for (const [cancel_at, cancel_at_period_end, last, later] of [
    [null, true, end, null],
    [end, true, end, null],
    [end, false, end, null],
    [end - 3 * DAY, false, end - 3 * DAY, null],
    [end + 1, false, null, end + 1],
    [end + 40 * DAY, false, null, end + 40 * DAY],
  ] as const) {
    await change(subscription, { cancel_at, cancel_at_period_end });
    expect(await read()).toMatchObject({
      state: "active",
      currentPeriodEnd: new Date((last ?? end) * 1000),
      cancelAtPeriodEnd: last !== null,
      cancelAt: later && new Date(later * 1000),
    });
    expect(await charged()).toEqual(later ? [true] : []);
  }
});

it("the row says on which day it ends, and the trail that it will", async () => {
  const org = await createOrganization(sql);
  const { customer, subscription } = await buyPlan({ sql, stripe }, org, SANDBOX_PRICES.pro.yearly);
  const deps = billingDeps({ sql, stripe }, null);
  const row = async () => {
    if (!deps.payments) throw new Error("No payments.");
    await syncCustomer(deps, deps.payments, customer);
    const [found] = await sql`
      select s.current_period_end as "end", s.cancel_at_period_end as "isLast", s.cancel_at as later,
        private.ends_at(s) as ends, array(
          select e.action from public.audit_events e where e.org_id = s.org_id and e.action in ('plan.ending', 'plan.continued')
          order by e.id) as trail
      from public.subscriptions s where s.org_id = ${org.id}`;
    return found;
  };
  const end = (await row())?.end;
  const [soon, late] = [daysFromNow(9), daysFromNow(500)].map((day) =>
    Math.floor(day.getTime() / 1000),
  );
  const day = (seconds = 0) => new Date(seconds * 1000);
  const going = { end, isLast: false, later: null, ends: null, trail: [] };
  expect(await row()).toEqual(going);
  await change(subscription, { cancel_at: late ?? 0 });
  const trail = ["plan.ending"];
  expect(await row()).toEqual({ end, isLast: false, later: day(late), ends: day(late), trail });
  await change(subscription, { cancel_at: soon ?? 0 });
  expect(await row()).toEqual({
    end: day(soon),
    isLast: true,
    later: null,
    ends: day(soon),
    trail,
  });
  await change(subscription, { cancel_at: null });
  expect(await row()).toEqual({ ...going, trail: [...trail, "plan.continued"] });
});

it("the subscription is the one that runs, however old, then the youngest, then the last by its name", async () => {
  const { subscription } = bought;
  await change(subscription, { created: JUNE });
  await copy(subscription, `${subscription}_b`, {
    status: "canceled",
    created: JULY,
    ended_at: JULY,
  });
  expect(await read()).toMatchObject({ subscriptionId: subscription, state: "active" });
  await change(subscription, { status: "canceled", ended_at: JUNE + 60 });
  expect(await read()).toMatchObject({
    subscriptionId: `${subscription}_b`,
    state: "canceled",
    endedAt: new Date(JULY * 1000),
  });
  for (const last of ["d", "c"]) {
    await copy(subscription, `${subscription}_${last}`, { created: JULY, ended_at: null });
  }
  // Nobody knows when it ended: not before it began.
  expect(await read()).toMatchObject({
    subscriptionId: `${subscription}_d`,
    endedAt: new Date(JULY * 1000),
  });
});

it("a subscription is late since its oldest bill that is open, or since its period began", async () => {
  const { customer, subscription } = bought;
  await change(subscription, { status: "past_due" });
  const { data } = await stripe.subscriptions.list({ customer, status: "all" });
  const begun = data[0]?.items.data[0]?.current_period_start ?? 0;
  expect(await read()).toMatchObject({
    state: "past_due",
    pastDueSince: new Date(begun * 1000),
    dueCents: null,
  });
  const [bill] = (await stripe.invoices.list({ customer })).data;
  if (!bill?.id) throw new Error("No bill.");
  // Part of the second was paid: what is left counts.
  for (const [name, created, amount_remaining] of [
    ["b", JULY, 5880],
    ["c", JUNE, 1200],
    ["d", JULY + 60, 1],
  ] as const) {
    await copy(bill.id, `${bill.id}_${name}`, { status: "open", created, amount_remaining });
  }
  expect(await read()).toMatchObject({
    endedAt: null,
    pastDueSince: new Date(JUNE * 1000),
    dueCents: 7081,
  });
});

it("a customer who bought nothing has no subscription, and an unknown price no plan", async () => {
  const { id } = await stripe.customers.create({ name: "Ana" });
  expect(await readState({ stripe, prices: SANDBOX_PRICES }, id)).toBeNull();
  const { basic: pro, pro: basic } = SANDBOX_PRICES;
  const other = await readState({ stripe, prices: { basic, pro } }, bought.customer);
  expect(other).toMatchObject({ plan: "pro", billing: "monthly" });
  const none = { monthly: "a", yearly: "b" };
  await expect(
    readState({ stripe, prices: { basic: none, pro: none } }, bought.customer),
  ).rejects.toMatchObject({ code: "unknown_price", name: "UnknownPriceError" });
});

it("what else the provider sells a customer does not hide the plan", async () => {
  const { customer, subscription } = bought;
  await change(subscription, { created: JUNE });
  await copy(subscription, `${subscription}_b`, { created: JULY });
  await sql`
    update private.payment_sandbox
    set body = jsonb_set(body, '{items,data,0,price,id}', '"price_of_a_sign"') where id = ${`${subscription}_b`}`;
  expect(await read()).toMatchObject({ subscriptionId: subscription, plan: "basic" });

  // The part of a subscription that is a plan counts, wherever it stands.
  const listed = await stripe.subscriptions.list({ customer, status: "all" });
  const parts = listed.data.flatMap(({ items }) => items.data);
  expect(parts.map(({ price }) => price.id)).toEqual([
    "price_of_a_sign",
    SANDBOX_PRICES.basic.monthly,
  ]);
  const list = vi.spyOn(stripe.subscriptions, "list").mockResolvedValue({
    ...listed,
    data: listed.data.map((one) => ({ ...one, items: { ...one.items, data: parts } })),
  });
  onTestFinished(() => list.mockRestore());
  expect(await read()).toMatchObject({ subscriptionId: `${subscription}_b`, plan: "basic" });
  list.mockRestore();

  // Over is over: what runs at a price that is none of ours is not taken for the plan of before.
  await change(subscription, { status: "canceled", ended_at: JULY });
  await expect(read()).rejects.toMatchObject({ code: "unknown_price" });
});

describe("at a price that is none of ours", () => {
  const OTHER = "price_of_before";
  const prices = { basic: { monthly: "a", yearly: "b" }, pro: { monthly: "c", yearly: "d" } };
  const known = () =>
    ({ subscriptionId: bought.subscription, plan: "pro", billing: null }) as const;
  const reprice = (id: string, price: string) => sql`
    update private.payment_sandbox
    set body = jsonb_set(body, '{items,data,0,price,id}', ${sql.json(price)}) where id = ${id}`;

  it("a subscription keeps the plan that it was bought for, in every state", async () => {
    const { customer, subscription } = bought;
    await reprice(subscription, OTHER);
    const kept = () => readState({ stripe, prices: SANDBOX_PRICES }, customer, known());
    const plan = { subscriptionId: subscription, plan: "pro", billing: null, unknownPrice: OTHER };
    expect(await kept()).toMatchObject({ ...plan, state: "active", endedAt: null });
    await change(subscription, { status: "past_due" });
    expect(await kept()).toMatchObject({ ...plan, state: "past_due" });
    await change(subscription, { status: "canceled", ended_at: JULY });
    expect(await kept()).toMatchObject({ ...plan, state: "canceled" });
  });

  it("another subscription is not taken for it, and does not hide it", async () => {
    const { customer, subscription } = bought;
    await reprice(subscription, OTHER);
    await change(subscription, { created: JUNE });
    await copy(subscription, `${subscription}_b`, { created: JULY });
    const ask = (subscriptionId: string) =>
      readState({ stripe, prices }, customer, { ...known(), subscriptionId });
    expect(await ask(subscription)).toMatchObject({ subscriptionId: subscription, plan: "pro" });
    await expect(ask("sub_of_before")).rejects.toMatchObject({ code: "unknown_price" });
    // A plan of ours beside it is what counts.
    await reprice(`${subscription}_b`, "c");
    expect(await ask(subscription)).toMatchObject({ subscriptionId: `${subscription}_b` });
  });

  it("a subscription is the plan that the operator says, also a new one after ours", async () => {
    const { customer, subscription } = bought;
    await change(subscription, { created: JUNE, status: "canceled", ended_at: JULY });
    await copy(subscription, `${subscription}_b`, { created: JULY, status: "active" });
    await reprice(`${subscription}_b`, OTHER);
    const ask = () => readState({ stripe, prices: SANDBOX_PRICES }, customer, known());
    const declare = (price: object) => sql`
      update private.payment_sandbox
      set body = jsonb_set(body, '{items,data,0,price}', body #> '{items,data,0,price}' || ${sql.json({ ...price })})
      where id = ${`${subscription}_b`}`;
    // Nothing of ours, or nothing at all: nobody knows what was paid for.
    for (const metadata of [{}, { tournavis_plan: "free_trial" }, { tournavis_plan: "Pro" }]) {
      await declare({ metadata });
      await expect(ask()).rejects.toMatchObject({ code: "unknown_price" });
    }
    const metadata = { tournavis_plan: "basic" };
    for (const [interval, billing] of [
      ["month", "monthly"],
      ["year", "yearly"],
    ] as const) {
      await declare({ metadata, recurring: { interval, interval_count: 1 } });
      expect(await ask()).toMatchObject({
        ...{ subscriptionId: `${subscription}_b`, plan: "basic", billing },
        ...{ unknownPrice: null, state: "active", endedAt: null },
      });
    }
  });

  it("the row follows what is paid, and the log names the price", async () => {
    const org = await createOrganization(sql);
    const { customer, subscription } = await buyPlan(
      { sql, stripe },
      org,
      SANDBOX_PRICES.pro.yearly,
    );
    await reprice(subscription, OTHER);
    const end = seconds("2099-03-01T00:00:00Z");
    await sql`
      update private.payment_sandbox
      set body = jsonb_set(body, '{items,data,0,current_period_end}', ${sql.json(end)})
      where id = ${subscription}`;
    const lines: object[] = [];
    const deps = {
      ...billingDeps({ sql, stripe }, null),
      log: (line: object) => {
        lines.push(line);
      },
    };
    if (!deps.payments) throw new Error("No payments.");
    const sync = () => deps.payments && syncCustomer(deps, deps.payments, customer);
    expect(await sync()).toBe(true);
    const row = () => sql`
      select plan, billing, status, current_period_end as "end"
      from public.subscriptions where org_id = ${org.id}`;
    expect(await row()).toEqual([
      { plan: "pro", billing: "yearly", status: "active", end: new Date(end * 1000) },
    ]);
    expect(lines).toEqual([{ event: "unknown_price", level: "error", price: OTHER, plan: "pro" }]);
    await change(subscription, { status: "canceled", ended_at: JULY });
    await sync();
    expect(await row()).toMatchObject([{ plan: "pro", status: "canceled" }]);
    expect(lines).toHaveLength(1);
  });
});

describe("a customer whom the provider does not find", () => {
  /** The official library at a provider that lists nothing of them, and says so much of themselves. */
  const without = (customer: object, status: number) =>
    new Stripe("sk_test_essais", {
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(async (url) =>
        String(url).includes("/v1/customers/")
          ? Response.json(customer, { status })
          : Response.json({ error: MISSING }, { status: 400 }),
      ),
    });
  const MISSING = { type: "invalid_request_error", code: "resource_missing", param: "customer" };
  const readAt = (stripe: Stripe) => readState({ stripe, prices: SANDBOX_PRICES }, bought.customer);

  it("has no subscription once they are deleted there", async () => {
    const gone = { id: bought.customer, object: "customer", deleted: true };
    expect(await readAt(without(gone, 200))).toBeNull();
  });

  it("is an error where they never were: the key may be another account's", async () => {
    const error = { code: "resource_missing" };
    await expect(readAt(without({ error: MISSING }, 404))).rejects.toMatchObject(error);
    const there = { id: bought.customer, object: "customer" };
    await expect(readAt(without(there, 200))).rejects.toMatchObject(error);
  });
});

it.each([
  ["active", true],
  ["trialing", true],
  ["past_due", false],
  ["unpaid", false],
  ["paused", false],
  ["incomplete", false],
  ["canceled", false],
] as const)("%s is paid so far: %s", (status, isPaid) => {
  expect(isRunning({ status })).toBe(isPaid);
});
