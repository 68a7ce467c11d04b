import type { ISql } from "postgres";
import { describe, expect, it } from "vitest";
import { PERIOD_MAX_DAYS } from "#domain/rules/constants.ts";
import { dashboard, periodCosts, periodFigures } from "#domain/schemas/back-office.ts";
import { campaignStats } from "#domain/schemas/campaign-stats.ts";
import { rewardStats } from "#domain/schemas/rewards.ts";
import { storeStats } from "#domain/schemas/stores.ts";
import { secondsFromNow } from "../../harness/clock.ts";
import { type Caller, setUpTestDatabase } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
  type User,
} from "../../harness/fixtures.ts";
import { redeem, review, scan, spin } from "../../harness/journey.ts";
import { avoidWholeScans, readsDuring } from "../../harness/table-reads.ts";
import { whole } from "../support/whole.ts";

/** The figures of a campaign, what the plan leaves out of them, and what a visit is worth. */

/**
 * Invalid periods: backwards, longer than PERIOD_MAX_DAYS, outside of the years that count, without a day.
 */
const NO_PERIODS = [
  ["2026-03-09", "2026-03-08"],
  ["2025-03-08", "2026-03-09"],
  ["2000-01-01", "2000-01-02"],
  ["2199-12-31", "2200-01-01"],
  ["infinity", "infinity"],
  [null, "2026-03-08"],
  ["2026-03-08", null],
] as const;

const database = setUpTestDatabase();

async function ask(user: User, name: string, id: string): Promise<unknown> {
  return database.as({ userId: user.id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(`select public.${name}($1) as answer`, [
      id,
    ]);
    return row?.answer;
  });
}

async function statsOf(campaign: Campaign, user: User) {
  const stats = whole(campaignStats, await ask(user, "campaign_stats", campaign.id));
  if (stats === null) throw new Error("There is no such campaign.");
  return stats;
}

/** A campaign whose wheel gives a coffee, a tea or nothing, by chance unless `turnTo` says which. */
async function open({ id: orgId, storeId }: Organization) {
  const { sql } = database;
  const campaign = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
  const coffee = await createReward(sql, campaign, { name: "Café offert" });
  const tea = await createReward(sql, campaign, { name: "Thé offert" });
  await drawWheel(sql, campaign, [
    { weight: 50, rewardId: coffee },
    { weight: 30, rewardId: tea },
    { weight: 20 },
  ]);
  return { campaign, coffee, tea };
}

/** Makes a wheel stop where a reward is, or at the losing segment (null), from now on. */
async function turnTo(campaign: Campaign, reward: string | null): Promise<void> {
  await database.sql`
    update public.wheel_segments
    set weight = case when reward_id is not distinct from ${reward} then 100 else 0 end
    where campaign_id = ${campaign.id}`;
}

async function visit(campaign: Campaign, rating: number, lastName = "Petit"): Promise<void> {
  await scan(database.sql, { slug: campaign.slug });
  const { review_id: reviewId } = await review(database.sql, {
    campaignId: campaign.id,
    rating,
    lastName,
  });
  await spin(database.sql, { campaignId: campaign.id, reviewId });
}

/** Uses some of the codes of a campaign at its store. */
async function useCodes({ users }: Organization, campaign: Campaign, most: number): Promise<void> {
  const codes = await database.sql<{ code: string; store_id: string }[]>`
    select code, store_id from public.redemptions
    where campaign_id = ${campaign.id} and status = 'available' order by created_at, id limit ${most}`;
  for (const { code, store_id: storeId } of codes) {
    await redeem(database.sql, { userId: users.cashier.id, code, storeId });
  }
}

async function trial({ id }: Organization): Promise<void> {
  await database.sql`
    update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '14 days'
    where org_id = ${id}`;
}

async function refusal(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "allowed",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  );
}

