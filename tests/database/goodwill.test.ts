import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { reviewDetail, reviewHandled } from "#domain/schemas/reviews.ts";
import { rewardCodes } from "#domain/schemas/rewards.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  giveRole,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import { redeem, review, spin } from "../harness/journey.ts";
import { keptDays, keptTotals, rebuiltDays, rebuiltTotals } from "./support/figures.ts";
import { whole } from "./support/whole.ts";

/** Gestures of goodwill: who gives a code for what, once a review, and that it is a code as any other but for the wheel. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let coffee: string;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
  coffee = await createReward(database.sql, campaign, { name: "Café offert", stock: 5 });
});

const as = <T>(role: Role, run: (sql: TransactionSql) => Promise<T>) =>
  database.as({ userId: ours.users[role].id }, run);

async function visit(parts: Partial<Parameters<typeof review>[1]> = {}) {
  const { review_id: id } = await review(database.sql, {
    campaignId: campaign.id,
    rating: 2,
    ...parts,
  });
  return id ?? "";
}

type Wish = { role?: Role; version?: number; reward?: string; request?: string };

/** Gives a code without a mail. */
async function give(id: string, wish: Wish = {}) {
  const { role = "owner", version = 0, reward = coffee, request = randomUUID() } = wish;
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`
      select public.give_goodwill_code(${id}, ${version}, ${reward}, ${request}) as answer`,
  );
  return whole(reviewHandled, row?.answer);
}

/** Answers a review with a code. */
async function answer(id: string, wish: Wish = {}) {
  const { role = "owner", version = 0, reward = coffee, request = randomUUID() } = wish;
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`
      select public.answer_review(${id}, ${version}, 'Merci de votre mot.', ${request}, ${reward}) as answer`,
  );
  return whole(reviewHandled, row?.answer);
}

async function detail(id: string, role: Role = "owner") {
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`select public.review_detail(${id}) as answer`,
  );
  const found = whole(reviewDetail, row?.answer);
  if (!found) throw new Error("No such review.");
  return found;
}

async function codes(reward = coffee) {
  const [row] = await as(
    "owner",
    (sql) => sql<{ answer: unknown }[]>`select public.reward_codes(${reward}) as answer`,
  );
  return whole(rewardCodes, row?.answer);
}

/** State that a gesture changes; it is the same before and after a refusal. */
async function books(sql: ISql = database.sql) {
  const [row] = await sql`
    select (select sum(stock)::integer from public.rewards where org_id = ${ours.id}) as stock,
      (select count(*)::integer from public.redemptions where org_id = ${ours.id}) as codes,
      (select count(*)::integer from public.review_actions where org_id = ${ours.id}) as actions,
      (select count(*)::integer from public.audit_events where org_id = ${ours.id}) as audited,
      (select count(*)::integer from private.outbox
       where data -> 'facts' ->> 'reply_to' like ${`%${ours.slug}%`}) as mails`;
  return row;
}

