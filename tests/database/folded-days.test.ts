import { expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { redeem, review, scan, spin } from "../harness/journey.ts";
import { FIGURES } from "./support/figures.ts";

/** A day that is over becomes one row, and part of sums: no screen sees a difference. */

const database = setUpTestDatabase();

async function ask(user: User, name: string, id: string): Promise<unknown> {
  return database.as({ userId: user.id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(`select public.${name}($1) as answer`, [
      id,
    ]);
    return row?.answer;
  });
}

/** An organisation with a past: visits of 3 ages in two campaigns, each on several shards. */
async function open(timezone: string) {
  const { sql } = database;
  const ours = await createOrganization(sql, { store: { timezone } });
  const campaigns = [];
  for (const storeId of [ours.storeId, await createStore(sql, { orgId: ours.id, timezone })]) {
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId, playIntervalDays: 0 });
    const rewardId = await createReward(sql, campaign, { name: "Café offert" });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    campaigns.push(campaign);
    for (const { age, rating } of [
      { age: 0, rating: 5 },
      { age: 1, rating: 2 },
      { age: 33, rating: 4 },
    ]) {
      await scan(sql, { slug: campaign.slug });
      const { review_id: reviewId } = await review(sql, { campaignId: campaign.id, rating });
      await spin(sql, { campaignId: campaign.id, reviewId });
      const [won] = await sql<{ code: string }[]>`
        select code from public.redemptions where campaign_id = ${campaign.id} order by id desc limit 1`;
      const userId = ours.users.cashier.id;
      await redeem(sql, { userId, code: won?.code ?? "", storeId });
      // Today's rows become those of a day before, and lie on shards that nobody has counted into.
      await sql`
        insert into public.campaign_daily_stats
          (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, two_star_reviews, four_star_reviews,
           five_star_reviews, spins, wins, redemptions)
        select org_id, campaign_id, day - ${age}::int, (shard + ${age} + 1) % 16, store_id, scans, reviews,
          rating_sum, two_star_reviews, four_star_reviews, five_star_reviews, spins, wins, redemptions
        from public.campaign_daily_stats
        where campaign_id = ${campaign.id} and day = private.now_in(${timezone})::date
        on conflict do nothing`;
    }
  }
  return { ours, campaigns };
}

/** Runs within one day of a time zone: anew when midnight comes in between. */
async function withinADay(timezone: string, run: () => Promise<void>): Promise<void> {
  const today = async () => {
    const [row] = await database.sql<{ day: string }[]>`
      select private.now_in(${timezone})::date::text as day`;
    return row?.day;
  };
  for (;;) {
    const day = await today();
    try {
      return await run();
    } catch (error) {
      if ((await today()) === day) throw error;
    }
  }
}

/** Every screen that shows figures of campaigns. */
async function screens({ id, storeId, users }: Organization, campaignId: string) {
  return {
    dashboard: await ask(users.owner, "dashboard", id),
    campaigns: await ask(users.owner, "campaign_list", id),
    campaign: await ask(users.owner, "campaign_stats", campaignId),
    stores: await ask(users.owner, "store_list", id),
    store: await ask(users.owner, "store_stats", storeId),
    customers: await ask(users.owner, "customer_list", id),
    goes: await ask(users.owner, "deletion_summary", id),
  };
}

const rowsOf = (orgId: string) =>
  database.sql<{ age: number; shard: number }[]>`
    select distinct private.now_in(s.timezone)::date - d.day as age, d.shard
    from public.campaign_daily_stats d join public.stores s on s.id = d.store_id
    where d.org_id = ${orgId} order by 1, 2`;

it.each(["Europe/Paris", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "days that are over in %s become one row each, today stays open, and every screen says the same",
  (timezone) =>
    withinADay(timezone, async () => {
      const { sql } = database;
      const { ours, campaigns } = await open(timezone);
      const [campaign] = campaigns;
      if (campaign === undefined) throw new Error("No campaign.");
      const before = await screens(ours, campaign.id);
      expect(before.dashboard).toMatchObject({ totals: { scans: expect.any(Number) } });
      const unfolded = await rowsOf(ours.id);
      expect(new Set(unfolded.map(({ age }) => age))).toEqual(new Set([0, 1, 33]));

      await sql`select private.fold_days(100)`;
      const folded = await rowsOf(ours.id);
      expect(folded.filter(({ age }) => age > 0)).toEqual([
        { age: 1, shard: 16 },
        { age: 33, shard: 16 },
      ]);
      expect(folded.filter(({ age }) => age === 0).every(({ shard }) => shard < 16)).toBe(true);
      expect(await screens(ours, campaign.id)).toEqual(before);

      // A code is given back after midnight: late, on the day of its use, seen at once and then folded.
      await sql`
      select private.count_event(${ours.id}, ${campaign.id}, ${campaign.storeId},
        private.now_in(${timezone})::date - 1, p_redemptions => -1)`;
      const late = await screens(ours, campaign.id);
      expect(late).not.toEqual(before);
      await sql`select private.fold_days(100)`;
      expect(await screens(ours, campaign.id)).toEqual(late);
      expect((await rowsOf(ours.id)).filter(({ age }) => age === 1)).toEqual([
        { age: 1, shard: 16 },
      ]);
    }),
);

it("what is counted late is added to every sum of its day", async () => {
  const { sql } = database;
  const { id, storeId } = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: id, storeId });
  for (let round = 0; round < 2; round += 1) {
    for (const stars of [1, 2, 3, 4, 5]) {
      await sql`
        select private.count_event(${id}, ${campaign.id}, ${storeId}, '2020-02-29', p_scans => 4, p_reviews => 1,
          p_rating_sum => ${stars}, p_five_star_reviews => ${Number(stars === 5)}, p_public_clicks => 5,
          p_spins => 6, p_wins => 7, p_redemptions => 8, p_is_free => ${stars > 2}, p_points_wins => 3)`;
    }
    await sql`select private.fold_days(100)`;
  }
  const expected = {
    ...{ scans: 40, reviews: 10, rating_sum: 30 },
    ...{ one_star_reviews: 2, two_star_reviews: 2, three_star_reviews: 2, four_star_reviews: 2 },
    ...{ five_star_reviews: 2, public_clicks: 50, spins: 60, wins: 70, redemptions: 80 },
    ...{ free_spins: 36, free_wins: 42, free_redemptions: 48, points_wins: 30 },
  };
  for (const table of [
    "public.campaign_daily_stats",
    "private.folded_campaigns",
    "private.folded_days",
  ]) {
    const rows = await sql`select ${sql([...FIGURES])} from ${sql(table)} where org_id = ${id}`;
    expect([...rows], table).toEqual([expected]);
  }
  const { scans, reviews, spins, redemptions } = expected;
  const days = await sql`
    select scans, reviews, spins, redemptions from private.folded_store_days where store_id = ${storeId}`;
  expect([...days]).toEqual([{ scans, reviews, spins, redemptions }]);
  const months = await sql`
    select reviews, redemptions from private.folded_store_months where store_id = ${storeId}`;
  expect([...months]).toEqual([{ reviews, redemptions }]);
});

