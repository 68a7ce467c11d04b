import type { Sql, TransactionSql } from "postgres";
import type Stripe from "stripe";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MINUTE_MS } from "#domain/text/durations.ts";
import { ageBills, changeCard, renew } from "../../server/payments-sandbox/ledger.ts";
import {
  customer as customerSchema,
  SANDBOX_PRICES,
  type Subscription,
  subscription as schema,
} from "../../server/payments-sandbox/objects.ts";
import { find, keep, lockSandbox } from "../../server/payments-sandbox/store.ts";
import { previewResponse } from "../../supabase/functions/_shared/domain/schemas/billing.ts";
import { syncCustomer } from "../../supabase/functions/_shared/http/apply-state.ts";
import { handler } from "../../supabase/functions/update-subscription/handler.ts";
import { verdict } from "../database/support/calls.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import {
  billingDeps,
  buyPlan,
  callBilling,
  connectSandbox,
  everythingPaid,
  person,
} from "./billing-calls.ts";

/**
 * Announced price of a change of plan, which is the charged one to the cent; anything else is
 * refused, and nothing is charged.
 */

const { basic, pro } = SANDBOX_PRICES;
const BEGIN = new Date("2027-03-03T10:00:00Z");
/** Somewhere in the month: 20 days, 20 hours, 52 minutes and 49 seconds of its 31 days are left. */
const LATER = new Date("2027-03-13T13:07:11Z");

const database = setUpTestDatabase();
let sql: Sql;
let stripe: Stripe;
/** The clock of everybody here. */
let clock = BEGIN;
const now = () => clock;
const wait = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds);
};

beforeAll(async () => {
  sql = database.sql;
  stripe = connectSandbox(sql, { now });
});
beforeEach(() => {
  clock = BEGIN;
});

type Merchant = { org: Organization; customer: string; subscription: string };

type Deed = (sql: TransactionSql, subscription: Subscription) => Promise<unknown>;

const payments = () => {
  const { payments } = billingDeps({ sql, stripe, now }, null);
  if (!payments) throw new Error("No payments.");
  return payments;
};

/** Does something at the provider, and has our row say so. */
async function atProvider({ customer, subscription }: Merchant, work: Deed) {
  await sql.begin(async (transaction) => {
    await lockSandbox(transaction);
    const held = await find(transaction, "subscription", subscription, schema);
    if (held) await work(transaction, held);
  });
  await syncCustomer({ now, log: () => {} }, payments(), customer);
}

/** An organisation that has bought a plan on the provider's page. */
const subscribed = async (price: string): Promise<Merchant> => {
  const org = await createOrganization(sql, { plan: "free_trial" });
  return { org, ...(await buyPlan({ sql, stripe, now }, org, price)) };
};

const orderOf = ({ org, subscription }: Merchant, price: string, more: object = {}) => ({
  price_id: price,
  org_id: org.id,
  subscription_id: subscription,
  ...more,
});

const ask = (merchant: Merchant, price: string, more: object = {}) =>
  callBilling(
    handler,
    orderOf(merchant, price, more),
    billingDeps({ sql, stripe, now }, person(merchant.org.users.admin)),
  );

async function previewed(merchant: Merchant, price: string) {
  const answer = await ask(merchant, price, { preview: true });
  expect(answer.status).toBe(200);
  return previewResponse.parse(answer.body);
}

const named = ({ preview_id, proration_date }: { preview_id: string; proration_date: number }) => ({
  preview_id,
  proration_date,
});

const bills = async ({ customer }: Merchant) => (await stripe.invoices.list({ customer })).data;

/** Expects an answer, and that nothing was changed by asking. */
async function refused(merchant: Merchant, price: string, more: object, answer: string) {
  const before = await everythingPaid(sql);
  expect(verdict(await ask(merchant, price, more))).toBe(answer);
  expect(await everythingPaid(sql)).toEqual(before);
}

