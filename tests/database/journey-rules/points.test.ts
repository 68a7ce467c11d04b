import { randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { POINTS_CODE_DAYS } from "#domain/rules/constants.ts";
import { customerDetail } from "#domain/schemas/customers.ts";
import { type PointsSpent, pointsChoices, pointsSpent } from "#domain/schemas/points.ts";
import { hashOfKey } from "../../../supabase/functions/_shared/http/api-key.ts";
import { become, setUpTestDatabase, undone } from "../../harness/database.ts";
import {
  type Campaign,
  createApiKey,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createStore,
  drawWheel,
  giveRole,
  type Organization,
  type RewardMetadata,
} from "../../harness/fixtures.ts";
import { type PointsProof, redeem, spendPoints, spin, winPoints } from "../../harness/journey.ts";
import { untilWaiting } from "../support/waiting.ts";
import { whole } from "../support/whole.ts";

/** Value of points: who may spend them, on which rewards, how often, and until when. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;

/** A campaign whose every turn wins points. */
async function createGame(
  sql: ISql,
  { id: orgId, storeId }: Organization,
  metadata: RewardMetadata = { points: 50 },
): Promise<Campaign> {
  const made = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
  const rewardId = await createReward(sql, made, { type: "points", metadata });
  await drawWheel(sql, made, [{ weight: 100, rewardId }]);
  return made;
}

beforeAll(async () => {
  ours = await createOrganization(database.sql);
  campaign = await createGame(database.sql, ours);
});

/** Turns of one person; answers what their phone can prove. */
async function winTimes(
  times: number,
  {
    sql = database.sql,
    game = campaign,
    email = `${randomUUID()}@exemple.fr`,
  }: { sql?: ISql; game?: Campaign; email?: string } = {},
): Promise<PointsProof[]> {
  const proofs: PointsProof[] = [];
  for (let turn = 0; turn < times; turn += 1)
    proofs.push(await winPoints(sql, { campaignId: game.id, email }));
  return proofs;
}

async function wallet(proofs: readonly PointsProof[], sql: ISql = database.sql) {
  const [row] = await sql`
    select body from public.points_wallet(${campaign.id}, ${sql.json([...proofs])}, ${randomUUID()})`;
  return row?.body;
}

/** The ledger, the stock and the spends of an organisation, to see that a refusal changed nothing. */
async function books(sql: ISql = database.sql) {
  return sql`
    select (select coalesce(sum(points), 0)::integer from public.points_ledger) as points,
      (select coalesce(sum(remaining), 0)::integer from public.points_ledger) as remaining,
      (select count(*)::integer from public.points_ledger) as entries,
      (select count(*)::integer from public.points_spends) as spends,
      (select coalesce(sum(stock), 0)::integer from public.points_rewards) as stock`;
}

describe("a spend", () => {
  it("takes the cost from what was won, gives a code, and a till takes that once", async () => {
    const { sql } = database;
    const proofs = await winTimes(2);
    const tea = await createPointsReward(sql, { orgId: ours.id, name: "Thé", cost: 70, stock: 3 });
    const { outcome, body } = await spendPoints(sql, {
      campaignId: campaign.id,
      proofs,
      rewardId: tea.id,
      cost: 70,
    });
    expect(outcome).toBe("spent");
    expect(body).toMatchObject({
      balance: 30,
      codes: [{ reward: "Thé", points: 70, status: "available", used_at: null }],
    });
    const code = body?.codes[0]?.code ?? "";
    expect(code).toMatch(/^PTS-[A-Z2-9]{8}$/);
    const [row] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
    expect(row?.stock).toBe(2);

    const userId = ours.users.cashier.id;
    const at = { userId, code: code.toLowerCase(), storeId: ours.storeId };
    expect(await redeem(sql, at)).toBe("redeemed");
    expect(await redeem(sql, at)).toBe("used");
    expect(await wallet(proofs)).toMatchObject({ balance: 30, codes: [{ status: "used" }] });
  });

  it("a hundred at once: as many as the points pay for, and never below zero", async () => {
    const { sql } = database;
    const proofs = await winTimes(4);
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 30 }),
      ),
    );
    const outcomes = answers.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "spent")).toHaveLength(6);
    expect(outcomes.filter((outcome) => outcome === "points_missing")).toHaveLength(94);
    expect(await wallet(proofs)).toMatchObject({ balance: 20 });
    const [row] = await sql`
      select count(*)::integer as spends, sum(points)::integer as points
      from public.points_spends where points_reward_id = ${tea.id}`;
    expect(row).toEqual({ spends: 6, points: 180 });
  });

  it("a hundred people at once for a stock of three: three have it", async () => {
    const { sql } = database;
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 50, stock: 3 });
    const people = await Promise.all(Array.from({ length: 100 }, () => winTimes(1)));
    const answers = await Promise.all(
      people.map((proofs) =>
        spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 50 }),
      ),
    );
    const outcomes = answers.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "spent")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "points_sold_out")).toHaveLength(97);
    const [row] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
    expect(row?.stock).toBe(0);
  });

  it("a request that is repeated, also at the same instant, spends once", async () => {
    const { sql } = database;
    const proofs = await winTimes(4);
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 40 });
    const request = {
      campaignId: campaign.id,
      proofs,
      rewardId: tea.id,
      cost: 40,
      requestId: randomUUID(),
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => spendPoints(sql, request)));
    expect(answers.map(({ outcome }) => outcome)).toEqual(Array(10).fill("spent"));
    expect(new Set(answers.map(({ body }) => body?.codes[0]?.code)).size).toBe(1);
    expect(await wallet(proofs)).toMatchObject({ balance: 160 });
    // For another reward, or by somebody else, it is no repeat.
    const other = await createPointsReward(sql, { orgId: ours.id, cost: 40 });
    const stranger = await winTimes(1);
    expect(await spendPoints(sql, { ...request, rewardId: other.id })).toEqual({
      outcome: "points_request_reused",
      body: null,
    });
    expect(await spendPoints(sql, { ...request, proofs: stranger })).toEqual({
      outcome: "points_request_reused",
      body: null,
    });
    expect(await wallet(stranger)).toMatchObject({ balance: 50, codes: [] });
  });

  it("is refused, and changes nothing, where something is not as it should be", async () => {
    const { sql } = database;
    const theirs = await createOrganization(sql);
    const theirGame = await createGame(sql, theirs);
    const theirTea = await createPointsReward(sql, { orgId: theirs.id, cost: 10 });
    const theirProofs = await winTimes(1, { game: theirGame });
    const proofs = await winTimes(1);
    const make = (more: Partial<Parameters<typeof createPointsReward>[1]>) =>
      createPointsReward(sql, { orgId: ours.id, cost: 10, ...more });
    const tea = await make({});
    const [off, gone, dear] = [
      await make({ active: false }),
      await make({ stock: 0 }),
      await make({ cost: 51 }),
    ];
    const fine = { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 10 };
    const [proof] = proofs;
    if (proof === undefined) throw new Error("Nothing was won.");
    const before = await books();
    const refused: [string, string, Partial<typeof fine>][] = [
      ["another merchant's reward", "points_reward_gone", { rewardId: theirTea.id }],
      ["points of another merchant", "points_missing", { proofs: theirProofs }],
      [
        "at another merchant",
        "points_missing",
        { campaignId: theirGame.id, rewardId: theirTea.id },
      ],
      [
        "a nonce that was guessed",
        "points_missing",
        { proofs: [{ ...proof, nonce: randomUUID() }] },
      ],
      ["another's turn", "points_missing", { proofs: [{ ...proof, spin_id: randomUUID() }] }],
      ["a cost of one's own", "points_cost_changed", { cost: 1 }],
      ["an inactive reward", "points_reward_gone", { rewardId: off.id }],
      ["a reward that is sold out", "points_sold_out", { rewardId: gone.id }],
      ["too few points", "points_missing", { rewardId: dear.id, cost: 51 }],
      ["no campaign", "campaign_not_found", { campaignId: randomUUID() }],
    ];
    for (const [what, outcome, change] of refused) {
      const answer = await spendPoints(sql, { ...fine, ...change });
      expect({ what, ...answer }).toEqual({ what, outcome, body: null });
    }
    expect(await books()).toEqual(before);
  });

  it("is one of its merchant's: another's request of the same identifier is its own", async () => {
    const { sql } = database;
    const theirs = await createOrganization(sql);
    const theirGame = await createGame(sql, theirs);
    const requestId = randomUUID();
    for (const [org, game] of [
      [ours, campaign],
      [theirs, theirGame],
    ] as const) {
      const tea = await createPointsReward(sql, { orgId: org.id, cost: 10 });
      const proofs = await winTimes(1, { game });
      const spend = { campaignId: game.id, proofs, rewardId: tea.id, cost: 10, requestId };
      expect(await spendPoints(sql, spend)).toMatchObject({ outcome: "spent" });
    }
  });

  it("is in the name of whoever has points left, the last one to win", async () => {
    await undone(database.sql, async (sql) => {
      const people = ["ana", "bea", "cleo"].map((name) => `${name}-${randomUUID()}@exemple.fr`);
      const [ana, bea, cleo] = [
        await winTimes(1, { sql, email: people[0] ?? "" }),
        await winTimes(1, { sql, email: people[1] ?? "" }),
        await winTimes(1, { sql, email: people[2] ?? "" }),
      ];
      const spend = async (cost: number, proofs: readonly PointsProof[]) => {
        const { id: rewardId } = await createPointsReward(sql, { orgId: ours.id, cost });
        await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId, cost });
        const [row] = await sql`
          select c.email from public.points_spends s
          left join public.customers c on c.org_id = s.org_id and c.id = s.customer_id
          where s.points_reward_id = ${rewardId}`;
        return row?.email;
      };
      expect(await spend(50, cleo)).toBe(people[2]);
      expect(await spend(10, [...ana, ...bea, ...cleo])).toBe(people[1]);
    });
  });

  it("leaves alone what the same person has won with another phone, or somebody in their name", async () => {
    const { sql } = database;
    const email = `${randomUUID()}@exemple.fr`;
    const theirs = await winTimes(3, { email });
    const [somebody] = [await winTimes(1, { email })];
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 60 });
    expect(await wallet(somebody)).toMatchObject({ balance: 50 });
    const spend = { campaignId: campaign.id, rewardId: tea.id, cost: 60 };
    expect(await spendPoints(sql, { ...spend, proofs: somebody })).toMatchObject({
      outcome: "points_missing",
    });
    // A turn that is named twice counts once.
    expect(await spendPoints(sql, { ...spend, proofs: [...somebody, ...somebody] })).toMatchObject({
      outcome: "points_missing",
    });
    expect(await wallet(theirs)).toMatchObject({ balance: 150, codes: [] });
  });

  it("says where its code is taken: at any store in use, by its name where it is the only one", async () => {
    const proofs = await winTimes(1);
    await undone(database.sql, async (sql) => {
      const place = async () => (await wallet(proofs, sql))?.place;
      const archive = (id: string) =>
        sql`update public.stores set archived_at = now() where id = ${id}`;
      await sql`update public.stores set name = 'Zoé Port' where id = ${ours.storeId}`;
      expect(await place()).toEqual({ kind: "store", name: "Zoé Port" });
      const gare = await createStore(sql, { orgId: ours.id, name: "Zoé Gare" });
      expect(await place()).toEqual({ kind: "stores", name: ours.name });
      await archive(ours.storeId);
      expect(await place()).toEqual({ kind: "store", name: "Zoé Gare" });
      await archive(gare);
      expect(await place()).toEqual({ kind: "none", name: ours.name });
    });
  });

  it("waits while the organisation is suspended, and is possible once its campaign has ended", async () => {
    const proofs = await winTimes(1);
    const tea = await createPointsReward(database.sql, { orgId: ours.id, cost: 10 });
    const spend = { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 10 };
    await undone(database.sql, async (sql) => {
      await sql`update public.campaigns set active = false where id = ${campaign.id}`;
      expect(await spendPoints(sql, spend)).toMatchObject({ outcome: "spent" });
    });
    await undone(database.sql, async (sql) => {
      await sql`update public.subscriptions set suspended_at = now() where org_id = ${ours.id}`;
      const before = await books(sql);
      expect(await spendPoints(sql, spend)).toEqual({ outcome: "points_reward_gone", body: null });
      expect(await books(sql)).toEqual(before);
      // Nothing is offered that cannot be had; what one has is still seen.
      expect(await wallet(proofs, sql)).toMatchObject({ balance: 50, rewards: [] });
    });
  });

  it("waits while no store is in use, which could take its code", async () => {
    const proofs = await winTimes(1);
    const tea = await createPointsReward(database.sql, { orgId: ours.id, cost: 10 });
    const spend = { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 10 };
    await undone(database.sql, async (sql) => {
      await sql`update public.stores set archived_at = now() where org_id = ${ours.id} and archived_at is null`;
      const before = await books(sql);
      expect(await spendPoints(sql, spend)).toEqual({ outcome: "points_reward_gone", body: null });
      expect(await books(sql)).toEqual(before);
      expect(await wallet(proofs, sql)).toMatchObject({ balance: 50, rewards: [] });
      await sql`update public.stores set archived_at = null where id = ${ours.storeId}`;
      expect(await spendPoints(sql, spend)).toMatchObject({ outcome: "spent" });
    });
  });
});

