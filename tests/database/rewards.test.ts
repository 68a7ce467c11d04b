import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import {
  ITEM_MAX_LENGTH,
  MAX_COUNT,
  MAX_VALIDITY_DAYS,
  USUAL_VALIDITY_DAYS,
} from "#domain/rules/constants.ts";
import { type RewardCodes, rewardCodes, rewardList, rewardStats } from "#domain/schemas/rewards.ts";
import { type Caller, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Rewards in the back-office: counters, list, codes, undo, deletion, versions. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    name: "Été",
    playIntervalDays: 0,
  });
  rewardId = await createReward(sql, campaign, {
    name: "Café offert",
    codeTemplate: "NOEL-{random}",
  });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
});

const asUser = (role: keyof Organization["users"]): Caller => ({ userId: ours.users[role].id });

/** Somebody wins the reward; answers the code. */
async function winCode(name = "Anaïs Le Goff", email = `${randomUUID()}@exemple.fr`) {
  await spin(database.sql, { campaignId: campaign.id, name, email });
  const [won] = await database.sql<{ id: string; code: string }[]>`
    select id, code from public.redemptions where org_id = ${ours.id} order by id desc limit 1`;
  if (won === undefined) throw new Error("The wheel gave no code.");
  return won;
}

function useCode(code: string): Promise<string> {
  return redeem(database.sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });
}

async function call(caller: Caller, statement: string, values: postgres.ParameterOrJSON<never>[]) {
  return database.as(caller, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
    return row?.answer;
  });
}

async function list(caller: Caller, search = "", isArchived = false, page = 1) {
  const statement = "select public.reward_list($1, $2, $3, $4) as answer";
  return whole(rewardList, await call(caller, statement, [ours.id, search, isArchived, page]));
}

async function codes(search = "", page = 1): Promise<RewardCodes> {
  const statement = "select public.reward_codes($1, $2, $3) as answer";
  const answer = rewardCodes.parse(
    await call(asUser("member"), statement, [rewardId, search, page]),
  );
  if (answer === null) throw new Error("No reward.");
  return answer;
}

async function restore(caller: Caller, id: string): Promise<void> {
  await call(caller, "select public.restore_code($1)::text as answer", [id]);
}

async function remove(caller: Caller, id: string, isArchived: boolean): Promise<void> {
  await call(caller, "select public.remove_reward($1, $2)::text as answer", [id, isArchived]);
}

/** SQLSTATE with which something fails, which must leave everything as it was. */
async function refusal(run: () => Promise<unknown>): Promise<string> {
  const before = await everythingStored(database.sql);
  const code = await run().then(
    () => "fine",
    (error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    },
  );
  expect(await everythingStored(database.sql)).toEqual(before);
  return code;
}

describe("counters", () => {
  it("agree with the events, whatever happened to the codes", async () => {
    const { sql } = database;
    const [used, restored, expired] = [await winCode(), await winCode(), await winCode()];
    await winCode();
    await useCode(used.code);
    await useCode(restored.code);
    await restore(asUser("cashier"), restored.id);
    await sql`update public.redemptions set expires_at = now() - interval '1 hour' where id = ${expired.id}`;
    await sql`select private.expire_codes(100)`;
    const points = await createReward(sql, campaign, { type: "points" });
    await sql`update public.wheel_segments set reward_id = ${points} where campaign_id = ${campaign.id}`;
    await spin(sql, { campaignId: campaign.id });

    const kept = await sql`
      select reward_id, sum(wins)::int as wins, sum(codes)::int as codes,
        sum(redemptions)::int as redemptions, sum(expirations)::int as expirations
      from private.reward_totals_now(${ours.id}) group by reward_id order by reward_id`;
    const rebuilt = await sql`
      select s.reward_id, count(*)::int as wins, count(r.id)::int as codes,
        count(*) filter (where r.status = 'used')::int as redemptions,
        count(*) filter (where r.status = 'expired')::int as expirations
      from public.spins s left join public.redemptions r on r.org_id = s.org_id and r.spin_id = s.id
      where s.org_id = ${ours.id} and s.reward_id is not null group by s.reward_id order by s.reward_id`;
    expect([...kept]).toEqual([...rebuilt]);
    expect(kept.find((row) => row.reward_id === rewardId)).toMatchObject({
      wins: 4,
      codes: 4,
      redemptions: 1,
      expirations: 1,
    });
    const [day] = await sql`
      select sum(wins)::int as wins, sum(redemptions)::int as redemptions,
        count(distinct day)::int as days, min(day) = (now() at time zone 'Europe/Paris')::date as is_today
      from private.reward_days_now(${ours.id}) where reward_id = ${rewardId}`;
    expect(day).toEqual({ wins: 4, redemptions: 1, days: 1, is_today: true });
    // The campaign's own figure goes back too.
    const [figures] = await sql`
      select sum(redemptions)::int as redemptions from public.campaign_daily_stats where org_id = ${ours.id}`;
    expect(figures).toEqual({ redemptions: 1 });
  });

  it("count nothing of a spin that was undone or lost", async () => {
    const { sql } = database;
    await sql`update public.wheel_segments set reward_id = null where campaign_id = ${campaign.id}`;
    await spin(sql, { campaignId: campaign.id });
    const rows = await sql`select from private.reward_totals_now(${ours.id})`;
    expect(rows).toHaveLength(0);
  });
});

