import type { Sql } from "postgres";
import Stripe from "stripe";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ErrorCode } from "#domain/errors/errors.ts";
import { checkPrices } from "../../server/payments/check-prices.ts";
import { SANDBOX_PRICES, SANDBOX_TAX_RATE } from "../../server/payments-sandbox/objects.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import type { Payments } from "../../supabase/functions/_shared/http/payments.ts";
import { handler as portal } from "../../supabase/functions/billing-portal/handler.ts";
import { handler as checkout } from "../../supabase/functions/checkout/handler.ts";
import { handler as createTestCustomer } from "../../supabase/functions/create-test-customer/handler.ts";
import { handler as update } from "../../supabase/functions/update-subscription/handler.ts";
import { verdict } from "../database/support/calls.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createFactor,
  createOrganization,
  createSession,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import {
  type BillingHandler,
  billingDeps,
  buyPlan,
  callBilling,
  connectSandbox,
  everythingPaid,
  HERE,
  type Person,
  person,
} from "./billing-calls.ts";

/**
 * Refusals of everybody who may not pay, change or see payments: every one of them, and that it
 * changed nothing. The tests call the handlers themselves, with the real database and the official
 * library against the sandbox's HTTP API.
 */

const { basic, pro } = SANDBOX_PRICES;

const database = setUpTestDatabase();
let sql: Sql;
let stripe: Stripe;
let ours: Organization;
let theirs: Organization;

/** A Pro organisation with a customer and a subscription of its own at the provider. */
async function payingOrganization(): Promise<Organization> {
  const org = await createOrganization(sql);
  await buyPlan({ sql, stripe }, org, pro.monthly);
  return org;
}

beforeAll(async () => {
  sql = database.sql;
  stripe = connectSandbox(sql);
  [ours, theirs] = [await payingOrganization(), await payingOrganization()];
});

const as = (role: Role, org = ours) => person(org.users[role]);

const deps = (who: Person | null, payments?: Partial<Payments> | null) =>
  billingDeps({ sql, stripe }, who, payments);

const answerOf = async (handler: BillingHandler, body: unknown, with_: Deps): Promise<string> =>
  verdict(await callBilling(handler, body, with_));

/** Expects an answer, and that nothing was changed by asking. */
async function refused(handler: BillingHandler, body: unknown, with_: Deps, answer: string) {
  const before = await everythingPaid(sql);
  expect(await answerOf(handler, body, with_)).toBe(answer);
  expect(await everythingPaid(sql)).toEqual(before);
}

const row = async ({ id }: Organization) => {
  const [found] = await sql<{ customer: string; subscription: string }[]>`
    select stripe_customer_id as customer, stripe_subscription_id as subscription
    from public.subscriptions where org_id = ${id}`;
  if (!found) throw new Error("No subscription.");
  return found;
};

/** Each function with a body that the organisation's owner could send. */
const FUNCTIONS: readonly {
  name: string;
  handler: BillingHandler;
  bodyOf: (org: Organization) => Promise<object>;
  /** Code of its refusal where the provider fails, with the words of the specification. */
  failure: ErrorCode;
}[] = [
  {
    name: "checkout",
    failure: "checkout_failed",
    handler: checkout,
    bodyOf: async (org) => ({
      price_id: pro.monthly,
      org_id: org.id,
      success_url: `${HERE}/checkout`,
      cancel_url: `${HERE}/checkout`,
    }),
  },
  {
    name: "update-subscription",
    failure: "update_failed",
    handler: update,
    bodyOf: async (org) => ({
      price_id: pro.yearly,
      org_id: org.id,
      subscription_id: (await row(org)).subscription,
    }),
  },
  {
    name: "update-subscription, preview",
    failure: "preview_failed",
    handler: update,
    bodyOf: async (org) => ({
      price_id: pro.yearly,
      org_id: org.id,
      subscription_id: (await row(org)).subscription,
      preview: true,
    }),
  },
  {
    name: "billing-portal",
    failure: "portal_failed",
    handler: portal,
    bodyOf: async (org) => ({ customer_id: (await row(org)).customer }),
  },
  {
    name: "create-test-customer",
    failure: "test_customer_failed",
    handler: createTestCustomer,
    bodyOf: async () => ({ email: "ana@exemple.fr", name: "Ana" }),
  },
];