it("the end of points is public before anybody plays for them, and stands in the rules", async () => {
  const { sql } = database;
  const short = await createGame(sql, ours, { points: 50, validityDays: 10 });
  const published = async ({ slug }: Campaign) => {
    const [row] = await sql`
      select public.campaign_page(${slug}) -> 'points_days' as days,
        public.campaign_rules_page(${slug}) #> '{content,prizes,0,validity_days}' as rules`;
    return row;
  };
  expect(await published(short)).toEqual({ days: [10], rules: 10 });
  expect(await published(campaign)).toEqual({ days: [null], rules: null });
  const gifts = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  const rewardId = await createReward(sql, gifts);
  await drawWheel(sql, gifts, [{ weight: 100, rewardId }]);
  expect(await published(gifts)).toMatchObject({ days: null });
});

describe("time", () => {
  it("ends points with the last day that was stated, the nearest end is spent first", async () => {
    const { sql: outside } = database;
    const short = await createGame(outside, ours, { points: 50, validityDays: 10 });
    const email = `${randomUUID()}@exemple.fr`;
    await undone(outside, async (sql) => {
      const forever = await winTimes(1, { sql, email });
      const ending = await winTimes(1, { sql, email, game: short });
      const proofs = [...forever, ...ending];
      const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
      await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 30 });
      const [end] = await sql`
        select to_json(private.day_end(private.now_in('Europe/Paris')::date + 10, 'Europe/Paris')) as at`;
      expect(await wallet(proofs, sql)).toMatchObject({
        balance: 70,
        ends: { points: 20, at: end?.at },
      });

      await sql`update public.points_ledger set expires_at = now() where expires_at is not null`;
      // Before any job has run.
      expect(await wallet(proofs, sql)).toMatchObject({ balance: 50, ends: null });
      const dear = await createPointsReward(sql, { orgId: ours.id, cost: 60 });
      const spend = { campaignId: campaign.id, proofs, rewardId: dear.id, cost: 60 };
      expect(await spendPoints(sql, spend)).toMatchObject({ outcome: "points_missing" });
      await sql`select private.expire_points(100)`;
      await sql`select private.expire_points(100)`;
      const entries = await sql`
        select l.kind, l.points from public.points_ledger l
        join public.customers c on c.org_id = l.org_id and c.id = l.customer_id
        where c.email = ${email} order by l.kind, l.points`;
      expect([...entries]).toEqual([
        { kind: "earned", points: 50 },
        { kind: "earned", points: 50 },
        { kind: "expired", points: -20 },
        { kind: "spent", points: -30 },
      ]);
    });
  });

  it("ends nothing of points that are spent, to the last one", async () => {
    const short = await createGame(database.sql, ours, { points: 50, validityDays: 10 });
    await undone(database.sql, async (sql) => {
      const proofs = await winTimes(1, { sql, game: short });
      const spend = async (cost: number) => {
        const { id: rewardId } = await createPointsReward(sql, { orgId: ours.id, cost });
        const { body } = await spendPoints(sql, {
          campaignId: campaign.id,
          proofs,
          rewardId,
          cost,
        });
        return body;
      };
      expect(await spend(49)).toMatchObject({ balance: 1, ends: { points: 1 } });
      expect(await spend(1)).toMatchObject({ balance: 0, ends: null });
    });
  });

  it("ends the last point of what was won as well", async () => {
    const short = await createGame(database.sql, ours, { points: 50, validityDays: 10 });
    await undone(database.sql, async (sql) => {
      const proofs = await winTimes(1, { sql, game: short });
      const { id: rewardId } = await createPointsReward(sql, { orgId: ours.id, cost: 49 });
      await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId, cost: 49 });
      const lots = await sql`
        update public.points_ledger set expires_at = now() where remaining = 1 returning id`;
      await sql`select private.expire_points(100)`;
      const ended = await sql`
        select points from public.points_ledger
        where kind = 'expired' and lot_id = any (${lots.map((lot) => lot.id)})`;
      expect([...ended]).toEqual([{ points: -1 }]);
    });
  });

  it("gives the points of a code that nobody came for back, and the reward to the stock", async () => {
    await undone(database.sql, async (sql) => {
      const proofs = await winTimes(1, { sql });
      const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30, stock: 1 });
      const spent = await spendPoints(sql, {
        campaignId: campaign.id,
        proofs,
        rewardId: tea.id,
        cost: 30,
      });
      const [month] = await sql`
        update public.points_spends set expires_at = now() where points_reward_id = ${tea.id}
        returning private.day_end(private.now_in('Europe/Paris')::date + ${POINTS_CODE_DAYS}::integer, 'Europe/Paris') as at`;
      expect(new Date(spent.body?.codes[0]?.expires_at ?? "")).toEqual(month?.at);
      const code = spent.body?.codes[0]?.code ?? "";
      const { cashier } = ours.users;
      expect(await redeem(sql, { userId: cashier.id, code, storeId: ours.storeId })).toBe(
        "expired",
      );
      await sql`select private.expire_points(100)`;
      await sql`select private.expire_points(100)`;
      expect(await wallet(proofs, sql)).toMatchObject({
        balance: 50,
        codes: [{ status: "expired" }],
      });
      const [row] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
      expect(row?.stock).toBe(1);
    });
  });
});

