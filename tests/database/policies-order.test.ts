import { beforeAll, expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { avoidWholeScans } from "../harness/table-reads.ts";

/** Policies of tables that the data API reads by date: an index serves them with its order. */

const database = setUpTestDatabase();
let org: Organization;

beforeAll(async () => {
  org = await createOrganization(database.sql);
});

it("leave the newest rows of a table to its index by date, without a sort", async () => {
  const tables = await database.sql<{ name: string }[]>`
    select distinct t.relname as name
    from pg_index i
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] and a.attname = 'org_id'
    join pg_attribute b on b.attrelid = t.oid and b.attnum = i.indkey[1] and b.attname = 'created_at'
    where i.indpred is null and has_column_privilege('authenticated', t.oid, b.attnum, 'select')
    order by name`;
  const names = tables.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["customers", "pre_spin_reviews", "redemptions", "spins"]),
  );
  for (const name of names) {
    const plan = await database.as({ userId: org.users.owner.id }, async (sql) => {
      await avoidWholeScans(sql);
      await sql`set local enable_bitmapscan = off`;
      const rows = await sql.unsafe<{ "QUERY PLAN": string }[]>(
        `explain (costs off) select created_at from public.${name} order by created_at desc limit 20`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).not.toContain("Sort");
    expect(plan).toMatch(/Index (Only )?Scan/);
  }
});
