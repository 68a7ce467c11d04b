import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "#domain/errors/errors.ts";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
  type Segment,
} from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import {
  type Answer,
  newAddress,
  playForReview,
  playOf,
  ratingOf,
  verdicts,
} from "./support/calls.ts";

/**
 * Whatever happens at once, over HTTP and on a real database: no prize twice, none lost. All of it
 * on one server, and again on two that share a database, as several processes would.
 */

let database: TestDatabase;
let all: TestServer[];

beforeAll(async () => {
  database = await createTestDatabase();
  all = [await startTestServer({ database }), await startTestServer({ database })];
});

afterAll(async () => {
  for (const server of all ?? []) await server.stop();
  await database.drop();
});

describe.each([1, 2])("%i server(s)", (count) => {
  let organization: Organization;

  beforeAll(async () => {
    organization = await createOrganization(database.sql);
  });

  /** Calls a server function so many times at once, each from an address of its own. */
  async function atOnce(
    times: number,
    name: string,
    bodyOf: (index: number) => unknown,
    token?: string,
  ): Promise<Answer[]> {
    const servers = all.slice(0, count);
    return Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const server = servers[index % servers.length];
        if (server === undefined) throw new Error("No server.");
        return server.call(name, bodyOf(index), {
          address: newAddress(),
          ...(token !== undefined && { token }),
        });
      }),
    );
  }

  async function campaignWith(
    segments: (campaign: Campaign) => Promise<Segment[]>,
    { playIntervalDays = 1, of = organization } = {},
  ): Promise<Campaign> {
    const { id: orgId, storeId } = of;
    const campaign = await createCampaign(database.sql, { orgId, storeId, playIntervalDays });
    await drawWheel(database.sql, campaign, await segments(campaign));
    return campaign;
  }

  /** A campaign whose every draw wins one reward. */
  function sureWin(
    reward: Parameters<typeof createReward>[2],
    options: Parameters<typeof campaignWith>[1] = {},
  ): Promise<Campaign> {
    return campaignWith(
      async (campaign) => [
        { weight: 100, rewardId: await createReward(database.sql, campaign, reward) },
      ],
      options,
    );
  }

  /** Rows that the database holds of a campaign afterwards. */
  async function ledger({ id, orgId }: Campaign) {
    const [row] = await database.sql`
      select
        (select count(*)::integer from public.spins where campaign_id = ${id}) as spins,
        (select count(*)::integer from public.spins where campaign_id = ${id} and result_type = 'reward') as wins,
        (select count(distinct code_key)::integer from public.redemptions where campaign_id = ${id}) as codes,
        (select count(*)::integer from public.points_ledger l
          join public.spins s on s.org_id = l.org_id and s.id = l.spin_id where s.campaign_id = ${id}) as points,
        (select coalesce(sum(spins), 0)::integer from public.campaign_daily_stats
          where campaign_id = ${id}) as counted_spins,
        (select coalesce(sum(wins), 0)::integer from public.campaign_daily_stats
          where campaign_id = ${id}) as counted_wins,
        (select array_agg(stock order by created_at) from public.rewards where campaign_id = ${id}) as stocks,
        (select count(*)::integer from public.customers c where c.org_id = ${orgId} and exists (
          select from public.spins s where s.org_id = c.org_id and s.customer_id = c.id and s.campaign_id = ${id}
        )) as players`;
    return row;
  }

  async function customers(orgId: string): Promise<number | undefined> {
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::integer as count from public.customers where org_id = ${orgId}`;
    return row?.count;
  }

  it("300 customers for a stock of 7, every draw a win: 7 win, 293 hear that nothing is left", async () => {
    const campaign = await sureWin({ stock: 7 });
    const before = (await customers(campaign.orgId)) ?? 0;
    const answers = await atOnce(300, "spin_wheel", () => playOf(campaign));
    expect(verdicts(answers)).toEqual({ 200: 7, "409 nothing_to_draw": 293 });
    expect(await ledger(campaign)).toEqual({
      spins: 7,
      wins: 7,
      codes: 7,
      points: 0,
      counted_spins: 7,
      counted_wins: 7,
      stocks: [0],
      players: 7,
    });
    expect(await customers(campaign.orgId)).toBe(before + 7);
  });

  it("300 customers for a stock of 7 and a losing segment: 7 win, 293 lose", async () => {
    const campaign = await campaignWith(async (made) => [
      { weight: 99, rewardId: await createReward(database.sql, made, { stock: 7 }) },
      { weight: 1 },
    ]);
    const answers = await atOnce(300, "spin_wheel", () => playOf(campaign));
    expect(verdicts(answers)).toEqual({ 200: 300 });
    const results = answers.map(({ body }) => spinResult.parse(body));
    expect(results.filter(({ reward }) => reward !== null)).toHaveLength(7);
    const codes = results.flatMap(({ redemption_code }) => redemption_code ?? []);
    expect(new Set(codes).size).toBe(7);
    expect(await ledger(campaign)).toEqual({
      spins: 300,
      wins: 7,
      codes: 7,
      points: 0,
      counted_spins: 300,
      counted_wins: 7,
      stocks: [0],
      players: 300,
    });
  });

  it("150 customers who gave a review, for 5 gifts, 3 points and no losing segment", async () => {
    const campaign = await campaignWith(async (made) => [
      { weight: 40, rewardId: await createReward(database.sql, made, { stock: 5 }) },
      {
        weight: 60,
        rewardId: await createReward(database.sql, made, { type: "points", stock: 3 }),
      },
    ]);
    const reviews = await atOnce(150, "review_record", (index) =>
      ratingOf(campaign, { rating: 1 + (index % 5) }),
    );
    expect(verdicts(reviews)).toEqual({ 201: 150 });
    const ids = reviews.map(({ body }) => reviewResponse.parse(body).review_id);
    const answers = await atOnce(150, "spin_wheel", (index) =>
      playForReview(campaign, ids[index] ?? ""),
    );
    expect(verdicts(answers)).toEqual({ 200: 8, "409 nothing_to_draw": 142 });
    expect(await ledger(campaign)).toEqual({
      spins: 8,
      wins: 8,
      codes: 5,
      points: 3,
      counted_spins: 8,
      counted_wins: 8,
      stocks: [0, 0],
      players: 8,
    });
  });

  it.each(["play_id", "review_id"])(
    "100 identical spins of one %s: one draw, one answer",
    async (key) => {
      const campaign = await sureWin({ stock: 100 }, { playIntervalDays: 0 });
      let body: unknown = playOf(campaign);
      if (key === "review_id") {
        const [review] = await atOnce(1, "review_record", () => ratingOf(campaign));
        body = playForReview(campaign, reviewResponse.parse(review?.body).review_id);
      }
      const answers = await atOnce(100, "spin_wheel", () => body);
      expect(verdicts(answers)).toEqual({ 200: 100 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await ledger(campaign)).toMatchObject({
        spins: 1,
        codes: 1,
        stocks: [99],
        players: 1,
      });
    },
  );

  it("100 identical ratings of one visit: one review, one answer", async () => {
    const campaign = await sureWin({});
    const body = ratingOf(campaign);
    const answers = await atOnce(100, "review_record", () => body);
    expect(verdicts(answers)).toEqual({ 201: 1, 200: 99 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [row] = await database.sql`
      select count(*)::integer as reviews, count(distinct customer_id)::integer as customers
      from public.pre_spin_reviews where campaign_id = ${campaign.id}`;
    expect(row).toEqual({ reviews: 1, customers: 1 });
  });

  it("40 ratings of one new person: one customer, and the 20 that an hour allows", async () => {
    const campaign = await sureWin({});
    const answers = await atOnce(40, "review_record", (index) =>
      ratingOf(campaign, { email: `nouvelle-${count}+${index}@exemple.fr` }),
    );
    expect(verdicts(answers)).toEqual({ 201: 20, "429 too_many_attempts": 20 });
    const [row] = await database.sql`
      select count(*)::integer as reviews, count(distinct customer_id)::integer as customers
      from public.pre_spin_reviews where campaign_id = ${campaign.id}`;
    expect(row).toEqual({ reviews: 20, customers: 1 });
  });

  it("20 texts and 20 visits of the public page for one review: one of each", async () => {
    const campaign = await sureWin({});
    const [review] = await atOnce(1, "review_record", () => ratingOf(campaign, { rating: 2 }));
    const { review_id } = reviewResponse.parse(review?.body);
    const [texts, clicks] = await Promise.all([
      atOnce(20, "review_record", (index) => ({
        review_id,
        feedback: `Le café était froid, et de ${index} degrés.`,
      })),
      atOnce(20, "public_review_click", () => ({ review_id, campaign_id: campaign.id })),
    ]);
    expect(verdicts(texts)).toEqual({ 200: 1, "409 feedback_exists": 19 });
    expect(verdicts(clicks)).toEqual({ 204: 20 });
    const winner = texts.findIndex(({ status }) => status === 200);
    const [row] = await database.sql`
      select r.review_text, (
        select sum(d.public_clicks)::integer from public.campaign_daily_stats d
        where d.campaign_id = r.campaign_id) as clicks
      from public.pre_spin_reviews r where r.id = ${review_id}`;
    expect(row).toEqual({
      review_text: `Le café était froid, et de ${winner} degrés.`,
      clicks: 1,
    });
  });

  it("50 tills with one code: one prize", async () => {
    const campaign = await sureWin({});
    const [spin] = await atOnce(1, "spin_wheel", () => playOf(campaign));
    const { redemption_code: code } = spinResult.parse(spin?.body);
    const [server] = all;
    if (server === undefined) throw new Error("No server.");
    const { token } = await server.signIn(organization.users.cashier);
    const body = { code, store_id: organization.storeId };
    const answers = await atOnce(50, "redeem", () => body, token);
    expect(verdicts(answers)).toEqual({ 200: 1, "409 code_used": 49 });
    // All the others are told the same: when, and by whom.
    const refusals = answers.filter(({ status }) => status === 409);
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect(errorBody.parse(refusals[0]?.body).error.details).toEqual({
      used_at: expect.any(String),
      used_by: "Camille Martin",
    });
    const [row] = await database.sql`
      select count(e.id)::integer as events, min(r.status) as status, (
        select sum(d.redemptions)::integer from public.campaign_daily_stats d
        where d.campaign_id = ${campaign.id}) as counted
      from public.redemptions r
      join public.redemption_events e on e.org_id = r.org_id and e.redemption_id = r.id
      where r.campaign_id = ${campaign.id}`;
    expect(row).toEqual({ events: 1, status: "used", counted: 1 });
  });

  it("one person 50 times at once for what they may win twice: twice", async () => {
    const campaign = await sureWin({ maxPerUser: 2, stock: 40 }, { playIntervalDays: 0 });
    const answers = await atOnce(50, "spin_wheel", (index) =>
      playOf(campaign, { email: `avide-${count}+${index}@exemple.fr` }),
    );
    expect(verdicts(answers)).toEqual({ 200: 2, "409 nothing_to_draw": 48 });
    expect(await ledger(campaign)).toMatchObject({ wins: 2, codes: 2, stocks: [38], players: 1 });
  });

  it("one phone 50 times at once, under as many names, with a limit of 2 a day: twice", async () => {
    const campaign = await sureWin({ stock: 40 });
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, device_daily_limit)
      values (${campaign.orgId}, ${campaign.id}, 2)`;
    const { device_fp: device } = playOf(campaign);
    const answers = await atOnce(50, "spin_wheel", () => ({
      ...playOf(campaign),
      device_fp: device,
    }));
    expect(verdicts(answers)).toEqual({ 200: 2, "429 too_many_attempts": 48 });
    expect(await ledger(campaign)).toMatchObject({ wins: 2, codes: 2, stocks: [38], players: 2 });
  });

  it("one person 25 times at once, with a losing segment: two wins, the rest losses", async () => {
    const campaign = await campaignWith(
      async (made) => [
        {
          weight: 99,
          rewardId: await createReward(database.sql, made, { maxPerUser: 2, stock: 40 }),
        },
        { weight: 1 },
      ],
      { playIntervalDays: 0 },
    );
    const email = `avide-${count}-encore@exemple.fr`;
    const answers = await atOnce(25, "spin_wheel", () => playOf(campaign, { email }));
    expect(verdicts(answers)).toEqual({ 200: 25 });
    expect(await ledger(campaign)).toMatchObject({
      spins: 25,
      wins: 2,
      codes: 2,
      stocks: [38],
      players: 1,
    });
  });

  it("one person 50 times at once without an interval: the 30 spins that an hour allows", async () => {
    const campaign = await sureWin({}, { playIntervalDays: 0 });
    const email = `insatiable-${count}@exemple.fr`;
    const answers = await atOnce(50, "spin_wheel", () => playOf(campaign, { email }));
    expect(verdicts(answers)).toEqual({ 200: 30, "429 too_many_attempts": 20 });
    expect(await ledger(campaign)).toMatchObject({ spins: 30, codes: 30, players: 1 });
  });

  it("one person with many keys at once, by review and without, in an interval: one spin", async () => {
    const campaign = await sureWin({ stock: 40 }, { playIntervalDays: 365 });
    const email = `double-${count}@exemple.fr`;
    const reviews = await atOnce(10, "review_record", () => ratingOf(campaign, { email }));
    const ids = reviews.map(({ body }) => reviewResponse.parse(body).review_id);
    const answers = await atOnce(20, "spin_wheel", (index) => {
      const reviewId = ids[index];
      return reviewId === undefined
        ? playOf(campaign, { email: email.toUpperCase() })
        : playForReview(campaign, reviewId);
    });
    expect(verdicts(answers)).toEqual({ 200: 1, "409 already_played": 19 });
    expect(await ledger(campaign)).toMatchObject({ spins: 1, codes: 1, stocks: [39], players: 1 });
  });

  it("130 customers of a trial: the 100 spins of its month", async () => {
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    const campaign = await sureWin({ stock: 1000 }, { of: trial });
    const answers = await atOnce(130, "spin_wheel", () => playOf(campaign));
    expect(verdicts(answers)).toEqual({ 200: 100, "409 spins_used_up": 30 });
    expect(await ledger(campaign)).toEqual({
      spins: 100,
      wins: 100,
      codes: 100,
      points: 0,
      counted_spins: 100,
      counted_wins: 100,
      stocks: [900],
      players: 100,
    });
    expect(await customers(trial.id)).toBe(100);
    const alerts = await database.sql<{ threshold: number }[]>`
      select threshold from public.usage_alerts where org_id = ${trial.id} order by threshold`;
    expect(alerts.map(({ threshold }) => threshold)).toEqual([80, 100]);
  });

  it("a play_id that two persons use at once is one spin, and both get the same answer", async () => {
    const campaign = await sureWin({ stock: 40 });
    const playId = randomUUID();
    const answers = await atOnce(20, "spin_wheel", () => playOf(campaign, { playId }));
    expect(verdicts(answers)).toEqual({ 200: 20 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await ledger(campaign)).toMatchObject({ spins: 1, codes: 1, stocks: [39], players: 1 });
  });
});