it("a phone is offered the fifty cheapest rewards, and shown its last ten codes", async () => {
  const shop = await createOrganization(database.sql);
  const game = await createGame(database.sql, shop, { points: 1000 });
  await undone(database.sql, async (sql) => {
    const proofs = await winTimes(1, { sql, game });
    for (let cost = 51; cost >= 1; cost -= 1) {
      await createPointsReward(sql, { orgId: shop.id, name: `Cadeau ${cost}`, cost });
    }
    await createPointsReward(sql, { orgId: shop.id, name: "Retiré", cost: 1, active: false });
    const [cheapest] = await sql<{ id: string }[]>`
      select id from public.points_rewards where org_id = ${shop.id} and name = 'Cadeau 1'`;
    const spend = { campaignId: game.id, proofs, rewardId: cheapest?.id ?? "", cost: 1 };
    for (let n = 0; n < 10; n += 1) await spendPoints(sql, spend);
    const { body } = await spendPoints(sql, spend);
    expect(body?.rewards.map(({ cost }) => cost)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    const codes = await sql<{ code: string }[]>`
      select code from public.points_spends where org_id = ${shop.id} order by id desc limit 10`;
    expect(body?.codes.map(({ code }) => code)).toEqual(codes.map(({ code }) => code));
  });
});

// At any moment one of the two has another day than UTC.
it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "a code ends with its last day in the store's own time zone, as in %s",
  async (timezone) => {
    const shop = await createOrganization(database.sql, { store: { timezone } });
    const game = await createGame(database.sql, shop);
    await undone(database.sql, async (sql) => {
      const proofs = await winTimes(1, { sql, game });
      const tea = await createPointsReward(sql, { orgId: shop.id, cost: 30 });
      await spendPoints(sql, { campaignId: game.id, proofs, rewardId: tea.id, cost: 30 });
      const [row] = await sql`
        select expires_at = private.day_end(private.now_in(${timezone})::date + ${POINTS_CODE_DAYS}::integer, ${timezone}) as is_there
        from public.points_spends where org_id = ${shop.id}`;
      expect(row?.is_there).toBe(true);
    });
  },
);

