import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SANDBOX_PRICES } from "../../server/payments-sandbox/objects.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Subscribing, changing, not paying: the server functions and the official library against the sandbox. */

let server: TestServer;
let sql: Sql;

beforeAll(async () => {
  server = await startTestServer();
  sql = server.database.sql;
});
afterAll(() => server.stop());

const trial = () => createOrganization(sql, { plan: "free_trial" });

async function call(user: { email: string }, name: string, body: unknown) {
  const { token } = await server.signIn(user);
  return server.call(name, body, { token });
}

const order = (org: Organization, price: string, more = {}) => ({
  price_id: price,
  org_id: org.id,
  success_url: `${server.url}/checkout?paid=true`,
  cancel_url: `${server.url}/pricing`,
  ...more,
});

const opened = z.object({ checkout_url: z.string() });
const portalOpened = z.object({ portal_url: z.string() });

/** Subscription row of an organisation. */
async function rowOf(org: Organization) {
  const [row] = await sql`
    select plan, billing, status, current_period_end, past_due_since, closed_at, cancel_at_period_end,
      stripe_customer_id as customer, stripe_subscription_id as subscription
    from public.subscriptions where org_id = ${org.id}`;
  return row ?? {};
}

/** Clicks a button of a page of the sandbox. */
function click(page: string, action: string): Promise<Response> {
  return fetch(page, { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
}

/** Subscribes an organisation in the sandbox, and waits until the message has arrived. */
async function subscribe(org: Organization, price: string): Promise<string> {
  const answer = await call(org.users.owner, "checkout", order(org, price));
  const { checkout_url } = opened.parse(answer.body);
  expect((await click(checkout_url, "good")).status).toBe(303);
  await expect.poll(async () => (await rowOf(org)).status).toBe("active");
  await expect.poll(async () => (await rowOf(org)).subscription).toMatch(/^sub_/);
  return String((await rowOf(org)).subscription);
}

async function portalOf(org: Organization): Promise<string> {
  const { customer } = await rowOf(org);
  const answer = await call(org.users.admin, "billing-portal", { customer_id: customer });
  return portalOpened.parse(answer.body).portal_url;
}

/** Its owner asks for it to be erased. */
function endOrganization(org: Organization): Promise<unknown> {
  return server.database.as(
    { userId: org.users.owner.id },
    (session) => session`select public.end_organization(${org.name})`,
  );
}

/** Whether the provider ends a subscription with the period that is paid. */
async function willEnd(subscription: string): Promise<boolean> {
  const [row] = await sql<{ ends: boolean }[]>`
    select (body ->> 'cancel_at_period_end')::boolean as ends from private.payment_sandbox where id = ${subscription}`;
  return row?.ends ?? false;
}

const { basic, pro } = SANDBOX_PRICES;

describe("a subscription", () => {
  it("goes from the trial to Basic, Pro and the year, fails, is suspended, and comes back", async () => {
    const org = await trial();
    const subscription = await subscribe(org, basic.monthly);
    expect(await rowOf(org)).toMatchObject({ plan: "basic", billing: "monthly", status: "active" });

    const change = { org_id: org.id, subscription_id: subscription };
    for (const [price, plan, billing] of [
      [pro.monthly, "pro", "monthly"],
      [pro.yearly, "pro", "yearly"],
    ] as const) {
      const answer = await call(org.users.admin, "update-subscription", {
        ...change,
        price_id: price,
      });
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      expect(await rowOf(org)).toMatchObject({ plan, billing, status: "active" });
    }

    const portal = await portalOf(org);
    await click(portal, "card-declined");
    await click(portal, "renew");
    await expect.poll(async () => (await rowOf(org)).status).toBe("past_due");
    await click(portal, "age");
    await expect.poll(async () => (await rowOf(org)).status).toBe("suspended");
    expect((await rowOf(org)).closed_at).toBeInstanceOf(Date);

    expect((await click(portal, "pay")).status).toBe(402);
    expect((await rowOf(org)).status).toBe("suspended");
    await click(portal, "card-good");
    await click(portal, "pay");
    await expect.poll(async () => (await rowOf(org)).status).toBe("active");
    expect(await rowOf(org)).toMatchObject({ closed_at: null, past_due_since: null, plan: "pro" });
  });

  it("begins on one page for two clicks, and on another for an order that differs only far behind", async () => {
    const org = await trial();
    // Longer than what the provider keeps of an order.
    const far = `${server.url}/pricing?${"a".repeat(600)}`;
    const open = async (cancel_url: string) => {
      const body = order(org, basic.monthly, { cancel_url });
      return opened.parse((await call(org.users.owner, "checkout", body)).body).checkout_url;
    };
    const first = await open(`${far}1`);
    expect(await open(`${far}1`)).toBe(first);
    const second = await open(`${far}2`);
    expect(second).not.toBe(first);
    // The page of the order of before is closed: nobody pays twice.
    expect((await click(first, "good")).status).not.toBe(303);
    expect((await click(second, "good")).status).toBe(303);
  });

  it("begins for an organisation with a name in any script, and for a person with a long one", async () => {
    const org = await createOrganization(sql, { plan: "free_trial", name: "Au Cœur du Pain 🥖" });
    const answer = await call(org.users.owner, "checkout", order(org, basic.monthly));
    expect(opened.safeParse(answer.body).success).toBe(true);
    const another = await trial();
    const body = { email: `${"a".repeat(60)}@exemple.fr`, name: "é".repeat(200) };
    expect((await call(another.users.owner, "create-test-customer", body)).status).toBe(200);
  });

  it("is neither begun nor changed while the organisation waits to be erased, and ends if it comes about all the same", async () => {
    const org = await trial();
    const left = opened.parse(
      (await call(org.users.owner, "checkout", order(org, basic.monthly))).body,
    ).checkout_url;
    await endOrganization(org);

    const begun = await call(org.users.owner, "checkout", order(org, pro.monthly));
    expect([begun.status, begun.body]).toMatchObject([
      409,
      { error: { code: "organization_ending" } },
    ]);
    // The page of before is open still at the provider: what is paid there is not charged again.
    expect((await click(left, "good")).status).toBe(303);
    const isSubscribed = { plan: "basic", status: "active", cancel_at_period_end: true };
    await expect.poll(() => rowOf(org)).toMatchObject(isSubscribed);

    const { subscription } = await rowOf(org);
    const changed = await call(org.users.owner, "update-subscription", {
      ...{ org_id: org.id, subscription_id: subscription, price_id: pro.monthly },
    });
    expect([changed.status, changed.body]).toMatchObject([
      409,
      { error: { code: "organization_ending" } },
    ]);
    expect(await rowOf(org)).toMatchObject(isSubscribed);

    expect((await click(await portalOf(org), "resume")).status).toBe(303);
    await expect.poll(() => willEnd(String(subscription))).toBe(true);
    expect(await rowOf(org)).toMatchObject(isSubscribed);
  });

  it("that the provider may still be paid for stands in the way of an end, even when it is suspended", async () => {
    const org = await trial();
    await subscribe(org, basic.monthly);
    const portal = await portalOf(org);
    for (const action of ["card-declined", "renew", "age"]) await click(portal, action);
    await expect.poll(async () => (await rowOf(org)).status).toBe("suspended");
    await expect(endOrganization(org)).rejects.toMatchObject({ code: "TV108" });
  });
});
