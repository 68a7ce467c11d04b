import { randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import type { CampaignPoster } from "#domain/schemas/back-office.ts";
import { campaignPage, forPhones } from "#domain/schemas/campaign-page.ts";
import type { ClosedCampaign } from "#domain/schemas/closed-campaign.ts";
import { closedCampaignPage, organizationPage } from "#domain/schemas/open-wheels.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { setUpTestDatabase, undone } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  daysFromNow,
  drawWheel,
  type Organization,
} from "../../harness/fixtures.ts";
import { review, scan, spin } from "../../harness/journey.ts";
import { setClock } from "../support/clock.ts";
import { whole } from "../support/whole.ts";

/** Public view of a campaign, and the cases in which there is none. */

const database = setUpTestDatabase();
let organization: Organization;

beforeAll(async () => {
  organization = await createOrganization(database.sql, { name: "Boulangerie Martin" });
});

async function rawPage(slug: string, sql: ISql = database.sql): Promise<object | null> {
  const [row] = await sql<{ page: object | null }[]>`select public.campaign_page(${slug}) as page`;
  return row?.page ?? null;
}

async function page(slug: string, sql: ISql = database.sql): Promise<PublicCampaign> {
  return forPhones(campaignPage.parse(await rawPage(slug, sql)), "fr");
}

function campaignOf({ id: orgId, storeId }: Organization, options = {}): Promise<Campaign> {
  return createCampaign(database.sql, { orgId, storeId, ...options });
}

/** Keys of an object and of the objects in it, as paths. */
function paths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => paths(item, `${path}[]`)))];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => paths(inner, `${path}.${key}`));
}

describe("a running campaign", () => {
  it("shows what the schema names and nothing else", async () => {
    const { sql } = database;
    const startsAt = daysFromNow(-3);
    const endsAt = daysFromNow(3);
    const campaign = await campaignOf(organization, { name: "Roue de Noël", startsAt, endsAt });
    await sql`
      update public.campaigns set description = 'Marge : 40 %' where id = ${campaign.id}`;
    const rewardId = await createReward(sql, campaign, {
      stock: 3,
      codeTemplate: "SECRET-{random}",
    });
    const [gift, none] = await drawWheel(sql, campaign, [
      { weight: 1, rewardId, label: "Café offert", color: "#10B981" },
      { weight: 99, label: "Pas de chance", color: "#6B7280" },
    ]);
    const raw = await rawPage(campaign.slug);
    expect(paths(raw).sort()).toEqual(
      [
        ".id",
        ".slug",
        ".name",
        ".organization.name",
        ".organization.slug",
        ".play_interval_days",
        ".store.id",
        ".store.name",
        ".store.timezone",
        ".google_review_url",
        ".review_mode",
        ".starts_at",
        ".ends_at",
        ".segments[].id",
        ".segments[].label",
        ".segments[].color",
        ".segments[].position",
        ".wheel_open",
        ".rules_version",
        ".white_label",
        ".brand",
        ".words[].text",
        ...["de", "en", "es", "it", "nl"].map((language) => `.words[].translations.${language}`),
      ].sort(),
    );
    const [store] = await sql<{ name: string }[]>`
      select name from public.stores where id = ${organization.storeId}`;
    const shown = forPhones(campaignPage.parse(raw), "fr");
    expect(shown).toMatchObject({
      id: campaign.id,
      slug: campaign.slug,
      name: "Roue de Noël",
      organization: { name: "Boulangerie Martin", slug: organization.slug },
      store: { id: organization.storeId, name: store?.name, timezone: "Europe/Paris" },
      google_review_url: "https://g.page/r/magasin",
      review_mode: "compliant",
      segments: [
        { id: gift, label: "Café offert", color: "#10B981", position: 0 },
        { id: none, label: "Pas de chance", color: "#6B7280", position: 1 },
      ],
      wheel_open: true,
    });
    expect(new Date(shown.starts_at ?? "")).toEqual(startsAt);
    expect(new Date(shown.ends_at ?? "")).toEqual(endsAt);
  });

  it("is found by every slug that it ever had", async () => {
    const campaign = await campaignOf(organization);
    for (const suffix of ["-b", "-c"]) {
      await database.sql`update public.campaigns set slug = slug || ${suffix} where id = ${campaign.id}`;
    }
    const present = `${campaign.slug}-b-c`;
    for (const slug of [campaign.slug, `${campaign.slug}-b`, present]) {
      expect(await page(slug)).toMatchObject({ id: campaign.id, slug: present });
    }
  });
});