it("a code is never that of a prize, which the till would find in its place", async () => {
  await undone(database.sql, async (sql) => {
    const proofs = await winTimes(1, { sql });
    const gifts = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, gifts);
    await drawWheel(sql, gifts, [{ weight: 100, rewardId }]);
    await spin(sql, { campaignId: gifts.id });
    await sql`update public.redemptions set code = 'PTS-00000001' where org_id = ${ours.id}`;
    await sql`create sequence private.codes_drawn`;
    await sql`
      create or replace function private.random_code(p_template text) returns text language sql volatile set search_path = ''
      return 'PTS-' || lpad(nextval('private.codes_drawn'::regclass)::text, 8, '0')`;
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    const spend = { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 30 };
    const { body } = await spendPoints(sql, spend);
    expect(body?.codes[0]?.code).toBe("PTS-00000002");
  });
});

it("a code that comes back leaves a reward without a limit without one", async () => {
  await undone(database.sql, async (sql) => {
    const proofs = await winTimes(1, { sql });
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 30 });
    await sql`update public.points_spends set expires_at = now() where points_reward_id = ${tea.id}`;
    await sql`select private.expire_points(100)`;
    expect(await wallet(proofs, sql)).toMatchObject({ balance: 50 });
    const [row] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
    expect(row?.stock).toBe(-1);
  });
});

