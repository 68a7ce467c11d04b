import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { type CheckGroup, checkGroups } from "#domain/schemas/checks.ts";
import { spinResult } from "#domain/schemas/journey.ts";
import { become, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  giveRole,
  type Organization,
  type Role,
  withoutQuietHours,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Prizes to check: what gets a reason and what does not, and what a merchant's decision does to a code. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
  rewardId = await createReward(database.sql, campaign, { name: "Café offert", stock: 100 });
  await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
});

type Turn = { device?: string; address?: string; email?: string };

async function win(turn: Turn = {}): Promise<string> {
  const { body, outcome } = await spin(database.sql, { campaignId: campaign.id, ...turn });
  if (body === null) throw new Error(outcome);
  return spinResult.parse(JSON.parse(body)).redemption_code ?? "";
}

/** That many different people, one after another. */
async function winAll(count: number, turn: () => Turn): Promise<string[]> {
  const codes: string[] = [];
  for (let i = 0; i < count; i += 1) codes.push(await win(turn()));
  return codes;
}

/** That many different people who win nothing. */
async function loseAll(count: number, turn: () => Turn): Promise<void> {
  const to = (reward: string | null) => database.sql`
    update public.wheel_segments set reward_id = ${reward} where campaign_id = ${campaign.id}`;
  await to(null);
  for (let i = 0; i < count; i += 1)
    await spin(database.sql, { campaignId: campaign.id, ...turn() });
  await to(rewardId);
}

const judge = () => database.sql`select private.judge_spins(1000)`;

/** Turns happened earlier: everything that bears their instant is moved back, as if it had been so. */
async function letPass(duration: string): Promise<void> {
  await database.sql`
    update public.redemptions set created_at = created_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update public.customers set created_at = created_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update public.spins set created_at = created_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update private.spin_origins set created_at = created_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update private.network_turns set created_at = created_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update private.device_customers
    set first_at = first_at - ${duration}::interval, last_at = last_at - ${duration}::interval
    where org_id = ${ours.id}`;
  await database.sql`
    update private.code_verdicts set decided_at = decided_at - ${duration}::interval where org_id = ${ours.id}`;
  await database.sql`
    update private.check_groups
    set opened_at = opened_at - ${duration}::interval, last_at = last_at - ${duration}::interval
    where org_id = ${ours.id}`;
}

const as = <T>(role: Role, run: (sql: TransactionSql) => Promise<T>) =>
  database.as({ userId: ours.users[role].id }, run);

async function groups(isClosed = false, role: Role = "owner"): Promise<CheckGroup[]> {
  const [row] = await as(
    role,
    (sql) =>
      sql<{ answer: unknown }[]>`select public.check_groups(${ours.id}, ${isClosed}) as answer`,
  );
  return whole(checkGroups, row?.answer).items;
}

async function onlyGroup(): Promise<CheckGroup> {
  const [group, ...others] = await groups();
  if (group === undefined || others.length > 0) throw new Error(`Not one group: ${others.length}`);
  return group;
}

async function decide(group: CheckGroup, action: string, codes: string[] | null = null) {
  const [row] = await as(
    "member",
    (sql) => sql<{ answer: { changed: number; left: number } }[]>`
      select public.decide_check(${group.id}, ${action}, ${codes}) as answer`,
  );
  return row?.answer;
}

const use = (code: string) =>
  redeem(database.sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });

async function stock(): Promise<number | undefined> {
  const [row] = await database.sql<{ stock: number }[]>`
    select stock from public.rewards where id = ${rewardId}`;
  return row?.stock;
}

async function mails() {
  const rows = await database.sql<{ template: string; state: string }[]>`
    select o.template, o.state from private.outbox o
    where o.template in ('prize_held', 'prize_cancelled', 'prize_released')
      and o.recipient in (select c.email from public.customers c where c.org_id = ${ours.id})
    order by o.id`;
  return rows.map(({ template, state }) => `${template} ${state}`);
}

/** A group of prizes that one device won under six names. */
async function suspicious(): Promise<{ group: CheckGroup; codes: string[] }> {
  const device = randomUUID();
  const codes = await winAll(6, () => ({ device }));
  await judge();
  return { group: await onlyGroup(), codes };
}

