import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { become, setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createRole,
  createStore,
  createUser,
  drawWheel,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import { redeem, review, scan, spin } from "../harness/journey.ts";
import { untilWaiting } from "./support/waiting.ts";

/**
 * Two people, or a person and a job, at one row at the same instant: each pair below locks the same rows. In
 * opposite orders they would stop each other (40P01); without a lock, one would not know of the other.
 */

const database = setUpTestDatabase();
let sql: Sql;
let ours: Organization;
let campaign: Campaign;

beforeEach(async () => {
  sql = database.sql;
  ours = await createOrganization(sql);
  campaign = await newCampaign();
});

const newCampaign = (parts: Partial<Parameters<typeof createCampaign>[1]> = {}) =>
  createCampaign(sql, { orgId: ours.id, storeId: ours.storeId, playIntervalDays: 0, ...parts });

const as = <T>(role: Role, run: (sql: TransactionSql) => Promise<T>) =>
  database.as({ userId: ours.users[role].id }, run);

/** Somebody who won 50 points. */
async function customerWithPoints(): Promise<{ id: string }> {
  const rewardId = await createReward(sql, campaign, { type: "points" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await spin(sql, { campaignId: campaign.id });
  const [customer] = await sql<{ id: string }[]>`
    select id from public.customers where org_id = ${ours.id}`;
  if (customer === undefined) throw new Error("Nobody won points.");
  return customer;
}

/** How something ended: « done », or the SQLSTATE of its refusal. */
const ended = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "done",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : "unknown",
  );

/** Ends of two things that wait for rows which somebody holds until both are on their way, the first one first. */
async function meet(
  hold: (holder: TransactionSql) => Promise<unknown>,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string[]> {
  const { both } = await sql.begin(async (holder) => {
    await hold(holder);
    const one = ended(first());
    await untilWaiting(sql);
    const two = ended(second());
    await untilWaiting(sql, 2);
    return { both: Promise.all([one, two]) };
  });
  return both;
}

/** Answer of what is begun while somebody's work is not committed, and waits for it. */
async function during<T>(
  role: Role,
  work: (sql: TransactionSql) => Promise<unknown>,
  meanwhile: () => Promise<T>,
): Promise<T> {
  const { late } = await sql.begin(async (team) => {
    await become(team, { userId: ours.users[role].id });
    await work(team);
    const late = meanwhile();
    await untilWaiting(sql);
    return { late: { answer: late } };
  });
  return late.answer;
}

/** A visit with a bad rating, which the owner is told of. Answers its review and customer. */
async function badVisit() {
  await sql`
    insert into public.notification_preferences (org_id, user_id, low_ratings)
    values (${ours.id}, ${ours.users.owner.id}, true)`;
  const { review_id: id } = await review(sql, { campaignId: campaign.id, rating: 2 });
  const [row] = await sql<{ customer_id: string; alias: string }[]>`
    select customer_id, private.alias_of(id) as alias from public.pre_spin_reviews where id = ${id}`;
  if (row === undefined) throw new Error("No review was written.");
  return { id, alias: row.alias, customerId: row.customer_id };
}

const erase = (customerId: string) => (run: TransactionSql) =>
  run`select public.erase_customer(${customerId})`;

describe("a customer who is forgotten", () => {
  it("while they turn the wheel for their visit hears that the visit is none any more", async () => {
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    const { id, customerId } = await badVisit();
    const turn = await during("owner", erase(customerId), () =>
      spin(sql, { campaignId: campaign.id, reviewId: id }),
    );
    expect(turn).toMatchObject({ outcome: "review_not_found", body: null });
  });

  it("while they add words to their rating: neither stops the other, and the words are gone", async () => {
    const { id, customerId } = await badVisit();
    const ends = await meet(
      (holder) => holder`select from private.outbox where template = 'low_rating' for update`,
      () => as("owner", erase(customerId)),
      () => sql`select public.record_feedback(${id}, 'Le café était froid, et le thé aussi.')`,
    );
    expect(ends).toEqual(["done", "done"]);
    const [row] = await sql`select review_text from public.pre_spin_reviews where id = ${id}`;
    expect(row?.review_text).toBeNull();
  });

  it.each<[what: string, act: (parts: { customerId: string; code: string }) => Promise<unknown>]>([
    [
      "while the till uses what they have just won",
      ({ code }) =>
        redeem(sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId }).then(
          (outcome) => expect(outcome).toBe("redeemed"),
        ),
    ],
    [
      "twice at once, right after they have won",
      ({ customerId }) => as("admin", erase(customerId)),
    ],
  ])("%s: neither stops the other", async (_, act) => {
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    const { id, customerId } = await badVisit();
    const { both } = await sql.begin(async (holder) => {
      const erased = await sql.begin(async (winner) => {
        await spin(winner, { campaignId: campaign.id, reviewId: id });
        // The erasure has looked for codes and found none. It waits for the winner.
        const erased = ended(as("owner", erase(customerId)));
        await untilWaiting(sql);
        await holder`select from public.pre_spin_reviews where id = ${id} for no key update`;
        return { erased };
      });
      // The win is known now, and the erasure waits for the review.
      const [won] = await sql<{ code: string }[]>`
        select code from public.redemptions where org_id = ${ours.id}`;
      const acted = ended(act({ customerId, code: won?.code ?? "" }));
      await untilWaiting(sql, 2);
      return { both: Promise.all([erased.erased, acted]) };
    });
    expect(await both).toEqual(["done", "done"]);
    expect(await sql`select customer_id from public.redemptions where org_id = ${ours.id}`).toEqual(
      [{ customer_id: null }],
    );
    expect(await sql`select from public.customers where id = ${customerId}`).toHaveLength(0);
  });

  it("while a colleague writes a note about them leaves no word of it", async () => {
    const { alias, customerId } = await badVisit();
    await during(
      "member",
      (team) =>
        team`select public.note_review(${alias}, 'Rappeler cette dame demain.', ${randomUUID()})`,
      () => as("owner", erase(customerId)),
    );
    expect(
      await sql`select kind, body from public.review_actions where org_id = ${ours.id}`,
    ).toEqual([{ kind: "note", body: null }]);
  });

  it("by age, and comes back at that instant, stays", async () => {
    const email = "de.retour@exemple.fr";
    await review(sql, { campaignId: campaign.id, email });
    await sql`
      update public.customers set created_at = now() - interval '5 years', last_activity_at = now() - interval '4 years'
      where org_id = ${ours.id}`;
    const { swept } = await sql.begin(async (visitor) => {
      await review(visitor, { campaignId: campaign.id, email });
      const swept = sql`select private.sweep_customers(100)`;
      const ended = swept.execute();
      await untilWaiting(sql);
      return { swept: { ended } };
    });
    await swept.ended;
    expect(await sql`select email from public.customers where org_id = ${ours.id}`).toEqual([
      { email },
    ]);
  });
});

it("a reward for points goes while a colleague takes one back: neither stops the other", async () => {
  const customer = await customerWithPoints();
  const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30, stock: 5 });
  const [spent] = await as(
    "owner",
    (run) => run<{ id: string }[]>`
      select public.spend_points_for(${customer.id}, ${tea.id}, 30, ${ours.storeId}, ${randomUUID()}) ->> 'spend_id' as id`,
  );
  const ends = await meet(
    (holder) => holder`select from public.points_rewards where id = ${tea.id} for update`,
    () => as("owner", (run) => run`delete from public.points_rewards where id = ${tea.id}`),
    () => as("member", (run) => run`select public.restore_code(${spent?.id ?? ""})`),
  );
  expect(ends).toEqual(["done", "done"]);
  const [left] = await sql`
    select private.points_balance(${ours.id}, ${customer.id})::integer as points`;
  expect(left?.points).toBe(50);
});

