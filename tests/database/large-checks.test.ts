import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  type Organization,
} from "../harness/fixtures.ts";

/**
 * A feast: hundreds of prizes from one Wi-Fi are one group, on which somebody decides at once. What the job and a decision
 * write is counted, not timed: rows that all prizes share are written once each.
 */

const database = setUpTestDatabase();

const PRIZES = 120;

type Feast = { ours: Organization; campaign: Campaign; rewards: [string, string] };

/** That many people who win one of two prizes in turn, all on one network, each on a device of their own; `email` tells addresses. */
async function feast(
  options: { stock?: number; email?: (place: number) => string } = {},
): Promise<Feast> {
  const { sql } = database;
  const { stock = 10, email = (place) => `invite${place}@exemple.fr` } = options;
  const ours = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  const rewards: [string, string] = [
    await createReward(sql, campaign, { name: "Café offert", stock }),
    await createReward(sql, campaign, { name: "Thé offert", stock: -1 }),
  ];
  const people = Array.from({ length: PRIZES }, (_, place) => ({
    customer_id: randomUUID(),
    spin_id: randomUUID(),
    email: email(place),
    reward_id: rewards[place % 2] ?? "",
  }));
  for (const { customer_id, spin_id, email, reward_id } of people) {
    await sql`
      with known as (
        insert into public.customers (id, org_id, name, email) values (${customer_id}, ${ours.id}, 'Ana', ${`${customer_id}@exemple.fr`})
      ), spun as (
        insert into public.spins (id, org_id, campaign_id, store_id, customer_id, play_id, segment_id, reward_id, result_type,
          nonce, rules_version, result, end_user_email)
        values (${spin_id}, ${ours.id}, ${campaign.id}, ${ours.storeId}, ${customer_id}, gen_random_uuid(), gen_random_uuid(),
          ${reward_id}, 'reward', gen_random_uuid(), 1, '{}', ${email})
      ), won as (
        insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name, expires_at)
        values (${ours.id}, ${campaign.id}, ${ours.storeId}, ${reward_id}, ${spin_id}, ${customer_id}, left(${spin_id}::text, 36),
          'Café offert', now() + interval '30 days')
      )
      insert into private.spin_origins (org_id, campaign_id, spin_id, customer_id, device_key, network_key)
      values (${ours.id}, ${campaign.id}, ${spin_id}, ${customer_id}, ${spin_id}, 'wifi')`;
  }
  return { ours, campaign, rewards };
}

type Rows = Map<string, number>;

/** Rows that a step of a transaction writes, by table: a connection counts those of its transactions before as well. */
async function writes<T>(
  sql: TransactionSql,
  step: () => Promise<T>,
): Promise<{ result: T; rows: Rows }> {
  const count = async (): Promise<Rows> => {
    const rows = await sql<{ name: string; rows: number }[]>`
      select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::integer as rows from pg_stat_xact_user_tables`;
    return new Map(rows.map((row) => [row.name, row.rows]));
  };
  const before = await count();
  const result = await step();
  const after = await count();
  return {
    result,
    rows: new Map([...after].map(([name, n]) => [name, n - (before.get(name) ?? 0)])),
  };
}

async function groupOf({ ours }: Feast): Promise<string> {
  await database.sql`select private.judge_spins(1000)`;
  const [group] = await database.sql<{ id: string }[]>`
    select id from private.check_groups where org_id = ${ours.id}`;
  return group?.id ?? "";
}

async function decide({ ours }: Feast, group: string, action: string) {
  return database.as({ userId: ours.users.owner.id }, async (sql) => {
    const { result, rows } = await writes(
      sql,
      () => sql<{ answer: { changed: number; left: number } }[]>`
        select public.decide_check(${group}, ${action}) as answer`,
    );
    return { ...result[0]?.answer, rows };
  });
}

