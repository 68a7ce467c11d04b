import type { Sql } from "postgres";
import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { rounds } from "../harness/depth.ts";
import { createCampaign, createOrganization, createReward } from "../harness/fixtures.ts";
import { numbers } from "../harness/numbers.ts";

/**
 * Names from one network at once: the job counts a whole batch in one query, as names that come and go. Beside it stands
 * the rule as it is told (decision 084): each spin seen with the ten minutes, and with the hour, before it.
 */

const database = setUpTestDatabase();

/** Usual limit of new names from one network (`private.check_settings_of`). */
const NETWORK_NAMES = 8;

const SPINS = 120;

type Spin = {
  id: string;
  at: number;
  network: string;
  device: string;
  customer: string;
  /** When the customer came first. */
  since: number;
  /** Identifier of the code that was won; null for a loss. */
  code: string | null;
  usedAt: number | null;
};

type Group = {
  key: string;
  names: number;
  losses: number;
  openedAt: number;
  lastAt: number;
  codes: string[];
};

/** Spins of a campaign, planted as if they had happened: dense or sparse, few or many losses, regulars and lent phones among them. */
async function plant(
  sql: Sql,
  seed: number,
): Promise<{ orgId: string; campaignId: string; spins: Spin[] }> {
  const random = numbers(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const { id: orgId, storeId } = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId, storeId });
  const reward = await createReward(sql, campaign);
  const paceMs = [10_000, 60_000, 180_000, 400_000][seed % 4] ?? 0;
  const spins: Spin[] = [];
  let at = Date.parse("2026-11-20T08:00:00Z");
  for (let place = 0; place < SPINS; place += 1) {
    at += 1_000 + pick(paceMs) + (random() < 0.05 ? 30 * MINUTE_MS : 0);
    const known = random() < 0.15 ? spins[pick(spins.length)] : undefined;
    const since = known?.since ?? at - (random() < 0.1 ? 2 * HOUR_MS : 0);
    const customer = known?.customer ?? (await addCustomer(sql, orgId, `${place}`, since));
    const isLost = random() < (seed % 3) * 0.35;
    const usedAt = !isLost && random() < 0.08 ? at + pick(90) * MINUTE_MS : null;
    const spin = {
      at,
      network: `network ${pick(3)}`,
      device: random() < 0.3 ? `lent ${pick(4)}` : `own ${place}`,
      customer,
      since,
      usedAt,
    };
    spins.push({
      ...spin,
      ...(await addSpin(sql, { orgId, storeId, campaign: campaign.id, reward, spin, isLost })),
    });
  }
  return { orgId, campaignId: campaign.id, spins };
}

