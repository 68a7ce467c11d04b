import { beforeAll, describe, expect, it } from "vitest";
import { type RulesPage, readRulesVersion, rulesPage } from "#domain/schemas/campaign-rules.ts";
import { setUpTestDatabase } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../../harness/fixtures.ts";
import { spin } from "../../harness/journey.ts";
import { whole } from "../support/whole.ts";

/** Rules of a draw, and which version of them holds. */

const database = setUpTestDatabase();
let ours: Organization;

beforeAll(async () => {
  ours = await createOrganization(database.sql, { name: "Boulangerie Martin" });
});

it.each([
  ["1", 1],
  ["10", 10],
  ["999999", 999_999],
  ["0", null],
  ["01", null],
  ["1000000", null],
  ["-1", null],
  ["1.5", null],
  ["1a", null],
  [" 1", null],
  ["", null],
])("the version %j of an address is %j", (text, version) => {
  expect(readRulesVersion(text)).toBe(version);
});

function ourCampaign(options = {}): Promise<Campaign> {
  return createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId, ...options });
}

async function read(slug: string, version: number | null = null): Promise<RulesPage | null> {
  const [row] = await database.sql<{ page: unknown }[]>`
    select public.campaign_rules_page(${slug}, ${version}) as page`;
  return row?.page === null ? null : whole(rulesPage, row?.page);
}

async function rulesOf(slug: string, version: number | null = null): Promise<RulesPage> {
  const page = await read(slug, version);
  if (page === null) throw new Error("no rules");
  return page;
}

async function redraw(campaign: Campaign, segments: Parameters<typeof drawWheel>[2]) {
  await database.sql.begin(async (sql) => {
    await sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
    await drawWheel(sql, campaign, segments);
  });
}

describe("what the rules say", () => {
  it("names organiser, store, dates, prizes with their number and odds, and the odds of losing", async () => {
    const { sql } = database;
    const campaign = await ourCampaign({
      startsAt: new Date("2026-01-05T08:00:00Z"),
      endsAt: new Date("2090-12-31T22:59:00Z"),
      playIntervalDays: 7,
    });
    const coffee = await createReward(sql, campaign, { name: "Café", stock: 40, maxPerUser: 2 });
    const cut = await createReward(sql, campaign, {
      name: "Remise",
      type: "coupon",
      metadata: { discountPercent: 10, validityDays: 15 },
    });
    await sql`update public.rewards set value = 2.5 where id = ${coffee}`;
    await drawWheel(sql, campaign, [
      { weight: 10, rewardId: coffee, label: "Un café" },
      { weight: 50, label: "Pas de chance" },
      { weight: 25, rewardId: cut, label: "−10 %" },
      { weight: 15, rewardId: coffee, label: "Café" },
    ]);
    const { content } = await rulesOf(campaign.slug);
    const [store] = await sql<{ name: string; address: string }[]>`
      select name, address from public.stores where id = ${ours.storeId}`;
    expect(content).toEqual({
      wording: 1,
      organizer: "Boulangerie Martin",
      store,
      timezone: "Europe/Paris",
      starts_at: "2026-01-05T08:00:00Z",
      ends_at: "2090-12-31T22:59:00Z",
      play_interval_days: 7,
      prizes: [
        {
          name: "Café",
          type: "gift",
          value: 2.5,
          discount: null,
          item: null,
          points: null,
          validity_days: 30,
          max_per_user: 2,
          number: 40,
          odds: 25,
          labels: ["Café", "Un café"],
        },
        {
          name: "Remise",
          type: "coupon",
          value: null,
          discount: 10,
          item: null,
          points: null,
          validity_days: 15,
          max_per_user: 100,
          number: null,
          odds: 25,
          labels: ["−10 %"],
        },
      ],
      losing: { odds: 50, labels: ["Pas de chance"] },
    });
  });

  it("gives the odds of what cannot be won to the losing segments, else to the other prizes", async () => {
    const { sql } = database;
    const campaign = await ourCampaign();
    const [one = "", two = "", stopped = ""] = await Promise.all(
      ["Un", "Deux", "Trois"].map((name) => createReward(sql, campaign, { name })),
    );
    await sql`update public.rewards set active = false where id = ${stopped}`;
    await drawWheel(sql, campaign, [
      { weight: 20, rewardId: one },
      { weight: 10, rewardId: two },
      { weight: 30, rewardId: stopped },
      { weight: 40 },
    ]);
    const odds = async () => {
      const { prizes, losing } = (await rulesOf(campaign.slug)).content;
      return [...prizes.map((prize) => [prize.name, prize.odds]), losing?.odds];
    };
    expect(await odds()).toEqual([["Un", 20], ["Deux", 10], 70]);
    await redraw(campaign, [
      { weight: 20, rewardId: one },
      { weight: 10, rewardId: two },
      { weight: 70, rewardId: stopped },
    ]);
    expect(await odds()).toEqual([["Un", 66.67], ["Deux", 33.33], undefined]);
  });

  it("names no prize where nothing is offered", async () => {
    const campaign = await ourCampaign();
    expect((await rulesOf(campaign.slug)).content).toMatchObject({ prizes: [], losing: null });
  });
});