describe("a code", () => {
  it("goes with the answer as a ticket, out of the stock, for as long as the reward's codes are good", async () => {
    const { sql } = database;
    const lunch = await createReward(sql, campaign, {
      name: "Déjeuner",
      stock: 2,
      codeTemplate: "MIDI-{random}",
      metadata: { validityDays: 10 },
    });
    await visit();
    const id = await visit({ email: "ana@exemple.fr" });
    const request = randomUUID();
    const [store] = await sql`select name, address from public.stores where id = ${ours.storeId}`;
    await sql`insert into public.organization_brands (org_id, color) values (${ours.id}, '#1d4ed8')`;
    expect(await answer(id, { reward: lunch, request })).toEqual({ outcome: "saved" });
    // A lost answer, and somebody who thinks that there was none.
    expect(await answer(id, { reward: lunch, request })).toEqual({ outcome: "saved" });
    expect(await answer(id, { reward: lunch, version: 1 })).toEqual({ outcome: "already_given" });
    const [mail] = await sql`
      select recipient, data ->> 'code' as code, data -> 'facts' as facts, data ? 'until' as ends,
        data #>> '{brand,color}' as color, data -> 'white_label' as is_white
      from private.outbox where template = 'review_gesture' and data -> 'facts' ->> 'reply_to' = ${ours.users.owner.email}`;
    const [code] = await sql`
      select code, spin_id, store_id, campaign_id, end_user_email, end_user_name,
        customer_id = (select c.id from public.customers c where c.org_id = d.org_id and c.email = 'ana@exemple.fr') as is_hers,
        expires_at = private.day_end(private.now_in('Europe/Paris')::date + 10, 'Europe/Paris') as is_ten_days
      from public.redemptions d where reward_id = ${lunch}`;
    expect(code).toEqual({
      code: expect.stringMatching(/^MIDI-[A-Z2-9]{8}$/),
      spin_id: null,
      store_id: ours.storeId,
      campaign_id: campaign.id,
      end_user_email: "ana@exemple.fr",
      end_user_name: "Ana Petit",
      is_hers: true,
      is_ten_days: true,
    });
    expect(mail).toEqual({
      recipient: "ana@exemple.fr",
      code: code?.code,
      facts: {
        prize: "Déjeuner",
        store: store?.name,
        address: store?.address,
        body: "Merci de votre mot.",
        reply_to: ours.users.owner.email,
      },
      ends: true,
      color: "#1d4ed8",
      is_white: true,
    });
    expect(await sql`select stock from public.rewards where id = ${lunch}`).toMatchObject([
      { stock: 1 },
    ]);
    expect(await detail(id)).toMatchObject({
      state: "answered",
      gesture: {
        given: {
          reward: "Déjeuner",
          code: code?.code,
          status: "available",
          timezone: "Europe/Paris",
        },
        rewards: null,
      },
      actions: [{ kind: "gesture", body: null }, { kind: "answer" }],
    });
    const trail = await sql`
      select action from public.audit_events where org_id = ${ours.id} and action like 'review.%' order by id`;
    expect(trail.map(({ action }) => action)).toEqual(["review.gifted", "review.answered"]);
  });

  it("is shown to hand on where no mail arrives, and says to no colleague that the review is dealt with", async () => {
    const id = await visit({ email: null, phone: "0612345678" });
    const before = await detail(id);
    expect(before.gesture).toMatchObject({
      given: null,
      rewards: [{ id: coffee, name: "Café offert", stock: 5, days: 30 }],
    });
    expect(await give(id, { role: "member" })).toEqual({ outcome: "saved" });
    expect(await detail(id)).toMatchObject({
      state: "open",
      version: 0,
      is_seen: true,
      gesture: { given: { code: expect.stringMatching(/^MERCI-/), status: "available" } },
    });
    // A member who may not read codes learns that there is one.
    await giveRole(database.sql, ours.users.member, {
      orgId: ours.id,
      permissions: [
        "reviews.read",
        "reviews.write",
        "customers.read",
        "rewards.read",
        "stores.read",
      ],
    });
    expect((await detail(id, "member")).gesture).toMatchObject({
      given: { reward: "Café offert", code: null },
    });
  });

  it("is one of what can be given: by campaign, this one first, the newest hundred at most", async () => {
    const { sql } = database;
    const there = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const ids: string[] = [];
    for (const [name, more] of [
      ["Dernier", { stock: 1 }],
      ["Sans fin", { stock: -1 }],
      ["Fini", { stock: 0 }],
      ["Arrêté", { active: false }],
      ["Des points", { type: "points" }],
      ["Archivé", {}],
    ] as const)
      ids.push(await createReward(sql, there, { name, ...more }));
    await sql`update public.rewards set archived_at = now() where id = ${ids.at(-1) ?? ""}`;
    const offered = async (id: string) => (await detail(id)).gesture.rewards ?? [];
    const names = async (id: string) => (await offered(id)).map(({ name }) => name);
    const id = await visit();
    expect(await names(id)).toEqual(["Café offert", "Dernier", "Sans fin"]);
    const first = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId, name: "A" });
    ids.push(await createReward(sql, first, { name: "Zeste" }));
    expect(await names(id)).toEqual(["Café offert", "Zeste", "Dernier", "Sans fin"]);
    await sql`
      update public.rewards set created_at = now() - interval '2 days' where id = any (${ids})`;
    await sql`update public.rewards set created_at = now() - interval '3 days' where id = ${coffee}`;
    await sql`
      insert into public.rewards (org_id, campaign_id, name, type, created_at)
      select ${ours.id}, ${there.id}, 'n° ' || lpad(n::text, 3, '0'), 'gift', now() - n * interval '1 minute'
      from generate_series(1, 100) n`;
    expect(await names(id)).toEqual([
      "Café offert",
      ...Array.from({ length: 99 }, (_, place) => `n° ${String(place + 1).padStart(3, "0")}`),
    ]);
  });

  it.each(["reviews.write", "customers.read", "rewards.write", "codes.read"])(
    "is given by whoever may write to customers, take from a stock and see it: not without %s",
    async (missing) => {
      const permissions = ["reviews.write", "customers.read", "rewards.write", "codes.read"];
      await giveRole(database.sql, ours.users.member, {
        orgId: ours.id,
        permissions: ["reviews.read", ...permissions.filter((one) => one !== missing)],
      });
      const id = await visit();
      expect((await detail(id, "member")).gesture).toEqual({ given: null, rewards: null });
      await expect(give(id, { role: "member" })).rejects.toMatchObject({ code: "42501" });
    },
  );

  it("is looked up, used, given back and exported at the till as any other, by people and by keys", async () => {
    const { sql } = database;
    const id = await visit({ email: null, phone: "0612345678", firstName: "Emma" });
    await give(id);
    const code = (await detail(id)).gesture.given?.code ?? "";
    const till = { userId: ours.users.cashier.id, code: code.toLowerCase(), storeId: ours.storeId };
    const key = await createApiKey(sql, { orgId: ours.id, scope: "redeem" });
    const [seen] = await database.as(
      { apiKeyId: key.id },
      (keyed) => keyed`select public.lookup_code(${code}, ${ours.storeId}) as shown`,
    );
    expect(seen?.shown).toMatchObject({ state: "available", reward: { name: "Café offert" } });
    const elsewhere = await createStore(sql, { orgId: ours.id });
    expect(await redeem(sql, { ...till, storeId: elsewhere })).toBe("other_store");
    expect(await redeem(sql, till)).toBe("redeemed");
    expect(await redeem(sql, till)).toBe("used");
    const [held] = await sql<{ id: string; customer_id: string }[]>`
      select id, customer_id from public.redemptions where code = ${code}`;
    const count = async () => {
      const [row] = await sql`
        select redemption_count from public.customers where id = ${held?.customer_id ?? ""}`;
      return row?.redemption_count;
    };
    expect(await count()).toBe(1);
    expect(await codes()).toMatchObject({
      counts: { total: 1, available: 0, used: 1, expired: 0 },
      items: [{ code, is_goodwill: true, status: "used" }],
    });
    await as("cashier", (sql) => sql`select public.restore_code(${held?.id ?? ""})`);
    expect(await count()).toBe(0);
    expect(await codes()).toMatchObject({ counts: { total: 1, available: 1, used: 0 } });
    const exported =
      await sql`select code, origin from public.export_redemptions(${ours.id}, '{}', true)`;
    expect([...exported]).toEqual([{ code, origin: "goodwill" }]);

    await sql`update public.redemptions set expires_at = now() - interval '1 second' where code = ${code}`;
    expect(await codes()).toMatchObject({ counts: { total: 1, available: 0, expired: 1 } });
    await sql`select private.expire_codes(1000)`;
    expect(await codes()).toMatchObject({ counts: { total: 1, available: 0, expired: 1 } });
    expect(await redeem(sql, till)).toBe("expired");
  });

  it("is no spin, no win and in no rate, and costs what the reward costs", async () => {
    const { sql } = database;
    await sql`update public.rewards set value = 3.5 where id = ${coffee}`;
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: coffee }]);
    const { body } = await spin(sql, { campaignId: campaign.id, reviewId: await visit() });
    const won = String(JSON.parse(body ?? "{}").redemption_code);
    const id = await visit({ email: null, phone: "0612345678" });
    await give(id);
    const given = (await detail(id)).gesture.given?.code ?? "";
    for (const code of [won, given]) {
      await redeem(sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });
    }
    expect(await keptDays(sql, ours.id)).toEqual(await rebuiltDays(sql, ours.id));
    const totals = await keptTotals(sql, ours.id);
    expect(totals).toEqual(await rebuiltTotals(sql, ours.id));
    expect(totals.rewards).toEqual([{ reward_id: coffee, wins: 1, codes: 1, redemptions: 1 }]);
    const [figures] = await sql`
      select private.campaign_cost(${ours.id}, ${campaign.id}) as campaign,
        private.period_return(${ours.id}, '2000-01-01', '2100-01-01') as period`;
    expect(figures).toMatchObject({
      campaign: { cost: 7, unpriced: 0 },
      period: { cost: 7, unpriced: 0, visits: 1 },
    });
    // It counts on the store's day of its use, as the other does, and on no day beside.
    const days = await sql<{ used: number; cost: number; uses: number }[]>`
      select (
          select count(*)::integer from public.redemptions d
          where d.org_id = ${ours.id} and (d.used_at at time zone 'Europe/Paris')::date = u.day + n) as used,
        (private.period_return(${ours.id}, u.day + n, u.day + n + 1) ->> 'cost')::float as cost,
        coalesce((private.period_costs(${ours.id}, u.day + n, u.day + n + 1) #>> '{items,0,uses}')::integer, 0) as uses
      from generate_series(-2, 2) n cross join (
        select (used_at at time zone 'Europe/Paris')::date as day from public.redemptions
        where org_id = ${ours.id} and code = ${given}) u order by n`;
    expect(days.reduce((sum, { used }) => sum + used, 0)).toBe(2);
    for (const { used, ...told } of days) expect(told).toEqual({ cost: 3.5 * used, uses: used });
    const wins = await sql`
      select 1 from jsonb_array_elements(private.recent_activity(${ours.id}, true)) a where a ->> 'kind' = 'win'`;
    expect(wins).toHaveLength(1);
  });

  it("takes one out of play, as the rules of the game then say; its reward can only be archived", async () => {
    const { sql } = database;
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: coffee }]);
    await give(await visit());
    const [rules] = await sql`
      select r.content -> 'prizes' -> 0 -> 'number' as number
      from public.campaigns c
      join public.campaign_rules r on r.campaign_id = c.id and r.version = c.rules_version
      where c.id = ${campaign.id}`;
    expect(rules).toEqual({ number: 4 });
    const spare = await createReward(sql, campaign);
    await give(await visit(), { reward: spare });
    const remove = as("owner", (sql) => sql`select public.remove_reward(${spare}, false)`);
    await expect(remove).rejects.toMatchObject({ code: "TV040" });
    const [list] = await as(
      "owner",
      (sql) => sql`select public.reward_list(${ours.id}) -> 'items' as items`,
    );
    expect(list?.items).toContainEqual(expect.objectContaining({ id: spare, is_won: true }));
  });

  it("takes one out of play in each campaign that shares its reward", async () => {
    const { sql } = database;
    const other = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    for (const wheel of [campaign, other]) {
      await drawWheel(sql, wheel, [{ weight: 100, rewardId: coffee }]);
    }
    await give(await visit());
    const numbers = await sql`
      select r.content -> 'prizes' -> 0 -> 'number' as number
      from public.campaigns c
      join public.campaign_rules r on r.campaign_id = c.id and r.version = c.rules_version
      where c.org_id = ${ours.id}`;
    expect([...numbers]).toEqual([{ number: 4 }, { number: 4 }]);
  });

  // At any moment one of the two has another day than UTC.
  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "ends with its last day in the store's own time zone, as in %s",
    async (timezone) => {
      const { sql } = database;
      await sql`update public.stores set timezone = ${timezone} where id = ${ours.storeId}`;
      await give(await visit());
      const [code] = await sql`
        select expires_at = private.day_end(private.now_in(${timezone})::date + 30, ${timezone}) as is_there
        from public.redemptions where org_id = ${ours.id}`;
      expect(code?.is_there).toBe(true);
    },
  );

  it("says of its mail whether it left, as any answer does", async () => {
    const id = await visit();
    await answer(id);
    await database.sql`
      update private.outbox o set state = 'sent', data = '{}', settled_at = now()
      from public.review_actions a where a.review_id = ${id} and o.id = a.message_id`;
    expect((await detail(id)).actions).toMatchObject([
      { kind: "gesture", delivery: null },
      { kind: "answer", delivery: "sent" },
    ]);
  });

  it("says of its own review alone that somebody has seen it", async () => {
    const [other, id] = [await visit(), await visit()];
    await give(id);
    expect(await detail(id)).toMatchObject({ is_seen: true });
    expect(await detail(other)).toMatchObject({ is_seen: false });
  });

  it("is not mailed again once it was used, or has ended", async () => {
    const { sql } = database;
    const id = await visit();
    await answer(id);
    const [mail] = await sql<{ id: string }[]>`
      update private.outbox set state = 'failed', settled_at = now(), last_error = 'refused'
      where template = 'review_gesture' and data -> 'facts' ->> 'reply_to' = ${ours.users.owner.email}
      returning id`;
    const again = (change: string) =>
      undone(sql, async (inner) => {
        await inner`update public.redemptions set ${inner.unsafe(change)} where org_id = ${ours.id}`;
        const [row] = await inner`select private.queue_again(${mail?.id ?? ""}) as outcome`;
        return row?.outcome;
      });
    expect(await again("status = 'used', used_at = now()")).toBe("prize_over");
    expect(await again("expires_at = now()")).toBe("prize_over");
    expect(await again("expires_at = expires_at")).toBe("queued");
  });

  it("forgets whose it was with its customer, and stays good", async () => {
    const id = await visit({ firstName: "Zélie" });
    await give(id);
    const { customer, gesture } = await detail(id);
    await as("owner", (sql) => sql`select public.erase_customer(${customer?.id ?? ""})`);
    const left = await database.sql`
      select customer_id, end_user_email, end_user_name from public.redemptions where org_id = ${ours.id}`;
    expect([...left]).toEqual([{ customer_id: null, end_user_email: null, end_user_name: null }]);
    const code = gesture.given?.code ?? "";
    const till = { userId: ours.users.cashier.id, code, storeId: ours.storeId };
    expect(await redeem(database.sql, till)).toBe("redeemed");
  });
});