async function addCustomer(sql: Sql, orgId: string, name: string, since: number): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.customers (org_id, name, email, created_at)
    values (${orgId}, ${name}, ${`${name}@exemple.fr`}, ${new Date(since)}) returning id`;
  return row?.id ?? "";
}

async function addSpin(
  sql: Sql,
  options: {
    orgId: string;
    storeId: string;
    campaign: string;
    reward: string;
    spin: Omit<Spin, "id" | "code">;
    isLost: boolean;
  },
): Promise<{ id: string; code: string | null }> {
  const { orgId, storeId, campaign, reward, spin, isLost } = options;
  const at = new Date(spin.at);
  const usedAt = spin.usedAt === null ? null : new Date(spin.usedAt);
  const [row] = await sql<{ id: string; code: string | null }[]>`
    with spun as (
      insert into public.spins (org_id, campaign_id, store_id, customer_id, play_id, segment_id, reward_id, result_type,
        nonce, rules_version, result, created_at)
      values (${orgId}, ${campaign}, ${storeId}, ${spin.customer}, gen_random_uuid(), gen_random_uuid(),
        ${isLost ? null : reward}, ${isLost ? "lose" : "reward"}, gen_random_uuid(), 1, '{}', ${at})
      returning id
    ), won as (
      insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        status, used_at, used_store_id, expires_at, created_at)
      select ${orgId}, ${campaign}, ${storeId}, ${reward}, s.id, ${spin.customer}, left(s.id::text, 36), 'Café offert',
        ${usedAt === null ? "available" : "used"}, ${usedAt}, ${usedAt === null ? null : storeId}::uuid,
        ${at}::timestamptz + interval '30 days', ${at}
      from spun s where not ${isLost}
      returning id
    )
    select s.id, (select w.id from won w) as code from spun s`;
  return { id: row?.id ?? "", code: row?.code ?? null };
}

/** Groups that the rule makes of spins which are judged so many at a time. */
function expected(spins: readonly Spin[], batch: number): Group[] {
  const groups = new Map<string, Group>();
  for (let from = 0; from < spins.length; from += batch) {
    const judged = spins.slice(0, from + batch);
    for (const spin of judged.slice(from)) {
      const before = judged.filter(
        ({ network, at, since }) =>
          network === spin.network &&
          at <= spin.at &&
          at > spin.at - HOUR_MS &&
          since > at - HOUR_MS,
      );
      const within = (span: number) => before.filter(({ at }) => at > spin.at - span);
      const namesOf = (seen: readonly Spin[]) => {
        const people = new Set(seen.map(({ customer }) => customer));
        // A person on two devices is as many names.
        return new Set(
          judged.filter(({ customer }) => people.has(customer)).map(({ device }) => device),
        ).size;
      };
      const isShops = before.some(({ usedAt }) => usedAt !== null && usedAt <= spin.at);
      const limit = NETWORK_NAMES * (isShops ? 3 : 1);
      const inHour = namesOf(before);
      const isSlow = inHour * 2 >= limit * 3;
      const inMinutes = namesOf(within(10 * MINUTE_MS));
      if (inHour < 3 || (inMinutes < limit && !isSlow)) continue;
      const seen = isSlow ? before : within(10 * MINUTE_MS);
      const own = before.includes(spin) && spin.code === null ? 1 : 0;
      const group = groups.get(spin.network);
      const marked = seen.filter(({ code }) => code !== null && !group?.codes.includes(code));
      const instants = marked.map(({ usedAt, at }) => usedAt ?? at);
      const codes = marked.flatMap(({ code }) => code ?? []);
      if (group === undefined) {
        if (codes.length === 0) continue;
        groups.set(spin.network, {
          key: spin.network,
          names: isSlow ? inHour : inMinutes,
          losses: seen.filter(({ code }) => code === null).length,
          openedAt: Math.min(...instants),
          lastAt: Math.max(...instants),
          codes,
        });
        continue;
      }
      group.losses += own;
      if (codes.length === 0) continue;
      group.names = Math.max(group.names, isSlow ? inHour : inMinutes);
      group.lastAt = Math.max(group.lastAt, ...instants);
      group.codes.push(...codes);
    }
  }
  return [...groups.values()]
    .map((group) => ({ ...group, codes: group.codes.toSorted() }))
    .toSorted((one, other) => one.key.localeCompare(other.key));
}

async function found(sql: Sql, orgId: string): Promise<Group[]> {
  const rows = await sql<
    { key: string; names: number; losses: number; opened: Date; last: Date; codes: string[] }[]
  >`
    select g.group_key as key, g.names, g.losses, g.opened_at as opened, g.last_at as last,
      array(select m.redemption_id::text from private.check_codes m
            where m.org_id = g.org_id and m.group_id = g.id order by 1) as codes
    from private.check_groups g where g.org_id = ${orgId} and g.kind = 'network' order by g.group_key collate "C"`;
  return rows.map(({ opened, last, ...group }) => ({
    ...group,
    openedAt: opened.getTime(),
    lastAt: last.getTime(),
  }));
}

it.each(
  Array.from(
    { length: rounds({ quick: 8, deep: 60 }) },
    (_, seed) => [seed, [SPINS, 25, 1][seed % 3] ?? 1] as const,
  ),
)("is found as the rule says, whatever came (seed %i, %i spins at a time)", async (seed, batch) => {
  const { sql } = database;
  const { orgId, campaignId, spins } = await plant(sql, seed);
  for (let from = 0; from < SPINS; from += batch) {
    const origins = spins
      .slice(from, from + batch)
      .map(({ at, network, device, customer, id }) => ({
        org_id: orgId,
        campaign_id: campaignId,
        spin_id: id,
        customer_id: customer,
        device_key: device,
        network_key: network,
        created_at: new Date(at),
      }));
    await sql`insert into private.spin_origins ${sql(origins)}`;
    await sql`select private.judge_spins(${SPINS})`;
  }
  expect(await found(sql, orgId)).toEqual(expected(spins, batch));
});