describe("the list", () => {
  it("shows rewards with their figures, and finds them by their name or their campaign's", async () => {
    const { sql } = database;
    await createReward(sql, campaign, { name: "100 % remboursé", stock: 3, active: false });
    const won = await winCode();
    await useCode(won.code);
    await winCode();
    const all = await list(asUser("member"));
    expect(all).toMatchObject({
      total: 2,
      archived: 0,
      matches: 2,
      page: 1,
      figures: { wins: 2, codes: 2, redemptions: 1, expirations: 0 },
    });
    expect(all.items.map(({ name }) => name)).toEqual(["100 % remboursé", "Café offert"]);
    expect(all.items[1]).toMatchObject({
      figures: { wins: 2, redemptions: 1 },
      is_won: true,
      segments: 1,
    });
    expect(all.items[0]).toMatchObject({ stock: 3, active: false, is_won: false, segments: 0 });
    expect((await list(asUser("member"), "café")).items).toHaveLength(1);
    expect((await list(asUser("member"), "été")).items).toHaveLength(2);
    expect((await list(asUser("member"), "100 %")).items).toHaveLength(1);
    // Signs that mean something in a pattern mean nothing.
    expect((await list(asUser("member"), "caf_")).items).toHaveLength(1);
    expect(await list(asUser("member"), "c_fé")).toMatchObject({ matches: 0, items: [], total: 2 });
    expect(await list(asUser("member"), "%")).toMatchObject({ matches: 0, items: [], total: 2 });
  });

  it("names rewards that nobody can win, since they are not on the wheel that their campaign has", async () => {
    const { sql } = database;
    await createReward(sql, campaign, { name: "À part" });
    await createReward(sql, campaign, { name: "Arrêtée", active: false });
    const place = { orgId: ours.id, storeId: ours.storeId };
    await createReward(sql, await createCampaign(sql, place), { name: "Sans roue" });
    const { items } = await list(asUser("member"));
    expect(Object.fromEntries(items.map((one) => [one.name, one.is_off_wheel]))).toEqual({
      "Café offert": false,
      "À part": true,
      Arrêtée: false,
      "Sans roue": false,
    });
    await sql`update public.campaigns set active = false, archived_at = now() where id = ${campaign.id}`;
    const after = (await list(asUser("member"))).items;
    expect(after.filter((one) => one.is_off_wheel)).toEqual([]);
  });

  it("comes in pages, and a page that is no more is the last one", async () => {
    for (let n = 1; n <= 20; n += 1)
      await createReward(database.sql, campaign, { name: `Lot ${n}` });
    expect((await list(asUser("member"))).items).toHaveLength(20);
    const last = await list(asUser("member"), "", false, 9);
    expect(last).toMatchObject({ page: 2, matches: 21 });
    expect(last.items.map(({ name }) => name)).toEqual(["Café offert"]);
  });

  it("is closed to cashiers and to other organisations", async () => {
    const other = await createOrganization(database.sql);
    expect(await refusal(() => list(asUser("cashier")))).toBe("42501");
    expect(await refusal(() => list({ userId: other.users.owner.id }))).toBe("42501");
  });
});