/** Days around the ends of months, each with an amount that no sum of others makes. */
const MONTH_ENDS = ["2020-01-30", "2020-01-31", "2020-02-01", "2020-02-29", "2020-03-01"].concat([
  "2020-03-31",
  "2020-04-01",
  "2021-01-01",
]);
const amountOf = (index: number) => 2 ** index;

/** Periods from each of these days up to each later one, or to no end, and what they hold. */
const periods = MONTH_ENDS.flatMap((from, index) =>
  [...MONTH_ENDS.slice(index), "2021-02-01", "infinity"].map((until) => ({
    from,
    until,
    expected: MONTH_ENDS.reduce(
      (sum, day, at) =>
        day >= from && (until === "infinity" || day < until) ? sum + amountOf(at) : sum,
      0,
    ),
  })),
);

it("whole months and the days beside them have each day of a store once", async () => {
  const { sql } = database;
  const { id, storeId } = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: id, storeId });
  // Counted in two turns: the second finds its months.
  for (const turn of [0, 1]) {
    for (const [index, day] of MONTH_ENDS.entries()) {
      if (index % 2 !== turn) continue;
      await sql`
        select private.count_event(${id}, ${campaign.id}, ${storeId}, ${day},
          p_reviews => 1, p_redemptions => ${amountOf(index)})`;
    }
    await sql`select private.fold_days(100)`;
  }
  for (const { from, until, expected } of periods) {
    const [row] = await sql<{ redemptions: number }[]>`
      select coalesce(sum(f.redemptions), 0)::int as redemptions
      from private.folded_store_sums(${id}, ${storeId}, ${from}, ${until}::text::date) f`;
    expect(row?.redemptions, `${from} ${until}`).toBe(expected);
  }
});

it("whole months and the days beside them have each use of a reward once", async () => {
  const { sql } = database;
  const { id, storeId } = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: id, storeId });
  const rewardId = await createReward(sql, campaign, { name: "Café offert" });
  for (const turn of [0, 1]) {
    for (const [index, day] of MONTH_ENDS.entries()) {
      if (index % 2 !== turn) continue;
      await sql`
        insert into private.recent_figures (org_id, reward_id, day, redemptions)
        values (${id}, ${rewardId}, ${day}, ${amountOf(index)})`;
    }
    // Unfolded events are part of it.
    if (turn === 0) await sql`select private.fold_figures(100)`;
  }
  const check = async () => {
    for (const { from, until, expected } of periods) {
      const [row] = await sql<{ uses: number | null }[]>`
        select (private.period_costs(${id}, ${from}, ${until}::text::date) #>> '{items,0,uses}')::int as uses`;
      expect(row?.uses ?? 0, `${from} ${until}`).toBe(expected);
    }
  };
  await check();
  await sql`select private.fold_figures(100)`;
  await check();
});

it("what was folded goes with its organisation, and no row of another one", async () => {
  const { sql } = database;
  const [ours, theirs] = [await open("Europe/Paris"), await open("Europe/Paris")];
  await sql`select private.fold_days(100)`;
  const left = async ({ ours: { id } }: typeof ours) => {
    const [row] = await sql<{ campaigns: number; days: number; stores: number }[]>`
      select (select count(*)::int from private.folded_campaigns where org_id = ${id}) as campaigns,
        (select count(*)::int from private.folded_days where org_id = ${id}) as days,
        (select count(distinct store_id)::int from private.folded_store_months where org_id = ${id}) as stores`;
    return row;
  };
  expect(await left(ours)).toEqual({ campaigns: 2, days: 2, stores: 2 });
  await sql`select private.erase_rows(${ours.ours.id}, 100000)`;
  expect(await left(ours)).toEqual({ campaigns: 0, days: 0, stores: 0 });
  expect(await left(theirs)).toEqual({ campaigns: 2, days: 2, stores: 2 });
});
