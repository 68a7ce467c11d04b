import { randomUUID } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { expect, inject, it, onTestFinished } from "vitest";
import { readSecrets } from "../../server/config/secrets.ts";
import { loginPassword, loginRoleName } from "../../server/postgres/login-role.ts";
import { openShop } from "../chaos/shop.ts";
import { newAddress, playOf, ratingOf } from "../database/support/calls.ts";
import { createTestDatabase } from "../harness/database.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { needPgBouncer, startPgBouncer } from "./pgbouncer.ts";

/** The product behind a PgBouncer in transaction mode, whose connections are handed from one client to the next. */

/** Fewer connections than clients: each transaction follows somebody else's. */
const POOL = 2;

const ROUNDS = 25;

async function startBehind(skip: (reason: string) => void) {
  await needPgBouncer(skip);
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const bouncer = await startPgBouncer(database.url, POOL);
  const start = (url: string) => startTestServer({ database, env: { DATABASE_POOL_URL: url } });
  return { database, bouncer, start };
}

/** A shop, whose owner and cashier are signed in. */
async function openTenant(server: TestServer) {
  const { organization, campaign } = await openShop(server.database.sql);
  const owner = await server.signIn(organization.users.owner);
  const cashier = await server.signIn(organization.users.cashier);
  return { organization, campaign, owner, cashier };
}

type Tenant = Awaited<ReturnType<typeof openTenant>>;

/**
 * Actions of customers and of the shop, from a review to a used code; each answer is the own
 * shop's.
 */
async function journey(server: TestServer, { organization, campaign, owner, cashier }: Tenant) {
  const options = () => ({ address: newAddress() });
  const review = await server.call("review_record", ratingOf(campaign), options());
  expect([review.status, review.text]).toEqual([201, review.text]);
  const spin = await server.call("spin_wheel", playOf(campaign), options());
  expect([spin.status, spin.text]).toEqual([200, spin.text]);
  const { redemption_code: code } = spin.body as { redemption_code: string | null };
  if (code !== null) {
    const body = { code, store_id: organization.storeId, request_id: randomUUID() };
    const used = await server.call("redeem", body, { ...options(), token: cashier.token });
    expect([used.status, used.text]).toEqual([200, used.text]);
  }
  const dashboard = await owner.client.rpc("dashboard", { p_org_id: organization.id });
  expect([dashboard.error, dashboard.status]).toEqual([null, 200]);
  const rows = await owner.client.from("organizations").select("id,stores(id)");
  expect(rows.data).toEqual([{ id: organization.id, stores: [{ id: organization.storeId }] }]);
  const named = await owner.client
    .from("stores")
    .update({ name: `Magasin ${randomUUID()}` })
    .eq("org_id", organization.id)
    .select("id");
  expect([named.error, named.data]).toEqual([null, [{ id: organization.storeId }]]);
}

/**
 * Attempts of a stranger: another's rows, an object that does not exist, a transaction that fails,
 * one that nobody waits for.
 */