describe("the codes of a reward", () => {
  it("are counted by state and found by code, e-mail or name", async () => {
    const { sql } = database;
    const first = await winCode("Anaïs Le Goff", "anais@exemple.fr");
    const second = await winCode("Bruno Petit", "bruno@exemple.fr");
    await useCode(second.code);
    const third = await winCode("Chloé Roux", "chloe@exemple.fr");
    await sql`update public.redemptions set expires_at = now() - interval '1 second' where id = ${third.id}`;

    // Expired codes of another reward are not this one's.
    const other = await createReward(sql, campaign);
    await sql`update public.wheel_segments set reward_id = ${other} where campaign_id = ${campaign.id}`;
    const late = await winCode();
    await sql`update public.redemptions set expires_at = now() - interval '1 second' where id = ${late.id}`;
    await sql`update public.wheel_segments set reward_id = ${rewardId} where campaign_id = ${campaign.id}`;

    const all = await codes();
    // The third is over, though no job has seen it yet.
    expect(all.counts).toEqual({ total: 3, available: 1, used: 1, expired: 1 });
    expect(all.items.map(({ status }) => status)).toEqual(["expired", "used", "available"]);
    expect(all.items[1]).toMatchObject({
      customer: "Bruno Petit",
      timezone: "Europe/Paris",
      can_undo: true,
    });
    expect(all.items[1]?.trace).toMatchObject([{ action: "used", by: "Camille Martin" }]);

    const foundBy = async (search: string) => (await codes(search)).items.map(({ id }) => id);
    expect(await foundBy(first.code)).toEqual([first.id]);
    expect(await foundBy(first.code.replace("-", "").toLowerCase())).toEqual([first.id]);
    expect(await foundBy("anais le")).toEqual([first.id]);
    expect(await foundBy("BRUNO@exemple")).toEqual([second.id]);
    expect(await foundBy("noel")).toHaveLength(3);
    expect(await foundBy("inconnu")).toEqual([]);
    const fourth = await winCode("Иван Петров", "ivan@exemple.fr");
    expect(await foundBy("ИВАН п")).toEqual([fourth.id]);
    expect(await foundBy("Ольга")).toEqual([]);
  });

  it("are not all found, nor exported, by a search without words", async () => {
    await winCode("Anaïs Le Goff");
    await winCode("Bruno Petit");
    const exported = async (search: string | null) => {
      const rows = await database.sql`
        select * from public.export_redemptions(
          ${ours.id}, ${database.sql.json({ reward_id: rewardId, search })}, true)`;
      return rows.length;
    };
    for (const signs of ["%", "_", "'", "!!", "\\", "🎁", "Ж", "?"]) {
      expect((await codes(signs)).items, signs).toEqual([]);
      expect(await exported(signs), signs).toBe(0);
    }
    // Nothing searched is another matter: everything is shown.
    for (const blank of ["", "  "]) {
      expect((await codes(blank)).items).toHaveLength(2);
      expect(await exported(blank)).toBe(2);
    }
    expect(await exported(null)).toBe(2);
    expect(await exported("bruno P")).toBe(1);
    await winCode("王 小明");
    expect(await exported("小明")).toBe(1);
  });

  it("are found by an index however many there are", async () => {
    const won = await winCode();
    const plan = await undone(database.sql, async (sql) => {
      // Codes without the turns that won them: only finding is asked here.
      await sql`set local session_replication_role = replica`;
      await sql`
        insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, code, reward_name,
          end_user_email, end_user_name)
        select r.org_id, r.campaign_id, r.store_id, r.reward_id, gen_random_uuid(), private.random_code(null),
          r.reward_name, 'client' || n || '@exemple.fr', 'Client ' || n
        from public.redemptions r, generate_series(1, 20000) n where r.id = ${won.id}`;
      await sql`analyze public.redemptions`;
      return sql.unsafe<{ "QUERY PLAN": string }[]>(`
        explain select id from public.redemptions r
        where r.org_id = '${ours.id}' and r.reward_id = '${rewardId}'
          and r.words like '%client-15555-exemple-fr%'
        order by r.created_at desc, r.id desc limit 26`);
    });
    const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(lines).toContain("redemptions_words_idx");
    expect(lines).not.toContain("Seq Scan");
  });

  it("come in pages of 25", async () => {
    for (let n = 0; n < 26; n += 1) await winCode();
    const first = await codes();
    expect(first).toMatchObject({ page: 1, has_next: true });
    expect(first.items).toHaveLength(25);
    const second = await codes("", 2);
    expect(second).toMatchObject({ page: 2, has_next: false });
    expect(second.items).toHaveLength(1);
  });

  it("are nobody else's to read", async () => {
    await winCode();
    const other = await createOrganization(database.sql);
    const statement = "select public.reward_codes($1) as answer";
    expect(await call({ userId: other.users.owner.id }, statement, [rewardId])).toBeNull();
    expect(await call(asUser("cashier"), statement, [rewardId])).toBeNull();
  });
});