it("comes on its organisation's page with the time zone of its store, in which its last day is given", async () => {
  const { sql } = database;
  const merchant = await createOrganization(sql, { store: { timezone: "America/Martinique" } });
  const endsAt = daysFromNow(3);
  const { slug } = await campaignOf(merchant, { endsAt });
  const [row] = await sql<{ page: unknown }[]>`
    select public.organization_page(${merchant.slug}) as page`;
  const { campaigns } = whole(organizationPage, row?.page);
  expect(campaigns).toMatchObject([{ slug, timezone: "America/Martinique" }]);
  expect(new Date(campaigns[0]?.ends_at ?? "")).toEqual(endsAt);
});

it("says whether the plan keeps the product's name away, on every page, for as long as it does", async () => {
  const { sql } = database;
  const merchant = await createOrganization(sql, { plan: "pro" });
  const { slug } = await campaignOf(merchant);
  const told = async () => {
    const [row] = await sql<{ pages: unknown }[]>`
      select jsonb_build_array(public.campaign_page(${slug}) -> 'white_label',
        public.organization_page(${merchant.slug}) -> 'white_label',
        public.campaign_rules_page(${slug}) -> 'white_label') as pages`;
    return row?.pages;
  };
  expect(await told()).toEqual([true, true, true]);
  await sql`update public.subscriptions set plan = 'basic' where org_id = ${merchant.id}`;
  expect(await told()).toEqual([false, false, false]);
});

it("shows the merchant's brand on every page while the plan includes it, and again once it does again", async () => {
  const { sql } = database;
  const merchant = await createOrganization(sql, { plan: "pro" });
  const { slug } = await campaignOf(merchant);
  const logo = "0123456789abcdef".repeat(2);
  await sql`
    insert into public.organization_brands (org_id, color, logo, logo_width, logo_height)
    values (${merchant.id}, '#1d4ed8', ${logo}, 300, 100)`;
  const told = async () => {
    const [row] = await sql<{ pages: unknown[] }[]>`
      select jsonb_build_array(public.campaign_page(${slug}) -> 'brand',
        public.organization_page(${merchant.slug}) -> 'brand',
        public.campaign_rules_page(${slug}) -> 'brand') as pages`;
    return row?.pages;
  };
  const shown = {
    color: "#1d4ed8",
    logo: {
      path: `${merchant.id}/${logo}.webp`,
      print_path: `${merchant.id}/${logo}-print.webp`,
      width: 300,
      height: 100,
    },
  };
  expect(await told()).toEqual([shown, shown, shown]);
  await sql`update public.subscriptions set plan = 'basic' where org_id = ${merchant.id}`;
  expect(await told()).toEqual([null, null, null]);
  await sql`update public.subscriptions set plan = 'pro' where org_id = ${merchant.id}`;
  expect(await told()).toEqual([shown, shown, shown]);
  await sql`update public.organization_brands set logo = null, logo_width = null, logo_height = null where org_id = ${merchant.id}`;
  expect(await told()).toEqual(Array(3).fill({ color: "#1d4ed8", logo: null }));
});