describe("a reason", () => {
  it("is looked for on at once after a full portion of turns, also of players who were erased meanwhile", async () => {
    const { sql } = database;
    await judge();
    for (let turn = 0; turn < 4; turn += 1) await win();
    await as("owner", async (run) => {
      const customers = await run<{ id: string }[]>`
        select id from public.customers where org_id = ${ours.id} order by id limit 3`;
      for (const { id } of customers) await run`select public.erase_customer(${id})`;
    });
    // The job comes back at once as long as it answers all that it was to take.
    for (const rows of [2, 2, 0]) {
      expect([...(await sql`select private.judge_spins(2) as rows`)]).toEqual([{ rows }]);
    }
  });

  it("is given from six names on a device on, to all of their prizes, and not before", async () => {
    const device = randomUUID();
    const family = await winAll(5, () => ({ device }));
    await judge();
    expect(await groups()).toEqual([]);
    const sixth = await win({ device });
    await judge();
    const group = await onlyGroup();
    expect(group).toMatchObject({ kind: "device", names: 6, total: 6, label: null });
    expect(group.codes.map(({ code }) => code).sort()).toEqual([...family, sixth].sort());
    expect(new Set(group.codes.flatMap(({ reasons }) => reasons))).toEqual(new Set(["device"]));
  });

  it("lasts from the first prize that has it to the latest", async () => {
    const device = randomUUID();
    await winAll(3, () => ({ device }));
    await letPass("2 hours");
    await winAll(3, () => ({ device }));
    await judge();
    const { opened_at, last_at } = await onlyGroup();
    expect(Date.parse(last_at) - Date.parse(opened_at)).toBeGreaterThanOrEqual(2 * 3_600_000);
  });

  it("names its winners to whoever may see customers, and to nobody else", async () => {
    const device = randomUUID();
    await winAll(6, () => ({ device }));
    await judge();
    const named = async (role: Role) =>
      (await groups(false, role)).flatMap(({ codes }) => codes.map(({ customer }) => customer));
    expect(await named("owner")).toEqual(Array.from({ length: 6 }, () => "Ana Petit"));
    await giveRole(database.sql, ours.users.member, {
      orgId: ours.id,
      permissions: ["activity.read", "codes.read"],
    });
    expect(await named("member")).toEqual(Array.from({ length: 6 }, () => null));
  });

  it("counts names on a device for a day, and twice as many for a month", async () => {
    const device = randomUUID();
    await winAll(5, () => ({ device }));
    await judge();
    await letPass("25 hours");
    await winAll(5, () => ({ device }));
    await judge();
    expect(await groups()).toEqual([]);
    await letPass("28 days");
    await winAll(2, () => ({ device }));
    await judge();
    // Five of them are 29 days and an hour old.
    expect(await onlyGroup()).toMatchObject({ kind: "device", names: 12, total: 12 });
  });

  it("counts no name on a device that is older than thirty days", async () => {
    const device = randomUUID();
    for (const later of ["29 days", "25 hours"]) {
      await winAll(5, () => ({ device }));
      await judge();
      await letPass(later);
    }
    await winAll(2, () => ({ device }));
    await judge();
    expect(await groups()).toEqual([]);
  });

  it("is given to eight new names from one network within ten minutes", async () => {
    const address = randomUUID();
    await winAll(4, () => ({ address }));
    await judge();
    await letPass("11 minutes");
    await winAll(7, () => ({ address }));
    await judge();
    expect(await groups()).toEqual([]);
    await win({ address });
    await judge();
    // With the four before them twelve within the hour, which is a reason as well.
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 12, total: 12 });
  });

  it("is given to three times as many on a network of which a prize has reached the till", async () => {
    await withoutQuietHours(database.sql, campaign);
    const address = randomUUID();
    expect(await use(await win({ address }))).toBe("redeemed");
    await winAll(22, () => ({ address }));
    await judge();
    expect(await groups()).toEqual([]);
    await win({ address });
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 24, total: 24 });
  });

  it("is given to a prize that is used when the store has used none in its latest hundred", async () => {
    await database.sql`update public.rewards set stock = -1 where id = ${rewardId}`;
    const [first = "", second = "", ...old] = await winAll(101, () => ({}));
    // At the opposite hour of the day.
    await database.sql`
      update public.redemptions set status = 'used', used_at = now() - interval '36 hours', used_store_id = store_id
      where org_id = ${ours.id} and code = any (${old})`;
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, quiet_from, quiet_to)
      select ${ours.id}, ${campaign.id}, t, t + interval '1 second'
      from (select (now() at time zone 'Europe/Paris' + interval '12 hours')::time as t) a`;
    expect(await use(first)).toBe("redeemed");
    expect(await onlyGroup()).toMatchObject({ kind: "quiet_hours", total: 1 });
    await database.sql`
      update public.redemptions set used_at = now() - interval '24 hours'
      where org_id = ${ours.id} and code = ${old[0] ?? ""}`;
    expect(await use(second)).toBe("redeemed");
    expect(await onlyGroup()).toMatchObject({ kind: "quiet_hours", total: 1 });
  });

  it("is not given for regulars who come at once, nor to strangers on other networks", async () => {
    await database.sql`update public.campaigns set play_interval_days = 0 where id = ${campaign.id}`;
    await database.sql`update public.rewards set max_per_user = 2 where id = ${rewardId}`;
    const emails = Array.from({ length: 9 }, () => `${randomUUID()}@exemple.fr`);
    for (const email of emails) await win({ email });
    await judge();
    await letPass("2 days");
    const address = randomUUID();
    for (const email of emails) await win({ email, address });
    await judge();
    expect(await groups()).toEqual([]);
  });

  it("is given to disposable addresses, their subdomains included, where the campaign marks them", async () => {
    await win({ email: "a@yopmail.com" });
    await win({ email: "b@boite.YOPMAIL.com" });
    await win({ email: "c@notyopmail.com" });
    await win({ email: "d@une.autre.yopmail.com" });
    await judge();
    expect(await onlyGroup()).toMatchObject({
      kind: "disposable",
      label: "yopmail.com",
      total: 3,
    });
    await as(
      "owner",
      (sql) => sql`
        select public.save_check_settings(${campaign.id}, 6, 8, false)`,
    );
    await win({ email: "d@mailinator.com" });
    await judge();
    expect(await groups()).toHaveLength(1);
  });

  it.each([
    ["within the hours that the campaign names", -1, 1, 1],
    ["outside of them", 1, 2, 0],
    ["within hours over midnight", -1, -2, 1],
    ["with none", null, null, 0],
  ])("is given to a prize that is used %s", async (_when, from, to, count) => {
    const hour = (offset: number | null) =>
      offset === null
        ? null
        : database.sql`(now() at time zone 'Europe/Paris' + ${`${offset} hours`}::interval)::time`;
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, quiet_from, quiet_to)
      values (${ours.id}, ${campaign.id}, ${hour(from)}, ${hour(to)})`;
    expect(await use(await win())).toBe("redeemed");
    const found = await groups();
    expect(found.map(({ kind, total }) => ({ kind, total }))).toEqual(
      Array.from({ length: count }, () => ({ kind: "quiet_hours", total: 1 })),
    );
  });

  it("is given by the clock of the till, where the code's own store is archived", async () => {
    const { sql } = database;
    const elsewhere = await createStore(sql, { orgId: ours.id, timezone: "Pacific/Auckland" });
    const hour = (offset: number) =>
      sql`(now() at time zone 'Pacific/Auckland' + ${`${offset} hours`}::interval)::time`;
    await sql`
      insert into private.check_settings (org_id, campaign_id, quiet_from, quiet_to)
      values (${ours.id}, ${campaign.id}, ${hour(-1)}, ${hour(1)})`;
    const code = await win();
    await sql`update public.stores set archived_at = now() where id = ${ours.storeId}`;
    const userId = ours.users.cashier.id;
    expect(await redeem(sql, { userId, code, storeId: elsewhere })).toBe("redeemed");
    const [day] = await sql`
      select to_char(now() at time zone 'Pacific/Auckland', 'YYYY-MM-DD') as there`;
    expect(await onlyGroup()).toMatchObject({ kind: "quiet_hours", label: day?.there });
  });

  it("is not given again for what somebody called normal, and is for what came later otherwise", async () => {
    const device = randomUUID();
    await winAll(6, () => ({ device }));
    await judge();
    const group = await onlyGroup();
    expect(await decide(group, "clear")).toEqual({ changed: 0, left: 0 });
    await win({ device });
    await judge();
    expect(await groups()).toEqual([]);
    expect(await groups(true)).toMatchObject([{ id: group.id, is_normal: true, total: 6 }]);
    await decide(group, "reopen");
    await judge();
    await win({ device });
    await judge();
    expect(await onlyGroup()).toMatchObject({ id: group.id, total: 8 });
  });

  it("counts the losing turns of the same device beside its prizes, each once, and none in another group", async () => {
    const device = randomUUID();
    await loseAll(3, () => ({ device }));
    await winAll(4, () => ({ device }));
    await judge();
    const group = await onlyGroup();
    expect(group).toMatchObject({ kind: "device", names: 7, total: 4, losses: 3 });
    // Losing turns alone open no group, and are counted in the one that is open.
    await loseAll(2, () => ({ device }));
    await loseAll(2, () => ({}));
    await judge();
    expect(await onlyGroup()).toMatchObject({ id: group.id, total: 4, losses: 5 });
    await decide(group, "cancel");
    await loseAll(1, () => ({ device }));
    await winAll(1, () => ({ device }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ total: 1, losses: 1 });
    expect(await groups(true)).toMatchObject([{ id: group.id, losses: 5 }]);
  });

  it("counts those of the same network and of a disposable domain as well", async () => {
    const address = randomUUID();
    await loseAll(4, () => ({ address }));
    await winAll(4, () => ({ address }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 8, total: 4, losses: 4 });
    await loseAll(1, () => ({ address }));
    await judge();
    const network = await onlyGroup();
    expect(network).toMatchObject({ total: 4, losses: 5 });
    await decide(network, "clear");

    await loseAll(1, () => ({ email: "a@yopmail.com" }));
    await judge();
    expect(await groups()).toEqual([]);
    await win({ email: "b@yopmail.com" });
    await loseAll(2, () => ({ email: `${randomUUID()}@yopmail.com` }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "disposable", total: 1, losses: 2 });
  });

  it("of a network is given though a prize of it was used there, more than an hour later", async () => {
    await withoutQuietHours(database.sql, campaign);
    const address = randomUUID();
    const code = await win({ address });
    await letPass("90 minutes");
    expect(await use(code)).toBe("redeemed");
    await winAll(8, () => ({ address }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 8, total: 8 });
  });

  it("of a network is given though one device plays again: nobody has used a prize there", async () => {
    const [address, device] = [randomUUID(), randomUUID()];
    await winAll(2, () => ({ address, device }));
    await winAll(7, () => ({ address }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 8, total: 9 });
  });

  it("of a network counts the losing turns of the whole hour once", async () => {
    const address = randomUUID();
    await loseAll(4, () => ({ address }));
    await letPass("20 minutes");
    await winAll(8, () => ({ address }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 12, total: 8, losses: 4 });
  });

  it("counts neither names nor losing turns of another campaign, nor of more than a day before", async () => {
    const [device, address] = [randomUUID(), randomUUID()];
    await loseAll(2, () => ({ device, address }));
    await win({ device, address });
    await judge();
    await letPass("24 hours 30 minutes");
    const [mine, myReward] = [campaign, rewardId];
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    rewardId = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
    await loseAll(1, () => ({ device, address }));
    await winAll(7, () => ({ device, address }));
    await judge();
    const theirs = await onlyGroup();
    expect(theirs).toMatchObject({ kind: "device", names: 8, total: 7, losses: 1 });
    [campaign, rewardId] = [mine, myReward];
    await loseAll(1, () => ({ device, address }));
    await winAll(4, () => ({ device, address }));
    await judge();
    expect(await groups()).toMatchObject([{ id: theirs.id }]);
    await win({ device, address });
    await judge();
    expect((await groups()).filter(({ id }) => id !== theirs.id)).toMatchObject([
      { kind: "device", names: 6, total: 5, losses: 1, campaign: { id: mine.id } },
    ]);
  });

  it("takes no prize along of another campaign that has no reason yet", async () => {
    const device = randomUUID();
    const mine = campaign;
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    const reward = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId: reward }]);
    await winAll(3, () => ({ device }));
    campaign = mine;
    await winAll(6, () => ({ device }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "device", names: 6, total: 6 });
  });

  it("of ten minutes on a network takes none along from before", async () => {
    const address = randomUUID();
    await loseAll(1, () => ({ address }));
    await winAll(2, () => ({ address }));
    await judge();
    await letPass("11 minutes");
    await winAll(8, () => ({ address }));
    await judge();
    expect(await onlyGroup()).toMatchObject({ kind: "network", names: 8, total: 8, losses: 0 });
  });

  it("counts neither names nor losing turns of one network in another campaign", async () => {
    const address = randomUUID();
    const mine = campaign;
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    const reward = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId: reward }]);
    await winAll(4, () => ({ address }));
    await database.sql`
      update public.wheel_segments set reward_id = null where campaign_id = ${campaign.id}`;
    await spin(database.sql, { campaignId: campaign.id, address });
    campaign = mine;
    await winAll(7, () => ({ address }));
    await judge();
    expect(await groups()).toEqual([]);
    await win({ address });
    await judge();
    expect(await onlyGroup()).toMatchObject({
      ...{ kind: "network", names: 8, total: 8, losses: 0 },
      campaign: { id: mine.id },
    });
  });

  it("of one device counts no losing turns of another", async () => {
    const { group } = await suspicious();
    const device = randomUUID();
    await loseAll(2, () => ({ device }));
    await judge();
    await winAll(5, () => ({ device }));
    await judge();
    await loseAll(1, () => ({ device }));
    await judge();
    const losses = (await groups()).map(({ id, names, losses: lost }) => ({
      ...{ isFirst: id === group.id, names, lost },
    }));
    expect(losses.toSorted((one, other) => one.names - other.names)).toEqual([
      { isFirst: true, names: 6, lost: 0 },
      { isFirst: false, names: 7, lost: 3 },
    ]);
  });

  it("is given anew to a prize that was given back, once it is used in quiet hours of another day", async () => {
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, quiet_from, quiet_to)
      select ${ours.id}, ${campaign.id}, t - interval '1 hour', t + interval '1 hour'
      from (select (now() at time zone 'Europe/Paris')::time as t) a`;
    const code = await win();
    expect(await use(code)).toBe("redeemed");
    const { id, codes } = await onlyGroup();
    await database.sql`update private.check_groups set group_key = '2026-01-01' where id = ${id}`;
    await as("cashier", (sql) => sql`select public.restore_code(${codes[0]?.id ?? ""})`);
    expect(await use(code)).toBe("redeemed");
    expect(await groups()).toMatchObject([{ total: 1 }, { total: 1 }]);
  });

  it("of one device is not normal because another's is", async () => {
    const { group } = await suspicious();
    await decide(group, "clear");
    const { group: second } = await suspicious();
    expect(second).toMatchObject({ kind: "device", total: 6 });
  });

  it("is opened again beside what came later under the same reason", async () => {
    const device = randomUUID();
    await winAll(6, () => ({ device }));
    await judge();
    const first = await onlyGroup();
    await decide(first, "cancel");
    await win({ device });
    await judge();
    const later = await onlyGroup();
    await decide(first, "reopen");
    expect((await groups()).map(({ id }) => id).sort()).toEqual([first.id, later.id].sort());
  });

  it("is listed ten at a time, those that wait by their latest prize, the others by their decision", async () => {
    const { sql } = database;
    await sql`
      insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at, closed_at)
      select ${ours.id}, ${campaign.id}, 'device', n::text, now(), now() - n * interval '1 hour',
        case when n > 12 then now() + n * interval '1 hour' end
      from generate_series(1, 24) n`;
    const page = async (isClosed: boolean, after: string | null) => {
      const [row] = await as(
        "owner",
        (own) => own<{ answer: unknown }[]>`
          select public.check_groups(${ours.id}, ${isClosed}, ${after}) as answer`,
      );
      const { items, has_next } = whole(checkGroups, row?.answer);
      const keys = await sql<{ key: number }[]>`
        select g.group_key::integer as key from unnest(${items.map(({ id }) => id)}::uuid[]) with ordinality i (id, place)
        join private.check_groups g on g.id = i.id order by i.place`;
      return { keys: keys.map(({ key }) => key), last: items.at(-1)?.id ?? null, has_next };
    };
    const from = (first: number, step: number, count: number) =>
      Array.from({ length: count }, (_, place) => first + place * step);
    const open = await page(false, null);
    expect(open).toMatchObject({ keys: from(1, 1, 10), has_next: true });
    expect(await page(false, open.last)).toMatchObject({ keys: [11, 12], has_next: false });
    const closed = await page(true, null);
    expect(closed).toMatchObject({ keys: from(24, -1, 10), has_next: true });
    expect(await page(true, closed.last)).toMatchObject({ keys: [14, 13], has_next: false });
  });

  it("says that there are some that were dealt with once there are, of that merchant alone", async () => {
    const { sql } = database;
    const answer = async () => {
      const [row] = await as(
        "owner",
        (own) => own<{ answer: unknown }[]>`select public.check_groups(${ours.id}) as answer`,
      );
      return whole(checkGroups, row?.answer).closed;
    };
    const theirs = await createOrganization(sql);
    const theirCampaign = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    const close = ({ id }: Organization, of: Campaign) => sql`
      insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at, closed_at)
      values (${id}, ${of.id}, 'device', 'one', now(), now(), now())`;
    await close(theirs, theirCampaign);
    expect(await answer()).toBe(false);
    await close(ours, campaign);
    expect(await answer()).toBe(true);
  });

  it("shows on the dashboard and in the navigation to whoever may decide, until somebody does", async () => {
    const told = async (role: Role) => {
      const [row] = await as(
        role,
        (sql) => sql<{ here: number; todo: number }[]>`
          select (public.my_workspace() ->> 'open_checks')::integer as here,
            (public.dashboard(${ours.id}) #>> '{todo,checks}')::integer as todo`,
      );
      return row;
    };
    expect(await told("member")).toEqual({ here: 0, todo: 0 });
    const { group } = await suspicious();
    expect(await told("member")).toEqual({ here: 1, todo: 1 });
    const permissions = ["activity.read", "rewards.read", "rewards.write"];
    await giveRole(database.sql, ours.users.admin, { orgId: ours.id, permissions });
    expect(await told("admin")).toEqual({ here: 0, todo: 0 });
    // Counted up to a hundred.
    await database.sql`
      insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at)
      select ${ours.id}, ${campaign.id}, 'device', n::text, now(), now() from generate_series(1, 120) n`;
    expect(await told("member")).toEqual({ here: 100, todo: 100 });
    await database.sql`delete from private.check_groups where org_id = ${ours.id} and id <> ${group.id}`;
    await decide(group, "clear");
    expect(await told("member")).toEqual({ here: 0, todo: 0 });
  });

  it("leaves nothing of whoever is erased, and of a network after an hour", async () => {
    const [device, address] = [randomUUID(), randomUUID()];
    await win({ device, address });
    await judge();
    await letPass("61 minutes");
    await database.sql`select private.sweep_checks(1000)`;
    expect(
      await database.sql`select 1 from private.network_turns where network_key = ${address}`,
    ).toHaveLength(0);
    const kept = () =>
      database.sql`select 1 from private.device_customers where device_key = ${device}`;
    expect(await kept()).toHaveLength(1);
    await win({ device, address });
    const customers = await database.sql<{ id: string }[]>`
      select id from public.customers where org_id = ${ours.id}`;
    for (const { id } of customers)
      await as("owner", (sql) => sql`select public.erase_customer(${id})`);
    await judge();
    expect(await kept()).toHaveLength(0);
  });

  it("is judged while its winner is erased: neither stops the other", async () => {
    const { sql } = database;
    const device = randomUUID();
    await winAll(6, () => ({ device }));
    await judge();
    const { id } = await onlyGroup();
    const code = await win({ device });
    const [row] = await sql<{ customer_id: string }[]>`
      select customer_id from public.redemptions where org_id = ${ours.id} and code = ${code}`;
    const winner = row?.customer_id ?? "";
    // Somebody holds the group until both are on their way.
    const { both } = await sql.begin(async (holder) => {
      await holder`select from private.check_groups where id = ${id} for update`;
      const judged = judge().execute();
      await untilWaiting(sql);
      const erased = as("owner", (own) => own`select public.erase_customer(${winner})`);
      await untilWaiting(sql, 2);
      return { both: Promise.all([judged, erased]) };
    });
    await both;
    expect(await onlyGroup()).toMatchObject({ id, total: 7 });
    expect(await sql`select 1 from public.customers where id = ${winner}`).toHaveLength(0);
  });

  it("makes no till wait for it, nor whoever edits the campaign", async () => {
    const codes = await winAll(3, () => ({}));
    const [row] = await database.sql<{ version: number }[]>`
      select version from public.campaigns where id = ${campaign.id}`;
    await database.sql.begin(async (job) => {
      await job`select private.judge_spins(1000)`;
      // The job has its locks still, and the others wait for nobody.
      await database.sql.begin(async (till) => {
        await till`set local lock_timeout = '2s'`;
        expect(
          await redeem(till, {
            userId: ours.users.cashier.id,
            code: codes[0] ?? "",
            storeId: ours.storeId,
          }),
        ).toBe("redeemed");
      });
      await as("owner", async (owner) => {
        await owner`set local lock_timeout = '2s'`;
        const [saved] = await owner<{ answer: { version: number } }[]>`
          select public.save_campaign(p_id => ${campaign.id}, p_version => ${row?.version ?? 0},
            p_name => 'Un autre nom', p_slug => ${campaign.slug}, p_store_id => ${ours.storeId}, p_active => true,
            p_play_interval_days => 1) as answer`;
        expect(saved?.answer.version).toBeGreaterThan(row?.version ?? 0);
      });
    });
  });

  it("of a network is found by reading each spin as often, however many there are", async () => {
    const { sql } = database;
    await sql`update public.rewards set stock = -1 where id = ${rewardId}`;
    // A store's own network, at a feast: everybody on one address, each on a device of their own.
    const readFor = async (spins: number) => {
      const network = `network of ${spins}`;
      await winAll(spins, () => ({ address: network }));
      await sql`analyze`;
      return sql.begin(async (job) => {
        const read = async () => {
          const [row] = await job<{ rows: number }[]>`
            select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables`;
          return row?.rows ?? 0;
        };
        const before = await read();
        await job`select private.judge_spins(1000)`;
        return ((await read()) - before) / spins;
      });
    };
    const few = await readFor(50);
    const many = await readFor(300);
    expect(many / few).toBeLessThan(2);
  });

  it("has forgotten a network after an hour, however long the job did not run", async () => {
    const address = randomUUID();
    await winAll(8, () => ({ address }));
    await judge();
    const { id } = await onlyGroup();
    const named = () =>
      database.sql`select 1 from private.check_groups where id = ${id} and group_key = ${address}`;
    expect(await named()).toHaveLength(1);
    await letPass("9 days");
    await database.sql`select private.sweep_checks(1000)`;
    expect(await named()).toHaveLength(0);
    expect(await onlyGroup()).toMatchObject({ id, kind: "network", total: 8 });
  });

  it("stays, and forgets its network once the hour is over, not before", async () => {
    const address = randomUUID();
    await winAll(8, () => ({ address }));
    await judge();
    const { id } = await onlyGroup();
    const keyAfter = async (duration: string) => {
      await letPass(duration);
      await database.sql`select private.sweep_checks(1000)`;
      const [row] = await database.sql<{ key: string }[]>`
        select group_key as key from private.check_groups where id = ${id}`;
      return row?.key;
    };
    expect(await keyAfter("59 minutes")).toBe(address);
    expect(await keyAfter("2 minutes")).toBe(`over ${id}`);
  });

  it("stands on a page of ten, the latest first, each group with its own codes and all reasons of these", async () => {
    const { group, codes } = await suspicious();
    // Groups of an hour ago and earlier, ten of them, of which the first has two of the same codes.
    await database.sql`
      with made as (
        insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at)
        select ${ours.id}, ${campaign.id}, 'network', n::text, now(), now() - n * interval '1 hour' from generate_series(1, 10) n
        returning id, group_key
      )
      insert into private.check_codes (org_id, group_id, redemption_id)
      select ${ours.id}, m.id, r.id from made m join public.redemptions r on r.org_id = ${ours.id}
      where m.group_key = '1' and r.code = any (${codes.slice(0, 2)})`;
    const [first, second, third, ...others] = await groups();
    expect(first?.id).toBe(group.id);
    expect([first, second, third].map((each) => [each?.kind, each?.total])).toEqual([
      ["device", 6],
      ["network", 2],
      ["network", 0],
    ]);
    const reasons = (of: CheckGroup | undefined) =>
      of?.codes.map((each) => [each.code, each.reasons.join()]).sort();
    const both = codes.slice(0, 2).map((code) => [code, "device,network"]);
    const one = codes.slice(2).map((code) => [code, "device"]);
    expect(reasons(first)).toEqual([...both, ...one].sort());
    expect(reasons(second)).toEqual(both.sort());
    expect(third?.codes).toEqual([]);
    const lasts = [first, second, third, ...others].map((each) => each?.last_at);
    expect(lasts).toHaveLength(10);
    expect(lasts).toEqual([...lasts].sort().reverse());
  });

  it("is forgotten after 13 months", async () => {
    const { group } = await suspicious();
    await letPass("397 days");
    await database.sql`select private.sweep_checks(1000)`;
    expect(
      await database.sql`select 1 from private.check_groups where id = ${group.id}`,
    ).toHaveLength(0);
    expect(
      await database.sql`select 1 from private.device_customers where org_id = ${ours.id}`,
    ).toHaveLength(0);
  });
});

