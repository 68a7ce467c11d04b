import type {
  RealtimeChannel,
  RealtimePostgresChangesPayload,
  SupabaseClient,
} from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createOrganization, type Organization, type Role } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** `postgres_changes` as the official client asks for them, on two servers that share one database. */

let server: TestServer;
let other: TestServer;
let organization: Organization;
const clients: Pick<SupabaseClient, "removeAllChannels">[] = [];

beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database });
  organization = await createOrganization(server.database.sql);
  await server.database.sql.unsafe(`
    create table public.parcels (
      id integer primary key, owner uuid, weight numeric, note text, secret text, sent_at timestamptz
    );
    alter table public.parcels enable row level security;
    grant select (id, owner, weight, note, sent_at) on public.parcels to authenticated;
    create policy "Own" on public.parcels for select to authenticated using (owner = auth.uid());
    create table public.hidden (id integer primary key);
    create table public.notices (id integer primary key);
    grant select on public.notices to authenticated;
  `);
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
});

afterAll(async () => {
  await other.stop();
  await server.stop();
});

async function signIn(role: Role, at = server) {
  const { client, token } = await at.signIn(organization.users[role]);
  clients.push(client);
  await client.realtime.setAuth(token);
  return client;
}

type Told = RealtimePostgresChangesPayload<Record<string, unknown>>;

/** Asks to be told of parcels; what was told, once the server has said that it tells. */
async function hear(
  client: { channel(name: string): RealtimeChannel },
  wanted: { table: string; filter?: string },
): Promise<{ told: Told[]; said: { status: string; message: string } }> {
  const told: Told[] = [];
  const channel = client
    .channel(`changes ${wanted.table} ${wanted.filter}`)
    .on("postgres_changes", { event: "*", schema: "public", ...wanted }, (change) =>
      told.push(change),
    );
  const said = new Promise<{ status: string; message: string }>((resolve, reject) => {
    channel.on("system", {}, resolve);
    channel.subscribe((_, error) => error && reject(error));
  });
  return { told, said: await said };
}

const triggers = () => server.database.sql<{ table: string }[]>`
  select tgrelid::regclass::text as table from pg_trigger where tgname = 'relay_change' order by 1`;

it("tells of no table before it is published, and makes no trigger for it", async () => {
  const client = await signIn("owner");
  for (const table of ["parcels", "notices", "spins", "*"]) {
    expect((await hear(client, { table })).said).toMatchObject({
      status: "error",
      message: expect.stringContaining("Unable to subscribe"),
    });
  }
  expect(await triggers()).toEqual([]);
});