describe("giving back a code", () => {
  it("works within ten minutes, once, and says who did it", async () => {
    const won = await winCode();
    await useCode(won.code);
    await restore(asUser("member"), won.id);
    const [item] = (await codes()).items;
    expect(item).toMatchObject({ status: "available", used_at: null, can_undo: false });
    expect(item?.trace.map(({ action }) => action)).toEqual(["used", "restored"]);
    expect(item?.trace[1]?.by).toBe("Camille Martin");
    expect(await refusal(() => restore(asUser("member"), won.id))).toBe("TV041");
    // And it can be used again.
    expect(await useCode(won.code)).toBe("redeemed");
  });

  it("of two at once, one does it", async () => {
    const won = await winCode();
    await useCode(won.code);
    const later = await database.as(asUser("member"), async (sql) => {
      await sql`select public.restore_code(${won.id})`;
      const outcome = restore(asUser("admin"), won.id).then(
        () => "fine",
        (error: unknown) => (error instanceof postgres.PostgresError ? error.code : error),
      );
      await untilWaiting(database.sql);
      return { outcome };
    });
    expect(await later.outcome).toBe("TV041");
    const [item] = (await codes()).items;
    expect(item?.trace.map(({ action }) => action)).toEqual(["used", "restored"]);
    const [figures] = await database.sql`
      select (select sum(redemptions)::int from private.reward_totals_now(${ours.id})) as rewards,
        (select sum(redemptions)::int from private.campaign_figures_now(${ours.id})) as campaigns`;
    expect(figures).toEqual({ rewards: 0, campaigns: 0 });
  });

  it("is refused after ten minutes and to other organisations", async () => {
    const won = await winCode();
    await useCode(won.code);
    const other = await createOrganization(database.sql);
    expect(await refusal(() => restore({ userId: other.users.owner.id }, won.id))).toBe("42501");
    await database.sql`
      update public.redemptions set used_at = now() - interval '11 minutes' where id = ${won.id}`;
    expect(await refusal(() => restore(asUser("owner"), won.id))).toBe("TV042");
  });
});

describe("the details of a reward", () => {
  const item = (length: number) => ({ item: "x".repeat(length) });
  const TAKEN = [
    ...[1, 12.5, 100].map((discountPercent) => ({ discountPercent })),
    ...[1, MAX_COUNT].map((points) => ({ points })),
    ...[1, MAX_VALIDITY_DAYS].map((validityDays) => ({ validityDays })),
    ...[1, ITEM_MAX_LENGTH].map(item),
    { discountPercent: 10, points: 5, validityDays: 30, item: "Un café" },
  ];
  const REFUSED = [
    {},
    { unknown: 1 },
    { points: 5, unknown: 1 },
    ...[0, 0.99, 100.01, "10", null].map((discountPercent) => ({ discountPercent })),
    ...[0, -1, MAX_COUNT + 1, 1.5, "5", null].map((points) => ({ points })),
    ...[0, MAX_VALIDITY_DAYS + 1, 1.5, "30", null].map((validityDays) => ({ validityDays })),
    ...[0, ITEM_MAX_LENGTH + 1].map(item),
    ...[5, null].map((one) => ({ item: one })),
  ];

  it.each([
    ...TAKEN.map((metadata) => ({ metadata, isTaken: true })),
    ...REFUSED.map((metadata) => ({ metadata, isTaken: false })),
  ])("$metadata: $isTaken", async ({ metadata, isTaken }) => {
    const outcome = await undone(database.sql, async (sql) => {
      await sql`update public.rewards set metadata = ${sql.json(metadata)} where id = ${rewardId}`;
      return "taken";
    }).catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
    expect(outcome).toBe(isTaken ? "taken" : "23514");
  });
});

it.each([
  ["coupon", null, USUAL_VALIDITY_DAYS],
  ["gift", { item: "Un café" }, USUAL_VALIDITY_DAYS],
  ["gift", { validityDays: 7 }, 7],
  // A segment whose reward is gone is tried out all the same.
  [null, null, USUAL_VALIDITY_DAYS],
  ["points", { points: 5, validityDays: 90 }, 90],
  ["points", { points: 5 }, null],
])("what a %s with %j gives is valid for so many days: %s", async (type, metadata, days) => {
  const details = metadata && database.sql.json(metadata);
  const [row] = await database.sql`select private.validity_days(${type}, ${details}) as days`;
  expect(row).toEqual({ days });
});

