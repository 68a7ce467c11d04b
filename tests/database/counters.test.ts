import fc from "fast-check";
import { expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { publicClick, redeem, review, scan, spin } from "../harness/journey.ts";
import { FIGURES, keptDays, keptTotals, rebuiltDays, rebuiltTotals } from "./support/figures.ts";

/** The figures of a day are kept by the transactions that write the events: after any history they agree. */

const database = setUpTestDatabase();

/** Stores whose days begin up to 25 hours apart. */
const TIMEZONES = ["Europe/Paris", "Pacific/Kiritimati", "Pacific/Pago_Pago"] as const;

type World = { organization: Organization; campaigns: Campaign[] };

async function createWorld(): Promise<World> {
  const { sql } = database;
  const organization = await createOrganization(sql);
  const campaigns: Campaign[] = [];
  for (const timezone of TIMEZONES) {
    const orgId = organization.id;
    const storeId = await createStore(sql, { orgId, timezone });
    const campaign = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
    const gift = await createReward(sql, campaign, { stock: 5 });
    const points = await createReward(sql, campaign, { type: "points" });
    await drawWheel(sql, campaign, [
      { weight: 40, rewardId: gift },
      { weight: 30, rewardId: points },
      { weight: 30 },
    ]);
    campaigns.push(campaign);
  }
  return { organization, campaigns };
}

const index = fc.nat(TIMEZONES.length - 1);
const who = fc.nat(3);

/** One thing that somebody does; numbers choose among what there is at that moment. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("scan" as const), campaign: index, visitor: who }),
  fc.record({
    kind: fc.constant("review" as const),
    campaign: index,
    customer: who,
    rating: fc.integer({ min: 1, max: 5 }),
    isRepeated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("click" as const), review: fc.nat() }),
  fc.record({ kind: fc.constant("spin for review" as const), review: fc.nat() }),
  fc.record({ kind: fc.constant("spin" as const), campaign: index, customer: who }),
  fc.record({ kind: fc.constant("redeem" as const), code: fc.nat() }),
  fc.record({ kind: fc.constant("move" as const), campaign: index, to: index }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const history = fc.array(step, { minLength: 20, maxLength: 50 });

async function play({ organization, campaigns }: World, steps: Step[]): Promise<void> {
  const { sql } = database;
  const reviews: { reviewId: string; campaignId: string }[] = [];
  const emailOf = (customer: number) => `client${customer}@exemple.fr`;
  const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];
  for (const event of steps) {
    switch (event.kind) {
      case "scan": {
        const { slug } = pick(campaigns, event.campaign) ?? { slug: "" };
        await scan(sql, { slug, visitor: `visitor-${event.visitor}` });
        break;
      }
      case "review": {
        const { id: campaignId } = pick(campaigns, event.campaign) ?? { id: "" };
        const visitId = crypto.randomUUID();
        const visit = { campaignId, visitId, email: emailOf(event.customer), rating: event.rating };
        const { review_id: reviewId } = await review(sql, visit);
        if (event.isRepeated) await review(sql, visit);
        reviews.push({ reviewId, campaignId });
        break;
      }
      case "click": {
        const visit = pick(reviews, event.review);
        if (visit !== undefined) await publicClick(sql, visit);
        break;
      }
      case "spin for review": {
        const visit = pick(reviews, event.review);
        if (visit !== undefined) await spin(sql, visit);
        break;
      }
      case "spin": {
        const { id: campaignId } = pick(campaigns, event.campaign) ?? { id: "" };
        await spin(sql, { campaignId, email: emailOf(event.customer) });
        break;
      }
      case "redeem": {
        const codes = await sql<{ code: string; store_id: string }[]>`
          select code, store_id from public.redemptions
          where org_id = ${organization.id} order by created_at, id`;
        const won = pick(codes, event.code);
        if (won === undefined) break;
        const userId = organization.users.cashier.id;
        await redeem(sql, { userId, code: won.code, storeId: won.store_id });
        break;
      }
      case "move": {
        // A campaign that moves to another store takes its future with it, and leaves its past.
        const campaign = pick(campaigns, event.campaign);
        const destination = pick(campaigns, event.to);
        if (campaign === undefined || destination === undefined) break;
        await sql`
          update public.campaigns set store_id = ${destination.storeId} where id = ${campaign.id}`;
        break;
      }
    }
  }
}

it("folding loses and doubles nothing, whenever it comes", async () => {
  const { sql } = database;
  const worlds = await Promise.all([createWorld(), createWorld()]);
  let isPlaying = true;
  const folding = (async () => {
    while (isPlaying) await sql`select private.fold_figures(1)`;
  })();
  await Promise.all(
    worlds.map((world, seed) => {
      const [steps = []] = fc.sample(history, { seed: 20261121 + seed, numRuns: 1 });
      return play(world, [...steps, ...steps]);
    }),
  );
  isPlaying = false;
  await folding;
  for (const { organization } of worlds) {
    const events = await rebuiltTotals(sql, organization.id);
    expect(events.rewards.length).toBeGreaterThan(0);
    expect(await keptTotals(sql, organization.id)).toEqual(events);
    // Nothing is recent any more: what was folded says the same.
    await sql`select private.fold_figures(1000)`;
    expect(await sql`select from private.recent_figures`).toHaveLength(0);
    expect(await keptTotals(sql, organization.id)).toEqual(events);
  }
});

/** Whole lives of campaigns at stores, or of the organisation, by way of what was folded and what was not. */
async function lives(from: string, columns: string) {
  const sums = FIGURES.map((name) => `coalesce(sum(${name}), 0)::integer as ${name}`).join(", ");
  const rows = await database.sql.unsafe(
    `select ${columns} ${sums} from ${from} ${columns && "group by 1, 2 order by 1, 2"}`,
  );
  return [...rows];
}

it("settling days loses and doubles nothing, whenever it comes", async () => {
  const { sql } = database;
  const worlds = await Promise.all([createWorld(), createWorld()]);
  let isPlaying = true;
  const settling = (async () => {
    for (let age = 1; isPlaying; age += 1) {
      // Today's days grow old while somebody counts into them, each time by another age: no two meet.
      await sql`update public.campaign_daily_stats set day = day - ${age * 40}::int where shard < 16`;
      await sql`select private.fold_days(1), private.fold_days(100)`;
    }
  })();
  await Promise.all(
    worlds.map((world, seed) => {
      const [steps = []] = fc.sample(history, { seed: 20261122 + seed, numRuns: 1 });
      return play(world, [...steps, ...steps]);
    }),
  );
  isPlaying = false;
  await settling;
  for (const { organization } of worlds) {
    const total = new Map<string, Record<string, string | number>>();
    for (const { day: _day, campaign_id, store_id, ...figures } of await rebuiltDays(
      sql,
      organization.id,
    )) {
      const key = `${campaign_id} ${store_id}`;
      const sum: Record<string, string | number> = total.get(key) ?? { campaign_id, store_id };
      for (const name of FIGURES) sum[name] = Number(sum[name] ?? 0) + figures[name];
      total.set(key, sum);
    }
    const campaigns = [...total].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
    expect(campaigns.length).toBeGreaterThan(0);
    const all = Object.fromEntries(
      FIGURES.map((name) => [name, campaigns.reduce((sum, row) => sum + Number(row[name]), 0)]),
    );
    const figures = `private.campaign_figures_now('${organization.id}')`;
    const days = `private.day_figures_now('${organization.id}', '-infinity', 'infinity')`;
    for (let round = 0; round < 2; round += 1) {
      expect(await lives(figures, "campaign_id, store_id,")).toEqual(campaigns);
      expect(await lives(days, "")).toEqual([all]);
      expect(
        await lives(`public.campaign_daily_stats where org_id = '${organization.id}'`, ""),
      ).toEqual([all]);
      // Nothing is open any more: what was folded says the same.
      await sql`update public.campaign_daily_stats set day = day - 3 where shard < 16`;
      await sql`select private.fold_days(100)`;
      expect(
        await sql`select from public.campaign_daily_stats where shard < 16 and org_id = ${organization.id}`,
      ).toHaveLength(0);
    }
  }
});

it("rebuilt from the events, the figures are those that the transactions kept", async () => {
  const { sql } = database;
  const totals = Object.fromEntries(FIGURES.map((name) => [name, 0]));
  const days = new Set<string>();
  await fc.assert(
    // Three histories at once, each on a connection of its own.
    fc.asyncProperty(fc.tuple(history, history, history), async (histories) => {
      const world = await createWorld();
      await Promise.all(histories.map((steps) => play(world, steps)));
      const rows = await keptDays(sql, world.organization.id);
      expect([...rows]).toEqual([...(await rebuiltDays(sql, world.organization.id))]);
      for (const row of rows) {
        days.add(row.day);
        for (const name of FIGURES) totals[name] = (totals[name] ?? 0) + row[name];
      }
    }),
    { numRuns: 12 },
  );
  // Or the comparison would be one of nothing with nothing.
  for (const name of FIGURES) expect(totals[name], name).toBeGreaterThan(0);
  expect(days.size).toBeGreaterThan(1);
});

it("counts towards the plan what was spun in the month", async () => {
  const { sql } = database;
  const world = await createWorld();
  const [campaign] = world.campaigns;
  if (campaign === undefined) throw new Error("No campaign.");
  for (let turn = 0; turn < 7; turn++) await spin(sql, { campaignId: campaign.id });
  const [row] = await sql<{ used: number }[]>`
    select private.monthly_spins_used(${campaign.orgId}, (now() at time zone 'Europe/Paris')::date) as used`;
  expect(row?.used).toBe(7);

  // The month's days alone, folded or not.
  const used = async () => {
    const rows = await sql<{ used: number }[]>`
      select private.monthly_spins_used(${campaign.orgId}, '2020-02-10') as used`;
    return rows[0]?.used;
  };
  const count = (day: string, spins: number) => sql`
    select private.count_event(${campaign.orgId}, ${campaign.id}, ${campaign.storeId}, ${day}, p_spins => ${spins})`;
  await count("2020-01-31", 1000);
  await count("2020-02-01", 100);
  await count("2020-02-29", 10);
  await count("2020-03-01", 2000);
  expect(await used()).toBe(110);
  await sql`select private.fold_days(1000)`;
  await count("2020-02-29", 1);
  expect(await used()).toBe(111);
});