it("tells each reader what they may read, on both servers, and of a deleted row its key", async () => {
  const { sql } = server.database;
  await sql`alter publication supabase_realtime add table public.parcels, public.hidden`;
  const [owner, member] = [organization.users.owner.id, organization.users.member.id];
  const here = await hear(await signIn("owner"), { table: "parcels" });
  const there = await hear(await signIn("member", other), { table: "parcels" });
  expect(here.said).toMatchObject({ status: "ok", extension: "postgres_changes" });
  expect(there.said.status).toBe("ok");
  expect(await triggers()).toMatchObject([{ table: "parcels" }]);

  const note = "é".repeat(20_000);
  await sql`insert into public.parcels values (1, ${owner}, 1.5, ${note}, 'secret', '2026-11-23 12:00Z')`;
  // Whether a row may be read is asked a moment after it was written.
  await expect.poll(() => here.told).toHaveLength(1);
  await sql`insert into public.parcels values (2, ${member}, 2, 'theirs', 'secret', null)`;
  // Told after the first row was judged there, too.
  await expect.poll(() => there.told).toHaveLength(1);
  await sql`update public.parcels set owner = ${member}, weight = 3 where id = 1`;
  await expect.poll(() => there.told).toHaveLength(2);
  await sql`delete from public.parcels where id = 2`;
  const base = { schema: "public", table: "parcels", errors: null };
  const row = { sent_at: "2026-11-23T12:00:00+00:00", note };
  const gone = { ...base, eventType: "DELETE", new: {}, old: { id: 2 } };
  await expect.poll(() => here.told).toHaveLength(2);
  expect(here.told).toMatchObject([
    { ...base, eventType: "INSERT", new: { id: 1, owner, weight: 1.5, ...row }, old: {} },
    gone,
  ]);
  await expect.poll(() => there.told).toHaveLength(3);
  expect(there.told).toMatchObject([
    { ...base, eventType: "INSERT", new: { id: 2, owner: member, note: "theirs" } },
    {
      ...base,
      eventType: "UPDATE",
      new: { id: 1, owner: member, weight: 3, ...row },
      old: { id: 1 },
    },
    gone,
  ]);
  expect(JSON.stringify([here.told, there.told])).not.toContain("secret");
  expect(here.told[0]?.commit_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

it("tells what passes a filter", async () => {
  const { sql } = server.database;
  const client = await signIn("owner");
  const { id } = organization.users.owner;
  const passed: Record<string, number[]> = {
    "weight=eq.12": [12],
    "weight=neq.12": [11, 13, 14],
    "weight=lt.12": [11],
    "weight=lte.12": [11, 12],
    "weight=gt.13": [14],
    "weight=gte.13": [13, 14],
    "weight=in.(11,14)": [11, 14],
    "note=eq.a,weight=gt.11": [12],
    'note=in.("b,c",")")': [13, 14],
    [`owner=eq.${id}`]: [11, 12, 13, 14],
    "weight=eq.heavy": [],
    "note=eq.null": [],
    "note=is.null": [],
    "note=not.is.null": [11, 12, 13, 14],
    "weight=is.true": [],
    "weight=not.in.(11,14)": [12, 13],
    "note=like.b%": [13],
    "note=not.ilike.A": [13, 14],
    "weight=isdistinct.11": [12, 13, 14],
  };
  const heard = new Map<string, Told[]>();
  for (const filter of Object.keys(passed)) {
    const { told, said } = await hear(client, { table: "parcels", filter });
    expect([filter, said]).toMatchObject([filter, { status: "ok" }]);
    heard.set(filter, told);
  }
  const last = await hear(client, { table: "parcels" });
  for (const [key, note] of [
    [11, "a"],
    [12, "a"],
    [13, "b,c"],
    [14, ")"],
  ] as const) {
    await sql`insert into public.parcels (id, owner, weight, note) values (${key}, ${id}, ${key}, ${note})`;
  }
  await expect.poll(() => last.told).toHaveLength(4);
  const keys = [...heard].map(([filter, told]) => [filter, told.map((change) => keyOf(change))]);
  expect(Object.fromEntries(keys)).toEqual(passed);
});

function keyOf({ new: row }: Told): unknown {
  return "id" in row ? row.id : undefined;
}

it.each([
  ["a table that they may not read", { table: "hidden" }],
  ["a column that they may not read", { table: "parcels", filter: "secret=eq.secret" }],
  ["a column that is none", { table: "parcels", filter: "nothing=eq.1" }],
  ["what is no condition", { table: "parcels", filter: "weight=match.1" }],
  ["more conditions than five", { table: "parcels", filter: "id=gt.1,".repeat(6) }],
])("tells nobody of %s", async (_, wanted) => {
  const { said } = await hear(await signIn("owner"), wanted);
  expect(said).toMatchObject({ status: "error", message: expect.stringMatching(/./) });
});

it("tells nothing without a session, nor of what is no longer published or granted", async () => {
  const visitor = server.client();
  clients.push(visitor);
  await expect(hear(visitor, { table: "parcels" })).rejects.toThrow("InvalidJWTToken");
  const { sql } = server.database;
  const { id } = organization.users.owner;
  await sql`alter publication supabase_realtime add table public.notices`;
  const client = await signIn("owner");
  const { told } = await hear(client, { table: "parcels" });
  const { told: notices } = await hear(client, { table: "notices" });
  await sql`alter publication supabase_realtime drop table public.parcels`;
  await sql`insert into public.parcels (id, owner) values (21, ${id})`;
  // Told after what was written before it.
  await sql`insert into public.notices values (1)`;
  await expect.poll(() => notices).toHaveLength(1);
  await sql`alter publication supabase_realtime add table public.parcels`;
  await sql`revoke select (note) on public.parcels from authenticated`;
  await sql`insert into public.parcels (id, owner, note) values (22, ${id}, 'unseen')`;
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]?.new).toEqual({ id: 22, owner: id, weight: null, sent_at: null });
});