describe("a prize that is held back", () => {
  it("is used by no till until it is released, and is then valid for as many days longer", async () => {
    const { group, codes } = await suspicious();
    const [code = ""] = codes;
    const before = await database.sql<{ last: string }[]>`
      select (expires_at at time zone 'Europe/Paris')::date::text as last from public.redemptions
      where org_id = ${ours.id} and code = ${code}`;
    expect(await decide(group, "hold")).toEqual({ changed: 6, left: 0 });
    expect(await decide(group, "hold")).toEqual({ changed: 0, left: 0 });
    expect(await use(code)).toBe("held");
    expect((await onlyGroup()).codes.map(({ state }) => state)).toEqual(Array(6).fill("held"));
    // In one transaction, so that no midnight comes between.
    const released = await database.sql.begin(async (sql) => {
      await sql`
        update private.code_verdicts set decided_at = now() - interval '72 hours' where org_id = ${ours.id}`;
      const [days] = await sql<{ days: number }[]>`
        select (now() at time zone 'Europe/Paris')::date
          - ((now() - interval '72 hours') at time zone 'Europe/Paris')::date as days`;
      await become(sql, { userId: ours.users.member.id });
      const [row] = await sql<{ answer: object }[]>`
        select public.decide_check(${group.id}, 'release') as answer`;
      return { ...row?.answer, ...days };
    });
    expect(released).toEqual({ changed: 6, left: 0, days: expect.any(Number) });
    const after = await database.sql<{ days: number }[]>`
      select (expires_at at time zone 'Europe/Paris')::date - ${before[0]?.last ?? ""}::date as days
      from public.redemptions where org_id = ${ours.id} and code = ${code}`;
    expect(after).toEqual([{ days: released.days }]);
    expect(await use(code)).toBe("redeemed");
    expect(await stock()).toBe(94);
  });

  it("is held alone where one code is named, and never another group's", async () => {
    const { group } = await suspicious();
    const one = group.codes[0];
    if (one === undefined) throw new Error("No code.");
    const stranger = await win();
    const [other] = await database.sql<{ id: string }[]>`
      select id from public.redemptions where org_id = ${ours.id} and code = ${stranger}`;
    expect(await decide(group, "hold", [one.id, other?.id ?? ""])).toEqual({ changed: 1, left: 0 });
    expect(await use(stranger)).toBe("redeemed");
    expect(await use(one.code)).toBe("held");
  });

  it("is mailed to its winner ten minutes later, unless it is taken back before", async () => {
    const { group } = await suspicious();
    await decide(group, "hold");
    const waiting = await database.sql<{ early: boolean }[]>`
      select next_attempt_at < now() + interval '9 minutes' as early from private.outbox
      where template = 'prize_held' and recipient in (
        select email from public.customers where org_id = ${ours.id})`;
    expect(waiting).toEqual(Array(6).fill({ early: false }));
    await decide(group, "release");
    expect(await mails()).toEqual(Array(6).fill("prize_held failed"));
    await decide(group, "hold");
    await database.sql`update private.outbox set state = 'sent', data = '{}', settled_at = now() where state = 'queued'`;
    await decide(group, "release");
    expect((await mails()).slice(6)).toEqual([
      ...Array(6).fill("prize_held sent"),
      ...Array(6).fill("prize_released queued"),
    ]);
  });

  it("is not mailed again by the operator once it was taken back or became a cancellation", async () => {
    const { group } = await suspicious();
    const fail = (template: string) => database.sql<{ id: string }[]>`
      update private.outbox set state = 'failed', settled_at = now(), last_error = 'refused'
      where template = ${template} and state = 'queued' and recipient in (
        select email from public.customers where org_id = ${ours.id})
      returning id`;
    const again = async (mails: readonly { id: string }[]) => {
      const outcomes = await undone(database.sql, (sql) =>
        Promise.all(mails.map(({ id }) => sql`select private.queue_again(${id}) as outcome`)),
      );
      return outcomes.map(([row]) => row?.outcome);
    };
    await decide(group, "hold");
    const held = await fail("prize_held");
    expect(await again(held)).toEqual(Array(6).fill("queued"));
    await decide(group, "cancel");
    const cancelled = await fail("prize_cancelled");
    expect(await again(held)).toEqual(Array(6).fill("prize_over"));
    expect(await again(cancelled)).toEqual(Array(6).fill("queued"));
    await decide(group, "release");
    expect(await again([...held, ...cancelled])).toEqual(Array(12).fill("prize_over"));
  });

  it("is mailed as a ticket once it is let go: its code, and the last day that it now has", async () => {
    const { group, codes } = await suspicious();
    await decide(group, "hold");
    await database.sql`update private.outbox set state = 'sent', data = '{}', settled_at = now() where state = 'queued'`;
    await database.sql`
      update private.code_verdicts set decided_at = decided_at - interval '3 days' where org_id = ${ours.id}`;
    await decide(group, "release");
    const rows = await database.sql<
      { code: string; lasts: boolean; waits: boolean; facts: object }[]
    >`
      select o.data ->> 'code' as code, o.data -> 'facts' as facts, o.next_attempt_at > now() as waits,
        (o.data #>> '{until,at}')::timestamptz = d.expires_at as lasts
      from private.outbox o join public.redemptions d on d.org_id = ${ours.id} and d.code = o.data ->> 'code'
      where o.template = 'prize_released'`;
    expect(rows.map(({ code }) => code).sort()).toEqual(codes.toSorted());
    for (const row of rows) {
      expect(row).toMatchObject({
        lasts: true,
        waits: false,
        facts: {
          address: expect.any(String),
          rules: expect.stringContaining("/reglement?version="),
        },
      });
    }
  });

  it("keeps its own days when another is released", async () => {
    const { group } = await suspicious();
    await decide(group, "hold");
    const device = randomUUID();
    const codes = await winAll(6, () => ({ device }));
    await judge();
    const [later] = await groups();
    if (later === undefined || later.id === group.id) throw new Error("No second group.");
    await decide(later, "hold");
    await database.sql`
      update private.code_verdicts set decided_at = decided_at - interval '3 days' where org_id = ${ours.id}`;
    await decide(group, "release");
    await decide(later, "release");
    const longer = await database.sql`
      select code from public.redemptions
      where org_id = ${ours.id} and code = any (${codes})
        and expires_at = private.day_end(private.now_in('Europe/Paris')::date + 33, 'Europe/Paris')`;
    expect(longer).toHaveLength(6);
  });

  it("is mailed to nobody who heard nothing of the hold, whatever others were notified of", async () => {
    const { group } = await suspicious();
    await decide(group, "hold");
    await database.sql`update private.outbox set state = 'sent', data = '{}', settled_at = now() where state = 'queued'`;
    await decide(group, "cancel");
    const { group: later } = await suspicious();
    await decide(later, "hold");
    expect(await decide(later, "release")).toEqual({ changed: 6, left: 0 });
    expect(await mails()).not.toContain("prize_released queued");
  });

  it("that ended meanwhile is valid again when it is released", async () => {
    const { group, codes } = await suspicious();
    const [code = ""] = codes;
    await decide(group, "hold");
    await database.sql`
      update private.code_verdicts set decided_at = decided_at - interval '10 days' where org_id = ${ours.id}`;
    await database.sql`
      update public.redemptions set expires_at = now() - interval '2 days' where org_id = ${ours.id}`;
    await database.sql`select private.expire_codes(100)`;
    expect(await use(code)).toBe("held");
    expect(await decide(group, "release")).toEqual({ changed: 6, left: 0 });
    expect(await use(code)).toBe("redeemed");
    const [counts] = await database.sql<{ counts: object }[]>`
      select private.code_counts(${ours.id}, ${rewardId}) as counts`;
    expect(counts?.counts).toEqual({ total: 6, used: 1, expired: 0, available: 5 });
  });
});