const CHANGES: readonly {
  name: string;
  from: string;
  to: string;
  /** In cents: what is due at once, what stays as a credit, and what each line comes to. */
  due: number;
  left: number;
  lines: Record<string, number>;
  /** The day of the next bill. */
  next: string;
}[] = [
  {
    name: "the larger plan",
    from: basic.monthly,
    to: pro.monthly,
    due: 8_078,
    left: 0,
    lines: { credit: -3_299, plan: 10_031, tax: 1_346 },
    next: "2027-04-03",
  },
  {
    name: "the smaller plan",
    from: pro.monthly,
    to: basic.monthly,
    due: 0,
    left: 8_078,
    lines: { credit: -10_031, plan: 3_299, tax: -1_346, balance_kept: 8_078 },
    next: "2027-04-03",
  },
  {
    name: "the year",
    from: pro.monthly,
    to: pro.yearly,
    due: 159_323,
    left: 0,
    lines: { credit: -10_031, plan: 142_800, tax: 26_554 },
    next: "2028-03-13",
  },
  {
    name: "the month",
    from: basic.yearly,
    to: basic.monthly,
    due: 0,
    left: 48_726,
    lines: { credit: -45_505, plan: 4_900, tax: -8_121, balance_kept: 48_726 },
    next: "2027-04-13",
  },
];

describe.each(CHANGES)("a change to $name", ({ from, to, due, left, lines, next }) => {
  it("costs what the preview says, minutes later as well", async () => {
    const merchant = await subscribed(from);
    clock = LATER;
    const before = await everythingPaid(sql);
    const preview = await previewed(merchant, to);
    expect(await everythingPaid(sql)).toEqual(before);
    expect(Object.fromEntries(preview.lines.map(({ kind, amount }) => [kind, amount]))).toEqual(
      lines,
    );
    expect(preview).toMatchObject({ amount_due: due, credit_left: left });
    expect(preview.renewal.at.slice(0, 10)).toBe(next);

    // By then the provider would reckon otherwise.
    wait(14 * MINUTE_MS);
    expect((await previewed(merchant, to)).lines).not.toEqual(preview.lines);
    expect(verdict(await ask(merchant, to, named(preview)))).toBe("200");
    const [bill] = await bills(merchant);
    expect(bill).toMatchObject({ status: "paid", amount_due: due });
    expect(await stripe.customers.retrieve(merchant.customer)).toMatchObject({ balance: 0 - left });
    const held = await stripe.subscriptions.retrieve(merchant.subscription);
    const end = held.items.data[0]?.current_period_end ?? 0;
    expect(new Date(end * 1000).toISOString().slice(0, 10)).toBe(next);
    expect(held.items.data[0]?.price.id).toBe(to);
  });
});

describe("a subscription of several parts", () => {
  /** Lets the provider answer parts at these prices before the one that the sandbox holds. */
  async function sellBefore({ subscription }: Merchant, ...prices: string[]) {
    const held = await stripe.subscriptions.retrieve(subscription);
    const [item] = held.items.data;
    if (!item) throw new Error("The subscription has no part.");
    const parts = prices.map((id) => ({ ...item, id: `si_${id}`, price: { ...item.price, id } }));
    const data = [...parts, item];
    const spy = vi
      .spyOn(stripe.subscriptions, "retrieve")
      .mockResolvedValue({ ...held, items: { ...held.items, data } });
    onTestFinished(() => spy.mockRestore());
  }

  it("changes the one that is the plan, wherever it stands, at the price that was shown", async () => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    await sellBefore(merchant, "price_of_a_sign");
    const preview = await previewed(merchant, pro.monthly);
    expect(preview.amount_due).toBe(8_078);
    expect(verdict(await ask(merchant, pro.monthly, named(preview)))).toBe("200");
    expect((await bills(merchant))[0]).toMatchObject({ status: "paid", amount_due: 8_078 });
  });

  it("changes none of several whose prices are none of ours", async () => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    await sql`
      update private.payment_sandbox
      set body = jsonb_set(body, '{items,data,0,price,id}', '"price_of_before"')
      where id = ${merchant.subscription}`;
    await sellBefore(merchant, "price_of_a_sign");
    await refused(merchant, pro.monthly, { preview: true }, "502 preview_failed");
    await refused(merchant, pro.monthly, {}, "502 update_failed");
  });

  it("changes its only one, although the price is none of ours", async () => {
    const merchant = await subscribed(basic.monthly);
    await sql`
      update private.payment_sandbox
      set body = jsonb_set(body, '{items,data,0,price,id}', '"price_of_before"')
      where id = ${merchant.subscription}`;
    expect(verdict(await ask(merchant, pro.monthly))).toBe("200");
    const held = await stripe.subscriptions.retrieve(merchant.subscription);
    expect(held.items.data.map(({ price }) => price.id)).toEqual([pro.monthly]);
  });
});