describe("at the same instant", () => {
  it("a hundred for a stock of three: three are given, and none is left", async () => {
    await database.sql`update public.rewards set stock = 3 where id = ${coffee}`;
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1) ids.push(await visit());
    const outcomes = await Promise.all(ids.map(async (id) => (await give(id)).outcome));
    expect(outcomes.filter((outcome) => outcome === "saved")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "sold_out")).toHaveLength(97);
    expect(await books()).toMatchObject({ stock: 0, codes: 3, actions: 3 });
  });

  it("three colleagues at one review give one code", async () => {
    const id = await visit();
    const outcomes = await Promise.all([
      give(id, { role: "admin" }),
      give(id, { role: "member" }),
      answer(id, { role: "owner" }),
    ]);
    expect(outcomes.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
    expect(await books()).toMatchObject({ stock: 4, codes: 1 });
  });
});

describe("a refusal changes nothing", () => {
  const update = (text: string) => async () => {
    await database.sql.unsafe(`update public.rewards set ${text} where id = '${coffee}'`);
    return {};
  };
  const close = (text: string) => async (id: string) => {
    await database.sql.unsafe(
      `update public.subscriptions set ${text} where org_id = '${ours.id}'`,
    );
    // The review can still be read, without a gesture to choose.
    expect((await detail(id)).gesture).toEqual({ given: null, rewards: null });
    return {};
  };
  const others = async () => {
    const theirs = await createOrganization(database.sql);
    const far = await createCampaign(database.sql, { orgId: theirs.id, storeId: theirs.storeId });
    return { reward: await createReward(database.sql, far) };
  };
  const CASES: [string, string, (id: string) => Promise<Wish>][] = [
    ["no stock", "sold_out", update("stock = 0")],
    ["a reward that was stopped", "reward_gone", update("active = false")],
    ["a reward that was archived", "reward_gone", update("archived_at = now()")],
    ["another organisation's reward", "reward_gone", others],
    [
      "points, which are no code",
      "reward_gone",
      async () => ({ reward: await createReward(database.sql, campaign, { type: "points" }) }),
    ],
    [
      "a customer who was erased",
      "erased",
      async (id) => {
        const { customer } = await detail(id);
        await as("owner", (sql) => sql`select public.erase_customer(${customer?.id ?? ""})`);
        return {};
      },
    ],
    [
      "a colleague who writes",
      "claimed",
      async (id) => {
        await as("admin", (sql) => sql`select public.claim_review(${id}, 'take')`);
        return {};
      },
    ],
    [
      "what became of it meanwhile",
      "conflict",
      async (id) => {
        await as("admin", (sql) => sql`select public.set_review_state(${id}, 0, 'closed')`);
        return {};
      },
    ],
    ["a cashier", "42501", async () => ({ role: "cashier" })],
    [
      "a role that answers reviews and manages no rewards",
      "42501",
      async () => {
        const permissions = ["reviews.read", "reviews.write", "customers.read", "codes.read"];
        await giveRole(database.sql, ours.users.member, { orgId: ours.id, permissions });
        return { role: "member" };
      },
    ],
    ["a plan that was suspended", "TV085", close("status = 'suspended'")],
    [
      "a trial that is over",
      "TV085",
      close("plan = 'free_trial', trial_end = now() - interval '1 day'"),
    ],
    ["an organisation that the operator suspended", "TV190", close("suspended_at = now()")],
    ["an organisation that waits to be erased", "TV191", close("is_ending = true")],
  ];

  it.each(CASES)("for %s: %s", async (_, outcome, prepare) => {
    const id = await visit();
    const wish = await prepare(id);
    const before = await books();
    for (const attempt of [give, answer]) {
      const told = await attempt(id, wish).then(
        (handled) => handled.outcome,
        (error: { code?: string }) => error.code,
      );
      expect(told).toBe(outcome);
    }
    expect(await books()).toEqual(before);
  });

  it("of another organisation's review", async () => {
    const theirs = await createOrganization(database.sql);
    const far = await createCampaign(database.sql, { orgId: theirs.id, storeId: theirs.storeId });
    const id = await visit({ campaignId: far.id });
    await expect(give(id)).rejects.toMatchObject({ code: "42501" });
    await expect(answer(id)).rejects.toMatchObject({ code: "42501" });
  });
});