async function codes({ ours }: Feast): Promise<Record<string, number>> {
  const rows = await database.sql<{ state: string; count: number }[]>`
    select coalesce(verdict, status) as state, count(*)::integer as count
    from public.redemptions where org_id = ${ours.id} group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function stocks({ rewards }: Feast): Promise<number[]> {
  const rows = await database.sql<{ stock: number }[]>`
    select stock from public.rewards where id = any (${rewards}) order by name`;
  return rows.map(({ stock }) => stock);
}

it("a portion of spins from one network writes its group once", async () => {
  const { ours } = await feast();
  await database.sql.begin(async (job) => {
    const { rows } = await writes(job, () => job`select private.judge_spins(1000)`);
    expect(rows.get("check_groups")).toBe(1);
  });
  const [group] = await database.sql<{ names: number; prizes: number }[]>`
    select g.names, count(*)::integer as prizes from private.check_groups g
    join private.check_codes m on m.org_id = g.org_id and m.group_id = g.id
    where g.org_id = ${ours.id} group by g.org_id, g.id`;
  expect(group).toEqual({ names: PRIZES, prizes: PRIZES });
});

it("a decision on many prizes writes each reward and its campaign once, and each code as often as for one", async () => {
  const shop = await feast();
  const group = await groupOf(shop);
  const held = await decide(shop, group, "hold");
  expect(held).toMatchObject({ changed: PRIZES, left: 0 });
  expect(held.rows.get("redemptions")).toBe(PRIZES);
  const cancelled = await decide(shop, group, "cancel");
  expect(cancelled).toMatchObject({ changed: PRIZES, left: 0 });
  expect(await codes(shop)).toEqual({ cancelled: PRIZES });
  expect(await stocks(shop)).toEqual([10 + PRIZES / 2, -1]);
  const released = await decide(shop, group, "release");
  expect(released).toMatchObject({ changed: PRIZES, left: 0 });
  expect(await codes(shop)).toEqual({ available: PRIZES });
  expect(await stocks(shop)).toEqual([10, -1]);
  for (const { rows } of [cancelled, released]) {
    expect(rows.get("redemptions")).toBe(PRIZES);
    // The one whose stock is not counted is not written.
    expect(rows.get("rewards")).toBe(1);
    expect(rows.get("campaigns") ?? 0).toBeLessThanOrEqual(2);
  }
  const mails = await database.sql<{ what: string; count: number }[]>`
    select o.template || ' ' || o.state as what, count(*)::integer from private.outbox o
    where o.customer like ${`${shop.ours.id} %`} group by 1 order by 1`;
  expect(mails).toEqual([
    { what: "prize_cancelled failed", count: PRIZES },
    { what: "prize_held failed", count: PRIZES },
  ]);
});

it("a decision on many prizes is one message to open screens, and one that changes nothing is none", async () => {
  const { sql } = database;
  const shop = await feast();
  const group = await groupOf(shop);
  await sql`
    with process as (insert into realtime.processes (id) values (gen_random_uuid()) returning id)
    insert into realtime.listeners (topic, process_id)
    select ${`organization:${shop.ours.id}:codes`}, id from process`;
  const messages = [];
  for (const action of ["hold", "hold", "cancel", "release"]) {
    messages.push((await decide(shop, group, action)).rows.get("pending") ?? 0);
  }
  expect(messages).toEqual([1, 0, 1, 1]);
  const bodies = await sql`select body -> 'payload' as payload from realtime.pending order by id`;
  expect(bodies).toEqual(
    Array(3).fill({ payload: { kind: "code", campaign_id: shop.campaign.id } }),
  );
});

it("prizes given back where the stock was won by others since are as many as there are left, and the others stay cancelled", async () => {
  const shop = await feast();
  const group = await groupOf(shop);
  await decide(shop, group, "cancel");
  await database.sql`update public.rewards set stock = 7 where id = ${shop.rewards[0]}`;
  expect(await decide(shop, group, "release")).toMatchObject({
    changed: PRIZES / 2 + 7,
    left: PRIZES / 2 - 7,
  });
  expect(await stocks(shop)).toEqual([0, -1]);
  expect(await codes(shop)).toEqual({ available: PRIZES / 2 + 7, cancelled: PRIZES / 2 - 7 });
});

it("one address that won many prizes gets five mails a day about decisions on them", async () => {
  const shop = await feast({
    email: (place) => (place < 20 ? "Presse@exemple.fr" : `p${place}@exemple.fr`),
  });
  const group = await groupOf(shop);
  await decide(shop, group, "hold");
  const [mails] = await database.sql<{ to_one: number; in_all: number; known: number }[]>`
    select count(*) filter (where o.recipient = 'Presse@exemple.fr')::integer as to_one, count(*)::integer as in_all,
      count(v.redemption_id)::integer as known
    from private.outbox o left join private.code_verdicts v on v.mail_id = o.id
    where o.customer like ${`${shop.ours.id} %`}`;
  expect(mails).toEqual({ to_one: 5, in_all: PRIZES - 15, known: PRIZES - 15 });
  // Refused ones count as well, as one by one.
  const [count] = await database.sql<{ hits: number }[]>`
    select hits from private.rate_limits where key = private.verdict_key('presse@exemple.fr')`;
  expect(count?.hits).toBe(20);
});