describe("the statistics of a campaign", () => {
  it("rebuilt from the events are those that were kept, also once a reward has moved on", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign, coffee, tea } = await open(ours);
    for (const [reward, ratings] of [
      [coffee, [5, 5, 4, 3]],
      [tea, [1, 2, 5, 4, 5]],
      [null, [5, 1, 5]],
    ] as const) {
      await turnTo(campaign, reward);
      for (const rating of ratings) await visit(campaign, rating);
    }
    await useCodes(ours, campaign, 6);
    // One was used by mistake.
    const [undone] = await sql<{ id: string }[]>`
      select id from public.redemptions where campaign_id = ${campaign.id} and status = 'used'
      order by created_at desc, id limit 1`;
    await database.as({ userId: ours.users.cashier.id }, (as) =>
      as`select public.restore_code(${undone?.id ?? ""})`.then(() => null),
    );
    // The coffee's figures from now on are another campaign's.
    const next = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      playIntervalDays: 0,
    });
    await sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
    await sql`update public.rewards set value = 1.5, campaign_id = ${next.id} where id = ${coffee}`;
    await drawWheel(sql, next, [{ weight: 100, rewardId: coffee }]);
    await visit(next, 5);
    await useCodes(ours, next, 1);

    const seen = await statsOf(campaign, ours.users.member);
    const [events] = await sql<{ scans: number; reviews: number; spins: number; wins: number }[]>`
      select (select count(*)::int from public.scan_events where campaign_id = ${campaign.id}) as scans,
        (select count(*)::int from public.pre_spin_reviews where campaign_id = ${campaign.id}) as reviews,
        count(*)::int as spins, count(reward_id)::int as wins
      from public.spins where campaign_id = ${campaign.id}`;
    const stars = await sql<{ n: number }[]>`
      select count(r.id)::int as n from generate_series(1, 5) star
      left join public.pre_spin_reviews r on r.rating = star and r.campaign_id = ${campaign.id}
      group by star order by star`;
    const used = await sql<{ id: string; name: string; redemptions: number }[]>`
      select w.id, w.name, count(*)::int as redemptions
      from public.redemptions d join public.rewards w on w.id = d.reward_id
      where d.campaign_id = ${campaign.id} and d.status = 'used'
      group by w.id, w.name order by 3 desc, 2`;
    const uses = used.reduce((sum, { redemptions }) => sum + redemptions, 0);
    expect(uses).toBe(5);
    expect(used.map(({ name, redemptions }) => `${name} ${redemptions}`)).toEqual([
      "Café offert 4",
      "Thé offert 1",
    ]);
    expect(seen.totals).toEqual({
      ...events,
      rating_sum: 45,
      stars: stars.map(({ n }) => n),
      points_wins: 0,
      redemptions: uses,
    });
    expect(seen.top_rewards).toEqual([...used]);
    const usesOf = (id: string) => used.find((reward) => reward.id === id)?.redemptions ?? 0;
    expect(seen.advanced?.return).toEqual({
      cost: 1.5 * usesOf(coffee),
      unpriced: usesOf(tea),
      visits: uses,
      store_id: ours.storeId,
      average_basket: null,
      return_share: 100,
    });
    const free = { spins: 0, wins: 0, redemptions: 0 };
    expect(seen.advanced?.funnel).toEqual({ ...events, redemptions: uses, free });
    expect((await statsOf(next, ours.users.member)).top_rewards).toEqual([
      { id: coffee, name: "Café offert", redemptions: 1 },
    ]);
  });

  it("are none before anything has happened", async () => {
    const ours = await createOrganization(database.sql);
    const { campaign } = await open(ours);
    const { totals, advanced } = await statsOf(campaign, ours.users.member);
    const none = { spins: 0, wins: 0, redemptions: 0 };
    expect(totals).toEqual({
      ...none,
      points_wins: 0,
      scans: 0,
      reviews: 0,
      rating_sum: 0,
      stars: [0, 0, 0, 0, 0],
    });
    const funnel = { ...none, scans: 0, reviews: 0, free: none };
    expect(advanced?.funnel).toEqual(funnel);
    const board = whole(dashboard, await ask(ours.users.owner, "dashboard", ours.id));
    expect(board.advanced).toMatchObject({ funnel, return: { visits: 0, revenue: 0, cost: 0 } });
  });

  it("hold each of the last 30 days of the store's time zone", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql, { store: { timezone: "Pacific/Kiritimati" } });
    const { campaign } = await open(ours);
    for (const [days, scans] of [
      [0, 7],
      [29, 5],
      [30, 100],
      [-1, 1000],
    ]) {
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans)
        values (${ours.id}, ${campaign.id}, ${ours.storeId},
          private.now_in('Pacific/Kiritimati')::date - ${days ?? 0}::int, 3, ${scans ?? 0})`;
    }
    const { advanced } = await statsOf(campaign, ours.users.owner);
    const days = advanced?.days ?? [];
    expect(days).toHaveLength(30);
    expect([days[0]?.scans, days[1]?.scans, days[29]?.scans]).toEqual([5, 0, 7]);
  });

  it("show the 10 newest reviews by name, else by address, and the 5 rewards that were used most", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign } = await open(ours);
    for (let n = 1; n <= 12; n += 1) {
      await review(sql, { campaignId: campaign.id, rating: 4, lastName: `N${n}` });
      await sql`
        update public.pre_spin_reviews set created_at = now() - ${n} * interval '1 minute'
        where campaign_id = ${campaign.id} and customer_name = ${`Ana N${n}`}`;
    }
    await sql`
      update public.pre_spin_reviews set customer_name = ' ', customer_email = 'ana@exemple.fr'
      where campaign_id = ${campaign.id} and customer_name = 'Ana N1'`;
    await sql`
      update public.pre_spin_reviews set customer_name = null, customer_email = null, customer_id = null
      where campaign_id = ${campaign.id} and customer_name = 'Ana N2'`;
    for (let n = 1; n <= 6; n += 1) {
      const id = await createReward(sql, campaign, { name: `Lot ${n}` });
      await sql`
        insert into public.campaign_reward_totals (org_id, campaign_id, reward_id, shard, redemptions)
        values (${ours.id}, ${campaign.id}, ${id}, 0, ${n}), (${ours.id}, ${campaign.id}, ${id}, 9, ${n})`;
    }
    const { reviews, top_rewards } = await statsOf(campaign, ours.users.member);
    expect(reviews.map(({ name }) => name)).toEqual([
      "ana@exemple.fr",
      null,
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `Ana N${n}`),
    ]);
    expect(reviews[1]?.customer_id).toBeNull();
    expect(top_rewards.map(({ name, redemptions }) => `${name} ${redemptions}`)).toEqual([
      "Lot 6 12",
      "Lot 5 10",
      "Lot 4 8",
      "Lot 3 6",
      "Lot 2 4",
    ]);
  });

  it("say of a campaign when it was archived: on its own page, and among those of its store", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign } = await open(ours);
    await scan(sql, { slug: campaign.slug });
    const { owner } = ours.users;
    const archivedAt = async () => {
      const store = whole(storeStats, await ask(owner, "store_stats", ours.storeId));
      const page = (await statsOf(campaign, owner)).campaign;
      return [page.archived_at, store?.campaigns.find(({ id }) => id === campaign.id)?.archived_at];
    };
    expect(await archivedAt()).toEqual([null, null]);
    await sql`
      update public.campaigns set active = false, archived_at = '2026-03-08T10:00:00Z' where id = ${campaign.id}`;
    const moment = "2026-03-08T10:00:00+00:00";
    expect(await archivedAt()).toEqual([moment, moment]);
  });

  it("are for those who may read them, there: to others there is no such campaign", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const { campaign } = await open(ours);
    for (const user of [ours.users.member, ours.users.admin, ours.users.owner]) {
      expect((await statsOf(campaign, user)).campaign.id).toBe(campaign.id);
    }
    for (const user of [ours.users.cashier, theirs.users.owner]) {
      expect(await ask(user, "campaign_stats", campaign.id)).toBeNull();
    }
  });

  it("and the dashboard read events by index, however many there are", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const theirs = await createOrganization(sql);
    const { campaign, coffee } = await open(ours);
    const other = await open(theirs);
    // Autovacuum between filling and folding leaves so small a table that reading it whole is right.
    await sql`alter table public.campaign_daily_stats set (autovacuum_enabled = false)`;
    await sql.begin(async (transaction) => {
      // Rows as the triggers would leave them; counting them one by one is not asked here.
      await transaction`set local session_replication_role = replica`;
      for (const { id, orgId, storeId } of [campaign, other.campaign]) {
        await transaction`
          insert into public.pre_spin_reviews
            (org_id, campaign_id, store_id, visit_id, customer_name, rating, created_at)
          select ${orgId}, ${id}, ${storeId}, gen_random_uuid(), 'Client ' || n, n % 5 + 1,
            now() - n * interval '1 minute'
          from generate_series(1, 20000) n`;
        await transaction`
          insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans)
          select ${orgId}, ${id}, ${storeId}, current_date - n, s, 1
          from generate_series(0, 700) n, generate_series(0, 15) s`;
      }
      await transaction`
        insert into public.campaign_reward_totals (org_id, campaign_id, reward_id, shard, redemptions)
        select ${ours.id}, gen_random_uuid(), ${coffee}, s, 1
        from generate_series(1, 500) n, generate_series(0, 15) s`;
    });
    await sql`select private.fold_days(10000)`;
    await sql`vacuum analyze public.pre_spin_reviews, public.campaign_daily_stats, private.folded_days, public.campaign_reward_totals`;
    const large = [
      "pre_spin_reviews",
      "campaign_daily_stats",
      "folded_days",
      "campaign_reward_totals",
    ];
    const small = ["redemptions", "spins", "scan_events", "reward_daily_stats"];
    const wholeScansOf = (tables: string[], prepare: (as: ISql) => Promise<unknown>) =>
      database.as({ userId: ours.users.owner.id }, async (as) => {
        await prepare(as);
        const reads = await readsDuring(
          as,
          tables,
          () => as`select public.campaign_stats(${campaign.id}), public.dashboard(${ours.id}),
            public.period_figures(${ours.id}, current_date - 89, current_date), public.store_stats(${ours.storeId})`,
        );
        return reads.filter(({ wholeScans }) => wholeScans > 0);
      });
    // As PostgreSQL plans where it may choose, for large tables; small ones are rightly read whole once they were counted.
    expect(await wholeScansOf(large, (as) => as`discard plans`)).toEqual([]);
    expect(await wholeScansOf([...large, ...small], avoidWholeScans)).toEqual([]);
  });
});

describe("the figures of a period", () => {
  const askPeriod = (user: User, orgId: string, from: string | null, to: string | null) =>
    database.as({ userId: user.id }, async (sql) => {
      const [row] = await sql<{ answer: unknown }[]>`
        select public.period_figures(${orgId}, ${from}::text::date, ${to}::text::date) as answer`;
      return whole(periodFigures, row?.answer);
    });

  /** Two stores, of which one has an average basket, with a count of everything on some days. */
  async function plant() {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign, coffee, tea } = await open(ours);
    const second = await createStore(sql, { orgId: ours.id, name: "Annexe" });
    const third = await createStore(sql, { orgId: ours.id, name: "Bistrot" });
    await sql`update public.stores set average_basket = 12.5 where id = ${ours.storeId}`;
    await sql`update public.stores set average_basket = 10 where id = ${third}`;
    await sql`update public.rewards set value = 2 where id = ${coffee}`;
    await sql`update public.rewards set value = null where id = ${tea}`;
    await sql`update public.subscriptions set billing = 'yearly' where org_id = ${ours.id}`;
    await sql`
      insert into public.campaign_daily_stats
        (org_id, campaign_id, store_id, day, shard, scans, reviews, spins, wins, redemptions)
      select ${ours.id}, ${campaign.id}, x.store::uuid, x.day::date, x.shard, x.count, x.count, x.count, x.count, x.count
      from (values
        (${ours.storeId}, '2026-03-01', 0, 1), (${ours.storeId}, '2026-03-02', 3, 10),
        (${ours.storeId}, '2026-03-08', 15, 100), (${second}, '2026-03-08', 2, 7), (${third}, '2026-03-08', 2, 20),
        (${ours.storeId}, '2026-03-09', 1, 1000)
      ) x (store, day, shard, count)`;
    await sql`
      insert into private.recent_figures (org_id, reward_id, day, redemptions)
      values (${ours.id}, ${coffee}, '2026-03-01', 50), (${ours.id}, ${coffee}, '2026-03-08', 40),
        (${ours.id}, ${tea}, '2026-03-02', 3), (${ours.id}, ${coffee}, '2026-03-09', 60)`;
    return { ours, campaign, second, third, coffee, tea };
  }

  it("count its first and its last day, beside as many days before, before and after folding", async () => {
    const { ours, second, third } = await plant();
    const before = await askPeriod(ours.users.owner, ours.id, "2026-03-02", "2026-03-08");
    expect(before.totals).toMatchObject({ scans: 137, wins: 137, redemptions: 137 });
    expect(before.previous).toMatchObject({ scans: 1, redemptions: 1 });
    expect(before.days.map(({ day, scans }) => [day.slice(5), scans])).toEqual([
      ["03-02", 10],
      ["03-03", 0],
      ["03-04", 0],
      ["03-05", 0],
      ["03-06", 0],
      ["03-07", 0],
      ["03-08", 127],
    ]);
    expect(before.funnel).toMatchObject({ scans: 137, redemptions: 137 });
    expect(before.return).toEqual({
      visits: 137,
      revenue: 110 * 12.5 + 20 * 10,
      unestimated: 7,
      return_share: 100,
      cost: 80,
      unpriced: 3,
      stores: 3,
      baskets: [
        { id: second, name: "Annexe", average_basket: null, visits: 7 },
        { id: ours.storeId, name: expect.anything(), average_basket: 12.5, visits: 110 },
        { id: third, name: "Bistrot", average_basket: 10, visits: 20 },
      ],
      plan: { plan: "pro", billing: "yearly" },
    });
    await database.sql`select private.fold_days(1000), private.fold_figures(1000)`;
    expect(await askPeriod(ours.users.owner, ours.id, "2026-03-02", "2026-03-08")).toEqual(before);
    const day = await askPeriod(ours.users.owner, ours.id, "2026-03-09", "2026-03-09");
    expect([day.totals.scans, day.previous.scans, day.days.length]).toEqual([1000, 127, 1]);
  });

  it("name the rewards that were used, those without a cost first, before and after folding", async () => {
    const { sql } = database;
    const { ours, campaign, coffee, tea } = await plant();
    const costs = (
      from: string | null,
      to: string | null,
      user = ours.users.owner,
      orgId = ours.id,
    ) =>
      database.as({ userId: user.id }, async (as) => {
        const [row] = await as<{ answer: unknown }[]>`
          select public.period_costs(${orgId}, ${from}::text::date, ${to}::text::date) as answer`;
        return whole(periodCosts, row?.answer);
      });
    const [wheel] = await sql<{ name: string }[]>`
      select name from public.campaigns where id = ${campaign.id}`;
    const named = {
      name: expect.any(String),
      campaign: wheel?.name,
      version: expect.any(Number),
    };
    const week = {
      rewards: 2,
      items: [
        { id: tea, uses: 3, value: null, ...named },
        { id: coffee, uses: 40, value: 2, ...named },
      ],
    };
    expect(await costs("2026-03-02", "2026-03-08")).toEqual(week);
    await sql`select private.fold_figures(1000)`;
    expect(await costs("2026-03-02", "2026-03-08")).toEqual(week);
    expect(await costs("2026-03-03", "2026-03-07")).toEqual({ rewards: 0, items: [] });
    // Up to today there is no end: a store further east is a day ahead.
    await sql`
      insert into private.recent_figures (org_id, reward_id, day, redemptions)
      values (${ours.id}, ${tea}, private.now_in('Europe/Paris')::date + 1, 1)`;
    const [today] = await sql<
      { day: string }[]
    >`select private.now_in('Europe/Paris')::date::text as day`;
    const day = today?.day ?? "";
    expect(await costs(day, day)).toMatchObject({ rewards: 1, items: [{ id: tea, uses: 1 }] });

    // Six rewards: the five that cost most.
    await sql`update public.rewards set value = 1 where id = ${tea}`;
    for (const value of [0.5, 4, 3, 5]) {
      const reward = await createReward(sql, campaign);
      await sql`update public.rewards set value = ${value} where id = ${reward}`;
      await sql`
        insert into private.recent_figures (org_id, reward_id, day, redemptions)
        values (${ours.id}, ${reward}, '2026-03-08', 10)`;
    }
    const most = await costs("2026-03-02", "2026-03-08");
    expect(most.rewards).toBe(6);
    expect(most.items.map(({ uses, value }) => uses * (value ?? 0))).toEqual([80, 50, 40, 30, 5]);

    for (const [from, to] of NO_PERIODS) {
      await expect(costs(from, to)).rejects.toMatchObject({ code: "22023" });
    }
    const stranger = await createOrganization(sql);
    await expect(costs("2026-03-02", "2026-03-08", stranger.users.owner)).rejects.toMatchObject({
      code: "42501",
    });
    await trial(ours);
    await expect(costs("2026-03-02", "2026-03-08")).rejects.toMatchObject({ code: "42501" });
  });

  it("count the share of visits that brought their customer back, which nobody overwrites unseen", async () => {
    const { sql } = database;
    const { ours } = await plant();
    const set = (before: number | null, share: number | null, user = ours.users.owner) =>
      refusal(
        database.as({ userId: user.id }, (as) =>
          as`select public.set_return_share(${ours.id}, ${before}, ${share})`.then(() => null),
        ),
      );
    const share = async () => {
      const { return: brought } = await askPeriod(
        ours.users.owner,
        ours.id,
        "2026-03-02",
        "2026-03-08",
      );
      return [brought.return_share, brought.revenue];
    };
    const all = 110 * 12.5 + 20 * 10;
    expect(await share()).toEqual([100, all]);
    expect(await set(100, 80)).toBe("allowed");
    expect(await share()).toEqual([80, all]);
    // A request whose answer was lost comes again; another one has not seen what stands there.
    expect(await set(100, 80)).toBe("allowed");
    expect(await set(100, 60)).toBe("TV071");
    for (const wrong of [-1, 101]) expect(await set(80, wrong)).toBe("23514");
    expect(await set(80, null)).toBe("23502");
    expect(await set(80, 50, ours.users.member)).toBe("42501");
    expect(await set(80, 50, (await createOrganization(sql)).users.owner)).toBe("42501");
    expect(await share()).toEqual([80, all]);
    const trail = await sql<{ fields: string[] }[]>`
      select detail -> 'fields' as fields from public.audit_events
      where org_id = ${ours.id} and action = 'organization.updated'`;
    expect([...trail]).toEqual([{ fields: ["return_share"] }]);
    const both = [10, 20].map((next) => set(80, next));
    expect((await Promise.all(both)).sort()).toEqual(["TV071", "allowed"]);
  });

  it("count wins of points apart, on the dashboard, of the period, the campaign and the store, folded or not", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const points = await createReward(sql, campaign, { type: "points" });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: points }]);
    for (let turn = 0; turn < 3; turn += 1) await spin(sql, { campaignId: campaign.id });
    const coffee = await createReward(sql, campaign);
    await sql`update public.wheel_segments set reward_id = ${coffee} where campaign_id = ${campaign.id}`;
    for (let turn = 0; turn < 2; turn += 1) await spin(sql, { campaignId: campaign.id });
    await sql`update public.wheel_segments set reward_id = null where campaign_id = ${campaign.id}`;
    await spin(sql, { campaignId: campaign.id });
    await useCodes(ours, campaign, 1);
    const seen = { wins: 5, points_wins: 3, redemptions: 1 };
    const { owner } = ours.users;
    for (let round = 0; round < 2; round += 1) {
      const shown = whole(dashboard, await ask(owner, "dashboard", ours.id));
      expect(shown.totals).toMatchObject(seen);
      expect(shown.last_30_days).toMatchObject(seen);
      expect(shown.previous_30_days.points_wins).toBe(0);
      expect((await statsOf(campaign, owner)).totals).toMatchObject(seen);
      const store = whole(storeStats, await ask(owner, "store_stats", ours.storeId));
      expect(store?.figures).toMatchObject(seen);
      // They grow old, and are folded.
      await sql`update public.campaign_daily_stats set day = day - 3 where org_id = ${ours.id}`;
      await sql`select private.fold_days(1000)`;
    }
  });

  it("name the five stores that had the most visits", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign } = await open(ours);
    for (const visits of [3, 6, 1, 5, 2, 4]) {
      const storeId = await createStore(sql, { orgId: ours.id });
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, redemptions)
        values (${ours.id}, ${campaign.id}, ${storeId}, '2026-03-08', 0, ${visits})`;
    }
    const figures = await askPeriod(ours.users.owner, ours.id, "2026-03-08", "2026-03-08");
    expect(figures.return.stores).toBe(6);
    expect(figures.return.baskets.map(({ visits }) => visits)).toEqual([6, 5, 4, 3, 2]);
  });

  it("cost what each reward is worth now, whenever its value and its uses were folded", async () => {
    const { sql } = database;
    const { ours, coffee, tea } = await plant();
    const cost = async () => {
      const { return: brought } = await askPeriod(
        ours.users.owner,
        ours.id,
        "2026-03-01",
        "2026-03-08",
      );
      return [brought.cost, brought.unpriced];
    };
    const reprice = (id: string, value: number | null) =>
      sql`update public.rewards set value = ${value} where id = ${id}`;
    const use = (id: string, uses: number) => sql`
      insert into private.recent_figures (org_id, reward_id, day, redemptions)
      values (${ours.id}, ${id}, '2026-03-08', ${uses})`;
    const fold = () => sql`select private.fold_figures(1000)`;
    expect(await cost()).toEqual([180, 3]);
    await fold();
    await reprice(coffee, 5);
    await reprice(tea, 1.5);
    expect(await cost()).toEqual([454.5, 0]);
    // Folded while the values are not: each use at the value that its reward's days are folded at.
    await use(coffee, 10);
    await use(tea, -1);
    await reprice(coffee, 3);
    expect(await cost()).toEqual([303, 0]);
    await fold();
    expect(await cost()).toEqual([303, 0]);
    expect(await sql`select from private.repriced_rewards where org_id = ${ours.id}`).toHaveLength(
      0,
    );
    await reprice(coffee, null);
    expect(await cost()).toEqual([3, 100]);
    await fold();
    expect(await cost()).toEqual([3, 100]);
  });

  it("are the dashboard's own for its 30 days", async () => {
    const ours = await createOrganization(database.sql);
    const { campaign } = await open(ours);
    for (let n = 0; n < 3; n += 1) await visit(campaign, 5);
    // Visits brought back on the last of the days before, and on the first of these.
    await database.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, redemptions)
      select ${ours.id}, ${campaign.id}, s.id, private.now_in(s.timezone)::date - x.age, 0, x.count
      from public.stores s, (values (29, 20), (30, 400)) x (age, count) where s.id = ${ours.storeId}`;
    const board = whole(dashboard, await ask(ours.users.owner, "dashboard", ours.id));
    const days = board.advanced?.days ?? [];
    const [from = "", to = ""] = [days[0]?.day, days.at(-1)?.day];
    const figures = await askPeriod(ours.users.owner, ours.id, from, to);
    expect(figures).toEqual({
      totals: board.last_30_days,
      previous: board.previous_30_days,
      ...board.advanced,
    });
    expect(figures.totals.scans).toBe(3);
    expect(figures.return.visits).toBe(20);
  });

  it("count up to today what a store further east counts today, which is a day ahead, as the dashboard does", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { owner } = ours.users;
    const { campaign, tea } = await open(ours);
    await sql`update public.rewards set value = 2 where id = ${tea}`;
    await sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans, redemptions)
      select ${ours.id}, ${campaign.id}, s.id, private.now_in(s.timezone)::date + 1, 0, 5, 3
      from public.stores s where s.id = ${ours.storeId}`;
    await sql`
      insert into private.recent_figures (org_id, reward_id, day, redemptions)
      select ${ours.id}, ${tea}, private.now_in(s.timezone)::date + 1, 3
      from public.stores s where s.id = ${ours.storeId}`;
    const board = whole(dashboard, await ask(owner, "dashboard", ours.id));
    const days = board.advanced?.days.map(({ day }) => day) ?? [];
    const [first = "", yesterday = "", today = ""] = [days[0], ...days.slice(-2)];
    expect(await askPeriod(owner, ours.id, first, today)).toEqual({
      totals: board.last_30_days,
      previous: board.previous_30_days,
      ...board.advanced,
    });
    const { totals, return: brought } = await askPeriod(owner, ours.id, today, today);
    expect([totals.scans, brought.visits, brought.cost]).toEqual([5, 3, 6]);
    const before = await askPeriod(owner, ours.id, yesterday, yesterday);
    expect([before.totals.scans, before.return.visits, before.return.cost]).toEqual([0, 0, 0]);
  });

  it("are refused of days that are no period, and to whoever may not have them", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const { owner } = ours.users;
    for (const [from, to] of NO_PERIODS) {
      await expect(askPeriod(owner, ours.id, from, to)).rejects.toMatchObject({ code: "22023" });
    }
    expect((await askPeriod(owner, ours.id, "2025-03-09", "2026-03-09")).days).toHaveLength(
      PERIOD_MAX_DAYS,
    );
    await expect(
      askPeriod(theirs.users.owner, ours.id, "2026-03-01", "2026-03-02"),
    ).rejects.toMatchObject({ code: "42501" });
    await trial(ours);
    await expect(askPeriod(owner, ours.id, "2026-03-01", "2026-03-02")).rejects.toMatchObject({
      code: "42501",
    });
  });
});

