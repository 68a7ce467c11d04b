import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Related rows, read in one request with the official client (specification, section 7.1). */

let server: TestServer;
/** Reads as a program of the merchant does: what this needs holds for every session. */
let client: ReturnType<typeof createClient>;
let campaignIds: string[];

const rows = z.array(z.record(z.string(), z.unknown()));

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  const { id: orgId, storeId } = await createOrganization(sql);
  const other = await createStore(sql, { orgId });
  await createStore(sql, { orgId });
  campaignIds = [];
  // Two of each: a join that lost its way brings too many rows, or the wrong ones.
  for (const store of [storeId, other]) {
    const campaign = await createCampaign(sql, { orgId, storeId: store, playIntervalDays: 0 });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await review(sql, { campaignId: campaign.id, email: "cliente@exemple.fr" });
    await spin(sql, { campaignId: campaign.id, email: "cliente@exemple.fr" });
    campaignIds.push(campaign.id);
  }
  const { key } = await createApiKey(sql, { orgId });
  client = createClient(server.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
});

afterAll(() => server.stop());

/** How many campaigns were listed. */
function lengthOf({ campaigns }: Record<string, unknown>): number {
  return z.array(z.unknown()).parse(campaigns).length;
}

describe("a resource embedded by its table's name", () => {
  it.each([
    ["campaigns", "stores"],
    ["rewards", "campaigns"],
    ["wheel_segments", "rewards"],
    ["wheel_segments", "campaigns"],
    ["pre_spin_reviews", "campaigns"],
    ["pre_spin_reviews", "customers"],
    ["spins", "campaigns"],
    ["spins", "rewards"],
    ["redemptions", "rewards"],
    ["redemptions", "spins"],
    ["redemptions", "customers"],
  ])("of each of the %s the one of the %s that it names", async (table, parent) => {
    const column = { stores: "store_id", spins: "spin_id" }[parent] ?? `${parent.slice(0, -1)}_id`;
    const { data, error } = await client.from(table).select(`${column}, ${parent}(id)`);
    expect(error).toBeNull();
    expect(data).toHaveLength(2);
    for (const row of rows.parse(data)) {
      expect(row).toMatchObject({ [parent]: { id: row[column] } });
    }
  });

  it("lists what names it, also where that is one alone, and none", async () => {
    const { data, error } = await client.from("stores").select("id, campaigns(store_id)");
    expect(error).toBeNull();
    const stores = rows.parse(data);
    expect(stores).toHaveLength(3);
    const [empty, ...others] = stores.toSorted((one, two) => lengthOf(one) - lengthOf(two));
    expect(empty).toMatchObject({ campaigns: [] });
    for (const { id, campaigns } of others) expect(campaigns).toEqual([{ store_id: id }]);
    const organizations = await client.from("organizations").select("campaigns(id)");
    expect(organizations.error).toBeNull();
    expect(rows.parse(organizations.data).map(lengthOf)).toEqual([2]);
  });

  it("takes the reference that is named, filters by it, and reads on from it", async () => {
    const named = await client
      .from("spins")
      .select("reward_id, rewards!spins_org_id_reward_id_fkey(id)");
    expect(named.error).toBeNull();
    const turns = rows.parse(named.data);
    expect(turns).toHaveLength(2);
    for (const { reward_id, rewards } of turns) expect(rewards).toEqual({ id: reward_id });
    const inner = await client
      .from("redemptions")
      .select("reward_id, spins!inner(campaign_id, campaigns(id, stores(id)))")
      .eq("spins.campaign_id", campaignIds[1] ?? "");
    expect(inner).toMatchObject({
      error: null,
      data: [{ spins: { campaign_id: campaignIds[1], campaigns: { id: campaignIds[1] } } }],
    });
  });

  it("within rows that name it again is refused beyond 4 MiB, before everybody else waits for it", async () => {
    const { sql } = server.database;
    const { id: orgId, storeId } = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId, storeId });
    await sql`
      insert into public.rewards (org_id, campaign_id, name, type)
      select ${orgId}, ${campaign.id}, 'Lot ' || n, 'gift' from generate_series(1, 350) n`;
    const { key } = await createApiKey(sql, { orgId });
    const program = createClient(server.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    // Names of columns that the refusal's own words might take for theirs.
    const squared = "a:id, answer:name, rewards(id, campaigns(id, rewards(id)))";
    const refused = await program.from("campaigns").select(squared);
    expect(refused).toMatchObject({ status: 400, data: null, error: { code: "TV210" } });
    const page = await program
      .from("campaigns")
      .select(squared)
      .limit(250, { referencedTable: "rewards" });
    expect(page.error).toBeNull();
    expect(JSON.stringify(page.data).length).toBeGreaterThan(1_000_000);
  });
});
