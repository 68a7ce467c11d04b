import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";

/**
 * Work of a hosted project's database in the place of a process of ours. Its storage keeps bytes
 * elsewhere, and it has a Vault and an HTTP client, which stand here as tables. `npm run hosted`
 * runs the same with all parts.
 */

const database = setUpTestDatabase();
let ours: Organization;

beforeAll(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  await sql
    .unsafe(`
      drop table storage.contents cascade;
      drop function storage.drop_contents() cascade;
      create schema vault;
      create table vault.decrypted_secrets (name text, decrypted_secret text);
      create schema net;
      create table net.calls (id bigint generated always as identity, url text, headers jsonb);
      create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer) returns bigint
      language sql as $$ insert into net.calls (url, headers) values (url, headers) returning id $$;
    `)
    .simple();
});
beforeEach(async () => {
  const { sql } = database;
  await sql`delete from private.outbox`;
  await sql`delete from net.calls`;
  await sql`delete from vault.decrypted_secrets`;
});

const removals = () =>
  database.sql<{ recipient: string; data: { names: string[] } }[]>`
    select recipient, data from private.outbox where channel = 'file' order by id`;

async function upload(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `${ours.id}/${randomUUID()}`);
  await database.sql`
    insert into storage.objects (bucket_id, name, created_at)
    select 'logo-uploads', name, now() - interval '2 hours' from unnest(${names}::text[]) as n (name)`;
  return names.sort();
}

describe("a file that must not stay", () => {
  it("is handed to the storage, which alone removes its bytes, once while that waits", async () => {
    const names = await upload(150);
    await database.sql`select private.sweep_files(1000)`;
    await database.sql`select private.sweep_files(1000)`;
    const asked = await removals();
    expect(asked.map(({ recipient, data }) => [recipient, data.names.length])).toEqual([
      ["logo-uploads", 100],
      ["logo-uploads", 50],
    ]);
    expect(asked.flatMap(({ data }) => data.names).sort()).toEqual(names);
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::integer from storage.objects where bucket_id = 'logo-uploads'`;
    expect(row?.count).toBe(150);
  });

  it("goes with its organisation", async () => {
    const { sql } = database;
    await sql`delete from storage.objects`;
    const other = await createOrganization(sql);
    await sql`insert into storage.objects (bucket_id, name) values ('logos', ${`${other.id}/a.webp`})`;
    await sql`delete from public.organizations where id = ${other.id}`;
    expect(await removals()).toEqual([
      { recipient: "logos", data: { names: [`${other.id}/a.webp`] } },
    ]);
  });
});

describe("the call of the worker", () => {
  const call = () => database.sql`select private.call_worker() as id`;
  const wait = () => database.sql`select private.enqueue_mail('recovery', 'ana@exemple.fr', '{}')`;
  const tell = (name: string, value: string) =>
    database.sql`insert into vault.decrypted_secrets values (${name}, ${value})`;

  it("is made while something waits, with the secret that the function asks for", async () => {
    await tell("project_url", "https://projet.exemple.fr");
    await tell("jobs_secret", "sesame");
    await call();
    expect(await database.sql`select url from net.calls`).toHaveLength(0);
    await wait();
    await call();
    const [made, ...more] = await database.sql`select url, headers from net.calls`;
    expect(more).toEqual([]);
    expect(made).toMatchObject({
      url: "https://projet.exemple.fr/functions/v1/run-jobs",
      headers: { "x-jobs-secret": "sesame" },
    });
    await database.sql`update private.outbox set next_attempt_at = now() + interval '1 minute'`;
    await call();
    expect(await database.sql`select url from net.calls`).toHaveLength(1);
  });

  it("fails where the Vault does not say which project this is", async () => {
    await tell("jobs_secret", "sesame");
    await wait();
    await expect(call()).rejects.toMatchObject({ code: "55000" });
    expect(await database.sql`select url from net.calls`).toHaveLength(0);
  });

  it("is for nobody else", async () => {
    const [row] = await database.sql<{ roles: string[] }[]>`
      select coalesce(array_agg(r.rolname::text), '{}') as roles from pg_roles r
      where r.rolname in ('anon', 'authenticated', 'service_role')
        and has_function_privilege(r.oid, 'private.call_worker()', 'execute')`;
    expect(row?.roles).toEqual([]);
  });
});