describe("versions", () => {
  it("a spin keeps the version that it was played under, and old versions stay as they were", async () => {
    const { sql } = database;
    const campaign = await ourCampaign({ playIntervalDays: 0 });
    const reward = await createReward(sql, campaign, { name: "Café", stock: 50 });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: reward }]);
    const before = await rulesOf(campaign.slug);
    await spin(sql, { campaignId: campaign.id });
    // A prize that was won is still one that was put into play.
    expect(await rulesOf(campaign.slug)).toEqual(before);
    await redraw(campaign, [{ weight: 60, rewardId: reward }, { weight: 40 }]);
    await spin(sql, { campaignId: campaign.id });

    const after = await rulesOf(campaign.slug);
    expect(after.version).toBe(before.version + 1);
    expect(after.content).toMatchObject({
      prizes: [{ name: "Café", odds: 60, number: 50 }],
      losing: { odds: 40 },
    });
    const played = await sql`
      select rules_version from public.spins where campaign_id = ${campaign.id} order by id`;
    expect([...played]).toEqual([
      { rules_version: before.version },
      { rules_version: after.version },
    ]);
    expect(await rulesOf(campaign.slug, before.version)).toEqual({
      ...before,
      in_force: after.version,
      versions: after.versions,
    });
    expect(after.versions.map(({ version }) => version)).toEqual([
      after.version,
      ...before.versions.map(({ version }) => version),
    ]);
  });

  it("one save is one version, the same again is none, and what comes back is what it was", async () => {
    const { sql } = database;
    const campaign = await ourCampaign();
    const reward = await createReward(sql, campaign, { name: "Café" });
    await drawWheel(sql, campaign, [{ weight: 30, rewardId: reward }, { weight: 70 }]);
    const first = (await rulesOf(campaign.slug)).version;
    await redraw(campaign, [{ weight: 30, rewardId: reward }, { weight: 70 }]);
    expect((await rulesOf(campaign.slug)).version).toBe(first);
    await sql.begin(async (all) => {
      await all`update public.rewards set name = 'Thé', max_per_user = 3 where id = ${reward}`;
      await all`update public.campaigns set play_interval_days = 9 where id = ${campaign.id}`;
    });
    expect((await rulesOf(campaign.slug)).version).toBe(first + 1);
    await sql.begin(async (all) => {
      await all`update public.rewards set name = 'Café', max_per_user = 100 where id = ${reward}`;
      await all`update public.campaigns set play_interval_days = 1 where id = ${campaign.id}`;
    });
    expect(await rulesOf(campaign.slug)).toMatchObject({ version: first, in_force: first });
  });

  it("the names of store and organiser, and how many a merchant puts into play, are new versions", async () => {
    const { sql } = database;
    const campaign = await ourCampaign();
    const reward = await createReward(sql, campaign, { stock: 10 });
    const change = async (run: () => Promise<unknown>) => {
      const { version } = await rulesOf(campaign.slug);
      await run();
      return (await rulesOf(campaign.slug)).version - version;
    };
    const { storeId, id, users } = ours;
    expect(
      await change(
        () => sql`update public.stores set address = '3 rue Neuve' where id = ${storeId}`,
      ),
    ).toBe(1);
    expect(
      await change(
        () => sql`update public.organizations set name = 'Maison Martin' where id = ${id}`,
      ),
    ).toBe(1);
    expect(await change(() => sql`update public.rewards set stock = 25 where id = ${reward}`)).toBe(
      1,
    );
    expect(
      await change(() =>
        database.as(
          { userId: users.owner.id },
          (as) => as`update public.rewards set stock = 24 where id = ${reward}`,
        ),
      ),
    ).toBe(1);
    expect((await rulesOf(campaign.slug)).content).toMatchObject({
      organizer: "Maison Martin",
      store: { address: "3 rue Neuve" },
      prizes: [{ number: 24 }],
    });
  });

  it("a version cannot be changed, by nobody", async () => {
    const campaign = await ourCampaign();
    const before = await rulesOf(campaign.slug);
    const change = database.sql`
      update public.campaign_rules set content = '{}' where campaign_id = ${campaign.id}`;
    await expect(change).rejects.toMatchObject({ code: "TV130" });
    expect(await rulesOf(campaign.slug)).toEqual(before);
  });
});

describe("who may read them", () => {
  it("everybody, also by a former address; of a draft, nobody", async () => {
    const { sql } = database;
    const campaign = await ourCampaign();
    const page = await rulesOf(campaign.slug);
    expect(await read(campaign.slug, 99)).toBeNull();
    await sql`update public.campaigns set slug = ${`${campaign.slug}-bis`} where id = ${campaign.id}`;
    expect(await rulesOf(campaign.slug)).toEqual({ ...page, slug: `${campaign.slug}-bis` });
    await sql`update public.campaigns set active = false where id = ${campaign.id}`;
    expect(await read(campaign.slug)).toBeNull();
  });

  it("nobody, of a campaign that nobody has played and no plan opens any more", async () => {
    const campaign = await ourCampaign();
    // A plan of somebody else opens nothing.
    await createOrganization(database.sql);
    await database.sql.begin(async (sql) => {
      await sql`update public.subscriptions set status = 'suspended' where org_id = ${ours.id}`;
      const [row] = await sql`select public.campaign_rules_page(${campaign.slug}) as page`;
      expect(row).toEqual({ page: null });
      await sql`update public.subscriptions set status = 'active' where org_id = ${ours.id}`;
    });
    expect(await read(campaign.slug)).not.toBeNull();
  });

  it("everybody, for good, once somebody has played", async () => {
    const { sql } = database;
    const campaign = await ourCampaign();
    const reward = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: reward }]);
    await spin(sql, { campaignId: campaign.id });
    await sql`update public.campaigns set active = false where id = ${campaign.id}`;
    expect((await rulesOf(campaign.slug)).content.prizes).toHaveLength(1);
  });
});
