import type { ISql, Sql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import { createOrganization, daysFromNow } from "../harness/fixtures.ts";

/** Which customers of the payment provider are read again, and what is answered where nothing has changed. */

const database = setUpTestDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

/** An organisation that the provider knows, read again so many days ago (null: never). */
async function customerReadAgain(daysAgo: number | null): Promise<string> {
  const { id, slug } = await createOrganization(sql);
  const customer = `cus_${slug}`;
  const readAt = daysAgo === null ? null : daysFromNow(-daysAgo);
  await sql`select public.set_billing_customer(${id}, ${customer})`;
  await sql`update public.subscriptions set reconciled_at = ${readAt} where org_id = ${id}`;
  return customer;
}

async function reconcile(limit: number) {
  const [row] = await sql<{ count: number }[]>`
    select private.reconcile_subscriptions(${limit}) as count`;
  return row?.count;
}

async function readAgain(): Promise<string[]> {
  const rows = await sql<{ customer: string }[]>`
    select recipient as customer from private.outbox where channel = 'payment' order by recipient`;
  return rows.map(({ customer }) => customer);
}

describe("the daily reading of the payment provider's customers", () => {
  it("takes whoever was not read for twenty hours, the longest ago first, so many at a time, and each once", async () => {
    await createOrganization(sql);
    const long = await customerReadAgain(21 / 24);
    const longer = await customerReadAgain(2);
    const never = await customerReadAgain(null);
    await customerReadAgain(19 / 24);

    expect(await reconcile(2)).toBe(2);
    expect(await readAgain()).toEqual([longer, never].sort());
    expect(await reconcile(10)).toBe(1);
    expect(await readAgain()).toEqual([long, longer, never].sort());
    expect(await reconcile(10)).toBe(0);
    expect(await readAgain()).toHaveLength(3);
  });

  it("passes over whoever was read twenty hours ago to the instant, and takes them one later", async () => {
    await undone(sql, async (tx) => {
      const { id } = await createOrganization(tx);
      const countAt = async (instant: string) => {
        await tx.unsafe(`update public.subscriptions
          set stripe_customer_id = 'cus_by_the_instant', reconciled_at = ${instant} where org_id = '${id}'`);
        const [row] = await tx`select private.reconcile_subscriptions(1000) as count`;
        return row?.count;
      };
      // Takes those of other tests along, so that only this one is left.
      await countAt("null");
      expect(await countAt("now() - interval '20 hours'")).toBe(0);
      expect(await countAt("now() - interval '20 hours 1 microsecond'")).toBe(1);
    });
  });
});

describe("what the payment provider holds", () => {
  const START = "2026-05-01T12:00Z";
  const END = "2026-05-09T12:00Z";

  /**
   * Plan after the provider was read at the moment `now`; `since` is the day since which its bill
   * was open.
   */
  async function held(
    tx: ISql,
    { state, since, ended, now }: { state: string; since?: string; ended?: string; now: string },
  ) {
    const { id, slug } = await createOrganization(tx);
    await tx`select public.set_billing_customer(${id}, ${`cus_${slug}`})`;
    await tx`
      select public.apply_subscription(${`cus_${slug}`}, ${`sub_${slug}`}, 'basic', 'yearly', ${state}, ${END}, false,
        ${since ?? null}, ${ended ?? null}, ${now})`;
    const [row] = await tx`
      select plan, billing, status, stripe_subscription_id = ${`sub_${slug}`} as is_same, past_due_since, closed_at
      from public.subscriptions where org_id = ${id}`;
    return row;
  }

  const basic = { plan: "basic", billing: "yearly", is_same: true };
  it.each([
    [
      "a bill of eight days",
      { state: "past_due", since: START, now: END },
      { status: "suspended", past_due_since: new Date(START), closed_at: new Date(END) },
    ],
    [
      "a bill of a second less",
      { state: "past_due", since: START, now: "2026-05-09T11:59:59Z" },
      { status: "past_due", past_due_since: new Date(START), closed_at: null },
    ],
    [
      "an end",
      { state: "canceled", ended: START, now: END },
      { status: "canceled", past_due_since: null, closed_at: new Date(START) },
    ],
    [
      "a payment, whatever else it names",
      { state: "active", since: START, ended: START, now: END },
      { status: "active", past_due_since: new Date(START), closed_at: null },
    ],
  ])("is written down: %s", async (_, given, expected) => {
    await undone(sql, async (tx) => {
      expect(await held(tx, given)).toEqual({ ...basic, ...expected });
    });
  });

  it("is nothing any more: what was paid for is over, once, and a trial goes on", async () => {
    await undone(sql, async (tx) => {
      const paying = await createOrganization(tx);
      const trying = await createOrganization(tx, { plan: "free_trial" });
      const other = await createOrganization(tx);
      for (const { id, slug } of [paying, trying, other])
        await tx`select public.set_billing_customer(${id}, ${`cus_${slug}`})`;
      await tx`
        update public.subscriptions
        set stripe_subscription_id = 'sub_of ' || org_id, past_due_since = ${START}, cancel_at_period_end = true
        where org_id in (${paying.id}, ${other.id})`;
      const read = async ({ slug }: typeof paying, now: string) => {
        const [row] = await tx<{ changed: boolean }[]>`
          select public.apply_subscription(${`cus_${slug}`}, null, null, null, null, null, null, null, null, ${now})
            as changed`;
        return row?.changed;
      };
      expect(await read(paying, START)).toBe(true);
      expect(await read(paying, END)).toBe(false);
      expect(await read(trying, START)).toBe(false);
      const rows = await tx`
        select status, closed_at, past_due_since, cancel_at_period_end as is_ending from public.subscriptions
        where org_id in (${paying.id}, ${trying.id}, ${other.id})
        order by array_position(${[paying.id, trying.id, other.id]}::uuid[], org_id)`;
      const open = { status: "active", closed_at: null, past_due_since: null, is_ending: false };
      expect([...rows]).toEqual([
        { ...open, status: "canceled", closed_at: new Date(START) },
        open,
        { ...open, past_due_since: new Date(START), is_ending: true },
      ]);
    });
  });

  it("is asked for within three days of an order, or given up", async () => {
    await undone(sql, async (tx) => {
      const [row] = await tx`
        with made as (select private.enqueue_payment_task('reconcile', 'cus_1') as id)
        select id is not null as is_made from made`;
      expect(row).toEqual({ is_made: true });
      const [task] = await tx`
        select channel, template, recipient, expires_at = now() + interval '3 days' as is_three_days
        from private.outbox where recipient = 'cus_1'`;
      expect(task).toEqual({
        channel: "payment",
        template: "reconcile",
        recipient: "cus_1",
        is_three_days: true,
      });
    });
  });

  it("is a change the first time, none when it is the same again, nor for a stranger", async () => {
    const { id, slug } = await createOrganization(sql, { plan: "free_trial" });
    await sql`select public.set_billing_customer(${id}, ${`cus_${slug}`})`;
    const until = daysFromNow(30);
    type Held = { state: string; since?: Date; ended?: Date };
    const apply = async (customer: string, { state, since, ended }: Held) => {
      const [row] = await sql<{ changed: boolean }[]>`
        select public.apply_subscription(${customer}, ${`sub_${slug}`}, 'basic', 'monthly', ${state}, ${until},
          false, ${since ?? null}, ${ended ?? null}) as changed`;
      return row?.changed;
    };
    for (const held of [
      { state: "active" },
      { state: "past_due", since: daysFromNow(-1) },
      { state: "past_due", since: daysFromNow(-9) },
      { state: "canceled", ended: daysFromNow(-2) },
    ]) {
      expect(await apply(`cus_${slug}`, held)).toBe(true);
      expect(await apply(`cus_${slug}`, held)).toBe(false);
    }
    expect(await apply("cus_of_nobody", { state: "active" })).toBe(false);
  });
});