describe("the till", () => {
  async function bought(sql: ISql) {
    const proofs = await winTimes(1, { sql });
    const tea = await createPointsReward(sql, { orgId: ours.id, name: "Thé", cost: 30 });
    const { body } = await spendPoints(sql, {
      campaignId: campaign.id,
      proofs,
      rewardId: tea.id,
      cost: 30,
    });
    return { proofs, code: body?.codes[0]?.code ?? "" };
  }

  it("looks a code up, takes it, and gives it back for ten minutes", async () => {
    await undone(database.sql, async (sql) => {
      const { code, proofs } = await bought(sql);
      const at = { userId: ours.users.cashier.id, code, storeId: ours.storeId };
      const look = async () => {
        const [row] = await sql`select public.lookup_code(${code}, ${ours.storeId}) as found`;
        return row?.found;
      };
      await become(sql, { userId: at.userId });
      expect(await look()).toMatchObject({
        state: "available",
        reward: { name: "Thé" },
        customer: { name: "Ana Petit" },
        points: 30,
        expires_at: expect.any(String),
        used_at: null,
        undo_id: null,
      });
      await sql`reset role`;
      expect(await redeem(sql, at)).toBe("redeemed");
      await become(sql, { userId: at.userId });
      const { undo_id: id, state, used_at, expires_at } = await look();
      expect(state).toBe("used");
      expect(Date.parse(used_at)).toBeLessThan(Date.parse(expires_at));
      await sql`select public.restore_code(${id})`;
      expect(await look()).toMatchObject({ state: "available" });
      await sql`reset role`;
      expect(await wallet(proofs, sql)).toMatchObject({ balance: 20 });
      const trail = await sql`
        select action from public.audit_events where org_id = ${ours.id} and subject_id = ${id}`;
      expect([...trail]).toEqual([{ action: "code.restored" }]);

      expect(await redeem(sql, at)).toBe("redeemed");
      await sql`update public.points_spends set used_at = now() - interval '10 minutes' where id = ${id}`;
      await become(sql, { userId: at.userId });
      await sql`savepoint late`;
      await expect(sql`select public.restore_code(${id})`).rejects.toMatchObject({ code: "TV042" });
      await sql`rollback to savepoint late`;
    });
  });

  it("gives it back to nobody who is bound to another store", async () => {
    await undone(database.sql, async (sql) => {
      const { code } = await bought(sql);
      const { cashier } = ours.users;
      const elsewhere = await createStore(sql, { orgId: ours.id });
      expect(await redeem(sql, { userId: cashier.id, code, storeId: ours.storeId })).toBe(
        "redeemed",
      );
      const [spend] = await sql<{ id: string }[]>`
        select id from public.points_spends where org_id = ${ours.id} and code = ${code}`;
      const restoreAt = async (storeId: string) => {
        await sql`
          update public.organization_members set store_id = ${storeId} where user_id = ${cashier.id}`;
        await become(sql, { userId: cashier.id });
        await sql`select public.restore_code(${spend?.id ?? ""})`;
        await sql`reset role`;
      };
      await sql`savepoint before`;
      await expect(restoreAt(elsewhere)).rejects.toMatchObject({ code: "42501" });
      await sql`rollback to savepoint before`;
      await restoreAt(ours.storeId);
    });
  });

  it("names the key that used it, also when its answer was lost, until it is given back", async () => {
    await undone(database.sql, async (sql) => {
      const { code } = await bought(sql);
      const { id, key } = await createApiKey(sql, { orgId: ours.id, scope: "redeem" });
      const [named] = await sql`select name from private.api_keys where id = ${id}`;
      const request = randomUUID();
      const use = async (by: string, requestId: string) => {
        const [row] = await sql`
          select outcome, body ->> 'used_by' as name from public.redeem_code_with_key(
            ${hashOfKey(by)}, 'address', ${code}, ${ours.storeId}, ${requestId})`;
        return row;
      };
      expect(await use(key, request)).toEqual({ outcome: "redeemed", name: named?.name });
      expect(await use(key, request)).toEqual({ outcome: "redeemed", name: named?.name });
      expect(await use(key, randomUUID())).toEqual({ outcome: "used", name: named?.name });
      const other = await createApiKey(sql, { orgId: ours.id, scope: "redeem" });
      expect(await use(other.key, request)).toEqual({ outcome: "used", name: named?.name });
      const [spend] =
        await sql`select id, used_key_id, used_by from public.points_spends where code = ${code}`;
      expect(spend).toMatchObject({ used_key_id: id, used_by: null });
      await become(sql, { userId: ours.users.cashier.id });
      await sql`select public.restore_code(${spend?.id})`;
      await sql`reset role`;
      const userId = ours.users.cashier.id;
      expect(await redeem(sql, { userId, code, storeId: ours.storeId })).toBe("redeemed");
      expect(
        await sql`select used_key_id, used_by from public.points_spends where code = ${code}`,
      ).toEqual([{ used_key_id: null, used_by: userId }]);
    });
  });

  it("is not had for a reward that goes at this instant", async () => {
    const { sql } = database;
    const proofs = await winTimes(1);
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    const before = await books();
    const { spent } = await sql.begin(async (other) => {
      await other`delete from public.points_rewards where id = ${tea.id}`;
      const answer = spendPoints(sql, {
        campaignId: campaign.id,
        proofs,
        rewardId: tea.id,
        cost: 30,
      });
      await untilWaiting(sql);
      return { spent: { answer } };
    });
    expect(await spent.answer).toMatchObject({ outcome: "points_reward_gone", body: null });
    expect((await books())[0]).toMatchObject({
      points: before[0]?.points,
      spends: before[0]?.spends,
    });
  });

  it("knows nothing of another merchant's", async () => {
    await undone(database.sql, async (sql) => {
      const { code } = await bought(sql);
      const theirs = await createOrganization(sql);
      const { id: userId } = theirs.users.owner;
      expect(await redeem(sql, { userId, code, storeId: theirs.storeId })).toBe("unknown");
      expect(await redeem(sql, { userId, code, storeId: ours.storeId })).toBe("forbidden");
      const [spend] = await sql`select id, status from public.points_spends where code = ${code}`;
      expect(spend?.status).toBe("available");
      await become(sql, { userId });
      await expect(sql`select public.restore_code(${spend?.id})`).rejects.toMatchObject({
        code: "42501",
      });
    });
  });
});