describe.each(FUNCTIONS)("$name", ({ handler, bodyOf }) => {
  it("is refused without a session, and with one that was ended", async () => {
    await refused(handler, await bodyOf(ours), deps(null), "401 unauthenticated");
    const ended = { ...as("owner"), sessionId: crypto.randomUUID() };
    await refused(handler, await bodyOf(ours), deps(ended), "401 unauthenticated");
  });

  it.each(["member", "cashier"] as const)("is refused to a %s", async (role) => {
    await refused(handler, await bodyOf(ours), deps(as(role)), "403 billing_forbidden");
  });

  it("asks for the second factor of whoever has one, and takes it", async () => {
    const org = await payingOrganization();
    const { owner } = org.users;
    await createFactor(sql, owner);
    await refused(handler, await bodyOf(org), deps(person(owner)), "403 second_factor_required");
    // A token alone that claims it was given is not enough.
    const claimed: Person = { ...person(owner), aal: "aal2" };
    await refused(handler, await bodyOf(org), deps(claimed), "403 second_factor_required");
    const sessionId = await createSession(sql, owner, { aal: "aal2" });
    const strong: Person = { userId: owner.id, sessionId, aal: "aal2" };
    expect(await answerOf(handler, await bodyOf(org), deps(strong))).not.toMatch(/^403/);
  });

  it("says that payments are off where they are", async () => {
    await refused(handler, await bodyOf(ours), deps(as("owner"), null), "503 payments_off");
  });

  it("refuses what is no order at all", async () => {
    for (const body of [{}, { ...(await bodyOf(ours)), plan: "pro" }, "pro", null]) {
      await refused(handler, body, deps(as("owner")), "400 invalid_request");
    }
  });
});

it.each(FUNCTIONS.filter(({ name }) => name !== "create-test-customer"))(
  "$name is refused with what is somebody else's",
  async ({ handler, bodyOf }) => {
    for (const role of ["owner", "admin"] as const) {
      await refused(handler, await bodyOf(theirs), deps(as(role)), "403 billing_forbidden");
    }
  },
);