describe("what the plan does not include", () => {
  const pictures = async (ours: Organization, campaign: Campaign, rewardId: string) => {
    const user = ours.users.owner;
    const [board, stats, store, reward] = [
      whole(dashboard, await ask(user, "dashboard", ours.id)),
      await statsOf(campaign, user),
      whole(storeStats, await ask(user, "store_stats", ours.storeId)),
      whole(rewardStats, await ask(user, "reward_stats", rewardId)),
    ];
    return { board, stats, store, reward };
  };

  it("is left out of every answer: the trial has the figures, and no more", async () => {
    const ours = await createOrganization(database.sql);
    const { campaign, coffee } = await open(ours);
    await visit(campaign, 5);
    const paid = await pictures(ours, campaign, coffee);
    expect(paid.board.advanced?.days).toHaveLength(30);
    expect(paid.board.advanced?.funnel).toMatchObject({ scans: 1, reviews: 1, spins: 1 });
    expect(paid.store?.advanced?.days).toHaveLength(30);
    expect(paid.store?.advanced?.funnel).toMatchObject({ scans: 1, spins: 1 });
    expect(paid.reward?.advanced?.days).toHaveLength(90);

    await trial(ours);
    const free = await pictures(ours, campaign, coffee);
    expect(free.board).toEqual({ ...paid.board, limits: expect.anything(), advanced: null });
    expect(free.stats).toEqual({ ...paid.stats, advanced: null });
    expect(free.store).toEqual({ ...paid.store, advanced: null });
    expect(free.reward).toEqual({ reward: paid.reward?.reward, advanced: null });
    // Nothing beside what the schemas name, either.
    expect(Object.keys(Object(await ask(ours.users.owner, "reward_stats", coffee))).sort()).toEqual(
      ["advanced", "reward"],
    );
  });

  it("is not to be had from the tables", async () => {
    const ours = await createOrganization(database.sql);
    const { campaign, tea } = await open(ours);
    await turnTo(campaign, tea);
    for (let n = 0; n < 8; n += 1) await visit(campaign, 5);
    const rows = () =>
      database.as({ userId: ours.users.owner.id }, async (sql) => {
        const [row] = await sql<{ days: number; rewards: number; reviews: number }[]>`
          select (select count(*)::int from public.campaign_daily_stats) as days,
            (select count(*)::int from public.reward_daily_stats) as rewards,
            (select count(*)::int from public.pre_spin_reviews) as reviews`;
        return row;
      });
    await database.sql`select private.fold_figures(1000)`;
    const paid = await rows();
    expect(paid?.days).toBeGreaterThan(0);
    expect(paid?.rewards).toBeGreaterThan(0);
    await trial(ours);
    expect(await rows()).toEqual({ days: 0, rewards: 0, reviews: 8 });
  });

  it("is what the plan says, feature by feature, and nothing that it does not name", async () => {
    const ours = await createOrganization(database.sql);
    const features = [
      "csv_export",
      "api_access",
      "white_label",
      "multi_store",
      "advanced_analytics",
    ];
    const had = async () => {
      const rows = await database.sql<{ feature: string }[]>`
        select f as feature from unnest(${[...features, "plan", "everything"]}::text[]) f
        where private.has_feature(${ours.id}, f)`;
      return rows.map(({ feature }) => feature);
    };
    expect(await had()).toEqual(features);
    await database.sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
    expect(await had()).toEqual(["multi_store", "advanced_analytics"]);
    await trial(ours);
    expect(await had()).toEqual([]);
    await database.sql`delete from public.subscriptions where org_id = ${ours.id}`;
    expect(await had()).toEqual([]);
  });
});