describe("a campaign", () => {
  const switchOn = (id: string) => (run: TransactionSql) =>
    run`update public.campaigns set active = true where id = ${id}`;
  const held = (id: string) => (holder: TransactionSql) =>
    holder`select from public.campaigns where id = ${id} for update`;

  it.each([
    ["name", "Chez Zoé"],
    ["address", "2 rue Verte, 75002 Paris"],
    ["timezone", "Indian/Reunion"],
  ])(
    "is switched on while its store's %s changes: neither stops the other",
    async (column, value) => {
      const resting = await newCampaign({ active: false });
      const ends = await meet(
        held(resting.id),
        () => as("member", switchOn(resting.id)),
        () =>
          as(
            "owner",
            (run) =>
              run`update public.stores set ${run(column)} = ${value} where id = ${ours.storeId}`,
          ),
      );
      expect(ends).toEqual(["done", "done"]);
    },
  );

  it("is saved with a reward that goes: neither stops the other", async () => {
    const [stays, goes] = [await createReward(sql, campaign), await createReward(sql, campaign)];
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: stays }]);
    const [row] = await sql<{ version: number; name: string }[]>`
      select version, name from public.campaigns where id = ${campaign.id}`;
    const wheel = [stays, goes].map((reward_id) => ({
      label: "Café",
      color: "#10B981",
      weight: 50,
      reward_id,
    }));
    const ends = await meet(
      (holder) => holder`select from public.rewards where id = ${goes} for update`,
      () => as("owner", (run) => run`select public.remove_reward(${goes}, false)`),
      () =>
        as(
          "member",
          (run) =>
            run`
            select public.save_campaign(${campaign.id}, ${row?.version ?? 0}, ${row?.name ?? ""}, ${campaign.slug}, ${ours.storeId},
              true, 0, p_segments => ${run.json(wheel)})`,
        ),
    );
    expect(ends).toEqual(["done", "TV065"]);
  });

  it("goes while a colleague changes one of its rewards: neither stops the other", async () => {
    const rewardId = await createReward(sql, campaign);
    const ends = await meet(
      held(campaign.id),
      () => as("owner", (run) => run`select public.remove_campaign(${campaign.id}, false)`),
      () =>
        as(
          "member",
          (run) => run`update public.rewards set name = 'Thé offert' where id = ${rewardId}`,
        ),
    );
    expect(ends).toEqual(["done", "done"]);
    expect(await sql`select from public.campaigns where id = ${campaign.id}`).toHaveLength(0);
  });

  it("goes while two of its rewards are put away, one of them on another wheel too: neither stops the other", async () => {
    const [low = "", high = ""] = [
      await createReward(sql, campaign),
      await createReward(sql, campaign),
    ].toSorted();
    await drawWheel(sql, await newCampaign(), [{ weight: 100, rewardId: low }]);
    const ends = await meet(
      (holder) => holder`select from public.rewards where id = ${low} for update`,
      () =>
        as(
          "owner",
          (run) => run`select public.archive_rewards(${ours.id}, ${[low, high]}::uuid[])`,
        ),
      () => as("admin", (run) => run`select public.remove_campaign(${campaign.id}, false)`),
    );
    expect(ends).toEqual(["done", "done"]);
    expect(await sql`select id from public.rewards where org_id = ${ours.id}`).toEqual([
      { id: low },
    ]);
  });

  it("goes while its reward leaves one wheel and comes onto another: neither stops the other", async () => {
    const rewardId = await createReward(sql, campaign);
    const [former, next] = [await newCampaign(), await newCampaign()];
    await drawWheel(sql, former, [{ weight: 100, rewardId }]);
    const save = (id: string, reward: string | null) => (run: TransactionSql) =>
      run`
        select public.save_campaign(${id}, version, name, slug, store_id, true, 1, p_segments => ${run.json(
          [{ label: "Café", color: "#10B981", weight: 100, reward_id: reward }],
        )})
        from public.campaigns where id = ${id}`;
    const ends = await meet(
      async (holder) => {
        await become(holder, { userId: ours.users.owner.id });
        await save(former.id, null)(holder);
      },
      () => as("admin", (run) => run`select public.remove_campaign(${campaign.id}, false)`),
      () => as("member", save(next.id, rewardId)),
    );
    expect(ends).toEqual(["done", "done"]);
    const [left] = await sql`select campaign_id from public.rewards where id = ${rewardId}`;
    expect(left).toEqual({ campaign_id: next.id });
  });

  it("goes while somebody turns its wheel for the first time: they hear that it is gone", async () => {
    await drawWheel(sql, campaign, [{ weight: 100 }]);
    const turn = await during(
      "owner",
      (team) => team`select public.remove_campaign(${campaign.id}, false)`,
      () => spin(sql, { campaignId: campaign.id }),
    );
    expect(turn).toMatchObject({ outcome: "campaign_not_found", body: null });
    expect(await sql`select from public.customers where org_id = ${ours.id}`).toHaveLength(0);
  });

  it("goes while the first customer scans its code, or rates it: they hear that it is gone", async () => {
    const remove = (team: TransactionSql) =>
      team`select public.remove_campaign(${campaign.id}, false)`;
    expect(await during("owner", remove, () => scan(sql, campaign))).toBe("campaign_not_found");
    campaign = await newCampaign();
    expect(
      await during("owner", remove, () => review(sql, { campaignId: campaign.id })),
    ).toMatchObject({ outcome: "campaign_not_found", review_id: null });
    expect(await sql`select from public.customers where org_id = ${ours.id}`).toHaveLength(0);
  });

  it("loses a reward that somebody is winning for the first time: they win another, or nothing", async () => {
    const rewardId = await createReward(sql, campaign);
    const turn = await during(
      "owner",
      (team) => team`select public.remove_reward(${rewardId}, false)`,
      () => spin(sql, { campaignId: campaign.id }),
    );
    expect(turn).toMatchObject({ outcome: "nothing_to_draw", body: null });
  });

  it("has the rules of what its checks ask, whoever of two saved them last", async () => {
    const save = (presence: string | null) => (run: TransactionSql) =>
      run`select public.save_check_settings(${campaign.id}, 6, 8, true, p_presence => ${presence})`;
    await during("owner", save("word"), () => as("member", save(null)));
    const [row] = await sql`
      select r.content -> 'presence' as presence from public.campaigns c
      join public.campaign_rules r on r.campaign_id = c.id and r.version = c.rules_version
      where c.id = ${campaign.id}`;
    expect(row).toEqual({ presence: null });
  });

  it("is switched on while a smaller plan begins: neither stops the other", async () => {
    const shared = await createReward(sql, campaign);
    const resting = await newCampaign({ active: false });
    await drawWheel(sql, resting, [{ weight: 100, rewardId: shared }]);
    await newCampaign();
    await newCampaign();
    await newCampaign();
    await sql`select public.set_billing_customer(${ours.id}, ${`cus_${ours.slug}`})`;
    const [row] = await sql<{ version: number; name: string }[]>`
      select version, name from public.campaigns where id = ${resting.id}`;
    const ends = await meet(
      (holder) => holder`select from public.subscriptions where org_id = ${ours.id} for update`,
      () => sql`
        select public.apply_subscription(${`cus_${ours.slug}`}, ${`sub_${ours.slug}`}, 'basic', 'monthly', 'active',
          now() + interval '20 days', false, null, null)`,
      () =>
        as(
          "member",
          (run) =>
            run`
            select public.save_campaign(${resting.id}, ${row?.version ?? 0}, ${row?.name ?? ""}, ${resting.slug}, ${ours.storeId}, true, 0)`,
        ),
    );
    expect(ends).toEqual(["done", "TV001"]);
  });
});

