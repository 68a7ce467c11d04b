import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { createOrganization, daysFromNow } from "../harness/fixtures.ts";

/** Which customers of the payment provider are read again, and what is answered where nothing has changed. */

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterAll(() => database.drop());

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
});

describe("what the payment provider holds", () => {
  it("is a change the first time, none when it is the same again, nor for a stranger", async () => {
    const { id, slug } = await createOrganization(sql, { plan: "free_trial" });
    await sql`select public.set_billing_customer(${id}, ${`cus_${slug}`})`;
    const until = daysFromNow(30);
    const apply = async (customer: string) => {
      const [row] = await sql<{ changed: boolean }[]>`
        select public.apply_subscription(${customer}, ${`sub_${slug}`}, 'basic', 'monthly', 'active', ${until},
          false, null, null) as changed`;
      return row?.changed;
    };
    expect(await apply(`cus_${slug}`)).toBe(true);
    expect(await apply(`cus_${slug}`)).toBe(false);
    expect(await apply("cus_of_nobody")).toBe(false);
  });
});
