import type { ISql, Sql } from "postgres";
import { z } from "zod";
import { reviewResponse } from "#domain/schemas/journey.ts";
import { keptDays, keptTotals, rebuiltDays, rebuiltTotals } from "../database/support/figures.ts";
import type { Asked } from "./crowd.ts";
import { type Finding, KINDS, type Kind } from "./finding.ts";
import type { Shop } from "./shop.ts";

/** A row that something was written as: the key of the request, and what it says that was written. */
type Row = { key: string; told: string };

const redeemed = z.object({ code: z.string() });

/** Text that the row of an answered request must hold. */
const written: Readonly<Record<Kind, (asked: Asked & { answer: string }) => string>> = {
  review: ({ answer }) => reviewResponse.parse(JSON.parse(answer)).review_id,
  spin: ({ answer }) => answer,
  redemption: ({ answer }) => redeemed.parse(JSON.parse(answer)).code,
  edit: ({ key }) => key,
};

async function rowsOf(sql: ISql, { campaign: { id, orgId } }: Shop): Promise<Record<Kind, Row[]>> {
  return {
    review: await sql`
      select visit_id::text as key, id::text as told from public.pre_spin_reviews where campaign_id = ${id}`,
    spin: await sql`
      select coalesce(play_id, review_id)::text as key, result::text as told
      from public.spins where campaign_id = ${id}`,
    redemption: await sql`
      select coalesce(e.request_id, e.id)::text as key, r.code as told
      from public.redemption_events e join public.redemptions r on r.org_id = e.org_id and r.id = e.redemption_id
      where e.org_id = ${orgId} and e.action = 'used' and r.status = 'used'`,
    // Each edit gives the campaign a name that it never had.
    edit: await sql`
      select detail ->> 'name' as key, detail ->> 'name' as told from public.audit_events
      where org_id = ${orgId} and subject_id = ${id} and action = 'campaign.updated'
        and detail ? 'former_name'`,
  };
}

/**
 * Findings of a comparison: answered requests without a row, and rows that exist twice or without a
 * request.
 */
function compare(kind: Kind, asked: readonly Asked[], rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  const held = new Map<string, string[]>();
  for (const { key, told } of rows) held.set(key, [...(held.get(key) ?? []), told]);
  for (const one of asked) {
    const found = held.get(one.key) ?? [];
    held.delete(one.key);
    if (one.answer !== null && !found.includes(written[kind]({ ...one, answer: one.answer }))) {
      findings.push({ rule: "lost", kind, detail: `${one.key}: ${one.answer}` });
    }
    if (found.length > 1) {
      findings.push({ rule: "doubled", kind, detail: `${one.key}: ${found.join(" and ")}` });
    }
  }
  for (const [key, found] of held) {
    findings.push({ rule: "doubled", kind, detail: `${key}, for which nobody asked: ${found}` });
  }
  return findings;
}

/** Books that must say the same: the name of the rule, and the two sides of it. */
type Balance = readonly [rule: string, one: unknown, other: unknown];

async function balances(sql: ISql, shop: Shop): Promise<Balance[]> {
  const { campaign, stocks } = shop;
  const { id, orgId } = campaign;
  const rewards = await sql<{ id: string; stock: number; wins: number }[]>`
    select r.id, r.stock, count(s.id)::integer as wins
    from public.rewards r left join public.spins s on s.org_id = r.org_id and s.reward_id = r.id
    where r.id = any (${Object.keys(stocks)}::uuid[]) group by r.org_id, r.id`;
  const [books] = await sql<Record<string, number>[]>`
    select
      (select count(*)::integer from public.spins s join public.rewards w on w.org_id = s.org_id and w.id = s.reward_id
        where s.campaign_id = ${id} and w.type <> 'points') as prizes,
      (select count(*)::integer from public.spins s join public.rewards w on w.org_id = s.org_id and w.id = s.reward_id
        where s.campaign_id = ${id} and w.type = 'points') as points,
      (select count(*)::integer from public.points_ledger where org_id = ${orgId}) as credits,
      (select count(*)::integer from public.redemptions where campaign_id = ${id}) as codes,
      (select count(distinct code_key)::integer from public.redemptions where campaign_id = ${id}) as different_codes,
      (select count(*)::integer from public.redemptions where campaign_id = ${id} and status = 'used') as used,
      (select count(*)::integer from public.redemption_events where org_id = ${orgId}) as uses,
      (select count(*)::integer from public.audit_events
        where org_id = ${orgId} and subject_id = ${id} and action = 'campaign.updated'
          and detail ? 'former_name') as edits,
      (select version from public.campaigns where id = ${id}) as version`;
  const left = Object.fromEntries(rewards.map(({ id: reward, stock }) => [reward, stock]));
  const taken = Object.fromEntries(
    rewards.map(({ id: reward, wins }) => [reward, (stocks[reward] ?? 0) - wins]),
  );
  return [
    ["stocks and wins", left, taken],
    ["stocks below nothing", rewards.filter(({ stock }) => stock < 0), []],
    ["codes and wins", books?.codes, books?.prizes],
    ["codes of their own", books?.different_codes, books?.codes],
    ["credits and wins of points", books?.credits, books?.points],
    ["uses and used codes", books?.uses, books?.used],
    ["version and edits", books?.version, shop.version + (books?.edits ?? 0)],
    ["days and events", [...(await keptDays(sql, orgId))], [...(await rebuiltDays(sql, orgId))]],
    ["totals and events", await keptTotals(sql, orgId), await rebuiltTotals(sql, orgId)],
  ];
}

/**
 * Compares the responses with what the database holds, and its books with each other, at one instant: answers what
 * was lost, doubled or does not agree.
 */
export async function judge(sql: Sql, shop: Shop, asked: readonly Asked[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    findings.push(...(await judgeSnapshot(snapshot, shop, asked)));
  });
  return findings;
}

/** The same in a transaction that sees one instant, or where nobody else writes. */
export async function judgeSnapshot(
  snapshot: ISql,
  shop: Shop,
  asked: readonly Asked[],
): Promise<Finding[]> {
  const rows = await rowsOf(snapshot, shop);
  const findings = KINDS.flatMap((kind) => {
    const ofKind = asked.filter((one) => one.kind === kind);
    return compare(kind, ofKind, rows[kind]);
  });
  for (const [rule, one, other] of await balances(snapshot, shop)) {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
    if (left !== right) findings.push({ rule: "books", detail: `${rule}: ${left}, ${right}` });
  }
  return findings;
}