describe("a preview", () => {
  it("counts a credit of before, and a change that follows it", async () => {
    const merchant = await subscribed(pro.monthly);
    clock = LATER;
    await ask(merchant, basic.monthly, named(await previewed(merchant, basic.monthly)));
    wait(86_400_000);
    const preview = await previewed(merchant, pro.monthly);
    const credit = preview.lines.find(({ kind }) => kind === "balance_used")?.amount ?? 0;
    const sum = preview.lines.reduce((total, { amount }) => total + amount, 0);
    expect([sum, preview.credit_left - credit]).toEqual([preview.amount_due, 8_078]);
    expect(verdict(await ask(merchant, pro.monthly, named(preview)))).toBe("200");
    expect((await bills(merchant))[0]).toMatchObject({ amount_due: preview.amount_due });
    const customer = await stripe.customers.retrieve(merchant.customer);
    expect(customer).toMatchObject({ balance: 0 - preview.credit_left });
  });

  it("carries less than a card can be charged to the next bill", async () => {
    const merchant = await subscribed(basic.monthly);
    // Of the month's last minutes is left what a card is not charged.
    clock = new Date("2027-04-03T09:50:00Z");
    const preview = await previewed(merchant, pro.monthly);
    expect(preview.amount_due).toBe(0);
    expect(preview.lines.at(-1)).toEqual({ kind: "balance_carried", amount: -3 });
    expect(verdict(await ask(merchant, pro.monthly, named(preview)))).toBe("200");
    expect(await stripe.customers.retrieve(merchant.customer)).toMatchObject({ balance: 3 });
  });

  it.each([
    ["with its period", { cancel_at_period_end: true }],
    ["on a day of its own", { cancel_at: Date.parse("2027-06-20T08:00:00Z") / 1000 }],
  ])("of a subscription that was to end %s costs the same, and lets it go on", async (_, end) => {
    const merchant = await subscribed(basic.monthly);
    await atProvider(merchant, (tx, held) => keep(tx, { ...held, ...end }, held.customer));
    clock = LATER;
    const preview = await previewed(merchant, pro.monthly);
    expect(preview.amount_due).toBe(8_078);
    expect(verdict(await ask(merchant, pro.monthly, named(preview)))).toBe("200");
    expect((await bills(merchant))[0]).toMatchObject({ amount_due: 8_078 });
    const held = await stripe.subscriptions.retrieve(merchant.subscription);
    expect(held).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  it("is charged once, however often it is confirmed", async () => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    const preview = named(await previewed(merchant, pro.monthly));
    const answers = [
      await ask(merchant, pro.monthly, preview),
      await ask(merchant, pro.monthly, preview),
    ];
    wait(60 * MINUTE_MS);
    answers.push(await ask(merchant, pro.monthly, preview));
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ success: true }));
    expect(await bills(merchant)).toHaveLength(2);
  });

  it("that the card refuses changes nothing, and stays good for another card", async () => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    const preview = await previewed(merchant, pro.monthly);
    await atProvider(merchant, (tx) => changeCard(tx, merchant.customer, "declined"));
    await refused(merchant, pro.monthly, named(preview), "402 card_declined");
    await atProvider(merchant, (tx) => changeCard(tx, merchant.customer, "good"));
    expect(verdict(await ask(merchant, pro.monthly, named(preview)))).toBe("200");
    expect((await bills(merchant))[0]).toMatchObject({ amount_due: preview.amount_due });
  });
});

describe("a bill that is open", () => {
  it("comes before any change: no credit is given for what was never paid", async () => {
    const merchant = await subscribed(pro.yearly);
    await atProvider(merchant, async (tx, held) => {
      await changeCard(tx, held.customer, "declined");
      await renew(tx, held, clock);
    });
    await refused(merchant, basic.monthly, { preview: true }, "409 payment_overdue");
    await refused(merchant, basic.monthly, {}, "409 payment_overdue");
    await atProvider(merchant, (tx, held) => ageBills(tx, held, 8));
    await refused(merchant, basic.monthly, { preview: true }, "409 payment_overdue");
  });

  it("is previewed by the provider as it charges, too", async () => {
    const merchant = await subscribed(basic.monthly);
    await atProvider(merchant, async (tx, held) => {
      await changeCard(tx, held.customer, "declined");
      await renew(tx, held, clock);
      await changeCard(tx, held.customer, "good");
    });
    clock = LATER;
    const held = await stripe.subscriptions.retrieve(merchant.subscription);
    const items = [{ id: held.items.data[0]?.id ?? "", price: pro.monthly }];
    const terms = { proration_behavior: "always_invoice", proration_date: LATER.getTime() / 1000 };
    const preview = await stripe.invoices.createPreview({
      subscription: held.id,
      subscription_details: { items, ...terms },
    });
    wait(MINUTE_MS);
    await stripe.subscriptions.update(held.id, { items, ...terms });
    const [bill] = await bills(merchant);
    expect([held.status, preview.amount_due, bill?.amount_due]).toEqual(["past_due", 8_078, 8_078]);
  });
});