describe("nothing is shown", () => {
  it("of a slug that nobody has", async () => {
    expect(await rawPage("personne")).toBeNull();
    expect(await rawPage("")).toBeNull();
  });

  it.each([
    ["is not active", { active: false }],
    ["starts tomorrow", { startsAt: daysFromNow(1) }],
    ["ended yesterday", { startsAt: daysFromNow(-9), endsAt: daysFromNow(-1) }],
  ])("of a campaign that %s, by its present or its former slug", async (_, options) => {
    const campaign = await campaignOf(organization, options);
    await database.sql`update public.campaigns set slug = slug || '-b' where id = ${campaign.id}`;
    expect(await rawPage(campaign.slug)).toBeNull();
    expect(await rawPage(`${campaign.slug}-b`)).toBeNull();
  });

  const PLANS = [
    { plan: "free_trial", trialEnd: daysFromNow(1), isOpen: true },
    { plan: "free_trial", trialEnd: daysFromNow(-1), isOpen: false },
    { plan: "pro", status: "active", currentPeriodEnd: null, isOpen: true },
    { plan: "basic", status: "active", currentPeriodEnd: daysFromNow(20), isOpen: true },
    { plan: "basic", status: "past_due", currentPeriodEnd: daysFromNow(-7.9), isOpen: true },
    { plan: "basic", status: "past_due", currentPeriodEnd: daysFromNow(-8.1), isOpen: false },
    { plan: "pro", status: "active", currentPeriodEnd: daysFromNow(-7.9), isOpen: true },
    { plan: "pro", status: "active", currentPeriodEnd: daysFromNow(-8.1), isOpen: false },
    { plan: "pro", status: "suspended", currentPeriodEnd: daysFromNow(20), isOpen: false },
    { plan: "pro", status: "canceled", currentPeriodEnd: daysFromNow(20), isOpen: false },
    { plan: "free_trial", status: "suspended", trialEnd: daysFromNow(1), isOpen: false },
  ] as const;

  it.each(PLANS)("unless the plan is in force: $plan $status → $isOpen", async (row) => {
    const { isOpen, ...plan } = row;
    const closed = await createOrganization(database.sql, plan);
    const campaign = await campaignOf(closed);
    expect((await rawPage(campaign.slug)) !== null).toBe(isOpen);
    const [own] = await database.sql<{ page: { campaigns: unknown[] } | null }[]>`
      select public.organization_page(${closed.slug}) as page`;
    expect(own?.page?.campaigns.length).toBe(isOpen ? 1 : undefined);
  });
});

describe("a campaign that does not run", () => {
  async function closed(slug: string, sql: ISql = database.sql): Promise<ClosedCampaign | null> {
    const [row] = await sql<{ page: object | null }[]>`
      select public.closed_campaign_page(${slug}) as page`;
    return row?.page ? whole(closedCampaignPage, row.page) : null;
  }

  /** One that somebody has played. */
  async function playedCampaign(ours: Organization, options = {}): Promise<Campaign> {
    const campaign = await campaignOf(ours, options);
    const rewardId = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
    await spin(database.sql, { campaignId: campaign.id });
    return campaign;
  }

  it.each([
    { why: "is switched off", change: { active: false }, state: "paused" },
    { why: "has ended", change: { ends_at: daysFromNow(-1) }, state: "ended" },
    { why: "is archived", change: { active: false, archived_at: daysFromNow(-1) }, state: "ended" },
    { why: "begins later", change: { starts_at: daysFromNow(1) }, state: "upcoming" },
  ])("and was played tells whose it is: one that $why is $state", async ({ change, state }) => {
    const ours = await createOrganization(database.sql, { name: "Maison Bertille" });
    const campaign = await playedCampaign(ours, { name: "Roue d'été" });
    const open = await campaignOf(ours, { name: "Roue d'hiver" });
    await database.sql`update public.campaigns set ${database.sql(change)} where id = ${campaign.id}`;
    expect(await closed(campaign.slug)).toMatchObject({
      state,
      name: "Roue d'été",
      organization: { name: "Maison Bertille" },
      was_played: true,
      open_wheels: [{ slug: open.slug }],
    });
    await database.sql`update public.campaigns set slug = slug || '-b' where id = ${campaign.id}`;
    expect(await closed(campaign.slug)).toMatchObject({ slug: `${campaign.slug}-b` });
  });

  it("and whose plan is over is paused, and leads to nothing else", async () => {
    const ours = await createOrganization(database.sql, { plan: "free_trial" });
    const campaign = await playedCampaign(ours);
    await database.sql`
      update public.subscriptions set trial_end = now() - interval '1 minute' where org_id = ${ours.id}`;
    expect(await closed(campaign.slug)).toMatchObject({ state: "paused", open_wheels: [] });
  });

  it.each([
    { why: "that is switched off", change: { active: false } },
    { why: "that is over", change: { ends_at: daysFromNow(-1) } },
    {
      why: "that begins later, switched off",
      change: { active: false, starts_at: daysFromNow(1) },
    },
  ])("tells nobody of one $why before anybody played", async ({ change }) => {
    const campaign = await campaignOf(organization);
    await database.sql`update public.campaigns set ${database.sql(change)} where id = ${campaign.id}`;
    expect(await closed(campaign.slug)).toBeNull();
  });

  it.each([
    { what: "scanned", visit: (one: Campaign) => scan(database.sql, { slug: one.slug }) },
    { what: "reviewed", visit: (one: Campaign) => review(database.sql, { campaignId: one.id }) },
  ])(
    "and was $what, though nobody has played, is no draft: its customers read that it pauses",
    async ({ visit }) => {
      const campaign = await campaignOf(organization);
      await visit(campaign);
      await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
      expect(await closed(campaign.slug)).toMatchObject({ state: "paused", was_played: false });
      await database.sql`update public.campaigns set ends_at = ${daysFromNow(-1)} where id = ${campaign.id}`;
      expect(await closed(campaign.slug)).toMatchObject({ state: "ended" });
    },
  );

  it("answers nothing of one that runs, which is no paused one", async () => {
    const campaign = await playedCampaign(organization);
    expect(await closed(campaign.slug)).toBeNull();
    await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    expect(await closed(campaign.slug)).toMatchObject({ state: "paused" });
  });

  it("is announced once it has its day, played or not", async () => {
    const campaign = await campaignOf(organization, { startsAt: daysFromNow(2) });
    expect(await closed(campaign.slug)).toMatchObject({ state: "upcoming", was_played: false });
    expect(await closed("rien-de-tel")).toBeNull();
  });
});