async function intrude(server: TestServer, from: Tenant, to: Tenant) {
  const { client, token } = from.owner;
  const rows = await client.from("stores").select("id").eq("org_id", to.organization.id);
  expect([rows.error, rows.data]).toEqual([null, []]);
  const dashboard = await client.rpc("dashboard", { p_org_id: to.organization.id });
  expect(dashboard.error).not.toBeNull();
  const failed = await client.from("stores").insert({
    org_id: to.organization.id,
    name: "À moi",
    slug: `a-moi-${randomUUID()}`,
    address: "1 rue d'ailleurs",
  });
  expect(failed.error?.code).toBe("42501");
  const nobody = await server.client().from("organizations").select("id");
  expect(nobody.data ?? []).toEqual([]);
  const abort = new AbortController();
  const left = fetch(`${server.url}/rest/v1/rpc/my_workspace`, {
    method: "POST",
    headers: { apikey: server.running.secrets.publishableKey, authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  abort.abort();
  await expect(left).rejects.toThrow();
}

/** Connections of the API's account through the pooler, as the next client would have them. */
async function openNext(databaseUrl: string, poolUrl: string): Promise<{ sql: Sql; role: string }> {
  const { databaseKey } = await readSecrets(inject("database").dataFolder);
  const url = new URL(poolUrl);
  const role = loginRoleName(new URL(databaseUrl).pathname.slice(1));
  url.username = role;
  url.password = loginPassword(databaseUrl, databaseKey);
  const sql = postgres(url.href, { max: 3, prepare: false, fetch_types: false });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return { sql, role };
}

it("serves two tenants alternately on two connections, and leaves nothing of one to the next", {
  timeout: 300_000,
}, async ({ skip }) => {
  const { database, bouncer, start } = await startBehind(skip);
  const server = await start(bouncer.url);
  onTestFinished(() => server.stop());
  const [one, two] = [await openTenant(server), await openTenant(server)];
  const { sql: next, role } = await openNext(database.url, bouncer.url);

  let isOver = false;
  const seen = new Set<string>();
  let looks = 0;
  const look = async () => {
    while (!isOver) {
      const [row] = await next`
        select current_user as who, session_user as login, current_setting('role') as role,
          coalesce(current_setting('request.jwt.claims', true), '')
            || coalesce(current_setting('request.jwt.claim.sub', true), '')
            || coalesce(current_setting('request.headers', true), '') as left_over,
          current_setting('statement_timeout') as timeout, current_setting('TimeZone') as zone,
          current_setting('transaction_read_only') as read_only, pg_backend_pid() as pid`;
      const { pid, ...state } = row ?? {};
      seen.add(JSON.stringify(state));
      pids.add(Number(pid));
      looks += 1;
    }
  };
  const pids = new Set<number>();
  const looking = look();
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      journey(server, one),
      journey(server, two),
      intrude(server, one, two),
      intrude(server, two, one),
    ]);
  }
  isOver = true;
  await looking;
  expect([...seen].map((text) => JSON.parse(text))).toEqual([
    {
      who: role,
      login: role,
      role: "none",
      left_over: "",
      timeout: "8s",
      zone: "UTC",
      read_only: "off",
    },
  ]);
  expect(pids.size).toBeLessThanOrEqual(POOL);
  expect(looks).toBeGreaterThan(ROUNDS);
  // Each tenant's counts are its own.
  for (const { campaign } of [one, two]) {
    expect(
      await database.sql`
        select count(*)::integer as spins from public.spins where campaign_id = ${campaign.id}`,
    ).toEqual([{ spins: ROUNDS }]);
  }
  expect(server.log.filter(({ level }) => level === "error")).toEqual([]);
  const names = await database.sql<{ name: string; connections: number }[]>`
    select usename as name, count(*)::integer as connections from pg_stat_activity
    where datname = current_database() and query not like 'listen %'
      and usename in (${role}, ${loginRoleName(database.name, "functions")})
      and application_name not in ('tournavis jobs', 'tournavis realtime', 'tournavis payments', 'tournavis sandbox')
    group by 1 order by 1`;
  process.stdout.write(`${looks} looks; connections of the pooler: ${JSON.stringify(names)}\n`);
  for (const { connections } of names) expect(connections).toBeLessThanOrEqual(POOL);
});

it("says 503 while the pooler is away, and is back with it", { timeout: 120_000 }, async ({
  skip,
}) => {
  const { bouncer, start } = await startBehind(skip);
  const server = await start(bouncer.url);
  onTestFinished(() => server.stop());
  const tenant = await openTenant(server);
  await journey(server, tenant);
  await bouncer.kill();
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  await expect.poll(ready).toBe(503);
  const spin = await server.call("spin_wheel", playOf(tenant.campaign), { address: newAddress() });
  expect([spin.status, spin.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await tenant.owner.client.from("organizations").select("id")).status).toBe(503);
  await bouncer.start();
  await expect.poll(ready).toBe(200);
  await journey(server, tenant);
});

it("does not start behind a pooler that takes an account its settings, or lets none in", {
  timeout: 120_000,
}, async ({ skip }) => {
  const { bouncer, start } = await startBehind(skip);
  await expect(start(bouncer.unlimitedUrl)).rejects.toMatchObject({ code: "pool_account" });
  await bouncer.kill();
  await expect(start(bouncer.url)).rejects.toMatchObject({ code: "pool_unreachable" });
});