describe("several campaigns", () => {
  /** Two campaigns, their rows in the table in the order of their identifiers or in the other. */
  async function twoCampaigns(isUp: boolean) {
    const [low = "", high = ""] = [randomUUID(), randomUUID()].toSorted();
    for (const id of isUp ? [low, high] : [high, low]) {
      await sql`
        insert into public.campaigns (id, org_id, store_id, name, slug, starts_at)
        values (${id}, ${ours.id}, ${ours.storeId}, ${id}, ${id}, '2020-01-01')`;
    }
    return { low, high };
  }

  const changes: readonly [what: string, change: (run: TransactionSql) => Promise<unknown>][] = [
    [
      "the organisation's name changes",
      (run) => run`update public.organizations set name = 'Zoé' where id = ${ours.id}`,
    ],
    [
      "their store's name changes",
      (run) => run`update public.stores set name = 'Chez Zoé' where id = ${ours.storeId}`,
    ],
    [
      "their store's time zone changes",
      (run) => run`update public.stores set timezone = 'Indian/Reunion' where id = ${ours.storeId}`,
    ],
    ["their store is put away", (run) => run`select public.remove_store(${ours.storeId}, true)`],
  ];

  // Rows are changed in the order in which they are found: by their place in the table or by an index, either of which may be this one.
  it.each(
    changes.flatMap(([what, change]) => [true, false].map((isUp) => ({ what, change, isUp }))),
  )(
    "are put away while $what: neither stops the other (in order: $isUp)",
    async ({ change, isUp }) => {
      const { low, high } = await twoCampaigns(isUp);
      const ends = await meet(
        (holder) => holder`select from public.campaigns where id = ${high} for update`,
        () => as("owner", change),
        () =>
          as(
            "admin",
            (run) => run`select public.archive_campaigns(${ours.id}, ${[low, high]}::uuid[])`,
          ),
      );
      expect(ends).toEqual(["done", "done"]);
    },
  );

  it.each<
    [
      what: string,
      change: (ids: string[], check: string) => (run: TransactionSql) => Promise<unknown>,
    ]
  >([
    [
      "are put away",
      (ids) => (run) => run`select public.archive_rewards(${ours.id}, ${ids}::uuid[])`,
    ],
    ["lose won codes", (_, check) => (run) => run`select public.decide_check(${check}, 'cancel')`],
  ])(
    "are put away while rewards that they share %s: neither stops the other",
    async (_, change) => {
      const [low = "", mid = "", high = ""] = [randomUUID(), randomUUID(), randomUUID()].toSorted();
      for (const id of [low, mid, high]) {
        await sql`
        insert into public.campaigns (id, org_id, store_id, name, slug)
        values (${id}, ${ours.id}, ${ours.storeId}, ${id}, ${id})`;
      }
      const first = await createReward(sql, { id: low, orgId: ours.id }, { stock: 10 });
      const second = await createReward(sql, { id: mid, orgId: ours.id }, { stock: 10 });
      await drawWheel(sql, { id: high, orgId: ours.id }, [{ weight: 100, rewardId: first }]);
      await drawWheel(sql, { id: low, orgId: ours.id }, [{ weight: 100, rewardId: first }]);
      await drawWheel(sql, { id: mid, orgId: ours.id }, [{ weight: 100, rewardId: second }]);
      for (const campaignId of [low, mid]) await spin(sql, { campaignId });
      const [check] = await sql<{ id: string }[]>`
      with made as (
        insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at)
        values (${ours.id}, ${low}, 'device', 'one phone', now(), now()) returning org_id, id
      ), marked as (
        insert into private.check_codes (org_id, group_id, redemption_id)
        select made.org_id, made.id, r.id from made join public.redemptions r on r.org_id = made.org_id
      )
      select id from made`;
      const ends = await meet(
        (holder) => holder`select from public.campaigns where id = ${high} for update`,
        () => as("owner", change([first, second], check?.id ?? "")),
        () =>
          as(
            "admin",
            (run) => run`select public.archive_campaigns(${ours.id}, ${[mid, high]}::uuid[])`,
          ),
      );
      expect(ends).toEqual(["done", "done"]);
    },
  );

  it("come to share a reward while others are changed together: none stops another", async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()].toSorted();
    const [low = "", mid = "", high = ""] = ids;
    for (const id of ids) {
      await sql`
        insert into public.campaigns (id, org_id, store_id, name, slug)
        values (${id}, ${ours.id}, ${ours.storeId}, ${id}, ${id})`;
    }
    const rewardId = await createReward(sql, { id: mid, orgId: ours.id });
    const wheel = [{ label: "Café", color: "#10B981", weight: 100, reward_id: rewardId }];
    const save = (id: string) => (run: TransactionSql) =>
      run`
        select public.save_campaign(${id}, version, name, slug, store_id, true, 1, p_segments => ${run.json(wheel)})
        from public.campaigns where id = ${id}`;
    const ends = await meet(
      async (holder) => {
        await become(holder, { userId: ours.users.owner.id });
        await save(low)(holder);
      },
      () => as("member", save(high)),
      () =>
        as(
          "admin",
          (run) => run`select public.archive_campaigns(${ours.id}, ${[low, mid]}::uuid[])`,
        ),
    );
    expect(ends).toEqual(["done", "done"]);
  });
});

