import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken } from "#domain/schemas/api-keys.ts";
import type { Database } from "../../supabase/types/database.types.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Keys of the API over HTTP: the platform's own client with a key, and with a token it was exchanged for. */

let server: TestServer;
let ours: Organization;
let theirs: Organization;
let codes: string[];

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  ours = await createOrganization(sql);
  theirs = await createOrganization(sql);
  codes = [];
  for (const { id: orgId, storeId } of [theirs, ours]) {
    const campaign = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await review(sql, { campaignId: campaign.id, email: "cliente@exemple.fr" });
    for (let n = 0; n < 2; n += 1) {
      await spin(sql, { campaignId: campaign.id, email: "cliente@exemple.fr" });
    }
    const rows = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${orgId} order by id`;
    codes = rows.map(({ code }) => code);
  }
});

afterAll(() => server.stop());

const QUIET = { auth: { persistSession: false, autoRefreshToken: false } };

/** The platform's client, given a merchant's key where it asks for one. */
const clientWith = (key: string) => createClient<Database>(server.url, key, QUIET);

/** The same as on a hosted project: the project's key, and a token that the merchant's key was exchanged for. */
const clientWithToken = (token: string) =>
  createClient<Database>(server.url, server.running.secrets.publishableKey, {
    ...QUIET,
    accessToken: async () => token,
  });

const newKey = (options: Omit<Parameters<typeof createApiKey>[1], "orgId"> = {}) =>
  createApiKey(server.database.sql, { orgId: ours.id, ...options });

async function exchange(key: string) {
  const answer = await server.call("api-token", {}, { token: key });
  expect(answer.status).toBe(200);
  return apiToken.parse(answer.body);
}

describe("a reading key", () => {
  it("reads the organisation's rows with the official client, and nobody else's", async () => {
    const { key } = await newKey();
    for (const client of [clientWith(key), clientWithToken((await exchange(key)).access_token)]) {
      const customers = await client.from("customers").select("email, org_id");
      expect(customers).toMatchObject({ error: null, data: [{ org_id: ours.id }] });
      const spins = await client
        .from("spins")
        .select("id, rewards!spins_org_id_reward_id_fkey(name)", { count: "exact" });
      expect(spins).toMatchObject({ error: null, count: 2 });
      const filtered = await client.from("stores").select("id").eq("org_id", theirs.id);
      expect(filtered).toMatchObject({ error: null, data: [] });
      const figures = await client.rpc("dashboard", { p_org_id: ours.id });
      expect(figures).toMatchObject({ error: null, data: { totals: { reviews: 1 } } });
      expect((await client.rpc("dashboard", { p_org_id: theirs.id })).status).toBe(403);
      expect(await client.from("subscriptions").select("*")).toMatchObject({ data: [] });
      expect(await client.from("organization_members").select("*")).toMatchObject({ data: [] });
    }
  });

  it("writes nothing", async () => {
    const { key } = await newKey();
    const client = clientWith(key);
    const { storeId } = ours;
    const insert = await client.from("campaigns").insert({
      org_id: ours.id,
      store_id: storeId,
      name: "Volée",
      slug: "volee",
    });
    expect(insert.status).toBe(403);
    const update = await client.from("stores").update({ name: "Volé" }).eq("id", storeId).select();
    expect(update.data ?? []).toEqual([]);
    const removed = await client.from("stores").delete().eq("id", storeId).select();
    expect(removed.data ?? []).toEqual([]);
    const called = await client.rpc("remove_store", { p_id: storeId, p_is_archived: true });
    expect(called).toMatchObject({ status: 403, error: { code: "42501" } });
    const [code = ""] = codes;
    const used = await server.call("redeem", { code, store_id: storeId }, { token: key });
    expect(used).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    const [store] = await server.database.sql`
      select name, archived_at from public.stores where id = ${storeId}`;
    expect(store).toMatchObject({ archived_at: null, name: expect.stringMatching(/^Magasin/) });
  });
});

describe("a key for the till", () => {
  it("looks a code up, uses it once, and is named as who did", async () => {
    const { sql } = server.database;
    const { key, id } = await newKey({ scope: "redeem", storeId: ours.storeId });
    const client = clientWith(key);
    const [code = ""] = codes;
    const place = { p_code: code, p_store_id: ours.storeId };
    const look = () => client.rpc("lookup_code", place);
    expect(await look()).toMatchObject({ error: null, data: { state: "available" } });
    const use = (by: typeof client, request_id?: string) =>
      by.functions.invoke("redeem", { body: { code, store_id: ours.storeId, request_id } });
    const request = randomUUID();
    const first = await use(client, request);
    expect(first).toMatchObject({ error: null, data: { code } });
    // The same request again is no second use; anybody else's is.
    expect(await use(client, request)).toMatchObject({ error: null, data: first.data });
    const other = clientWith((await newKey({ scope: "redeem" })).key);
    for (const again of [use(client), use(client, randomUUID()), use(other, request)]) {
      expect((await again).error).toMatchObject({ context: { status: 409 } });
    }
    const [row] = await sql<{ name: string }[]>`select name from private.api_keys where id = ${id}`;
    expect(await look()).toMatchObject({ data: { state: "used", used_by: row?.name } });
    const events = await sql`
      select user_id, api_key_id from public.redemption_events where api_key_id = ${id}`;
    expect(events).toMatchObject([{ user_id: null, api_key_id: id }]);
  });

  it("works at its own store alone, and reads nothing", async () => {
    const elsewhere = await createStore(server.database.sql, { orgId: ours.id });
    const { key } = await newKey({ scope: "redeem", storeId: elsewhere });
    const client = clientWith(key);
    const code = codes[1] ?? "";
    const used = await server.call("redeem", { code, store_id: ours.storeId }, { token: key });
    expect(used).toMatchObject({ status: 403 });
    expect((await client.from("customers").select("*")).status).toBe(403);
    expect((await client.from("redemptions").select("code")).status).toBe(403);
    expect((await client.rpc("dashboard", { p_org_id: ours.id })).status).toBe(403);
  });
});

describe("a key that does not count", () => {
  it("is refused at the next request, and so is the token it was exchanged for", async () => {
    const { key, id } = await newKey();
    const { access_token: token } = await exchange(key);
    expect((await clientWith(key).from("stores").select("id")).error).toBeNull();
    await server.database.sql`update private.api_keys set revoked_at = now() where id = ${id}`;
    const message = "Cette clé d’API est inconnue, révoquée ou expirée.";
    const refused = { status: 401, error: { code: "TV110", message }, data: null };
    expect(await clientWith(key).from("stores").select("id")).toMatchObject(refused);
    expect(await clientWithToken(token).from("stores").select("id")).toMatchObject(refused);
    const used = await server.call("redeem", { code: "X", store_id: ours.storeId }, { token: key });
    expect(used).toMatchObject({ status: 401, body: { error: { code: "api_key_refused" } } });
    const again = await server.call("api-token", {}, { token: key });
    expect(again).toMatchObject({ status: 401, body: { error: { code: "api_key_refused" } } });
  });

  it("is refused while the plan does not include it", async () => {
    const { sql } = server.database;
    const organization = await createOrganization(sql);
    const { key } = await createApiKey(sql, { orgId: organization.id });
    await sql`update public.subscriptions set plan = 'basic' where org_id = ${organization.id}`;
    const answer = await clientWith(key).from("stores").select("id");
    expect(answer).toMatchObject({ status: 402, error: { code: "TV111" } });
    await sql`update public.subscriptions set plan = 'pro', is_ending = true where org_id = ${organization.id}`;
    expect(await clientWith(key).from("stores").select("id")).toMatchObject({
      status: 409,
      error: { code: "TV191" },
    });
    const body = { code: "X", store_id: organization.storeId };
    expect(await server.call("redeem", body, { token: key })).toMatchObject({
      status: 409,
      body: { error: { code: "organization_ending" } },
    });
    await sql`update public.subscriptions set is_ending = false where org_id = ${organization.id}`;
    expect((await clientWith(key).from("stores").select("id")).data).toHaveLength(1);
  });

  it("is guessed no more often than an address may", async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 8; n += 1) {
      const wave = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          fetch(`${server.url}/rest/v1/stores?select=id`, {
            headers: { apikey: `tv_live_faux-${n}-${place}`, "x-forwarded-for": "203.0.113.9" },
          }),
        ),
      );
      for (const { status } of wave) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    const { key } = await newKey();
    const known = await fetch(`${server.url}/rest/v1/stores?select=id`, {
      headers: { apikey: key, "x-forwarded-for": "203.0.113.9" },
    });
    expect(known.status).toBe(200);
  });

  it("opens nothing from the address, nor with a token of somebody's own making", async () => {
    const { key, id } = await newKey();
    const inAddress = await fetch(`${server.url}/rest/v1/stores?select=id&apikey=${key}`);
    expect(inAddress.status).toBe(401);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { role: "authenticated", api_key_id: id, exp: 4_102_444_800 };
    const forged = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}.${part("faux")}`;
    expect((await clientWithToken(forged).from("stores").select("id")).status).toBe(401);
  });
});

it("no key stands in the log", async () => {
  const { key } = await newKey();
  await clientWith(key).from("stores").select("id");
  await server.call("api-token", {}, { token: key });
  await server.call("redeem", { code: "X", store_id: ours.storeId }, { token: `${key}x` });
  expect(JSON.stringify(server.log)).not.toContain("tv_live_");
});