describe("a spend by the team", () => {
  /** Somebody with so many wins of 50 points, as the back-office knows them. */
  async function regular(wins: number, sql: ISql = database.sql): Promise<string> {
    const email = `${randomUUID()}@exemple.fr`;
    await winTimes(wins, { sql, email });
    const [row] = await sql<
      { id: string }[]
    >`select id from public.customers where email = ${email}`;
    return row?.id ?? "";
  }

  type Request = {
    customerId: string;
    rewardId: string;
    cost: number | null;
    storeId?: string;
    requestId?: string;
    userId?: string;
  };

  async function handOut({
    customerId,
    rewardId,
    cost,
    storeId = ours.storeId,
    requestId = randomUUID(),
    userId = ours.users.member.id,
  }: Request): Promise<PointsSpent> {
    const [row] = await database.as(
      { userId },
      (sql) => sql<{ answer: unknown }[]>`
        select public.spend_points_for(${customerId}, ${rewardId}, ${cost}, ${storeId}, ${requestId}) as answer`,
    );
    return whole(pointsSpent, row?.answer);
  }

  const detail = async (customerId: string) => {
    const [row] = await database.as(
      { userId: ours.users.member.id },
      (sql) => sql<{ answer: unknown }[]>`select public.customer_detail(${customerId}) as answer`,
    );
    return whole(customerDetail, row?.answer);
  };

  const takeBack = (id: string, userId = ours.users.member.id) =>
    database.as({ userId }, (sql) => sql`select public.restore_code(${id})`);

  it("hands out what the customer has points for, shows it at their page, and is written down", async () => {
    const { sql } = database;
    const customerId = await regular(2);
    const tea = await createPointsReward(sql, { orgId: ours.id, name: "Thé", cost: 70, stock: 2 });
    const [row] = await database.as(
      { userId: ours.users.member.id },
      (one) => one<{ answer: unknown }[]>`select public.points_choices(${customerId}) as answer`,
    );
    const choices = whole(pointsChoices, row?.answer);
    expect(choices.balance).toBe(100);
    expect(choices.rewards).toContainEqual({
      id: tea.id,
      name: "Thé",
      cost: 70,
      sold_out: false,
    });

    const request = { customerId, rewardId: tea.id, cost: 70, requestId: randomUUID() };
    const answer = await handOut(request);
    expect(answer).toEqual({
      outcome: "spent",
      balance: 30,
      reward: "Thé",
      spend_id: expect.any(String),
    });
    // Its answer was lost: asked again, it spends nothing more.
    expect(await handOut(request)).toEqual(answer);
    expect(await detail(customerId)).toMatchObject({
      points: 30,
      spends: [
        {
          id: answer.spend_id,
          reward: "Thé",
          points: 70,
          status: "used",
          used_at: expect.any(String),
        },
      ],
    });
    const [left] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
    expect(left?.stock).toBe(1);
    const trail = await sql`
      select action, user_id, detail from public.audit_events where org_id = ${ours.id} and subject_id = ${customerId}`;
    expect([...trail]).toEqual([
      {
        action: "points.spent",
        user_id: ours.users.member.id,
        detail: { name: "Thé", points: 70 },
      },
    ]);
  });

  it("is taken back as a whole for ten minutes: points, stock, and no code that is left", async () => {
    const { sql } = database;
    const customerId = await regular(1);
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 40, stock: 1 });
    const request = { customerId, rewardId: tea.id, cost: 40, requestId: randomUUID() };
    const { spend_id: id } = await handOut(request);
    await takeBack(id ?? "");
    expect(await detail(customerId)).toMatchObject({
      points: 50,
      spends: [{ id, status: "expired", used_at: null }],
    });
    const [spend] = await sql`
      select s.code, r.stock from public.points_spends s
      join public.points_rewards r on r.id = s.points_reward_id where s.id = ${id}`;
    expect(spend?.stock).toBe(1);
    const { id: userId } = ours.users.cashier;
    expect(await redeem(sql, { userId, code: spend?.code, storeId: ours.storeId })).toBe("expired");
    await expect(takeBack(id ?? "")).rejects.toMatchObject({ code: "TV041" });
    expect(await handOut(request)).toMatchObject({ outcome: "points_request_reused", balance: 50 });

    const again = await handOut({ ...request, requestId: randomUUID() });
    await sql`
      update public.points_spends set used_at = now() - interval '10 minutes' where id = ${again.spend_id}`;
    await expect(takeBack(again.spend_id ?? "")).rejects.toMatchObject({ code: "TV042" });
    expect(await detail(customerId)).toMatchObject({ points: 10 });
  });

  it("is none that a phone has made, though the till has taken its code", async () => {
    const { sql } = database;
    const email = `${randomUUID()}@exemple.fr`;
    const proofs = await winTimes(2, { email });
    const [row] = await sql<{ id: string }[]>`
      select id from public.customers where email = ${email}`;
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 10 });
    const request = { rewardId: tea.id, cost: 10, requestId: randomUUID() };
    const { body } = await spendPoints(sql, { ...request, campaignId: campaign.id, proofs });
    const at = { userId: ours.users.cashier.id, storeId: ours.storeId };
    expect(await redeem(sql, { ...at, code: body?.codes[0]?.code ?? "" })).toBe("redeemed");
    expect(await handOut({ ...request, customerId: row?.id ?? "" })).toMatchObject({
      outcome: "points_request_reused",
      balance: 90,
    });
  });

  it.each([
    { first: "spend", balance: 40 },
    { first: "return", balance: 70 },
  ])(
    "is taken back while the same customer spends again, the $first first: neither stops the other",
    async ({ first, balance }) => {
      const { sql } = database;
      const customerId = await regular(2);
      const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30, stock: 2 });
      const request = { customerId, rewardId: tea.id, cost: 30 };
      const { spend_id: id } = await handOut(request);
      const [again, back] = [() => handOut(request), () => takeBack(id ?? "")];
      // Somebody holds the customer until both are on their way: whoever waits for a person's row first has it first.
      const { both } = await sql.begin(async (holder) => {
        await holder`select from public.customers where id = ${customerId} for no key update`;
        const early = first === "spend" ? again() : back();
        await untilWaiting(sql);
        const late = first === "spend" ? back() : again();
        await untilWaiting(sql, 2);
        return { both: Promise.all([early, late]) };
      });
      expect(await both).toContainEqual(expect.objectContaining({ outcome: "spent", balance }));
      expect(await detail(customerId)).toMatchObject({ points: 70 });
      const [left] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
      expect(left?.stock).toBe(1);
    },
  );

  it("and the phone at once: never below zero", async () => {
    const { sql } = database;
    const email = `${randomUUID()}@exemple.fr`;
    const proofs = await winTimes(4, { email });
    const [row] = await sql<
      { id: string }[]
    >`select id from public.customers where email = ${email}`;
    const customerId = row?.id ?? "";
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 2 === 0
          ? handOut({ customerId, rewardId: tea.id, cost: 30 })
          : spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: 30 }),
      ),
    );
    expect(answers.filter(({ outcome }) => outcome === "spent")).toHaveLength(6);
    expect(answers.filter(({ outcome }) => outcome === "points_missing")).toHaveLength(34);
    expect(await detail(customerId)).toMatchObject({ points: 20 });
  });

  it("is refused, and changes nothing, where something is not as it should be", async () => {
    const { sql } = database;
    const theirs = await createOrganization(sql);
    const theirTea = await createPointsReward(sql, { orgId: theirs.id, cost: 10 });
    const customerId = await regular(1);
    const make = (more: Partial<Parameters<typeof createPointsReward>[1]>) =>
      createPointsReward(sql, { orgId: ours.id, cost: 10, ...more });
    const [tea, off, gone, dear] = [
      await make({}),
      await make({ active: false }),
      await make({ stock: 0 }),
      await make({ cost: 51 }),
    ];
    const fine = { customerId, rewardId: tea.id, cost: 10 };
    const used = { ...fine, requestId: randomUUID() };
    await handOut({ ...used, customerId: await regular(1) });
    const before = await books();
    const refused: [string, string, Partial<Request>][] = [
      ["another merchant's reward", "points_reward_gone", { rewardId: theirTea.id }],
      ["a cost of one's own", "points_cost_changed", { cost: 1 }],
      ["no cost", "points_cost_changed", { cost: null }],
      ["an inactive reward", "points_reward_gone", { rewardId: off.id }],
      ["a reward that is sold out", "points_sold_out", { rewardId: gone.id }],
      ["too few points", "points_missing", { rewardId: dear.id, cost: 51 }],
      ["a request that was for somebody else", "points_request_reused", used],
    ];
    for (const [what, outcome, change] of refused) {
      const answer = await handOut({ ...fine, ...change });
      expect({ what, ...answer }).toEqual({
        what,
        outcome,
        balance: 50,
        spend_id: null,
        reward: null,
      });
    }
    const [archived] = await sql<{ id: string }[]>`
      insert into public.stores (org_id, name, slug, address, archived_at) values (${ours.id}, 'Fermé', 'ferme', '1 rue du Port', now()) returning id`;
    const forbidden: [string, Partial<Request>][] = [
      ["a cashier, who sees no customers", { userId: ours.users.cashier.id }],
      ["another merchant", { userId: theirs.users.owner.id, storeId: theirs.storeId }],
      ["another merchant's store", { storeId: theirs.storeId }],
      ["a store that is archived", { storeId: archived?.id ?? "" }],
      ["nobody's customer", { customerId: randomUUID() }],
    ];
    for (const [what, change] of forbidden) {
      await expect(handOut({ ...fine, ...change }), what).rejects.toMatchObject({ code: "42501" });
    }
    expect(await books()).toEqual(before);
  });

  it("offers a customer's choices to nobody who may not hand them out", async () => {
    const customerId = await regular(1);
    const theirs = await createOrganization(database.sql);
    const choices = (userId: string, id: string) =>
      database.as({ userId }, (sql) => sql`select public.points_choices(${id})`);
    const { cashier, member } = ours.users;
    for (const [userId, id] of [
      [cashier.id, customerId],
      [theirs.users.owner.id, customerId],
      [member.id, randomUUID()],
    ] as const)
      await expect(choices(userId, id)).rejects.toMatchObject({ code: "42501" });
  });

  it("is made by whoever is bound to a store there alone, whatever colleagues may", async () => {
    await undone(database.sql, async (sql) => {
      const customerId = await regular(1, sql);
      const tea = await createPointsReward(sql, { orgId: ours.id, cost: 10 });
      const elsewhere = await createStore(sql, { orgId: ours.id });
      const { member } = ours.users;
      const permissions = ["activity.read", "customers.read", "codes.redeem"];
      await giveRole(sql, member, { orgId: ours.id, permissions });
      await sql`
        update public.organization_members set store_id = ${ours.storeId} where user_id = ${member.id}`;
      await become(sql, { userId: member.id });
      const spendAt = (storeId: string) => sql<{ answer: unknown }[]>`
        select public.spend_points_for(${customerId}, ${tea.id}, 10, ${storeId}, ${randomUUID()}) as answer`;
      await sql`savepoint before`;
      await expect(spendAt(elsewhere)).rejects.toMatchObject({ code: "42501" });
      await sql`rollback to savepoint before`;
      const [row] = await spendAt(ours.storeId);
      expect(whole(pointsSpent, row?.answer)).toMatchObject({ outcome: "spent", balance: 40 });
    });
  });

  it("is one of its merchant's: another's request of the same identifier is its own", async () => {
    const { sql } = database;
    const theirs = await createOrganization(sql);
    const email = `${randomUUID()}@exemple.fr`;
    await winTimes(1, { game: await createGame(sql, theirs), email });
    const [row] = await sql<{ id: string }[]>`
      select id from public.customers where email = ${email}`;
    const requestId = randomUUID();
    for (const [org, customerId] of [
      [theirs, row?.id ?? ""],
      [ours, await regular(1)],
    ] as const) {
      const tea = await createPointsReward(sql, { orgId: org.id, cost: 10 });
      const answer = await handOut({
        ...{ customerId, rewardId: tea.id, cost: 10, requestId },
        ...{ storeId: org.storeId, userId: org.users.member.id },
      });
      expect(answer).toMatchObject({ outcome: "spent", balance: 40 });
    }
  });

  it("is possible neither while the organisation is suspended nor after its plan has ended", async () => {
    const customerId = await regular(1);
    const tea = await createPointsReward(database.sql, { orgId: ours.id, cost: 10 });
    await undone(database.sql, async (sql) => {
      await sql`update public.subscriptions set suspended_at = now() where org_id = ${ours.id}`;
      await become(sql, { userId: ours.users.member.id });
      const [row] = await sql`select public.points_choices(${customerId}) as answer`;
      expect(row?.answer).toEqual({ balance: 50, rewards: [] });
      await expect(
        sql`select public.spend_points_for(${customerId}, ${tea.id}, 10, ${ours.storeId}, ${randomUUID()})`,
      ).rejects.toMatchObject({ code: expect.stringMatching(/^TV/) });
    });
  });
});