it("a spin on a limited plan waits for nobody who holds the plan", async () => {
  await sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
  const rewardId = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  const { outcome } = await sql.begin(async (team) => {
    await team`select from public.subscriptions where org_id = ${ours.id} for no key update`;
    return sql.begin(async (customer) => {
      await customer`set local lock_timeout = '1s'`;
      return spin(customer, { campaignId: campaign.id });
    });
  });
  expect(outcome).toBe("spun");
});

it("a check is opened again while the job finds the same reason anew: both stand open", async () => {
  const add = (run: Sql | TransactionSql, closed: boolean) => run<{ id: string }[]>`
    insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at, closed_at)
    values (${ours.id}, ${campaign.id}, 'device', 'one phone', now(), now(), ${closed ? sql`now()` : null})
    returning id`;
  const [former] = await add(sql, true);
  const { late } = await sql.begin(async (job) => {
    await add(job, false);
    const late = ended(
      as("owner", (run) => run`select public.decide_check(${former?.id ?? ""}, 'reopen')`),
    );
    await untilWaiting(sql);
    return { late: { answer: late } };
  });
  expect(await late.answer).toBe("done");
  const open =
    await sql`select from private.check_groups where org_id = ${ours.id} and closed_at is null`;
  expect(open).toHaveLength(2);
});