describe("a prize that is cancelled", () => {
  it("goes back to the stock once, leaves the rules of the game as they are, and can be given back", async () => {
    const { group, codes } = await suspicious();
    const [code = ""] = codes;
    const number = async () => {
      const [row] = await database.sql<{ number: number }[]>`
        select (private.rules_content(c) #>> '{prizes,0,number}')::integer as number
        from public.campaigns c where c.id = ${campaign.id}`;
      return row?.number;
    };
    expect({ stock: await stock(), number: await number() }).toEqual({ stock: 94, number: 100 });
    expect(await decide(group, "cancel")).toEqual({ changed: 6, left: 0 });
    expect(await decide(group, "cancel")).toEqual({ changed: 0, left: 0 });
    expect({ stock: await stock(), number: await number() }).toEqual({ stock: 100, number: 100 });
    expect(await use(code)).toBe("cancelled");
    expect(await groups()).toEqual([]);
    expect(await groups(true)).toMatchObject([{ id: group.id, closed_by: "Camille Martin" }]);
    expect(await mails()).toEqual(Array(6).fill("prize_cancelled queued"));
    expect(await decide(group, "release")).toEqual({ changed: 6, left: 0 });
    expect({ stock: await stock(), number: await number() }).toEqual({ stock: 94, number: 100 });
    expect(await onlyGroup()).toMatchObject({ id: group.id });
    expect(await use(code)).toBe("redeemed");
    const trail = await database.sql<{ action: string; detail: object }[]>`
      select action, detail from public.audit_events
      where org_id = ${ours.id} and action like 'check.%' order by id`;
    expect(trail.map(({ action }) => action)).toEqual(["check.cancelled", "check.released"]);
    expect(trail[0]?.detail).toMatchObject({ count: 6 });
    const trace = await database.sql<{ action: string }[]>`
      select e.action from public.redemption_events e
      join public.redemptions d on d.org_id = e.org_id and d.id = e.redemption_id
      where e.org_id = ${ours.id} and d.code = ${code} order by e.id`;
    expect(trace.map(({ action }) => action)).toEqual(["cancelled", "released", "used"]);
  });

  it("after it was held back counts those days, too, and its winner hears of the end of both", async () => {
    const { group, codes } = await suspicious();
    const [code = ""] = codes;
    await decide(group, "hold");
    await database.sql`update private.outbox set state = 'sent', data = '{}', settled_at = now() where state = 'queued'`;
    await database.sql`
      update private.code_verdicts set decided_at = decided_at - interval '10 days' where org_id = ${ours.id}`;
    await database.sql`
      update public.redemptions set expires_at = now() - interval '2 days' where org_id = ${ours.id}`;
    await database.sql`select private.expire_codes(100)`;
    expect(await decide(group, "cancel")).toEqual({ changed: 6, left: 0 });
    expect(await decide(group, "release")).toEqual({ changed: 6, left: 0 });
    expect(await use(code)).toBe("redeemed");
    expect(await mails()).toEqual([
      ...Array(6).fill("prize_held sent"),
      ...Array(6).fill("prize_cancelled failed"),
      ...Array(6).fill("prize_released queued"),
    ]);
  });

  it("before the mail about its hold has left is mentioned in no mail, once that is taken back", async () => {
    const { group } = await suspicious();
    for (const action of ["hold", "cancel", "release"]) await decide(group, action);
    expect(await mails()).toEqual([
      ...Array(6).fill("prize_held failed"),
      ...Array(6).fill("prize_cancelled failed"),
    ]);
  });

  it("stays cancelled where the stock was won by others since", async () => {
    const { group } = await suspicious();
    await decide(group, "cancel");
    await database.sql`update public.rewards set stock = 2 where id = ${rewardId}`;
    expect(await decide(group, "release")).toEqual({ changed: 2, left: 4 });
    expect(await stock()).toBe(0);
  });

  it("while its winner is erased: neither stops the other", async () => {
    const { sql } = database;
    const { group, codes } = await suspicious();
    // By every index but that of the rows themselves the last comes first.
    const [last] = await sql<{ customer_id: string }[]>`
      update public.redemptions set expires_at = expires_at - interval '1 day'
      where org_id = ${ours.id} and code = ${codes[5] ?? ""} returning customer_id`;
    const winner = last?.customer_id ?? "";
    // The first of them is the same person's, and somebody holds it until both are on their way.
    await sql`
      update public.redemptions set customer_id = ${winner} where org_id = ${ours.id} and code = ${codes[0] ?? ""}`;
    const { both } = await sql.begin(async (holder) => {
      await holder`
        select from public.redemptions where org_id = ${ours.id} and code = ${codes[0] ?? ""} for update`;
      const cancelled = decide(group, "cancel");
      await untilWaiting(sql);
      const erased = as("owner", (own) => own`select public.erase_customer(${winner})`);
      await untilWaiting(sql, 2);
      return { both: Promise.all([cancelled, erased]) };
    });
    expect((await both)[0]).toEqual({ changed: 6, left: 0 });
    expect(await sql`select 1 from public.customers where id = ${winner}`).toHaveLength(0);
  });

  it("by two merchants at once of the same two people, in any order: neither stops the other", async () => {
    const people = ["lea@exemple.fr", "noe@exemple.fr"] as const;
    /** A group in which each of them has another reward, in the order of the rewards. */
    const groupOf = async (organization: Organization, winners: readonly string[]) => {
      const { id: orgId, storeId } = organization;
      const wheel = await createCampaign(database.sql, { orgId, storeId });
      const rewards = [
        await createReward(database.sql, wheel, { stock: 5 }),
        await createReward(database.sql, wheel, { stock: 5 }),
      ].sort();
      await drawWheel(database.sql, wheel, [{ weight: 100, rewardId: rewards[0] ?? "" }]);
      for (const [place, reward] of rewards.entries()) {
        await database.sql`
          update public.wheel_segments set reward_id = ${reward} where campaign_id = ${wheel.id}`;
        await spin(database.sql, { campaignId: wheel.id, email: winners[place] ?? null });
      }
      await database.sql`
        select private.mark_codes(${orgId}, ${wheel.id}, 'disposable', 'exemple.fr', 2, array(
          select d.id from public.redemptions d where d.campaign_id = ${wheel.id}))`;
      const [group] = await database.sql<{ id: string }[]>`
        select id from private.check_groups where campaign_id = ${wheel.id}`;
      return {
        last: rewards[1] ?? "",
        cancel: async () => {
          const [row] = await database.as(
            { userId: organization.users.owner.id },
            (sql) => sql<{ answer: unknown }[]>`
              select public.decide_check(${group?.id ?? ""}, 'cancel', null) as answer`,
          );
          return row?.answer;
        },
      };
    };
    const one = await groupOf(ours, people);
    const other = await groupOf(await createOrganization(database.sql), [...people].reverse());
    const decisions = await undone(database.sql, async (holder) => {
      // Both have written to the first of their winners when they go on to the second.
      await holder`
        select from public.rewards where id = any (${[one.last, other.last]}) for no key update`;
      const begun = [one.cancel(), other.cancel()];
      await untilWaiting(database.sql, 2);
      return begun;
    });
    expect(await Promise.allSettled(decisions)).toEqual(
      decisions.map(() => ({ status: "fulfilled", value: { changed: 2, left: 0 } })),
    );
  });

  it("is not cancelled once it was used: the till was faster", async () => {
    const { group, codes } = await suspicious();
    const [code = ""] = codes;
    expect(await use(code)).toBe("redeemed");
    expect(await decide(group, "cancel")).toEqual({ changed: 5, left: 1 });
    expect(await stock()).toBe(99);
    const [row] = await database.sql<{ status: string; verdict: string | null }[]>`
      select status, verdict from public.redemptions where org_id = ${ours.id} and code = ${code}`;
    expect(row).toEqual({ status: "used", verdict: null });
  });

  it("or used, never both, when both come at once", async () => {
    const { group, codes } = await suspicious();
    const [answers, decision] = await Promise.all([
      Promise.all(codes.map((code) => use(code))),
      decide(group, "hold"),
    ]);
    const used = answers.filter((answer) => answer === "redeemed").length;
    expect(answers.filter((answer) => answer === "held")).toHaveLength(6 - used);
    expect(decision).toEqual({ changed: 6 - used, left: used });
    const states = await database.sql<{ state: string }[]>`
      select coalesce(verdict, status) as state from public.redemptions where org_id = ${ours.id}`;
    expect(states.filter(({ state }) => state === "used")).toHaveLength(used);
    expect(states.filter(({ state }) => state === "held")).toHaveLength(6 - used);
  });
});

