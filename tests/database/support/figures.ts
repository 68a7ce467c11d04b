import type { ISql } from "postgres";

/** Figures of an organisation, as maintained by transactions and as computed from the events: both always agree. */

/** Counters of a day of a campaign at a store. */
export const FIGURES = [
  "scans",
  "reviews",
  "rating_sum",
  "one_star_reviews",
  "two_star_reviews",
  "three_star_reviews",
  "four_star_reviews",
  "five_star_reviews",
  "public_clicks",
  "spins",
  "wins",
  "redemptions",
  "free_spins",
  "free_wins",
  "free_redemptions",
  "points_wins",
] as const;

/** Days of campaigns at stores as the transactions kept them, shards added up. */
export async function keptDays(sql: ISql, orgId: string) {
  return sql.unsafe(
    `select campaign_id, store_id, day::text, ${FIGURES.map((name) => `sum(${name})::integer as ${name}`).join(", ")}
     from public.campaign_daily_stats where org_id = $1
     group by campaign_id, store_id, day order by campaign_id, store_id, day`,
    [orgId],
  );
}

/** The same from the events alone. */
export async function rebuiltDays(sql: ISql, orgId: string) {
  return sql.unsafe(
    `with events as (
       select campaign_id, store_id, created_at as moment, 'scans' as figure, 1 as n
       from public.scan_events where org_id = $1
       union all
       select campaign_id, store_id, created_at, f.figure, f.n
       from public.pre_spin_reviews r, lateral (values
         ('reviews', 1), ('rating_sum', r.rating), ('one_star_reviews', (r.rating = 1)::integer),
         ('two_star_reviews', (r.rating = 2)::integer), ('three_star_reviews', (r.rating = 3)::integer),
         ('four_star_reviews', (r.rating = 4)::integer), ('five_star_reviews', (r.rating = 5)::integer)) f (figure, n)
       where r.org_id = $1
       union all
       select campaign_id, store_id, public_click_at, 'public_clicks', 1
       from public.pre_spin_reviews where org_id = $1 and public_click_at is not null
       union all
       select campaign_id, store_id, created_at, f.figure, f.n
       from public.spins s, lateral (values
         ('spins', 1), ('wins', (s.reward_id is not null)::integer),
         ('free_spins', (s.review_id is null)::integer),
         ('points_wins', exists (select from public.points_ledger l where l.spin_id = s.id and l.kind = 'earned')::integer),
         ('free_wins', (s.review_id is null and s.reward_id is not null)::integer)) f (figure, n)
       where s.org_id = $1
       union all
       select r.campaign_id, r.store_id, r.used_at, f.figure, f.n
       from public.redemptions r join public.spins s on s.id = r.spin_id, lateral (values
         ('redemptions', 1), ('free_redemptions', (s.review_id is null)::integer)) f (figure, n)
       where r.org_id = $1 and r.status = 'used'
     )
     select e.campaign_id, e.store_id, (e.moment at time zone s.timezone)::date::text as day,
       ${FIGURES.map((name) => `coalesce(sum(n) filter (where figure = '${name}'), 0)::integer as ${name}`).join(", ")}
     from events e join public.stores s on s.id = e.store_id
     group by 1, 2, 3 order by 1, 2, 3`,
    [orgId],
  );
}

/** Figures of rewards and customers: what was folded and what was not yet, added up. */
export async function keptTotals(sql: ISql, orgId: string) {
  const rewards = await sql`
    select reward_id, sum(wins)::int as wins, sum(codes)::int as codes, sum(redemptions)::int as redemptions
    from private.reward_totals_now(${orgId}) group by 1 order by 1`;
  const days = await sql`
    select reward_id, day::text, sum(wins)::int as wins, sum(redemptions)::int as redemptions
    from private.reward_days_now(${orgId})
    group by 1, 2 having sum(wins) <> 0 or sum(redemptions) <> 0 order by 1, 2`;
  const [customers] = await sql`
    select customers::int, participants::int from private.customer_totals_now(${orgId})`;
  return { rewards: [...rewards], days: [...days], customers };
}

/** The same from the events alone. */
export async function rebuiltTotals(sql: ISql, orgId: string) {
  const rewards = await sql`
    select s.reward_id, count(*)::int as wins, count(r.id)::int as codes,
      count(*) filter (where r.status = 'used')::int as redemptions
    from public.spins s left join public.redemptions r on r.org_id = s.org_id and r.spin_id = s.id
    where s.org_id = ${orgId} and s.reward_id is not null group by 1 order by 1`;
  const days = await sql`
    select e.reward_id, (e.moment at time zone t.timezone)::date::text as day, sum(e.wins)::int as wins,
      sum(e.redemptions)::int as redemptions
    from (
      select reward_id, store_id, created_at as moment, 1 as wins, 0 as redemptions
      from public.spins where org_id = ${orgId} and reward_id is not null
      union all
      select reward_id, store_id, used_at, 0, 1 from public.redemptions
      where org_id = ${orgId} and status = 'used' and spin_id is not null
    ) e join public.stores t on t.id = e.store_id group by 1, 2 order by 1, 2`;
  const [customers] = await sql`
    select count(*)::int as customers, count(*) filter (
      where exists (select from public.spins s where s.customer_id = c.id))::int as participants
    from public.customers c where org_id = ${orgId}`;
  return { rewards: [...rewards], days: [...days], customers };
}