describe("an account goes as the operator deletes it", () => {
  /** Answer to somebody whose account is deleted before what they ask for is done. */
  async function deletedDuring(role: Role, act: () => Promise<unknown>): Promise<unknown> {
    const { id: userId } = ours.users[role];
    const { late } = await sql.begin(async (operator) => {
      await operator`select private.release_account(${userId})`;
      await operator`select from auth.users where id = ${userId} for update`;
      const answer = act().catch(({ code }: { code?: string }) => code);
      await untilWaiting(sql);
      await operator`delete from auth.users where id = ${userId}`;
      return { late: { answer } };
    });
    return late.answer;
  }

  /** A code of ours, and the cashier's use of it. */
  async function wonCode() {
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await spin(sql, { campaignId: campaign.id });
    const [won] = await sql<{ id: string; code: string }[]>`
      select id, code from public.redemptions where org_id = ${ours.id}`;
    if (won === undefined) throw new Error("Nothing was won.");
    const use = () =>
      redeem(sql, { userId: ours.users.cashier.id, code: won.code, storeId: ours.storeId });
    const stateOf = async () => {
      const [row] = await sql`select status, used_by from public.redemptions where id = ${won.id}`;
      return row;
    };
    return { id: won.id, use, stateOf };
  }

  it("while it uses a code: the till hears that the session has ended, and the code waits", async () => {
    const { use, stateOf } = await wonCode();
    expect(await deletedDuring("cashier", use)).toBe("session_ended");
    expect(await stateOf()).toEqual({ status: "available", used_by: null });
  });

  it("while it gives a code back: neither stops the other, and the code stays used", async () => {
    const { id, use, stateOf } = await wonCode();
    await use();
    const giveBack = () => as("cashier", (run) => run`select public.restore_code(${id})`);
    expect(await deletedDuring("cashier", giveBack)).toBe("TV011");
    expect(await stateOf()).toEqual({ status: "used", used_by: null });
  });

  it("while it hands something over for points: nothing is spent", async () => {
    const { id: customerId } = await customerWithPoints();
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 30, stock: 5 });
    const answer = await deletedDuring("member", () =>
      as(
        "member",
        (run) =>
          run`select public.spend_points_for(${customerId}, ${tea.id}, 30, ${ours.storeId}, ${randomUUID()})`,
      ),
    );
    expect(answer).toBe("TV011");
    const [left] = await sql`select stock from public.points_rewards where id = ${tea.id}`;
    expect(left).toEqual({ stock: 5 });
    expect(await sql`select from public.points_spends where org_id = ${ours.id}`).toHaveLength(0);
  });
});

