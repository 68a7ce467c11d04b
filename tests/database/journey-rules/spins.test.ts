import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { type SpinResult, spinResult } from "#domain/schemas/journey.ts";
import { zonedDayEnd } from "../../../web/lib/zoned-time.ts";
import { setUpTestDatabase, undone } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../../harness/fixtures.ts";
import { redeem, review, type SpinRow, spin } from "../../harness/journey.ts";
import { setClock } from "../support/clock.ts";
import { everythingStored } from "../support/stored.ts";

/** A spin: once a key, for whom it may be, with everything that a win brings. */

const database = setUpTestDatabase();
let organization: Organization;

beforeAll(async () => {
  organization = await createOrganization(database.sql);
});

type CampaignOptions = Partial<Omit<Parameters<typeof createCampaign>[1], "orgId">>;

function campaignOf(
  { id: orgId, storeId }: Organization,
  options: CampaignOptions = {},
  sql: ISql = database.sql,
): Promise<Campaign> {
  return createCampaign(sql, { orgId, storeId, ...options });
}

/** A campaign whose one segment wins a reward. */
async function sureWin(
  reward: Parameters<typeof createReward>[2] = {},
  options: CampaignOptions = {},
): Promise<Campaign & { rewardId: string; segmentId: string }> {
  const campaign = await campaignOf(organization, options);
  const rewardId = await createReward(database.sql, campaign, reward);
  const [segmentId = ""] = await drawWheel(database.sql, campaign, [
    { weight: 100, rewardId, label: "Gagné !", color: "#10B981" },
  ]);
  return { ...campaign, rewardId, segmentId };
}

/** A campaign where everybody loses. */
async function sureLoss(
  options: CampaignOptions = {},
  sql: ISql = database.sql,
): Promise<Campaign> {
  const campaign = await createCampaign(sql, {
    orgId: organization.id,
    storeId: organization.storeId,
    ...options,
  });
  await drawWheel(sql, campaign, [{ weight: 100 }]);
  return campaign;
}

function resultOf({ outcome, body }: SpinRow): SpinResult {
  expect(outcome).toBe("spun");
  return spinResult.parse(JSON.parse(body ?? "null"));
}

/** Last second of the store's day so many days ahead. */
async function lastSecond(sql: ISql, days: number, timezone: string): Promise<string> {
  const [row] = await sql<{ day: string }[]>`
    select ((now() at time zone ${timezone})::date + ${days}::integer)::text as day`;
  return zonedDayEnd(row?.day ?? "", timezone);
}

async function stockOf(rewardId: string): Promise<number | undefined> {
  const [row] = await database.sql<{ stock: number }[]>`
    select stock from public.rewards where id = ${rewardId}`;
  return row?.stock;
}