it("whoever is forgotten leaves no points, and a code that still works", async () => {
  await undone(database.sql, async (sql) => {
    const email = `${randomUUID()}@exemple.fr`;
    const proofs = await winTimes(2, { sql, email });
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30 });
    const { body } = await spendPoints(sql, {
      campaignId: campaign.id,
      proofs,
      rewardId: tea.id,
      cost: 30,
    });
    const [person] = await sql`select id from public.customers where email = ${email}`;
    await become(sql, { userId: ours.users.admin.id });
    await sql`select public.erase_customer(${person?.id})`;
    await sql`reset role`;
    const [left] = await sql`
      select (select count(*)::integer from public.points_ledger where customer_id = ${person?.id}) as entries,
        (select count(*)::integer from public.points_spends where customer_id = ${person?.id}) as spends`;
    expect(left).toEqual({ entries: 0, spends: 0 });
    expect(await wallet(proofs, sql)).toMatchObject({ balance: 0, codes: [] });
    const at = { userId: ours.users.cashier.id, storeId: ours.storeId };
    expect(await redeem(sql, { ...at, code: body?.codes[0]?.code ?? "" })).toBe("redeemed");
  });
});

it("a merchant sees what is owed, and what it would buy", async () => {
  const { sql } = database;
  const shop = await createOrganization(sql);
  const game = await createGame(sql, shop);
  const tea = await createPointsReward(sql, { orgId: shop.id, name: "Thé", cost: 40 });
  const peel = await createPointsReward(sql, { orgId: shop.id, name: "Zeste", cost: 20, stock: 0 });
  const buyTea = async (proofs: PointsProof[]) => {
    const spend = { campaignId: game.id, proofs, rewardId: tea.id, cost: 40 };
    return (await spendPoints(sql, spend)).body;
  };
  const bought = await buyTea(await winTimes(1, { game }));
  await winTimes(2, { game });
  // Each merchant's customers are offered what it has, cheapest first.
  expect(bought?.rewards).toEqual([
    { ...peel, name: "Zeste", sold_out: true },
    { ...tea, name: "Thé", sold_out: false },
  ]);
  const used = (await buyTea(await winTimes(1, { game })))?.codes[0]?.code ?? "";
  await redeem(sql, { userId: shop.users.cashier.id, code: used, storeId: shop.storeId });
  const over = (await buyTea(await winTimes(1, { game })))?.codes[0]?.code ?? "";
  // Nothing is owed to whoever has spent all of it, but the code.
  const all = await createPointsReward(sql, { orgId: shop.id, name: "Un repas", cost: 50 });
  await spendPoints(sql, {
    campaignId: game.id,
    proofs: await winTimes(1, { game }),
    rewardId: all.id,
    cost: 50,
  });
  await undone(sql, async (transaction) => {
    // Points and codes that end at this instant are owed no more, though no job has run.
    await transaction`
      update public.points_ledger l set expires_at = now()
      from public.points_ledger t join public.points_spends s on s.id = t.spend_id
      where s.code = ${over} and l.id = t.lot_id`;
    await transaction`update public.points_spends set expires_at = now() where code = ${over}`;
    await become(transaction, { userId: shop.users.member.id });
    const [row] = await transaction`select public.points_catalogue(${shop.id}) as catalogue`;
    const item = { version: 1, translations: {}, active: true };
    expect(row?.catalogue).toEqual({
      // 10 of two, 100 of the third: two teas, though 120 points would pay for three.
      owed: { points: 120, customers: 3, codes: 2 },
      earns: true,
      items: [
        { ...item, ...peel, name: "Zeste", stock: 0, affordable: 5, spends: 0 },
        { ...item, ...tea, name: "Thé", stock: -1, affordable: 2, spends: 3 },
        { ...item, ...all, name: "Un repas", stock: -1, affordable: 2, spends: 1 },
      ],
    });
  });
});