describe("checkout", () => {
  it.each([
    ["success_url", "https://ailleurs.exemple/merci"],
    ["cancel_url", `${HERE}.ailleurs.exemple/`],
    ["success_url", "http://ici.exemple:81/"],
    ["price_id", "price_autre"],
  ])("refuses a %s that is none of ours: %s", async (field, value) => {
    const body = { ...(await FUNCTIONS[0]?.bodyOf(ours)), [field]: value };
    await refused(checkout, body, deps(as("owner")), "400 invalid_request");
    const { body: answer } = await callBilling(checkout, body, deps(as("owner")));
    expect(answer).toMatchObject({ error: { details: { fields: [field] } } });
  });

  it("holds no spin up while the provider is asked for the page", async () => {
    const org = await createOrganization(sql, { plan: "free_trial" });
    const body = await FUNCTIONS[0]?.bodyOf(org);
    const { create } = stripe.checkout.sessions;
    const free: number[] = [];
    vi.spyOn(stripe.checkout.sessions, "create").mockImplementation(async (...parameters) => {
      // As a spin of a limited plan does.
      const rows = await sql`
        select from public.subscriptions where org_id = ${org.id} for no key update skip locked`;
      free.push(rows.length);
      return create.apply(stripe.checkout.sessions, parameters);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    expect(await answerOf(checkout, body, deps(as("owner", org)))).toBe("200");
    expect(free).toEqual([1]);
  });

  it("asks which campaigns stay before a smaller plan is paid for", async () => {
    const org = await createOrganization(sql);
    for (let more = 0; more < 4; more += 1) {
      await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    }
    const order = { ...(await FUNCTIONS[0]?.bodyOf(org)), price_id: basic.monthly };
    const owner = deps(as("owner", org));
    expect(await answerOf(checkout, order, owner)).toBe("409 campaigns_to_choose");
    expect(
      await sql`select from public.campaigns where org_id = ${org.id} and active`,
    ).toHaveLength(4);
    expect(await answerOf(checkout, { ...order, price_id: pro.monthly }, owner)).toBe("200");
  });

  it("sells nothing twice, and asks which campaigns stay", async () => {
    const { id } = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    const order = { org_id: ours.id, subscription_id: (await row(theirs)).subscription };
    await refused(
      update,
      { ...order, price_id: basic.monthly },
      deps(as("owner")),
      "409 not_subscribed",
    );
    for (let more = 0; more < 3; more += 1) {
      await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    }
    const smaller = { ...order, org_id: theirs.id, price_id: basic.monthly };
    for (const campaign_ids of [undefined, [], [crypto.randomUUID()]]) {
      const body = { ...smaller, ...(campaign_ids && { campaign_ids }) };
      await refused(update, body, deps(as("owner", theirs)), "409 campaigns_to_choose");
    }
    expect(await sql`select 1 from public.campaigns where id = ${id} and active`).toHaveLength(1);
  });
});

describe("a customer whom the provider has lost", () => {
  const lose = ({ id }: Organization) =>
    sql`update public.subscriptions set stripe_customer_id = ${`cus_${id.replaceAll("-", "")}`} where org_id = ${id}`;

  it("is made anew to buy a plan", async () => {
    const org = await createOrganization(sql, { plan: "free_trial" });
    await lose(org);
    const body = await FUNCTIONS[0]?.bodyOf(org);
    expect(await answerOf(checkout, body, deps(as("owner", org)))).toBe("200");
    const { customer } = await row(org);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      ...{ id: customer, name: org.name, email: org.users.owner.email },
      metadata: { org_id: org.id },
    });
    // The second click finds what the first one made.
    expect(await answerOf(checkout, body, deps(as("owner", org)))).toBe("200");
    expect((await row(org)).customer).toBe(customer);
  });

  it("has no page of bills, as one who was never there, and a provider that fails has another answer", async () => {
    const org = await createOrganization(sql, { plan: "free_trial" });
    await lose(org);
    const body = { customer_id: (await row(org)).customer };
    await refused(portal, body, deps(as("owner", org)), "404 customer_missing");
    const away = { stripe: connectSandbox(sql, { key: "sk_test_autre" }) };
    await refused(portal, body, deps(as("owner", org), away), "502 portal_failed");
    await sql`update public.subscriptions set stripe_customer_id = null where org_id = ${org.id}`;
    await refused(portal, body, deps(as("owner", org)), "404 customer_missing");
  });
});

describe("a provider that is away", () => {
  /** The official library, talking to a network that does this. */
  const throughNetwork = (answer: () => Promise<Response>) =>
    new Stripe("sk_test_essais", {
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(answer),
    });
  const inTrouble = (status: number) => async () =>
    Response.json({ error: { type: "api_error", message: "Panne" } }, { status });

  it.each([
    ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
    ["fails", inTrouble(500)],
    ["is being repaired", inTrouble(503)],
    ["wants fewer calls", inTrouble(429)],
  ])("has every function say when to try again, as it %s", async (_, answer) => {
    const stripe = throughNetwork(answer);
    for (const { name, handler, bodyOf, failure } of FUNCTIONS) {
      const request = new Request(`${HERE}/functions/v1/x`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer x" },
        body: JSON.stringify(await bodyOf(ours)),
      });
      const before = await everythingPaid(sql);
      const response = await handler(request, deps(as("owner"), { stripe }));
      const told = [name, response.status, response.headers.get("retry-after")];
      expect(told).toEqual([name, 502, "60"]);
      expect(await response.json()).toMatchObject({ error: { code: failure } });
      expect(await everythingPaid(sql)).toEqual(before);
    }
  });
});