describe("the wheel is open", () => {
  async function isOpen({ slug }: Campaign, sql: ISql = database.sql): Promise<boolean> {
    return (await page(slug, sql)).wheel_open;
  }

  it("while something can be won or lost", async () => {
    const { sql } = database;
    const campaign = await campaignOf(organization);
    const rewardId = await createReward(sql, campaign, { stock: 1 });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    expect(await isOpen(campaign)).toBe(true);

    await sql`update public.rewards set stock = 0 where id = ${rewardId}`;
    expect(await isOpen(campaign)).toBe(false);
    await sql`update public.rewards set stock = -1, active = false where id = ${rewardId}`;
    expect(await isOpen(campaign)).toBe(false);
    await sql`update public.rewards set active = true, archived_at = now() where id = ${rewardId}`;
    expect(await isOpen(campaign)).toBe(false);
    await sql`update public.rewards set archived_at = null where id = ${rewardId}`;
    expect(await isOpen(campaign)).toBe(true);
  });

  it("with a losing segment, whatever the stock; not with one of weight 0", async () => {
    const { sql } = database;
    for (const [weight, open] of [
      [1, true],
      [0, false],
    ] as const) {
      const campaign = await campaignOf(organization);
      const rewardId = await createReward(sql, campaign, { stock: 0 });
      await drawWheel(sql, campaign, [{ weight: 100 - weight, rewardId }, { weight }]);
      expect(await isOpen(campaign)).toBe(open);
    }
  });

  it("not where nothing is offered: the page shows the example, nobody draws from it", async () => {
    const campaign = await campaignOf(organization);
    const shown = await page(campaign.slug);
    expect(shown.wheel_open).toBe(false);
    expect(shown.segments.map(({ label }) => label)).toEqual([
      "Café offert",
      "Réduction 10%",
      "Dessert offert",
      "Pas de chance",
    ]);
  });

  it("until the plan's spins of the month are used up, by the days of the store", async () => {
    const basic = await createOrganization(database.sql, { plan: "basic" });
    const campaign = await campaignOf(basic);
    await drawWheel(database.sql, campaign, [{ weight: 100 }]);
    await undone(database.sql, async (sql) => {
      const storeId = await createStore(sql, { orgId: basic.id, timezone: "Pacific/Kiritimati" });
      const farAway = await createCampaign(sql, { orgId: basic.id, storeId });
      await drawWheel(sql, farAway, [{ weight: 100 }]);
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
        values
          (${basic.id}, ${campaign.id}, '2027-01-01', 0, ${basic.storeId}, 400),
          (${basic.id}, ${campaign.id}, '2027-01-31', 3, ${basic.storeId}, 599),
          (${basic.id}, ${campaign.id}, '2026-12-31', 0, ${basic.storeId}, 1000)`;
      // Still January in Paris, February fourteen hours ahead.
      await setClock(sql, "2027-01-31T12:00:00Z");
      expect(await isOpen(campaign, sql)).toBe(true);
      await sql`update public.campaign_daily_stats set spins = spins + 1 where day = '2027-01-31'`;
      expect(await isOpen(campaign, sql)).toBe(false);
      expect(await isOpen(farAway, sql)).toBe(true);
    });
  });
});

describe("a campaign without segments", () => {
  const COLORS = ["#8B5CF6", "#10B981", "#F59E0B", "#EF4444", "#06B6D4", "#EC4899"];

  async function wheelOf({ id, orgId }: Campaign) {
    const [row] = await database.sql<
      { labels: string[]; colors: string[]; weights: number[]; is_drawable: boolean[] }[]
    >`select labels, colors, weights, is_drawable from private.wheel(${orgId}, ${id}, null)`;
    return row;
  }

  it.each([1, 2, 3, 7])("offers its %i rewards in equal shares, and no luck", async (count) => {
    const campaign = await campaignOf(organization);
    const names = Array.from({ length: count }, (_, index) => `Lot ${index + 1}`);
    for (const name of names) await createReward(database.sql, campaign, { name });
    const share = Math.floor(100 / count);
    expect(await wheelOf(campaign)).toEqual({
      labels: [...names, "Pas de chance"],
      colors: [...names.map((_, index) => COLORS[index % COLORS.length]), "#6B7280"],
      weights: [...names.map(() => share), 100 - count * share],
      is_drawable: [...names.map(() => true), true],
    });
    const shown = await page(campaign.slug);
    expect(shown.wheel_open).toBe(true);
    // A segment that no spin can end on is not drawn for customers.
    const drawn = count * share < 100 ? [...names, "Pas de chance"] : names;
    expect(shown.segments.map(({ label, position }) => [position, label])).toEqual(
      drawn.map((label, position) => [position, label]),
    );
  });

  it("shows neither customers nor posters a segment of weight 0", async () => {
    const { sql } = database;
    const campaign = await campaignOf(organization);
    const coffee = await createReward(sql, campaign, { name: "Café" });
    const journey = await createReward(sql, campaign, { name: "Voyage" });
    await drawWheel(sql, campaign, [
      { weight: 0, rewardId: journey, label: "Voyage" },
      { weight: 40, rewardId: coffee, label: "Café" },
      { weight: 0, label: "Perdu" },
      { weight: 60, label: "Pas de chance" },
    ]);
    const shown = await page(campaign.slug);
    expect(shown.segments.map(({ label, position }) => [position, label])).toEqual([
      [0, "Café"],
      [1, "Pas de chance"],
    ]);
    const poster = await database.as({ userId: organization.users.owner.id }, async (as) => {
      const [row] = await as`select public.campaign_poster(${campaign.id}) -> 'segments' as drawn`;
      return row?.drawn;
    });
    expect(poster).toEqual([
      { color: "#8B5CF6", prize: "Café", picture: null },
      { color: "#6B7280", prize: null, picture: null },
    ]);
  });

  it.each([
    ["stopped", { active: false, archived: false }],
    ["archived", { active: true, archived: true }],
  ])(
    "shows neither customers nor posters a prize that was %s, nor gives it to a test",
    async (_, state) => {
      const { sql } = database;
      const campaign = await campaignOf(organization);
      const coffee = await createReward(sql, campaign, { name: "Café" });
      const cruise = await createReward(sql, campaign, { name: "Croisière" });
      const sold = await createReward(sql, campaign, { name: "Affiche", stock: 0 });
      await sql`update public.rewards set value = 900 where id = ${cruise}`;
      await drawWheel(sql, campaign, [
        { weight: 97, rewardId: cruise, label: "Croisière" },
        { weight: 1, rewardId: coffee, label: "Café" },
        { weight: 1, rewardId: sold, label: "Affiche" },
        { weight: 1, label: "Pas de chance" },
      ]);
      const poster = () =>
        database.as({ userId: organization.users.owner.id }, async (as) => {
          const [row] = await as<{ poster: CampaignPoster }[]>`
          select public.campaign_poster(${campaign.id}) as poster`;
          return row?.poster;
        });
      const shown = async () => (await page(campaign.slug)).segments.map(({ label }) => label);
      expect(await shown()).toContain("Croisière");
      expect((await poster())?.best).toContain("Croisière");

      await sql`
      update public.rewards
      set active = ${state.active}, archived_at = case when ${state.archived} then now() end
      where id = ${cruise}`;
      // An empty stock is filled again, and no part of the rules either: its prize stays.
      expect(await shown()).toEqual(["Café", "Affiche", "Pas de chance"]);
      expect((await poster())?.segments.map(({ prize }) => prize)).toEqual([
        "Café",
        "Affiche",
        null,
      ]);
      expect((await poster())?.best).toEqual(["Affiche", "Café"]);
      const [test] = await sql<{ body: string }[]>`
      select body from public.test_spin(${campaign.id}, ${randomUUID()})`;
      expect(test?.body).not.toContain("Croisière");

      // Where nothing else is left, the closed wheel is the one that the merchant drew.
      await sql`update public.rewards set active = false where id in (${coffee}, ${sold})`;
      await sql.begin(async (redrawing) => {
        await redrawing`delete from public.wheel_segments where campaign_id = ${campaign.id} and reward_id is null`;
        await redrawing`update public.wheel_segments set weight = 98 where reward_id = ${cruise}`;
      });
      expect(await shown()).toEqual(["Croisière", "Café", "Affiche"]);
    },
  );

  it("names a poster's three best prizes: the dearest, then the rarest, and no example's", async () => {
    const { sql } = database;
    const campaign = await campaignOf(organization);
    const best = () =>
      database.as({ userId: organization.users.owner.id }, async (as) => {
        const [row] = await as`select public.campaign_poster(${campaign.id}) -> 'best' as best`;
        return row?.best;
      });
    expect(await best()).toEqual([]);
    const segments: Parameters<typeof drawWheel>[2][number][] = [{ weight: 30 }];
    for (const [name, value, weight] of [
      ["Expresso", null, 30],
      ["Dîner", 40, 20],
      ["Thé", null, 10],
      ["Dessert", 6.5, 10],
      ["Voyage", 900, 0],
    ] as const) {
      const rewardId = await createReward(sql, campaign, { name });
      await sql`update public.rewards set value = ${value} where id = ${rewardId}`;
      segments.push({ weight, rewardId, label: name });
    }
    await drawWheel(sql, campaign, segments);
    expect(await best()).toEqual(["Dîner", "Dessert", "Thé"]);
  });

  it("keeps the share of a reward that cannot be won now, and forgets an archived one", async () => {
    const { sql } = database;
    const campaign = await campaignOf(organization);
    await createReward(sql, campaign, { name: "Épuisé", stock: 0 });
    await createReward(sql, campaign, { name: "Arrêté", active: false });
    const archived = await createReward(sql, campaign, { name: "Archivé" });
    await sql`update public.rewards set archived_at = now() where id = ${archived}`;
    await createReward(sql, campaign, { name: "Café" });
    expect(await wheelOf(campaign)).toMatchObject({
      labels: ["Épuisé", "Arrêté", "Café", "Pas de chance"],
      weights: [33, 33, 33, 1],
      is_drawable: [false, false, true, true],
    });
  });
});