it("an account goes while it decides on a group with a code that it used: neither stops the other", async () => {
  const rewardId = await createReward(sql, campaign, { stock: 10 });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  for (let turn = 0; turn < 2; turn += 1) await spin(sql, { campaignId: campaign.id });
  const { id: userId } = ours.users.member;
  const [used] = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${ours.id} limit 1`;
  await redeem(sql, { userId, code: used?.code ?? "", storeId: ours.storeId });
  const [check] = await sql<{ id: string }[]>`
    with made as (
      insert into private.check_groups (org_id, campaign_id, kind, group_key, opened_at, last_at)
      values (${ours.id}, ${campaign.id}, 'device', 'one phone', now(), now()) returning org_id, id
    ), marked as (
      insert into private.check_codes (org_id, group_id, redemption_id)
      select made.org_id, made.id, r.id from made join public.redemptions r on r.org_id = made.org_id
    )
    select id from made`;
  const ends = await meet(
    (holder) => holder`select from public.rewards where id = ${rewardId} for update`,
    () => as("member", (run) => run`select public.decide_check(${check?.id ?? ""}, 'cancel')`),
    () => sql`select private.erase_account(${userId}, true)`,
  );
  expect(ends).toEqual(["done", "done"]);
  const [left] = await sql`
    select count(*)::integer as codes from public.redemptions where org_id = ${ours.id} and verdict = 'cancelled'`;
  expect(left?.codes).toBe(1);
});

it("a store is deleted while it comes out of the archive: neither stops the other", async () => {
  const store = await createStore(sql, { orgId: ours.id });
  await sql`update public.stores set archived_at = now() where id = ${store}`;
  const { going } = await as("owner", async (run) => {
    await run`update public.stores set name = 'Annexe' where id = ${store}`;
    const going = ended(as("owner", (one) => one`select public.remove_store(${store}, false)`));
    await untilWaiting(sql);
    await run`update public.stores set archived_at = null where id = ${store}`;
    return { going };
  });
  expect(await going).toBe("done");
  expect(await sql`select from public.stores where id = ${store}`).toHaveLength(0);
});

it("an account goes while the role of its former invitation does: neither stops the other", async () => {
  const user = await createUser(sql);
  const role = await createRole(sql, { orgId: ours.id });
  await sql`
    insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${user.id}, 'member')`;
  await sql`
    insert into private.invitations (org_id, email, role, token_hash, accepted_at, accepted_by)
    values (${ours.id}, ${user.email}, ${role}, sha256('former'), now(), ${user.id})`;
  const ends = await meet(
    (holder) => holder`select from public.subscriptions where org_id = ${ours.id} for update`,
    () => as("owner", (run) => run`select public.delete_role(${role})`),
    () => sql`select private.erase_account(${user.id}, true)`,
  );
  expect(ends).toEqual(["done", "done"]);
});