describe("a win", () => {
  it("is answered, stored, taken from the stock and counted", async () => {
    const { sql } = database;
    const campaign = await sureWin({ name: "Café offert", stock: 5 });
    const { review_id: reviewId } = await review(sql, {
      campaignId: campaign.id,
      firstName: "Zoé",
      lastName: "Blanc",
      email: "zoe.blanc@exemple.fr",
    });
    const answer = await spin(sql, { campaignId: campaign.id, reviewId });
    const result = resultOf(answer);
    expect(Object.keys(JSON.parse(answer.body ?? ""))).toEqual(Object.keys(spinResult.shape));
    expect(result).toMatchObject({
      segment_id: campaign.segmentId,
      segment_label: "Gagné !",
      segment_color: "#10B981",
      reward: { id: campaign.rewardId, name: "Café offert", type: "gift" },
      redemption_code: expect.stringMatching(/^WIN[A-HJ-NP-Z2-9]{8}$/),
    });
    const [stored] = await sql`
      select s.campaign_id, s.store_id, s.review_id, s.play_id, s.segment_id, s.reward_id, s.end_user_email,
        s.end_user_name, s.result_type, s.nonce, s.result::text = ${answer.body} as is_answer,
        s.rules_version = c.rules_version as is_present, r.customer_id = s.customer_id as is_same
      from public.spins s join public.campaigns c on c.id = s.campaign_id
      join public.pre_spin_reviews r on r.id = s.review_id
      where s.id = ${result.spin_id}`;
    expect(stored).toEqual({
      campaign_id: campaign.id,
      store_id: campaign.storeId,
      review_id: reviewId,
      play_id: null,
      segment_id: campaign.segmentId,
      reward_id: campaign.rewardId,
      end_user_email: "zoe.blanc@exemple.fr",
      end_user_name: "Zoé Blanc",
      result_type: "reward",
      nonce: result.nonce,
      is_answer: true,
      is_present: true,
      is_same: true,
    });
    const [code] = await sql`
      select code, status, reward_name, reward_id, campaign_id, store_id, end_user_name, end_user_email, used_at,
        expires_at = private.day_end((created_at at time zone 'Europe/Paris')::date + 30, 'Europe/Paris') as is_month
      from public.redemptions where spin_id = ${result.spin_id}`;
    expect(code).toEqual({
      code: result.redemption_code,
      status: "available",
      reward_name: "Café offert",
      reward_id: campaign.rewardId,
      campaign_id: campaign.id,
      store_id: campaign.storeId,
      end_user_name: "Zoé Blanc",
      end_user_email: "zoe.blanc@exemple.fr",
      used_at: null,
      is_month: true,
    });
    expect(await stockOf(campaign.rewardId)).toBe(4);
    const [figures] = await sql`
      select sum(spins)::integer as spins, sum(wins)::integer as wins
      from public.campaign_daily_stats where campaign_id = ${campaign.id}`;
    expect(figures).toEqual({ spins: 1, wins: 1 });
  });

  it("of an unlimited reward leaves the stock unlimited", async () => {
    const campaign = await sureWin({ stock: -1 });
    resultOf(await spin(database.sql, { campaignId: campaign.id }));
    expect(await stockOf(campaign.rewardId)).toBe(-1);
  });

  it("without a review knows who it was, too", async () => {
    const { sql } = database;
    const campaign = await sureWin();
    const result = resultOf(
      await spin(sql, { campaignId: campaign.id, name: "Léo", email: null, phone: "0612345678" }),
    );
    const [row] = await sql`
      select s.end_user_name, s.end_user_email, s.review_id, c.name, c.first_name, c.phone, c.consent_marketing,
        c.store_id
      from public.spins s join public.customers c on c.org_id = s.org_id and c.id = s.customer_id
      where s.id = ${result.spin_id}`;
    expect(row).toEqual({
      end_user_name: "Léo",
      end_user_email: null,
      review_id: null,
      name: "Léo",
      first_name: null,
      phone: "0612345678",
      consent_marketing: false,
      store_id: campaign.storeId,
    });
  });

  // Mails, tickets and tills name a day: whoever comes on its evening comes in time.
  it.each(["Europe/Paris", "America/Martinique", "Pacific/Auckland"])(
    "has the validity of its reward, to the end of its last day in %s",
    async (timezone) => {
      const campaign = await sureWin({ metadata: { validityDays: 3 } });
      await undone(database.sql, async (sql) => {
        await sql`update public.stores set timezone = ${timezone} where id = ${organization.storeId}`;
        const result = resultOf(await spin(sql, { campaignId: campaign.id }));
        const until = await lastSecond(sql, 3, timezone);
        expect(new Date(result.expires_at ?? "").toISOString()).toBe(until);
        const [code] = await sql<{ until: Date }[]>`
          select expires_at as until from public.redemptions where spin_id = ${result.spin_id}`;
        expect(code?.until.toISOString()).toBe(until);
      });
    },
  );

  it.each([
    ["2026-12-24", "Europe/Paris"],
    ["2026-12-22", "America/Martinique"],
    // Where the clock goes back at midnight, to before it and to it, and where it skips midnight.
    ["2026-04-04", "America/Santiago"],
    ["2026-10-24", "Atlantic/Azores"],
    ["2026-09-05", "America/Santiago"],
  ])("ends with %s in %s as a campaign does", async (day, timezone) => {
    const [row] = await database.sql<{ end: Date }[]>`
      select private.day_end(${day}, ${timezone}) as end`;
    expect(row?.end.toISOString()).toBe(zonedDayEnd(day, timezone));
  });

  it("has a code after the template of its reward", async () => {
    const campaign = await sureWin({ codeTemplate: "CAFE-{random}-25" });
    const { redemption_code } = resultOf(await spin(database.sql, { campaignId: campaign.id }));
    expect(redemption_code).toMatch(/^CAFE-[A-HJ-NP-Z2-9]{8}-25$/);
  });

  it("has a code that nobody has in the organisation, however unlucky the generator", async () => {
    const campaign = await sureWin();
    await undone(database.sql, async (sql) => {
      await sql`create sequence private.test_codes`;
      // The first code twice, in another spelling, then another one.
      await sql`
        create or replace function private.random_code(p_template text) returns text
        language plpgsql volatile as $$
        begin
          return (array['WIN-AAAA2222', 'win aaaa2222', 'WINBBBB3333'])[nextval('private.test_codes')];
        end $$`;
      await sql`grant usage on sequence private.test_codes to public`;
      const codes = [];
      for (let n = 0; n < 2; n++) {
        codes.push(resultOf(await spin(sql, { campaignId: campaign.id })).redemption_code);
      }
      expect(codes).toEqual(["WIN-AAAA2222", "WINBBBB3333"]);
    });
  });

  it.each(["gift", "coupon"] as const)("of type %s has a code and no points", async (type) => {
    const campaign = await sureWin({ type });
    const { spin_id, reward, redemption_code } = resultOf(
      await spin(database.sql, { campaignId: campaign.id }),
    );
    expect(reward?.type).toBe(type);
    expect(redemption_code).toEqual(expect.any(String));
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::integer as count from public.points_ledger where spin_id = ${spin_id}`;
    expect(row?.count).toBe(0);
  });

  it("of points is credited to the customer and has no code", async () => {
    const { sql } = database;
    const campaign = await sureWin(
      { type: "points", stock: 2, metadata: { points: 120 } },
      { playIntervalDays: 0 },
    );
    const email = "points@exemple.fr";
    const results = [];
    for (let n = 0; n < 2; n++) {
      results.push(resultOf(await spin(sql, { campaignId: campaign.id, email })));
    }
    for (const result of results) {
      expect(result).toMatchObject({
        reward: { id: campaign.rewardId, type: "points" },
        redemption_code: null,
        expires_at: null,
      });
    }
    const ledger = await sql`
      select l.points, l.spin_id, l.reward_id from public.points_ledger l
      join public.customers c on c.org_id = l.org_id and c.id = l.customer_id
      where c.email = ${email} order by l.id`;
    expect([...ledger]).toEqual(
      results.map(({ spin_id }) => ({ points: 120, spin_id, reward_id: campaign.rewardId })),
    );
    expect(await stockOf(campaign.rewardId)).toBe(0);
    const [codes] = await sql<{ count: number }[]>`
      select count(*)::integer as count from public.redemptions where campaign_id = ${campaign.id}`;
    expect(codes?.count).toBe(0);
  });
});

it("a loss has neither reward nor code, and is counted", async () => {
  const campaign = await sureLoss();
  const result = resultOf(await spin(database.sql, { campaignId: campaign.id }));
  expect(result).toMatchObject({
    segment_label: "Pas de chance",
    segment_color: "#6B7280",
    reward: null,
    redemption_code: null,
    expires_at: null,
  });
  const [row] = await database.sql`
    select s.result_type, s.reward_id, (
      select array[sum(d.spins), sum(d.wins)]::integer[] from public.campaign_daily_stats d
      where d.campaign_id = s.campaign_id) as figures
    from public.spins s where s.id = ${result.spin_id}`;
  expect(row).toEqual({ result_type: "lose", reward_id: null, figures: [1, 0] });
});

describe("exactly once", () => {
  it.each(["review", "play_id"] as const)(
    "the same %s gets the same bytes, whatever has changed since",
    async (key) => {
      const { sql } = database;
      const campaign = await sureWin({ stock: 3 });
      const person = { campaignId: campaign.id, email: `${randomUUID()}@exemple.fr` };
      const call =
        key === "review"
          ? {
              campaignId: campaign.id,
              reviewId: (await review(sql, person)).review_id,
            }
          : { ...person, playId: randomUUID() };
      const first = await spin(sql, call);
      expect(first.outcome).toBe("spun");
      const repeated = { ...first, outcome: "repeated" };
      const before = await everythingStored(sql);
      expect(await spin(sql, call)).toEqual(repeated);
      expect(await everythingStored(sql)).toEqual(before);

      await sql`update public.rewards set name = 'Autre chose', active = false, stock = 0 where id = ${campaign.rewardId}`;
      await sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
      await sql`update public.campaigns set active = false where id = ${campaign.id}`;
      expect(await spin(sql, call)).toEqual(repeated);
      expect(await spin(sql, { ...call, name: "Une autre", email: "autre@exemple.fr" })).toEqual(
        repeated,
      );
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from public.spins where campaign_id = ${campaign.id}`;
      expect(row?.count).toBe(1);
    },
  );

  it("a repeat is answered beyond every limit", async () => {
    await undone(database.sql, async (sql) => {
      const campaign = await sureLoss({}, sql);
      const call = { campaignId: campaign.id, playId: randomUUID(), device: "d", address: "a" };
      const first = await spin(sql, call);
      await sql`
        select private.count_attempt(array[${`spin device d ${campaign.id}`}], '{20}', interval '1 hour')
        from generate_series(1, 30)`;
      expect((await spin(sql, { ...call, playId: randomUUID() })).outcome).toBe(
        "too_many_attempts",
      );
      expect(await spin(sql, call)).toEqual({ ...first, outcome: "repeated" });
    });
  });

  it("the key counts in one campaign only", async () => {
    const { sql } = database;
    const [here, there] = [await sureWin(), await sureWin()];
    const playId = randomUUID();
    const email = `${randomUUID()}@exemple.fr`;
    const ids = [];
    for (const { id: campaignId } of [here, there]) {
      ids.push(resultOf(await spin(sql, { campaignId, playId, email })).spin_id);
    }
    expect(ids[0]).not.toBe(ids[1]);

    const { review_id: reviewId } = await review(sql, { campaignId: here.id });
    const before = await everythingStored(sql);
    expect((await spin(sql, { campaignId: there.id, reviewId })).outcome).toBe("review_not_found");
    expect(await everythingStored(sql)).toEqual(before);
    resultOf(await spin(sql, { campaignId: here.id, reviewId }));
    expect((await spin(sql, { campaignId: there.id, reviewId })).outcome).toBe("review_not_found");
  });
});