describe("the average basket", () => {
  const save = (caller: Caller, storeId: string, before: number | null, basket: number | null) =>
    refusal(
      database.as(caller, (sql) =>
        sql`select public.set_average_basket(${storeId}, ${before}, ${basket})`.then(() => null),
      ),
    );
  const basketOf = async (storeId: string) => {
    const [row] = await database.sql<{ basket: number | null; version: number }[]>`
      select average_basket::float as basket, version from public.stores where id = ${storeId}`;
    return row;
  };

  it("is saved, forgotten, and overwritten by nobody who has not seen it", async () => {
    const ours = await createOrganization(database.sql);
    const member = { userId: ours.users.member.id };
    const { storeId } = ours;
    expect(await save(member, storeId, null, 24.5)).toBe("allowed");
    // The store's own forms have not become outdated by it.
    expect(await basketOf(storeId)).toEqual({ basket: 24.5, version: 1 });
    expect(await save(member, storeId, null, 30)).toBe("TV070");
    // A request whose answer was lost comes again.
    expect(await save(member, storeId, null, 24.5)).toBe("allowed");
    expect(await basketOf(storeId)).toMatchObject({ basket: 24.5 });
    expect(await save(member, storeId, 24.5, null)).toBe("allowed");
    expect(await basketOf(storeId)).toMatchObject({ basket: null });
    const both = [10, 20].map((basket) => save(member, storeId, null, basket));
    expect((await Promise.all(both)).sort()).toEqual(["TV070", "allowed"]);
  });

  it("is an amount, and set by those who may change the store", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const member = { userId: ours.users.member.id };
    for (const wrong of [0, -1, 100_000, 1.234]) {
      expect(await save(member, ours.storeId, null, wrong), String(wrong)).toBe("23514");
    }
    for (const user of [ours.users.cashier, theirs.users.owner]) {
      expect(await save({ userId: user.id }, ours.storeId, null, 12)).toBe("42501");
    }
    expect(await basketOf(ours.storeId)).toEqual({ basket: null, version: 1 });
  });
});