it("colleagues who decide, tills that use and colleagues who give back at once leave stock, figures and events that agree", async () => {
  const { group, codes } = await suspicious();
  const ids = await database.sql<{ id: string }[]>`
    select id from public.redemptions where org_id = ${ours.id} order by id`;
  const decideAs = (role: Role, action: string) =>
    as(role, (sql) => sql`select public.decide_check(${group.id}, ${action})`);
  const giveBack = (id: string) =>
    as("admin", (sql) => sql`select public.restore_code(${id})`).catch(() => "not used");
  for (const [first, second] of [
    ["hold", "hold"],
    ["hold", "cancel"],
    ["cancel", "cancel"],
    ["release", "cancel"],
    ["release", "release"],
    ["release", "hold"],
  ] as const) {
    await Promise.all([
      decideAs("owner", first),
      ...codes.map(use),
      decideAs("member", second),
      ...ids.map(({ id }) => giveBack(id)),
    ]);
    const [books] = await database.sql`
      select (100 - r.stock)::integer as taken,
        (select count(*)::integer from public.redemptions d
          where d.org_id = r.org_id and d.verdict is distinct from 'cancelled') as kept,
        (select coalesce(sum(f.redemptions), 0)::integer from private.campaign_figures_now(r.org_id) f) as counted,
        (select coalesce(sum(c.redemption_count), 0)::integer from public.customers c where c.org_id = r.org_id) as of_customers,
        (select count(*)::integer from public.redemptions d where d.org_id = r.org_id and d.status = 'used') as used,
        (select count(*) filter (where e.action = 'used') - count(*) filter (where e.action = 'restored')
          from public.redemption_events e where e.org_id = r.org_id)::integer as told,
        (select count(*)::integer from public.redemptions d where d.org_id = r.org_id and d.status = 'used' and d.verdict is not null) as both,
        (select count(*)::integer from public.redemptions d where d.org_id = r.org_id and d.verdict is not null
          and not exists (select from private.code_verdicts v where v.org_id = d.org_id and v.redemption_id = d.id)) as undated
      from public.rewards r where r.id = ${rewardId}`;
    expect([first, second, books]).toEqual([
      first,
      second,
      {
        taken: books?.kept,
        kept: books?.kept,
        counted: books?.used,
        of_customers: books?.used,
        used: books?.used,
        told: books?.used,
        both: 0,
        undated: 0,
      },
    ]);
  }
});