describe("what is no preview of this change", () => {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

  it.each<[string, (shown: { preview_id: string; proration_date: number }) => object]>([
    ["a moment to come", (shown) => ({ ...shown, proration_date: seconds(LATER) + 30 })],
    ["a moment long after", (shown) => ({ ...shown, proration_date: seconds(LATER) + 86_400 })],
    [
      "the end of the period",
      (shown) => ({ ...shown, proration_date: seconds(BEGIN) + 31 * 86_400 }),
    ],
    ["a moment just before", (shown) => ({ ...shown, proration_date: seconds(LATER) - 1 })],
    ["a moment of another month", (shown) => ({ ...shown, proration_date: 1_000_000_000 })],
    ["another name", (shown) => ({ ...shown, preview_id: "0".repeat(64) })],
  ])("is refused: %s", async (_, forge) => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    const shown = named(await previewed(merchant, pro.monthly));
    await refused(merchant, pro.monthly, forge(shown), "409 preview_outdated");
    expect(verdict(await ask(merchant, pro.monthly, shown))).toBe("200");
  });

  it("is refused a quarter of an hour later", async () => {
    const merchant = await subscribed(basic.monthly);
    clock = LATER;
    const shown = named(await previewed(merchant, pro.monthly));
    wait(15 * MINUTE_MS + 1_000);
    await refused(merchant, pro.monthly, shown, "409 preview_outdated");
    clock = new Date(LATER.getTime() + 15 * MINUTE_MS);
    expect(verdict(await ask(merchant, pro.monthly, shown))).toBe("200");
  });

  it("is refused for another price, another subscription, and once something has changed", async () => {
    const [merchant, other] = [await subscribed(basic.monthly), await subscribed(basic.monthly)];
    clock = LATER;
    const shown = named(await previewed(merchant, pro.monthly));
    await refused(merchant, pro.yearly, shown, "409 preview_outdated");
    await refused(other, pro.monthly, shown, "409 preview_outdated");
    await atProvider(merchant, (tx, held) => renew(tx, held, clock));
    await refused(merchant, pro.monthly, shown, "409 preview_outdated");
    const fresh = named(await previewed(merchant, pro.monthly));
    await atProvider(merchant, async (tx, held) => {
      const { balance, ...customer } = customerSchema.parse(
        await find(tx, "customer", held.customer, customerSchema),
      );
      await keep(tx, { ...customer, balance: balance - 500 }, customer.id);
    });
    await refused(merchant, pro.monthly, fresh, "409 preview_outdated");
  });

  it("is refused without its other half, and together with a new preview", async () => {
    const merchant = await subscribed(basic.monthly);
    const { preview_id, proration_date } = await previewed(merchant, pro.monthly);
    for (const more of [
      { preview_id },
      { proration_date },
      { preview_id, proration_date, preview: true },
      { preview_id, proration_date: 1.5 },
      { preview_id: "x", proration_date },
    ]) {
      await refused(merchant, pro.monthly, more, "400 invalid_request");
    }
  });

  it("is refused where nothing can be changed: on the trial, for the plan that one has, and for somebody else's", async () => {
    const merchant = await subscribed(basic.monthly);
    await refused(merchant, basic.monthly, { preview: true }, "409 already_subscribed");
    const org = await createOrganization(sql, { plan: "free_trial" });
    const ours: Merchant = { ...merchant, org };
    await refused(ours, pro.monthly, { preview: true }, "409 not_subscribed");
    const theirs = { preview: true, org_id: merchant.org.id };
    await refused(ours, pro.monthly, theirs, "403 billing_forbidden");
  });
});