describe("what to do next", () => {
  const todoOf = async (ours: Organization) =>
    whole(dashboard, await ask(ours.users.member, "dashboard", ours.id)).todo;

  it("begins with the bad reviews of the last 30 days, newest first, three of them", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign } = await open(ours);
    await visit(campaign, 4);
    expect((await todoOf(ours)).unseen_reviews).toEqual({ count: 0, items: [] });
    for (const [rating, name] of [
      [3, "Un"],
      [2, "Deux"],
      [1, "Trois"],
      [3, "Quatre"],
    ] as const) {
      await visit(campaign, rating, name);
    }
    await sql`
      update public.pre_spin_reviews set review_text = ${"Trop long. ".repeat(50)}
      where org_id = ${ours.id} and customer_name = 'Ana Quatre'`;
    const { count, items } = (await todoOf(ours)).unseen_reviews;
    expect(count).toBe(4);
    expect(items.map(({ name, rating }) => [name, rating])).toEqual([
      ["Ana Quatre", 3],
      ["Ana Trois", 1],
      ["Ana Deux", 2],
    ]);
    expect(items[0]).toMatchObject({ campaign_id: campaign.id, store: expect.any(String) });
    expect(items[0]?.text).toHaveLength(400);
    expect(items[1]?.text).toBeNull();
    await sql`
      update public.pre_spin_reviews set created_at = now() - interval '29 days' where org_id = ${ours.id}`;
    expect((await todoOf(ours)).unseen_reviews.count).toBe(4);
    await sql`
      update public.pre_spin_reviews set created_at = now() - interval '31 days' where org_id = ${ours.id}`;
    expect((await todoOf(ours)).unseen_reviews).toEqual({ count: 0, items: [] });
  });

  it("takes one review off at a time, by whoever may change customers, and puts it back", async () => {
    const { sql } = database;
    const [ours, theirs] = [await createOrganization(sql), await createOrganization(sql)];
    const { campaign } = await open(ours);
    await visit(campaign, 2, "Déçu");
    await visit(campaign, 1, "Fâché");
    const idsOf = async () => (await todoOf(ours)).unseen_reviews.items.map(({ id }) => id);
    const [newest = "", oldest = ""] = await idsOf();
    const seen = (who: User, id: string, isSeen: boolean | null) =>
      database.as({ userId: who.id }, (as) => as`select public.mark_review_seen(${id}, ${isSeen})`);
    for (const who of [ours.users.cashier, theirs.users.owner]) {
      await expect(seen(who, newest, true)).rejects.toMatchObject({ code: "42501" });
    }
    await expect(seen(ours.users.owner, newest, null)).rejects.toMatchObject({ code: "42501" });
    expect(await idsOf()).toEqual([newest, oldest]);

    await seen(ours.users.member, newest, true);
    expect(await idsOf()).toEqual([oldest]);
    const [first] = await sql`select seen_at from public.pre_spin_reviews where id = ${newest}`;
    // A colleague who is a moment late changes nothing.
    await seen(ours.users.admin, newest, true);
    expect(await sql`select seen_at from public.pre_spin_reviews where id = ${newest}`).toEqual([
      first,
    ]);
    await visit(campaign, 3, "Nouveau");
    expect(await idsOf()).toEqual([expect.not.stringContaining(newest), oldest]);
    await seen(ours.users.admin, newest, false);
    expect(await idsOf()).toHaveLength(3);
  });

  it("says that every active campaign is over, and of a campaign to come that nothing can be won", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql, { store: { googleReviewUrl: null } });
    const { id: orgId, storeId } = ours;
    const [yesterday, tomorrow] = [-1, 1].map((days) => secondsFromNow(days * 86_400));
    const over = await createCampaign(sql, {
      orgId,
      storeId,
      name: "Finie",
      endsAt: yesterday ?? null,
    });
    await createReward(sql, over, { stock: 1 });
    // Nothing can be won in another one, which does not matter any more.
    const endsAt = secondsFromNow(-2 * 86_400);
    await createCampaign(sql, { orgId, storeId, name: "Finie avant", endsAt });
    expect(await todoOf(ours)).toMatchObject({
      over_campaign: { id: over.id, name: "Finie" },
      empty_campaign: null,
      low_stock: [],
      unlinked_store: null,
    });
    const startsAt = tomorrow ?? null;
    const annex = await createStore(sql, { orgId, timezone: "Pacific/Kiritimati" });
    const later = await createCampaign(sql, { orgId, storeId: annex, name: "À venir", startsAt });
    expect(await todoOf(ours)).toMatchObject({
      over_campaign: null,
      empty_campaign: { id: later.id, active: true, ends_at: null, timezone: "Pacific/Kiritimati" },
    });
    // A campaign that customers meet today comes first.
    const now = await createCampaign(sql, { orgId, storeId, name: "En cours" });
    await sql`update public.campaigns set created_at = now() - interval '9 days' where id = ${now.id}`;
    expect((await todoOf(ours)).empty_campaign).toMatchObject({ id: now.id });
  });

  it("names up to 3 rewards that run out, by number or by pace, while they can be won", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const { campaign } = await open(ours);
    const resting = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      active: false,
    });
    await createReward(sql, resting, { name: "Ailleurs", stock: 0 });
    await createReward(sql, campaign, { name: "Arrêtée", stock: 0, active: false });
    await createReward(sql, campaign, { name: "Assez", stock: 6 });
    const fast = await createReward(sql, campaign, { name: "Rapide", stock: 40 });
    const former = await createReward(sql, campaign, { name: "Autrefois", stock: 40 });
    await createReward(sql, campaign, { name: "Peu", stock: 5 });
    await sql`
      insert into private.recent_figures (org_id, reward_id, day, wins)
      values (${ours.id}, ${fast}, current_date, 40), (${ours.id}, ${former}, current_date - 7, 99)`;
    await sql`select private.fold_figures(1000)`;
    const names = async () => (await todoOf(ours)).low_stock.map(({ name }) => name);
    expect(await names()).toEqual(["Peu", "Rapide"]);
    await createReward(sql, campaign, { name: "Épuisée", stock: 0 });
    await createReward(sql, campaign, { name: "Dernière", stock: 1 });
    expect(await names()).toEqual(["Épuisée", "Dernière", "Peu"]);
  });

  const dayIn = async (timezone: string) => {
    const [row] = await database.sql<{ day: string }[]>`
      select private.now_in(${timezone})::date::text as day`;
    return row?.day ?? "";
  };

  // Wherever the database's day is, one of these two has another one.
  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "counts the pace of the last 7 days of the store, in %s",
    async (timezone) => {
      const { sql } = database;
      const ours = await createOrganization(sql, { store: { timezone } });
      const { campaign } = await open(ours);
      const today = await dayIn(timezone);
      const day = (age: number) => sql`${today}::date - ${age}::int`;
      const within = await createReward(sql, campaign, { name: "Dans la semaine", stock: 40 });
      const before = await createReward(sql, campaign, { name: "Avant", stock: 40 });
      const both = await createReward(sql, campaign, {
        name: "Déjà compté et pas encore",
        stock: 40,
      });
      await sql`
        insert into private.recent_figures (org_id, reward_id, day, wins)
        values (${ours.id}, ${within}, ${day(6)}, 40), (${ours.id}, ${before}, ${day(7)}, 40),
          (${ours.id}, ${both}, ${day(6)}, 25)`;
      await sql`select private.fold_figures(1000)`;
      await sql`
        insert into private.recent_figures (org_id, reward_id, day, wins)
        values (${ours.id}, ${both}, ${day(0)}, 15), (${ours.id}, ${before}, ${day(7)}, 40)`;
      const { low_stock } = await todoOf(ours);
      // The rows were made for a day that is over now: nothing to compare.
      if ((await dayIn(timezone)) !== today) return;
      expect(low_stock.map(({ name }) => name)).toEqual([
        "Dans la semaine",
        "Déjà compté et pas encore",
      ]);
    },
  );

  it("names a running campaign without a reward, and its store without a public page", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql, { store: { googleReviewUrl: null } });
    const { id: orgId, storeId } = ours;
    expect(await todoOf(ours)).toMatchObject({ empty_campaign: null, unlinked_store: null });
    const campaign = await createCampaign(sql, { orgId, storeId, name: "Vide" });
    expect(await todoOf(ours)).toMatchObject({
      empty_campaign: { id: campaign.id, name: "Vide" },
      unlinked_store: { id: storeId },
    });
    const reward = await createReward(sql, campaign);
    await sql`update public.stores set google_review_url = 'https://g.page' where id = ${storeId}`;
    expect(await todoOf(ours)).toMatchObject({ empty_campaign: null, unlinked_store: null });
    // A reward that was put away cannot be won any more.
    await sql`update public.rewards set archived_at = now() where id = ${reward}`;
    expect(await todoOf(ours)).toMatchObject({ empty_campaign: { id: campaign.id } });
  });
});