it("each decision is written down under its own name, once, with how many prizes it changed", async () => {
  const { group } = await suspicious();
  for (const action of ["hold", "hold", "clear", "clear", "reopen", "reopen", "cancel", "release"])
    await decide(group, action);
  const trail = await database.sql<{ told: string }[]>`
    select concat_ws(' ', action, detail ->> 'count') as told from public.audit_events
    where org_id = ${ours.id} and action like 'check.%' order by id`;
  expect(trail.map(({ told }) => told)).toEqual([
    "check.held 6",
    "check.cleared 6",
    "check.reopened 0",
    "check.cancelled 6",
    "check.released 6",
  ]);
});

describe.each([
  ["waits to be erased", "is_ending = true", "TV191"],
  ["is suspended", "suspended_at = now()", "TV190"],
  ["has a plan that is over", "status = 'canceled', closed_at = now()", "TV085"],
])("in an organisation that %s", (_, state, code) => {
  it("a prize that was held back or cancelled is released, and used at the till; nothing else is decided", async () => {
    const { group, codes } = await suspicious();
    const [held = "", cancelled = "", waiting = ""] = codes;
    const idOf = (wanted: string) => {
      const found = group.codes.find((one) => one.code === wanted);
      if (found === undefined) throw new Error("There is no such code.");
      return found.id;
    };
    await decide(group, "hold", [idOf(held)]);
    await decide(group, "cancel", [idOf(cancelled)]);
    await database.sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [
      ours.id,
    ]);
    for (const action of ["hold", "cancel", "clear", "reopen"])
      await expect(decide(group, action), action).rejects.toMatchObject({ code });
    expect(await use(waiting)).toBe("redeemed");
    expect(await use(held)).toBe("held");
    expect(await use(cancelled)).toBe("cancelled");
    expect(await stock()).toBe(95);
    expect(await decide(group, "release")).toEqual({ changed: 2, left: 0 });
    expect(await use(held)).toBe("redeemed");
    expect(await use(cancelled)).toBe("redeemed");
    expect(await stock()).toBe(94);
  });

  it("whoever may not decide is refused as before", async () => {
    const { group, codes } = await suspicious();
    await decide(group, "hold");
    await database.sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [
      ours.id,
    ]);
    const stranger = await createOrganization(database.sql);
    for (const userId of [ours.users.cashier.id, stranger.users.owner.id]) {
      await expect(
        database.as(
          { userId },
          (sql) => sql`select public.decide_check(${group.id}, 'release', null)`,
        ),
      ).rejects.toMatchObject({ code: "42501" });
    }
    expect(await use(codes[0] ?? "")).toBe("held");
  });
});