describe("removing a reward", () => {
  it("deletes it when nothing hangs on it", async () => {
    const spare = await createReward(database.sql, campaign);
    await remove(asUser("admin"), spare, false);
    expect(await database.sql`select from public.rewards where id = ${spare}`).toHaveLength(0);
  });

  it("never deletes what was won or stands on a wheel, but puts it away", async () => {
    expect(await refusal(() => remove(asUser("admin"), rewardId, false))).toBe("TV040");
    const won = await winCode();
    await database.sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
    expect(await refusal(() => remove(asUser("admin"), rewardId, false))).toBe("TV040");
    await remove(asUser("admin"), rewardId, true);
    expect((await list(asUser("member"))).items).toEqual([]);
    const put = await list(asUser("member"), "", true);
    expect(put).toMatchObject({ total: 0, archived: 1, matches: 1 });
    // A customer who won it still gets it.
    expect(await useCode(won.code)).toBe("redeemed");
  });

  it("is for owners and admins of its organisation", async () => {
    const spare = await createReward(database.sql, campaign);
    const other = await createOrganization(database.sql);
    expect(await refusal(() => remove(asUser("member"), spare, false))).toBe("42501");
    expect(await refusal(() => remove(asUser("member"), spare, true))).toBe("42501");
    expect(await refusal(() => remove({ userId: other.users.owner.id }, spare, false))).toBe(
      "42501",
    );
  });
});

describe("versions", () => {
  const versionOf = async () => {
    const [row] = await database.sql`select version from public.rewards where id = ${rewardId}`;
    return row?.version;
  };

  it("rise with what the form changes, and with nothing else", async () => {
    const { sql } = database;
    await sql`update public.rewards set stock = 10, active = false where id = ${rewardId}`;
    expect(await versionOf()).toBe(1);
    await sql`update public.rewards set name = 'Thé offert' where id = ${rewardId}`;
    expect(await versionOf()).toBe(2);
  });

  it("keep the later of two from overwriting the earlier unseen", async () => {
    const save = (name: string) =>
      database.as(asUser("member"), async (sql) => {
        const rows = await sql`
          update public.rewards set name = ${name} where id = ${rewardId} and version = 1 returning id`;
        return rows.length;
      });
    expect(await Promise.all([save("Un"), save("Deux")]).then((rows) => rows.sort())).toEqual([
      0, 1,
    ]);
  });
});

it("statistics hold each of the last 90 days", async () => {
  const won = await winCode();
  await useCode(won.code);
  const statement = "select public.reward_stats($1) as answer";
  const stats = whole(rewardStats, await call(asUser("member"), statement, [rewardId]));
  const { days = [], counts } = stats?.advanced ?? {};
  expect(days).toHaveLength(90);
  expect(days.at(-1)).toMatchObject({ wins: 1, redemptions: 1 });
  expect(days[0]).toMatchObject({ wins: 0, redemptions: 0 });
  expect(counts).toEqual({ total: 1, available: 0, used: 1, expired: 0 });
  const other = await createOrganization(database.sql);
  expect(await call({ userId: other.users.owner.id }, statement, [rewardId])).toBeNull();
});

describe("the list of rewards", () => {
  it("is the organisation's own, whatever others have made since", async () => {
    const { sql } = database;
    const theirs = await createOrganization(sql);
    const elsewhere = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    for (let n = 0; n < 21; n += 1) await createReward(sql, elsewhere);
    const { items } = await list(asUser("owner"));
    expect(items.map(({ id }) => id)).toEqual([rewardId]);
  });

  it("names the campaigns that share a reward, and no other", async () => {
    const { sql } = database;
    const place = { orgId: ours.id, storeId: ours.storeId };
    const other = await createCampaign(sql, { ...place, name: "Ailleurs" });
    await createCampaign(sql, { ...place, name: "Sans elle" });
    await drawWheel(sql, other, [{ weight: 100, rewardId }]);
    const { items } = await list(asUser("owner"));
    expect(items).toMatchObject([
      { id: rewardId, shared_with: [{ id: other.id, name: "Ailleurs" }] },
    ]);
  });

  it("has each of many codes of one instant on one of its pages", async () => {
    const { sql } = database;
    for (let n = 0; n < 30; n += 1) await winCode();
    await sql`update public.redemptions set created_at = now() where org_id = ${ours.id}`;
    const pages = [...(await codes()).items, ...(await codes("", 2)).items];
    const expected = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${ours.id} order by id desc`;
    expect(pages.map(({ code }) => code)).toEqual(expected.map(({ code }) => code));
  });
});