describe("a bank that wants a payment confirmed", () => {
  it.each(["card_error", "invalid_request_error"] as const)(
    "is answered as a refused card, sent as %s",
    async (type) => {
      const error = Stripe.errors.StripeError.generate({
        type,
        code: "subscription_payment_intent_requires_action",
        message: "This payment requires additional user action.",
      });
      vi.spyOn(stripe.subscriptions, "update").mockRejectedValue(error);
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      await refused(
        update,
        await FUNCTIONS[1]?.bodyOf(ours),
        deps(as("owner")),
        "402 card_declined",
      );
    },
  );
});

describe("a price of nobody's", () => {
  it("is named to whoever changes their plan", async () => {
    const body = { ...(await FUNCTIONS[1]?.bodyOf(ours)), price_id: "price_autre" };
    const { status, body: answer } = await callBilling(update, body, deps(as("owner")));
    expect([status, answer]).toMatchObject([
      400,
      { error: { code: "invalid_request", details: { fields: ["price_id"] } } },
    ]);
  });
});

describe("create-test-customer", () => {
  it("does not exist where money is real", async () => {
    const body = { email: "ana@exemple.fr", name: "Ana" };
    await refused(createTestCustomer, body, deps(as("owner"), { isTest: false }), "404 not_found");
  });

  it("keeps a customer whom the provider knows, and makes one in the place of one that it lost", async () => {
    const body = { email: "ana@exemple.fr", name: "Ana" };
    await refused(createTestCustomer, body, deps(as("owner")), "200");
    const org = await createOrganization(sql, { plan: "free_trial" });
    await sql`update public.subscriptions set stripe_customer_id = 'cus_perdu' where org_id = ${org.id}`;
    expect(await answerOf(createTestCustomer, body, deps(as("admin", org)))).toBe("200");
    const { customer } = await row(org);
    expect(customer).not.toBe("cus_perdu");
    expect((await stripe.customers.retrieve(customer)).id).toBe(customer);
  });

  it("tells a provider that fails from a customer whom another organisation has", async () => {
    const body = { email: "ana@exemple.fr", name: "Ana" };
    const [one, other] = [
      await createOrganization(sql, { plan: "free_trial" }),
      await createOrganization(sql, { plan: "free_trial" }),
    ];
    const lost = connectSandbox(sql, { key: "sk_test_autre" });
    const away = deps(as("owner", one), { stripe: lost });
    await refused(createTestCustomer, body, away, "502 test_customer_failed");
    expect(await answerOf(createTestCustomer, body, deps(as("owner", one)))).toBe("200");
    // The provider answers a repeated request with the same customer.
    const { customer } = await row(one);
    await sql`update public.subscriptions set stripe_customer_id = null where org_id = ${one.id}`;
    await sql`update public.subscriptions set stripe_customer_id = ${customer} where org_id = ${other.id}`;
    const mine = deps(as("owner", one));
    await refused(createTestCustomer, body, mine, "500 test_customer_not_saved");
  });
});

describe("the prices at start", () => {
  const parts = (more: Partial<Payments>) => ({
    stripe,
    prices: SANDBOX_PRICES,
    taxRate: SANDBOX_TAX_RATE,
    ...more,
  });

  it("are those of our pages", async () => {
    await expect(checkPrices(parts({}))).resolves.toBeUndefined();
  });

  it.each<[string, () => Partial<Payments>, string]>([
    [
      "a price of another amount",
      () => ({ prices: { ...SANDBOX_PRICES, basic: pro } }),
      "payments_other_price",
    ],
    [
      "months for years",
      () => ({ prices: { ...SANDBOX_PRICES, pro: { monthly: pro.yearly, yearly: pro.monthly } } }),
      "payments_other_price",
    ],
    [
      "a price that nobody knows",
      () => ({ prices: { ...SANDBOX_PRICES, pro: { ...pro, yearly: "price_perdu" } } }),
      "payments_unknown",
    ],
    ["a tax that nobody knows", () => ({ taxRate: "txr_perdu" }), "payments_unknown"],
    [
      "a key that is refused",
      () => ({ stripe: connectSandbox(sql, { key: "sk_test_autre" }) }),
      "payments_refused",
    ],
  ])("refuse to start with %s", async (_, more, code) => {
    await expect(checkPrices(parts(more()))).rejects.toMatchObject({ code });
  });
});