it("no prize is released once the data of a plan that is over can no longer be read", async () => {
  const { group, codes } = await suspicious();
  await decide(group, "hold");
  await database.sql`
    update public.subscriptions set status = 'canceled', closed_at = now() - interval '31 days'
    where org_id = ${ours.id}`;
  await expect(decide(group, "release")).rejects.toMatchObject({ code: "TV120" });
  expect(await use(codes[0] ?? "")).toBe("held");
});

describe("a decision is refused", () => {
  it("to the till, to strangers and to whoever may only read, and changes nothing", async () => {
    const { group, codes } = await suspicious();
    const stranger = await createOrganization(database.sql);
    for (const userId of [ours.users.cashier.id, stranger.users.owner.id]) {
      await expect(
        database.as(
          { userId },
          (sql) => sql`select public.decide_check(${group.id}, 'cancel', null)`,
        ),
      ).rejects.toMatchObject({ code: "42501" });
    }
    await expect(decide(group, "give")).rejects.toMatchObject({ code: "22023" });
    expect(await onlyGroup()).toMatchObject({ id: group.id, total: 6 });
    expect(await stock()).toBe(94);
    expect(await use(codes[0] ?? "")).toBe("redeemed");
  });

  it("where the settings are out of bounds", async () => {
    const save = (limit: number, names: number) =>
      as(
        "owner",
        (sql) =>
          sql`select public.save_check_settings(${campaign.id}, ${names}, 8, true, ${limit})`,
      );
    await expect(save(0, 6)).rejects.toMatchObject({ code: "23514" });
    await expect(save(5, 1)).rejects.toMatchObject({ code: "23514" });
    const [row] = await as(
      "member",
      (sql) => sql<{ answer: object }[]>`select public.check_settings(${campaign.id}) as answer`,
    );
    expect(row?.answer).toMatchObject({ device_daily_limit: null, device_names: 6 });
  });

  it("has quiet hours that a field of a form can show, and no midnight at the end of a day", async () => {
    const { sql } = database;
    const save = (from: string, to: string) =>
      as(
        "owner",
        (own) => own`
          select public.save_check_settings(${campaign.id}, 6, 8, true, null, ${from}, ${to})`,
      );
    await expect(save("22:00", "24:00")).rejects.toMatchObject({ code: "23514" });
    await expect(save("24:00", "05:00")).rejects.toMatchObject({ code: "23514" });
    expect(
      await sql`select from private.check_settings where campaign_id = ${campaign.id}`,
    ).toEqual([]);
    await save("22:00", "00:00");
    expect(
      await sql`
        select quiet_from, quiet_to from private.check_settings where campaign_id = ${campaign.id}`,
    ).toEqual([{ quiet_from: "22:00:00", quiet_to: "00:00:00" }]);
  });
});

