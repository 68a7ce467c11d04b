import { randomUUID } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import postgres from "postgres";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { listMigrations, pendingMigrations } from "../../server/postgres/migrate.ts";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";
import { createTestDatabase } from "../harness/database.ts";

const MIGRATIONS = new URL("../../supabase/migrations/", import.meta.url);

/** An empty database, and the address of its administrator. */
async function emptyDatabase(): Promise<string> {
  const { adminUrl, template } = inject("database");
  const name = `${template}_empty_${randomUUID()}`;
  const server = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await server`create database ${server(name)} template template0`;
  onTestFinished(async () => {
    await server`drop database ${server(name)} with (force)`;
    await server.end();
  });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function connect(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  return sql;
}

describe("prepareDatabase", () => {
  let known: string[];
  beforeAll(async () => {
    known = (await listMigrations()).map(({ version }) => version);
  });

  it("does everything once, however many ask at the same time", async () => {
    const url = await emptyDatabase();
    await Promise.all(Array.from({ length: 6 }, () => prepareDatabase(url)));
    const sql = connect(url);
    const history = await sql<{ version: string; name: string; statements: string[] }[]>`
      select version, name, statements from supabase_migrations.schema_migrations order by version`;
    expect(history.map(({ version }) => version)).toEqual(known);
    expect(history[0]?.name).toBe("baseline");
    expect(history[0]?.statements.join()).toContain("create schema if not exists private");
  });

  it("changes nothing the second time", async () => {
    const url = await emptyDatabase();
    await prepareDatabase(url);
    const sql = connect(url);
    const transactions = () => sql<{ count: string }[]>`
      select xmin::text as count from supabase_migrations.platform
      union all select xmin::text from supabase_migrations.schema_migrations`;
    const before = await transactions();
    await prepareDatabase(url);
    expect(await transactions()).toEqual(before);
  });

  it("gives nobody back what migrations took, where the platform's part has changed since", async () => {
    const url = await emptyDatabase();
    await prepareDatabase(url);
    const sql = connect(url);
    const rights = () => sql`
      select defaclobjtype::text as kind, defaclacl::text as rights from pg_default_acl order by 1`;
    const before = await rights();
    await sql`update supabase_migrations.platform set value = 'older' where key = 'fingerprint'`;
    await prepareDatabase(url);
    expect(await rights()).toEqual(before);
  });

  it("goes on where an older version of the code stopped", async () => {
    const url = await emptyDatabase();
    await prepareDatabase(url);
    const sql = connect(url);
    // The first file's work is undone as far as its history goes: applying it again collides.
    await sql`delete from supabase_migrations.schema_migrations where version = ${known[0] ?? ""}`;
    const failure = await prepareDatabase(url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "migration_failed" });
    const history = await sql`select from supabase_migrations.schema_migrations`;
    expect(history).toHaveLength(known.length - 1);
  });

  it("tries a migration again that meets a running job, and lets the job finish", async () => {
    const url = await emptyDatabase();
    await prepareDatabase(url);
    const folder = await mkdtemp(join(tmpdir(), "tournavis-migrations-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(fileURLToPath(MIGRATIONS), folder, { recursive: true });
    await writeFile(
      join(folder, "29990101000000_later.sql"),
      "alter table public.stores add later text; alter table public.campaigns add later text;",
    );
    const job = connect(url);
    // PostgreSQL ends whoever looks for a deadlock first: never the job.
    await job`set deadlock_timeout = '10min'`;
    await job`begin`;
    await job`lock table public.campaigns in row exclusive mode`;
    const prepared = prepareDatabase(url, { migrations: pathToFileURL(`${folder}/`) });
    prepared.catch(() => undefined);
    const looker = connect(url);
    const waiting = () => looker`
      select from pg_stat_activity where datname = current_database()
        and application_name = 'tournavis setup' and wait_event_type = 'Lock'`;
    await expect.poll(waiting, { timeout: 30_000 }).toHaveLength(1);
    // It waits for the job, and from here on the job for it.
    await job`lock table public.stores in row exclusive mode`;
    await job`commit`;
    await prepared;
    expect(
      await looker`
        select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'later' order by 1`,
    ).toEqual([{ table_name: "campaigns" }, { table_name: "stores" }]);
  });

  it("meets the migrations with a hosted project's generous defaults, and they are safe", async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await database.sql`create table public.forgotten (id int)`;
    const [rights] = await database.sql`
      select has_table_privilege('anon', 'public.forgotten', 'select') as anon,
        has_table_privilege('authenticated', 'public.forgotten', 'select') as authenticated,
        has_table_privilege('service_role', 'public.forgotten', 'select') as service_role`;
    expect(rights).toEqual({ anon: false, authenticated: false, service_role: true });
  });
});

describe("pendingMigrations", () => {
  const migration = (version: string) => ({ version, name: "a", file: new URL("file:///a") });
  const known = [migration("1"), migration("2"), migration("3")];

  it("applies what is missing, in order, gaps included", () => {
    expect(pendingMigrations(known, ["2"]).map(({ version }) => version)).toEqual(["1", "3"]);
  });

  it("refuses a history from before the first release, saying how to keep its data", () => {
    const refusal = () => pendingMigrations(known, ["0", "2"]);
    expect(refusal).toThrowError(expect.objectContaining({ code: "database_before_releases" }));
    expect(refusal).toThrowError(/migration 0\b.*exportez-les/);
  });

  it("refuses a history that it does not know", () => {
    expect(() => pendingMigrations(known, ["1", "4"])).toThrowError(
      expect.objectContaining({ code: "database_newer" }),
    );
  });
});