describe("how often a person may play", () => {
  /** Makes a person's only turn in a campaign one of an earlier moment. */
  async function movePlay(sql: TransactionSql, campaignId: string, instant: string): Promise<void> {
    await sql`update public.spins set created_at = ${instant} where campaign_id = ${campaignId}`;
  }

  // [time zone, interval, played at, asked at, may again from (null: now)]
  const CALENDAR: [string, number, string, string, string | null][] = [
    ["Europe/Paris", 1, "2027-01-10T12:00Z", "2027-01-10T13:00Z", "2027-01-10T23:00Z"],
    ["Europe/Paris", 1, "2027-01-10T22:59Z", "2027-01-10T23:00Z", null],
    ["Europe/Paris", 1, "2027-01-10T23:01Z", "2027-01-11T22:59Z", "2027-01-11T23:00Z"],
    ["Europe/Paris", 2, "2027-01-10T12:00Z", "2027-01-11T12:00Z", "2027-01-11T23:00Z"],
    ["Europe/Paris", 7, "2027-01-10T12:00Z", "2027-01-16T22:59Z", "2027-01-16T23:00Z"],
    ["Europe/Paris", 7, "2027-01-10T12:00Z", "2027-01-16T23:00Z", null],
    // The night of the summer time has 23 hours, the one of the winter time 25.
    ["Europe/Paris", 1, "2027-03-27T22:00Z", "2027-03-27T22:30Z", "2027-03-27T23:00Z"],
    ["Europe/Paris", 1, "2027-03-28T12:00Z", "2027-03-28T21:59Z", "2027-03-28T22:00Z"],
    ["Europe/Paris", 1, "2027-10-31T12:00Z", "2027-10-31T22:30Z", "2027-10-31T23:00Z"],
    ["Pacific/Kiritimati", 1, "2027-01-10T09:59Z", "2027-01-10T10:00Z", null],
    ["Pacific/Kiritimati", 1, "2027-01-10T10:00Z", "2027-01-10T23:00Z", "2027-01-11T10:00Z"],
    ["America/Martinique", 1, "2027-01-11T03:30Z", "2027-01-11T03:59Z", "2027-01-11T04:00Z"],
    ["America/Martinique", 1, "2027-01-11T03:30Z", "2027-01-11T04:00Z", null],
    ["Europe/Paris", 365, "2027-01-10T12:00Z", "2027-12-31T12:00Z", "2028-01-09T23:00Z"],
    ["Europe/Paris", 0, "2027-01-10T12:00Z", "2027-01-10T12:00Z", null],
  ];

  it.each(CALENDAR)(
    "%s, every %i days: played %s, asked %s, again from %s",
    async (timezone, playIntervalDays, played, asked, again) => {
      await undone(database.sql, async (sql) => {
        const storeId = await createStore(sql, { orgId: organization.id, timezone });
        const campaign = await sureLoss({ playIntervalDays, storeId }, sql);
        const email = "calendrier@exemple.fr";
        await setClock(sql, played);
        resultOf(await spin(sql, { campaignId: campaign.id, email }));
        await movePlay(sql, campaign.id, played);

        await setClock(sql, asked);
        const answer = await spin(sql, { campaignId: campaign.id, email });
        expect(answer.outcome).toBe(again === null ? "spun" : "already_played");
        expect(answer.retry_at?.toISOString() ?? null).toBe(
          again === null ? null : new Date(again).toISOString(),
        );
      });
    },
  );

  it("the interval begins with the last spin", async () => {
    await undone(database.sql, async (sql) => {
      const campaign = await sureLoss({ playIntervalDays: 3 }, sql);
      const call = { campaignId: campaign.id, email: "fidele@exemple.fr" };
      resultOf(await spin(sql, call));
      await movePlay(sql, campaign.id, "2020-01-10T12:00Z");
      resultOf(await spin(sql, call));
      expect((await spin(sql, call)).outcome).toBe("already_played");
    });
  });

  it("whoever may not is refused, and nothing is stored", async () => {
    const { sql } = database;
    const campaign = await sureLoss({ playIntervalDays: 365 });
    const email = "deja@exemple.fr";
    resultOf(await spin(sql, { campaignId: campaign.id, email }));
    const visit = await review(sql, { campaignId: campaign.id, email });
    const before = await everythingStored(sql);
    for (const call of [
      { campaignId: campaign.id, email },
      { campaignId: campaign.id, email: "DEJA+encore@exemple.fr" },
      { campaignId: campaign.id, reviewId: visit.review_id },
    ]) {
      expect(await spin(sql, call)).toMatchObject({ outcome: "already_played", body: null });
    }
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("counts in each campaign by itself, and for each person by themselves", async () => {
    const { sql } = database;
    const [here, there] = [await sureLoss(), await sureLoss()];
    const email = "ici@exemple.fr";
    resultOf(await spin(sql, { campaignId: here.id, email }));
    resultOf(await spin(sql, { campaignId: there.id, email }));
    resultOf(await spin(sql, { campaignId: here.id, email: "autre-ici@exemple.fr" }));
  });

  it("knows a person by the e-mail first, then by the phone", async () => {
    const { sql } = database;
    const campaign = await sureLoss({ playIntervalDays: 365 });
    const play = (email: string | null, phone: string | null) =>
      spin(sql, { campaignId: campaign.id, email, phone }).then(({ outcome }) => outcome);
    expect(await play("deux@exemple.fr", "07 00 00 00 01")).toBe("spun");
    expect(await play("inconnu@exemple.fr", "+33 7 00 00 00 01")).toBe("already_played");
    expect(await play("deux@exemple.fr", "07 00 00 00 99")).toBe("already_played");
    for (const spelled of [
      "0700000001",
      "33700000001",
      "+33 (0)7 00 00 00 01",
      "(+33) 700000001",
    ]) {
      expect(await play(null, spelled)).toBe("already_played");
    }
    expect(await play(null, "0700000002")).toBe("spun");
  });

  it("without an interval 30 times an hour", async () => {
    const { sql } = database;
    const campaign = await sureLoss({ playIntervalDays: 0 });
    const email = "insatiable@exemple.fr";
    for (let n = 0; n < 30; n++) {
      resultOf(await spin(sql, { campaignId: campaign.id, email }));
    }
    // A transaction has one time: the edges of the hour are exact.
    await undone(sql, async (inner) => {
      const refused = await spin(inner, { campaignId: campaign.id, email });
      expect(refused.outcome).toBe("too_many_attempts");
      const [row] = await inner<{ wait: number }[]>`
        select extract(epoch from ${refused.retry_at}::timestamptz - date_trunc('milliseconds', now()))::float as wait`;
      expect(row?.wait).toBe(3600);
      const moved = inner`
        update public.spins set created_at = now() - interval '1 hour'
        where id = (select id from public.spins where campaign_id = ${campaign.id} limit 1)`;
      await moved;
      resultOf(await spin(inner, { campaignId: campaign.id, email }));
      // The same person elsewhere, and somebody else here, each known already.
      const other = await sureLoss({ playIntervalDays: 0 }, inner);
      for (const call of [
        { campaignId: other.id, email },
        { campaignId: campaign.id, email: "sobre@exemple.fr" },
        { campaignId: campaign.id, email: "sobre@exemple.fr" },
      ]) {
        resultOf(await spin(inner, call));
      }
    });
  });

  it.each(["email", "phone", "review"])(
    "holds a person known by their %s while it decides, so that no other spin of theirs does",
    async (key) => {
      const { sql } = database;
      const campaign = await sureLoss({ playIntervalDays: 365 });
      const person = {
        campaignId: campaign.id,
        email: `verrou-${key}@exemple.fr`,
        phone: "0698765431",
      };
      const { review_id: reviewId } = await review(sql, person);
      resultOf(await spin(sql, { campaignId: campaign.id, reviewId }));
      const again = await review(sql, person);
      const calls: Record<string, Parameters<typeof spin>[1]> = {
        email: { campaignId: campaign.id, email: person.email },
        phone: { campaignId: campaign.id, email: null, phone: person.phone },
        review: { campaignId: campaign.id, reviewId: again.review_id },
      };
      await undone(sql, async (holder) => {
        const { outcome } = await spin(holder, calls[key] ?? person);
        expect(outcome).toBe("already_played");
        const free = await sql`
          select c.id from public.customers c
          where c.id = (select r.customer_id from public.pre_spin_reviews r where r.id = ${reviewId})
          for no key update skip locked`;
        expect([...free]).toEqual([]);
      });
      await sql`delete from public.customers where phone = ${person.phone}`;
    },
  );
});

describe("attempts", () => {
  it.each([
    ["20", "device", "device"],
    ["600", "address", "address"],
  ] as const)("are limited to %s an hour of one %s in one campaign", async (limit, word, key) => {
    await undone(database.sql, async (sql) => {
      const campaign = await sureLoss({}, sql);
      const other = await sureLoss({}, sql);
      const id = randomUUID();
      await sql`
        select private.count_attempt(array[${`spin ${word} ${id} ${campaign.id}`}], ${`{${limit}}`}, interval '1 hour')
        from generate_series(1, ${limit}::integer - 1)`;
      resultOf(await spin(sql, { campaignId: campaign.id, [key]: id }));
      const before = await everythingStored(sql);
      const refused = await spin(sql, { campaignId: campaign.id, [key]: id });
      expect(refused.outcome).toBe("too_many_attempts");
      // Whole seconds: a little after the window's end, never before.
      const [row] = await sql<{ late: number }[]>`
        select extract(epoch from
          ${refused.retry_at} - (private.window_start(interval '1 hour') + interval '1 hour'))::float as late`;
      expect(row?.late).toBeGreaterThanOrEqual(0);
      expect(row?.late).toBeLessThan(1);
      expect(await everythingStored(sql)).toEqual(before);
      resultOf(await spin(sql, { campaignId: other.id, [key]: id }));
      resultOf(await spin(sql, { campaignId: campaign.id }));
    });
  });
});

describe("what cannot be won", () => {
  it("more often than max_per_user by one person", async () => {
    const { sql } = database;
    const campaign = await sureWin({ maxPerUser: 2 }, { playIntervalDays: 0 });
    const email = "chanceuse@exemple.fr";
    for (let n = 0; n < 2; n++) resultOf(await spin(sql, { campaignId: campaign.id, email }));
    const before = await everythingStored(sql);
    expect(await spin(sql, { campaignId: campaign.id, email })).toMatchObject({
      outcome: "nothing_to_draw",
      body: null,
    });
    expect(await everythingStored(sql)).toEqual(before);
    resultOf(await spin(sql, { campaignId: campaign.id }));
  });

  it("more often than max_per_user under several spellings of one number", async () => {
    const { sql } = database;
    const campaign = await sureWin({ maxPerUser: 2 }, { playIntervalDays: 0 });
    const play = (phone: string) => spin(sql, { campaignId: campaign.id, email: null, phone });
    resultOf(await play("06 98 76 54 32"));
    resultOf(await play("33698765432"));
    expect(await play("+33 (0)6 98 76 54 32")).toMatchObject({ outcome: "nothing_to_draw" });
    resultOf(await play("+32 698 76 54 32"));
  });

  it("goes to the losing segment, or to the other rewards", async () => {
    const { sql } = database;
    const email = "limitee@exemple.fr";
    for (const other of ["loss", "reward"] as const) {
      const campaign = await campaignOf(organization, { playIntervalDays: 0 });
      const once = await createReward(sql, campaign, { maxPerUser: 1 });
      const always = await createReward(sql, campaign, { name: "Toujours" });
      await drawWheel(sql, campaign, [
        { weight: 100, rewardId: once },
        { weight: 0, ...(other === "reward" && { rewardId: always }) },
      ]);
      expect(resultOf(await spin(sql, { campaignId: campaign.id, email })).reward?.id).toBe(once);
      // All the weight was the first reward's: the rest weighs nothing, and nothing is drawn.
      expect((await spin(sql, { campaignId: campaign.id, email })).outcome).toBe("nothing_to_draw");
      await sql`
        update public.wheel_segments set weight = case position when 0 then 99 else 1 end
        where campaign_id = ${campaign.id}`;
      const { reward } = resultOf(await spin(sql, { campaignId: campaign.id, email }));
      expect(reward?.id).toBe(other === "reward" ? always : undefined);
    }
  });

  const BLOCKED: [string, Parameters<typeof createReward>[2], boolean][] = [
    ["out of stock", { stock: 0 }, false],
    ["inactive", { active: false }, false],
    ["archived", {}, true],
  ];

  it.each(BLOCKED)(
    "a reward %s: nothing is drawn, nothing stored, nobody new",
    async (_, reward, isArchived) => {
      const { sql } = database;
      const campaign = await sureWin(reward);
      if (isArchived) {
        await sql`update public.rewards set archived_at = now() where id = ${campaign.rewardId}`;
      }
      const { review_id: reviewId } = await review(sql, { campaignId: campaign.id });
      const before = await everythingStored(sql);
      const refusal = { outcome: "nothing_to_draw", body: null, retry_at: null };
      expect(await spin(sql, { campaignId: campaign.id })).toEqual(refusal);
      expect(await spin(sql, { campaignId: campaign.id, reviewId })).toEqual(refusal);
      expect(await everythingStored(sql)).toEqual(before);
    },
  );

  it("the last one is won once", async () => {
    const { sql } = database;
    const campaign = await sureWin({ stock: 1 });
    resultOf(await spin(sql, { campaignId: campaign.id }));
    expect(await stockOf(campaign.rewardId)).toBe(0);
    expect((await spin(sql, { campaignId: campaign.id })).outcome).toBe("nothing_to_draw");
    // A refused player plays with the same key once there is something again.
    const call = { campaignId: campaign.id, playId: randomUUID(), email: "patiente@exemple.fr" };
    expect((await spin(sql, call)).outcome).toBe("nothing_to_draw");
    await sql`update public.rewards set stock = 1 where id = ${campaign.rewardId}`;
    resultOf(await spin(sql, call));
  });

  it("what nobody offers: the example is never drawn", async () => {
    const campaign = await campaignOf(organization);
    const before = await everythingStored(database.sql);
    expect((await spin(database.sql, { campaignId: campaign.id })).outcome).toBe("nothing_to_draw");
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("without segments, what is in the back-office's default wheel is", async () => {
    const { sql } = database;
    const campaign = await campaignOf(organization, { playIntervalDays: 0 });
    await createReward(sql, campaign, { name: "Café" });
    await createReward(sql, campaign, { name: "Thé" });
    const won = new Set<string>();
    // Fifty each: that one of them stays away sixty times has one chance in 2^59.
    for (let n = 0; n < 60; n++) {
      const result = resultOf(await spin(sql, { campaignId: campaign.id }));
      expect(result.segment_id).toBe(result.reward?.id);
      won.add(result.segment_label);
    }
    expect([...won].sort()).toEqual(["Café", "Thé"]);
    // Two halves leave the losing segment no weight, three thirds leave it one in a hundred.
    await sql`update public.rewards set stock = 0 where campaign_id = ${campaign.id}`;
    expect((await spin(sql, { campaignId: campaign.id })).outcome).toBe("nothing_to_draw");
    await createReward(sql, campaign, { name: "Eau", stock: 0 });
    expect(resultOf(await spin(sql, { campaignId: campaign.id }))).toMatchObject({
      segment_id: campaign.id,
      segment_label: "Pas de chance",
      segment_color: "#6B7280",
      reward: null,
    });
  });
});

describe("a campaign that is closed", () => {
  it.each([
    ["inactive", "active = false"],
    ["over", "ends_at = now() - interval '1 minute'"],
    ["to come", "starts_at = now() + interval '1 minute'"],
  ])("because it is %s: nobody plays", async (_, change) => {
    const campaign = await sureLoss();
    const { review_id: reviewId } = await review(database.sql, { campaignId: campaign.id });
    await database.sql.unsafe(`update public.campaigns set ${change} where id = '${campaign.id}'`);
    const before = await everythingStored(database.sql);
    for (const call of [{}, { reviewId }]) {
      const { outcome } = await spin(database.sql, { campaignId: campaign.id, ...call });
      expect(outcome).toBe("campaign_not_found");
    }
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("or whose merchant's plan is, or that is unknown", async () => {
    const { sql } = database;
    const other = await createOrganization(sql);
    const campaign = await campaignOf(other);
    await drawWheel(sql, campaign, [{ weight: 100 }]);
    await sql`update public.subscriptions set status = 'suspended' where org_id = ${other.id}`;
    for (const campaignId of [campaign.id, randomUUID()]) {
      expect((await spin(sql, { campaignId })).outcome).toBe("campaign_not_found");
    }
  });
});

it("a review that is unknown, or whose customer was erased, gives no spin", async () => {
  const { sql } = database;
  const campaign = await sureLoss();
  const { review_id: reviewId } = await review(sql, {
    campaignId: campaign.id,
    email: "effacee@exemple.fr",
  });
  await sql`delete from public.customers where email = 'effacee@exemple.fr'`;
  for (const id of [reviewId, randomUUID()]) {
    expect((await spin(sql, { campaignId: campaign.id, reviewId: id })).outcome).toBe(
      "review_not_found",
    );
  }
});

describe("the plan's spins of a month", () => {
  async function trialCampaign(): Promise<Campaign> {
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    const campaign = await campaignOf(trial);
    await drawWheel(database.sql, campaign, [{ weight: 100 }]);
    return campaign;
  }

  async function alerts(sql: ISql, orgId: string) {
    const rows = await sql<{ month: string; threshold: number }[]>`
      select month::text, threshold from public.usage_alerts where org_id = ${orgId} order by 1, 2`;
    return rows.map(({ month, threshold }) => `${month} ${threshold}`);
  }

  it("of a trial are 100: notices at 80 and at 100, then the wheel rests and reviews go on", async () => {
    const { sql } = database;
    const campaign = await trialCampaign();
    const { id: campaignId, orgId } = campaign;
    const [today] = await sql<{ month: string }[]>`
      select date_trunc('month', now() at time zone 'Europe/Paris')::date::text as month`;
    await sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
      values (${orgId}, ${campaignId}, ${today?.month ?? ""}, 5, ${campaign.storeId}, 78)`;
    resultOf(await spin(sql, { campaignId }));
    expect(await alerts(sql, orgId)).toEqual([]);
    resultOf(await spin(sql, { campaignId }));
    expect(await alerts(sql, orgId)).toEqual([`${today?.month} 80`]);
    for (let n = 81; n <= 99; n++) resultOf(await spin(sql, { campaignId }));
    expect(await alerts(sql, orgId)).toEqual([`${today?.month} 80`]);
    const last = { campaignId, playId: randomUUID() };
    const answer = await spin(sql, last);
    resultOf(answer);
    expect(await alerts(sql, orgId)).toEqual([`${today?.month} 80`, `${today?.month} 100`]);

    const visit = await review(sql, { campaignId });
    expect(visit.outcome).toBe("created");
    const before = await everythingStored(sql);
    expect(await spin(sql, { campaignId })).toEqual({
      outcome: "spins_used_up",
      body: null,
      retry_at: null,
    });
    expect((await spin(sql, { campaignId, reviewId: visit.review_id })).outcome).toBe(
      "spins_used_up",
    );
    expect(await everythingStored(sql)).toEqual(before);
    expect(await spin(sql, last)).toEqual({ ...answer, outcome: "repeated" });
  });

  it("begin and end with the month of the store, and are the organisation's", async () => {
    const basic = await createOrganization(database.sql, { plan: "basic" });
    const campaign = await campaignOf(basic);
    await drawWheel(database.sql, campaign, [{ weight: 100 }]);
    await undone(database.sql, async (sql) => {
      const storeId = await createStore(sql, { orgId: basic.id, timezone: "Pacific/Kiritimati" });
      const farAway = await createCampaign(sql, { orgId: basic.id, storeId });
      await drawWheel(sql, farAway, [{ weight: 100 }]);
      const outcome = async ({ id: campaignId }: Campaign) =>
        (await spin(sql, { campaignId })).outcome;
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
        values (${basic.id}, ${farAway.id}, '2027-01-02', 0, ${storeId}, 999)`;
      await setClock(sql, "2027-01-31T12:00:00Z");
      expect(await outcome(campaign)).toBe("spun");
      expect(await outcome(campaign)).toBe("spins_used_up");
      // Fourteen hours ahead it is February, where one turn was had by then.
      expect(await outcome(farAway)).toBe("spun");
      await setClock(sql, "2027-01-31T23:00:00Z");
      expect(await outcome(campaign)).toBe("spun");
      expect(await alerts(sql, basic.id)).toEqual(["2027-01-01 80", "2027-01-01 100"]);
      const [row] = await sql<{ january: number; february: number }[]>`
        select private.monthly_spins_used(${basic.id}, '2027-01-15') as january,
          private.monthly_spins_used(${basic.id}, '2027-02-28') as february`;
      expect(row).toEqual({ january: 1000, february: 2 });
    });
  });

  it("are those of its first day to its last, folded or not, of one organisation", async () => {
    await undone(database.sql, async (sql) => {
      const [ours, others] = [await createOrganization(sql), await createOrganization(sql)];
      const { id: campaignId } = await campaignOf(ours, {}, sql);
      const { id: otherId } = await campaignOf(others, {}, sql);
      // Every number is a bit of its own: the sum tells which rows are in it.
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, spins)
        values (${ours.id}, ${campaignId}, ${ours.storeId}, '2027-01-31', 0, 1),
          (${ours.id}, ${campaignId}, ${ours.storeId}, '2027-02-01', 0, 2),
          (${ours.id}, ${campaignId}, ${ours.storeId}, '2027-02-28', 15, 4),
          (${ours.id}, ${campaignId}, ${ours.storeId}, '2027-03-01', 0, 8),
          (${ours.id}, ${campaignId}, ${ours.storeId}, '2027-02-10', 16, 16),
          (${others.id}, ${otherId}, ${others.storeId}, '2027-02-10', 0, 32)`;
      await sql`
        insert into private.folded_days
        select org_id, day, 0, 0, 0, 0, 0, 0, 0, 0, 0, spins, 0, 0
        from (values (${ours.id}::uuid, date '2027-01-31', 64), (${ours.id}, '2027-02-01', 128),
          (${ours.id}, '2027-02-28', 256), (${ours.id}, '2027-03-01', 512),
          (${others.id}, '2027-02-10', 1024)) v (org_id, day, spins)`;
      const [row] = await sql<{ used: number }[]>`
        select private.monthly_spins_used(${ours.id}, '2027-02-14') as used`;
      expect(row?.used).toBe(2 + 4 + 128 + 256);
    });
  });

  it.each([
    [0, "spins_used_up", []],
    [1, "spun", [80, 100]],
    [2, "spun", []],
  ])("of a plan with %i", async (limit, outcome, thresholds) => {
    await undone(database.sql, async (sql) => {
      await sql`update public.plan_limits set monthly_spins = ${limit} where plan = 'basic'`;
      const basic = await createOrganization(sql, { plan: "basic" });
      const campaign = await campaignOf(basic, {}, sql);
      await drawWheel(sql, campaign, [{ weight: 100 }]);
      expect((await spin(sql, { campaignId: campaign.id })).outcome).toBe(outcome);
      const noticed = await alerts(sql, basic.id);
      expect(noticed.map((line) => Number(line.slice(11)))).toEqual(thresholds);
    });
  });

  it("are noticed as used up by the last one, not by one before", async () => {
    await undone(database.sql, async (sql) => {
      const basic = await createOrganization(sql, { plan: "basic" });
      const campaign = await campaignOf(basic, {}, sql);
      await drawWheel(sql, campaign, [{ weight: 100 }]);
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
        values (${basic.id}, ${campaign.id}, private.now_in('Europe/Paris')::date, 0, ${basic.storeId}, 998)`;
      resultOf(await spin(sql, { campaignId: campaign.id }));
      expect((await alerts(sql, basic.id)).map((line) => line.slice(11))).toEqual(["80"]);
    });
  });

  it("make the customers of one organisation take turns, and nobody else's", async () => {
    const { sql } = database;
    const [here, there] = [await trialCampaign(), await trialCampaign()];
    await undone(sql, async (holder) => {
      resultOf(await spin(holder, { campaignId: here.id }));
      await undone(sql, async (other) => {
        await other`set local lock_timeout = '2s'`;
        resultOf(await spin(other, { campaignId: there.id }));
      });
    });
  });

  it("of Pro are not counted", async () => {
    await undone(database.sql, async (sql) => {
      const campaign = await sureLoss({}, sql);
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
        values (${campaign.orgId}, ${campaign.id}, now()::date, 0, ${campaign.storeId}, 1000000)`;
      resultOf(await spin(sql, { campaignId: campaign.id }));
      expect(await alerts(sql, campaign.orgId)).toEqual([]);
    });
  });
});

describe("the test mode", () => {
  async function testSpin(campaignId: string, address = randomUUID(), sql: ISql = database.sql) {
    const [row] = await sql<SpinRow[]>`
      select outcome, body, retry_at from public.test_spin(${campaignId}, ${address})`;
    if (row === undefined) throw new Error("test_spin answered nothing.");
    return row;
  }

  it("draws from the whole wheel and stores nothing", async () => {
    const { sql } = database;
    const campaign = await sureWin({ name: "Café offert", stock: 0, maxPerUser: 1 });
    const before = await everythingStored(sql);
    const results = [];
    for (let n = 0; n < 3; n++) results.push(resultOf(await testSpin(campaign.id)));
    expect(await everythingStored(sql)).toEqual(before);
    for (const result of results) {
      expect(result).toMatchObject({
        segment_id: campaign.segmentId,
        reward: { id: campaign.rewardId, name: "Café offert", type: "gift" },
        redemption_code: expect.stringMatching(/^TEST-[A-HJ-NP-Z2-9]{8}$/),
      });
    }
    expect(new Set(results.map(({ spin_id }) => spin_id)).size).toBe(3);
  });

  it.each([
    [5, { validityDays: 5 }],
    [30, null],
  ])(
    "shows how long its codes would last: to the end of the last of %i days at the store",
    async (days, metadata) => {
      const timezone = "America/Martinique";
      const campaign = await sureWin({ metadata });
      await undone(database.sql, async (sql) => {
        await sql`update public.stores set timezone = ${timezone} where id = ${organization.storeId}`;
        const { expires_at } = resultOf(await testSpin(campaign.id, randomUUID(), sql));
        expect(new Date(expires_at ?? "").toISOString()).toBe(
          await lastSecond(sql, days, timezone),
        );
      });
    },
  );

  it("gives codes that no till takes", async () => {
    const campaign = await sureWin();
    const { redemption_code } = resultOf(await testSpin(campaign.id));
    const userId = organization.users.cashier.id;
    for (const code of [redemption_code ?? "", redemption_code?.toLowerCase() ?? ""]) {
      expect(await redeem(database.sql, { userId, code, storeId: campaign.storeId })).toBe("test");
    }
  });

  it("shows points without a code, and a loss without anything", async () => {
    const points = await sureWin({ type: "points" });
    expect(resultOf(await testSpin(points.id))).toMatchObject({
      reward: { type: "points" },
      redemption_code: null,
      expires_at: null,
    });
    expect(resultOf(await testSpin((await sureLoss()).id))).toMatchObject({
      reward: null,
      redemption_code: null,
      expires_at: null,
    });
  });

  it("plays with the example where nothing is offered", async () => {
    const campaign = await campaignOf(organization);
    const seen = new Map<string, SpinResult>();
    // The rarest segment has 15 chances in 100: that 200 draws miss one of four has one chance in 10^13.
    for (let n = 0; n < 200; n++) {
      const result = resultOf(await testSpin(campaign.id));
      seen.set(result.segment_label, result);
    }
    expect([...seen.keys()].sort()).toEqual([
      "Café offert",
      "Dessert offert",
      "Pas de chance",
      "Réduction 10%",
    ]);
    expect(seen.get("Café offert")).toMatchObject({
      reward: { name: "Café offert", type: "gift" },
      redemption_code: expect.stringMatching(/^TEST-/),
    });
    expect(seen.get("Pas de chance")).toMatchObject({ reward: null, redemption_code: null });
  });

  it("is closed with the campaign, and limited", async () => {
    const campaign = await sureLoss();
    await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    const suspended = await campaignOf(
      await createOrganization(database.sql, { status: "suspended" }),
    );
    for (const campaignId of [campaign.id, suspended.id, randomUUID()]) {
      expect((await testSpin(campaignId)).outcome).toBe("campaign_not_found");
    }
    await undone(database.sql, async (sql) => {
      const { id } = await sureLoss({}, sql);
      const address = randomUUID();
      await sql`
        select private.count_attempt(array[${`test address ${address}`}], '{600}', interval '10 minutes')
        from generate_series(1, 599)`;
      expect((await testSpin(id, address, sql)).outcome).toBe("spun");
      const refused = await testSpin(id, address, sql);
      expect(refused).toMatchObject({ outcome: "too_many_attempts", body: null });
      expect(refused.retry_at).toBeInstanceOf(Date);
    });
  });
});