describe("a limit a device and a day", () => {
  it("refuses the spin after the last one until the next day of the store, and there is none by default", async () => {
    const device = randomUUID();
    const email = `${randomUUID()}@exemple.fr`;
    // The limit of another campaign is not this one's.
    const other = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, device_daily_limit)
      values (${ours.id}, ${other.id}, 1)`;
    // In one transaction, so that no midnight comes between.
    await database.sql.begin(async (sql) => {
      const play = (turn: Turn) => spin(sql, { campaignId: campaign.id, device, ...turn });
      for (let i = 0; i < 3; i += 1) expect((await play({})).outcome).toBe("spun");
      await sql`
        insert into private.check_settings (org_id, campaign_id, device_daily_limit)
        values (${ours.id}, ${campaign.id}, 2)`;
      for (let i = 0; i < 2; i += 1) expect((await play({})).outcome).toBe("spun");
      const [tomorrow] = await sql<{ at: Date }[]>`
        select ((now() at time zone 'Europe/Paris')::date + 1)::timestamp at time zone 'Europe/Paris' as at`;
      expect(await play({ email })).toEqual({
        outcome: "too_many_attempts",
        body: null,
        retry_at: tomorrow?.at,
      });
      expect((await play({ device: randomUUID() })).outcome).toBe("spun");
      // Other attempts begin to be counted anew in the middle of the store's day.
      const [window] = await sql<{ text: string }[]>`
        select pg_get_functiondef('private.window_start(interval)'::regprocedure) as text`;
      await sql`
        create or replace function private.window_start(p_window interval) returns timestamptz
        language sql stable parallel safe return now() + interval '1 second'`;
      expect((await play({})).outcome).toBe("too_many_attempts");
      await sql.unsafe(window?.text ?? "");
    });
    // Nothing is kept of whoever was refused.
    expect(await database.sql`select 1 from public.customers where email = ${email}`).toHaveLength(
      0,
    );
    expect(await stock()).toBe(94);
  });

  it("counts no spin that the plan has refused", async () => {
    const device = randomUUID();
    const { sql } = database;
    await sql`
      insert into private.check_settings (org_id, campaign_id, device_daily_limit)
      values (${ours.id}, ${campaign.id}, 1)`;
    const limit = (spins: number) =>
      sql`update public.plan_limits set monthly_spins = ${spins} where plan = 'pro'`;
    const [before] = await sql<{ spins: number }[]>`
      select monthly_spins as spins from public.plan_limits where plan = 'pro'`;
    const play = () => spin(sql, { campaignId: campaign.id, device });
    await limit(0);
    expect(await play()).toMatchObject({ outcome: "spins_used_up", retry_at: null });
    await limit(before?.spins ?? -1);
    expect((await play()).outcome).toBe("spun");
    expect((await play()).outcome).toBe("too_many_attempts");
  });
});