it("a merchant whose only reward in points is stopped, or archived, sees that nobody earns any", async () => {
  const shop = await createOrganization(database.sql);
  await createGame(database.sql, shop);
  const earns = (change: "active = false" | "archived_at = now()" | null) =>
    undone(database.sql, async (sql) => {
      if (change) {
        await sql`update public.rewards set ${sql.unsafe(change)} where org_id = ${shop.id}`;
      }
      await become(sql, { userId: shop.users.member.id });
      const [row] = await sql`select public.points_catalogue(${shop.id}) -> 'earns' as earns`;
      return row?.earns;
    });
  expect(await earns(null)).toBe(true);
  expect(await earns("active = false")).toBe(false);
  expect(await earns("archived_at = now()")).toBe(false);
});

it("a merchant whom nobody has points of owes nothing, whatever others give and owe", async () => {
  const { sql } = database;
  const shop = await createOrganization(sql);
  const tea = await createPointsReward(sql, { orgId: shop.id, name: "Thé", cost: 1 });
  await winTimes(1, {});
  const [row] = await database.as(
    { userId: shop.users.member.id },
    (own) => own`select public.points_catalogue(${shop.id}) as catalogue`,
  );
  expect(row?.catalogue).toEqual({
    owed: { points: 0, customers: 0, codes: 0 },
    earns: false,
    items: [
      {
        ...tea,
        name: "Thé",
        version: 1,
        translations: {},
        active: true,
        stock: -1,
        affordable: 0,
        spends: 0,
      },
    ],
  });
});
