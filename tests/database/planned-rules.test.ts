import { describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import { avoidWholeScans } from "../harness/table-reads.ts";

/**
 * Rules that have a function of their own, and are asked in queries that an index must answer: PostgreSQL plans the function as
 * if its words stood in the query. A search path, or another volatility, would keep it apart, and the index would be left out.
 */

const ORG = "'00000000-0000-0000-0000-000000000001'::uuid";

type Planned = {
  /** Beginning of a query, up to its condition. */
  query: string;
  rule: string;
  words: string;
  order?: string;
  index: string;
};

const PLANNED: Planned[] = [
  {
    query: `select r.id from public.pre_spin_reviews r where r.org_id = ${ORG} and`,
    rule: "private.is_unread(r)",
    words: "r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '30 days'",
    index: "pre_spin_reviews_org_unseen_idx",
  },
  {
    query: `select r.id from public.pre_spin_reviews r where r.org_id = ${ORG} and`,
    rule: `private.is_in_inbox(r, '{"state": "open"}', null)`,
    words: "(r.handling = 'open' or (r.handling is null and r.rating <= 3))",
    index: "pre_spin_reviews_org_open_idx",
  },
  {
    query: "select r.id from public.redemptions r where",
    rule: "private.is_over(r.status, r.expires_at)",
    words: "r.status = 'available' and r.expires_at <= now()",
    index: "redemptions_expiry_idx",
  },
  {
    query: `
      select r.id from public.redemptions r where r.org_id = ${ORG} and r.reward_id = ${ORG} and`,
    rule: "private.is_in_code_list(r, 'available')",
    words:
      "r.status = 'available' and (r.expires_at is null or r.expires_at > now()) and r.verdict is null",
    order: "order by r.created_at desc, r.id desc",
    index: "redemptions_org_reward_status_idx",
  },
  {
    query: "select s.id from public.points_spends s where",
    rule: "private.is_over(s.status, s.expires_at)",
    words: "s.status = 'available' and s.expires_at <= now()",
    order: "order by s.expires_at",
    index: "points_spends_expiry_idx",
  },
  {
    query: `select s.id from public.points_spends s where s.org_id = ${ORG} and`,
    rule: "private.is_in_force(s.status, s.expires_at)",
    words: "s.status = 'available' and (s.expires_at is null or s.expires_at > now())",
    index: "points_spends_waiting_idx",
  },
  {
    query: `select l.id from public.points_ledger l where l.org_id = ${ORG} and l.customer_id = ${ORG} and`,
    rule: "private.is_spendable(l)",
    words: "l.remaining > 0 and (l.expires_at is null or l.expires_at > now())",
    index: "points_ledger_open_idx",
  },
  {
    query: `
      select r.id from public.pre_spin_reviews r where r.org_id = ${ORG} and r.campaign_id = ${ORG} and`,
    rule: "private.name_or_email(r.customer_name, r.customer_email) = 'Léa'",
    words: "coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) = 'Léa'",
    order: "order by r.created_at desc",
    index: "pre_spin_reviews_org_campaign_idx",
  },
  {
    query: `select r.id from public.redemptions r where r.org_id = ${ORG} and`,
    rule: "r.code_key >= private.code_key('tv-7k2m 9')",
    words: "r.code_key >= upper(regexp_replace('tv-7k2m 9', '[^A-Za-z0-9]', '', 'g'))",
    order: "order by r.code_key",
    index: "redemptions_org_code_key",
  },
  {
    query: `select i.id from private.invitations i where i.org_id = ${ORG} and`,
    rule: "private.is_waiting(i)",
    words: "i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()",
    index: "invitations_waiting_idx",
  },
  {
    query: `select r.id from public.rewards r where r.org_id = ${ORG} and`,
    rule: "private.validity_days(r.type, r.metadata) < 8",
    words:
      "coalesce((r.metadata ->> 'validityDays')::integer, case when r.type is distinct from 'points' then 30 end) < 8",
    order: "order by r.created_at desc",
    index: "rewards_org_id_created_at_idx",
  },
];

const database = setUpTestDatabase();

function planOf(query: string): Promise<string> {
  return undone(database.sql, async (sql) => {
    await avoidWholeScans(sql);
    const rows = await sql.unsafe<{ "QUERY PLAN": string }[]>(`explain (costs off) ${query}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

describe("a rule that is part of its query", () => {
  it.each(PLANNED)(
    "is planned as its words are: $rule",
    async ({ query, rule, words, order = "", index }) => {
      const plan = await planOf(`${query} ${rule} ${order}`);
      expect(plan).toBe(await planOf(`${query} ${words} ${order}`));
      expect(plan).toContain(index);
    },
  );
});
