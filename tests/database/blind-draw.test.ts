import type { ISql } from "postgres";
import { describe, expect, it } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { deviates, expectTwiceNot, groupsDiffer } from "./support/chi-square.ts";

/** The draw gives everybody the same odds, whatever they think of the shop. */

const database = setUpTestDatabase();

describe("the rating", () => {
  /**
   * Number of spins after which a refusal of one win in four is found 99 times in 100. The
   * statistic reads a group's own spins alone (4 degrees of freedom, noncentrality 51). A smaller
   * bias does not hide either: the next test leaves nothing to chance.
   */
  const TURNS = 1000;
  const BATCH = 100;
  const GROUPS = [1, 5, null] as const;
  const WEIGHTS = [20, 15, 10, 35, 20];

  /** A wheel with every kind of segment; answers the segments' identifiers in order. */
  async function makeWheel(sql: ISql, campaign: Campaign): Promise<string[]> {
    const rewards = [
      await createReward(sql, campaign, { type: "gift" }),
      await createReward(sql, campaign, { type: "points" }),
      await createReward(sql, campaign, { type: "coupon" }),
    ];
    return drawWheel(
      sql,
      campaign,
      WEIGHTS.map((weight, index) => {
        const rewardId = rewards[index];
        return { weight, ...(rewardId === undefined ? {} : { rewardId }) };
      }),
    );
  }

  /** Reviews of so many stars: with a text under the low ones, a visit of the public page after the high ones. */
  async function makeReviews(
    sql: ISql,
    campaign: Campaign,
    rating: number,
    times: number,
  ): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      with visitors as (
        insert into public.customers (org_id, name, email)
        select ${campaign.orgId}, 'Ana', 'avis' || ${rating} || '-' || gen_random_uuid() || '@exemple.fr'
        from generate_series(1, ${times})
        returning id, email
      )
      insert into public.pre_spin_reviews (org_id, campaign_id, store_id, customer_id, visit_id, customer_name,
        customer_email, rating, review_text, feedback_at, public_click_at)
      select ${campaign.orgId}, ${campaign.id}, ${campaign.storeId}, v.id, gen_random_uuid(), 'Ana', v.email,
        ${rating}, case when ${rating} < 4 then 'Accueil froid, café tiède, addition salée.' end,
        case when ${rating} < 4 then now() end, case when ${rating} >= 4 then now() end
      from visitors v
      returning id`;
    return rows.map(({ id }) => id);
  }

  /** Turns of a wheel by people who gave so many stars, or no review. */
  async function turns(campaign: Campaign, rating: number | null): Promise<void> {
    const { sql } = database;
    if (rating !== null) await makeReviews(sql, campaign, rating, TURNS);
    const spinBatch = (batch: number) =>
      rating === null
        ? sql<{ outcome: string }[]>`
            select distinct s.outcome from generate_series(1, ${BATCH}) n, lateral public.spin_wheel(
              ${campaign.id}, null, gen_random_uuid(), 'Ana', n || '-' || gen_random_uuid() || '@exemple.fr', null,
              gen_random_uuid()::text, gen_random_uuid()::text) s`
        : sql<{ outcome: string }[]>`
            with batch as materialized (
              select id from public.pre_spin_reviews
              where campaign_id = ${campaign.id} and rating = ${rating}
              order by id offset ${batch * BATCH} limit ${BATCH}
            )
            select distinct s.outcome from batch r, lateral public.spin_wheel(
              ${campaign.id}, r.id, null, null, null, null, gen_random_uuid()::text, gen_random_uuid()::text) s`;
    const outcomes = [await spinBatch(0)];
    // Plans that were made for empty tables would read all of them, until the database notices.
    await sql`analyze public.customers, public.pre_spin_reviews, public.spins, public.redemptions`;
    const others = Array.from({ length: TURNS / BATCH - 1 }, (_, batch) => spinBatch(batch + 1));
    outcomes.push(...(await Promise.all(others)));
    expect(new Set(outcomes.flatMap((rows) => rows.map(({ outcome }) => outcome)))).toEqual(
      new Set(["spun"]),
    );
  }

  async function counts(campaign: Campaign, segments: string[], rating: number | null) {
    const rows = await database.sql<{ segment: string; count: number }[]>`
      select s.segment_id as segment, count(*)::integer as count
      from public.spins s left join public.pre_spin_reviews r on r.org_id = s.org_id and r.id = s.review_id
      where s.campaign_id = ${campaign.id} and r.rating is not distinct from ${rating}
      group by s.segment_id`;
    const found = new Map(rows.map(({ segment, count }) => [segment, count]));
    return segments.map((segment) => found.get(segment) ?? 0);
  }

  it("changes nothing: 1 star, 5 stars and no review at all win alike", async () => {
    const { sql } = database;
    const { id: orgId, storeId } = await createOrganization(sql);
    await expectTwiceNot(async () => {
      const campaign = await createCampaign(sql, { orgId, storeId });
      const segments = await makeWheel(sql, campaign);
      for (const rating of GROUPS) await turns(campaign, rating);
      const groups = await Promise.all(GROUPS.map((rating) => counts(campaign, segments, rating)));
      for (const group of groups) expect(group.reduce((sum, count) => sum + count, 0)).toBe(TURNS);
      // Alike, and each as the wheel says.
      return groupsDiffer(groups) || groups.some((group) => deviates(group, WEIGHTS));
    });
  });

  // No chance here: whatever numbers the generator gives, and however often it is asked, all of them win alike.
  it("changes nothing about any number of the generator", async () => {
    const { id: orgId, storeId } = await createOrganization(database.sql);
    await undone(database.sql, async (sql) => {
      await sql`
        create or replace function private.random_below(p_bound integer) returns integer
        language plpgsql volatile as $$
        begin
          perform set_config('test.bounds', current_setting('test.bounds') || ' ' || p_bound, true);
          return current_setting('test.number')::integer % p_bound;
        end $$`;
      const campaign = await createCampaign(sql, { orgId, storeId });
      const segments = await makeWheel(sql, campaign);
      const numbers = WEIGHTS.reduce((sum, weight) => sum + weight, 0);
      /** Which segment each number leads to, and below which bounds the generator was asked. */
      const turnsOf = async (rating: number | null) => {
        const reviews = rating === null ? [] : await makeReviews(sql, campaign, rating, numbers);
        const turned: string[] = [];
        for (let number = 0; number < numbers; number++) {
          await sql`select set_config('test.number', ${String(number)}, true), set_config('test.bounds', '', true)`;
          const { body } = await spin(sql, {
            campaignId: campaign.id,
            reviewId: reviews[number] ?? null,
          });
          const { segment_id: segment } = spinResult.parse(JSON.parse(body ?? "null"));
          const [asked] = await sql`select current_setting('test.bounds') as bounds`;
          turned.push(`${segments.indexOf(segment)}:${asked?.bounds}`);
        }
        return turned;
      };
      const [low, high, none] = [await turnsOf(1), await turnsOf(5), await turnsOf(null)];
      expect(low).toEqual(none);
      expect(high).toEqual(none);
      // Every segment gets its weight of them: a number that loses is asked below the losing weights once more.
      const got = WEIGHTS.map((_, index) => none.filter((turn) => turn.startsWith(`${index}:`)));
      expect(got.map((of) => of.length)).toEqual(WEIGHTS);
      expect(got.map((of) => [...new Set(of)])).toEqual([
        ["0: 100"],
        ["1: 100"],
        ["2: 100"],
        ["3: 100 55"],
        ["4: 100 55"],
      ]);
    });
  });

  it("is read by nothing that the draw rests on", async () => {
    const { sql } = database;
    const rows = await sql<{ name: string; source: string; isSilent: boolean }[]>`
      select n.nspname || '.' || p.proname as name, pg_get_functiondef(p.oid) as source,
        p.prorettype = 'void'::regtype as "isSilent"
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private') and p.prokind = 'f'`;
    const functions = new Map(rows.map((row) => [row.name, row]));
    const reached = new Set(["public.spin_wheel"]);
    for (const name of reached) {
      for (const [called] of functions.get(name)?.source.matchAll(/\b(public|private)\.\w+/g) ??
        []) {
        // A function that answers nothing cannot inform the draw: the counters.
        if (functions.get(called)?.isSilent === false) reached.add(called);
      }
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(["private.wheel", "private.draw_segment", "private.random_below"]),
    );
    const readers = [...reached].filter((name) =>
      /rating|review_text|feedback|public_click|stars/i.test(functions.get(name)?.source ?? ""),
    );
    expect(readers).toEqual([]);
  });
});
