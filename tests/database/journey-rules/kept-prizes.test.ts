import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
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
import { redeem, spin } from "../../harness/journey.ts";
import { setClock } from "../support/clock.ts";
import { untilWaiting } from "../support/waiting.ts";

/**
 * Questions that the winning phone may ask about its prize, and the recipients of a mail about it.
 */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;

beforeAll(async () => {
  ours = await createOrganization(database.sql, { name: "Boulangerie Martin" });
  const { sql } = database;
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  const rewardId = await createReward(sql, campaign, { name: "Tarte au citron" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
});

async function win(
  contact: { email?: string | null; phone?: string | null },
  sql: ISql = database.sql,
) {
  const { body } = await spin(sql, { campaignId: campaign.id, ...contact });
  const {
    spin_id: spinId,
    nonce,
    redemption_code: code,
  } = spinResult.parse(JSON.parse(body ?? ""));
  return { spinId, nonce, code: code ?? "" };
}

type Won = { spinId: string; nonce: string };

async function statusOf(
  { spinId, nonce }: Won,
  campaignId = campaign.id,
  sql: ISql = database.sql,
): Promise<unknown> {
  const [row] = await sql<{ status: unknown }[]>`
    select public.prize_status(${campaignId}, ${spinId}, ${nonce}) as status`;
  return row?.status;
}

async function mail(
  { spinId, nonce }: Won,
  email: string | null = null,
  address: string = randomUUID(),
  sql: ISql = database.sql,
) {
  const [row] = await sql<{ outcome: string; recipient: string | null }[]>`
    select outcome, recipient
    from public.mail_prize(${campaign.id}, ${spinId}, ${nonce}, ${email}, ${address})`;
  return row;
}

/** Mails that were written for an address. */
async function mailsTo(address: string): Promise<unknown[]> {
  const rows = await database.sql<{ data: unknown }[]>`
    select data from private.outbox where recipient = ${address} and template = 'prize'`;
  return rows.map(({ data }) => data);
}

const somebody = () => `${randomUUID()}@exemple.fr`;

it("the nonce alone opens whether the prize waits", async () => {
  const won = await win({ email: somebody() });
  expect(await statusOf(won)).toMatchObject({
    status: "available",
    used_at: null,
    // As the turn was answered: a mail opens it on a phone that has never seen it.
    prize: { spin_id: won.spinId, redemption_code: won.code, reward: { name: "Tarte au citron" } },
  });
  expect(await statusOf({ ...won, nonce: randomUUID() })).toBeNull();
  expect(await statusOf({ ...won, spinId: randomUUID() })).toBeNull();
  const other = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
  expect(await statusOf(won, other.id)).toBeNull();
  const { storeId, users } = ours;
  await redeem(database.sql, { userId: users.cashier.id, code: won.code, storeId });
  expect(await statusOf(won)).toMatchObject({ status: "used", used_at: expect.any(String) });

  const late = await win({ email: somebody() });
  await database.sql`
    update public.redemptions set expires_at = now() - interval '1 minute' where spin_id = ${late.spinId}`;
  expect(await statusOf(late)).toMatchObject({ status: "expired" });
});

/** Clears a store away, as a merchant does. */
const archive = (sql: ISql, storeId: string) =>
  sql`update public.stores set archived_at = now() where id = ${storeId}`;

describe("where a prize is taken", () => {
  const placeOf = async (sql: ISql, won: Won) => {
    const status = await statusOf(won, campaign.id, sql);
    return Object(status).place;
  };

  /** Place in the mail that its winner asks for now. */
  const mailed = async (sql: ISql, won: Won, email: string) => {
    await mail(won, null, randomUUID(), sql);
    const [row] = await sql<{ facts: Record<string, string> }[]>`
      select data -> 'facts' as facts from private.outbox where recipient = ${email}`;
    const { store, address, anywhere } = row?.facts ?? {};
    return { store, address, anywhere };
  };

  const outcomeAt = (sql: ISql, code: string, storeId: string) =>
    redeem(sql, { userId: ours.users.owner.id, code, storeId });

  it("is its own store, wherever its campaign has gone meanwhile", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      const won = await win({ email }, sql);
      const elsewhere = await createStore(sql, { orgId: ours.id, name: "Martin Gare" });
      await sql`update public.stores set name = 'Martin Port', address = '1 quai du Port' where id = ${ours.storeId}`;
      await sql`update public.campaigns set store_id = ${elsewhere} where id = ${campaign.id}`;
      expect(await placeOf(sql, won)).toEqual({ kind: "store", name: "Martin Port" });
      expect(await mailed(sql, won, email)).toEqual({
        store: "Martin Port",
        address: "1 quai du Port",
        anywhere: undefined,
      });
      expect(await outcomeAt(sql, won.code, elsewhere)).toBe("other_store");
      expect(await outcomeAt(sql, won.code, ours.storeId)).toBe("redeemed");
    }));

  it("is the one store that is left once its own was archived", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      const won = await win({ email }, sql);
      const left = await createStore(sql, { orgId: ours.id, name: "Martin Gare" });
      await sql`update public.stores set address = '2 place de la Gare' where id = ${left}`;
      const gone = await createStore(sql, { orgId: ours.id, name: "Martin Mairie" });
      for (const storeId of [ours.storeId, gone]) await archive(sql, storeId);
      expect(await placeOf(sql, won)).toEqual({ kind: "store", name: "Martin Gare" });
      expect(await mailed(sql, won, email)).toEqual({
        store: "Martin Gare",
        address: "2 place de la Gare",
        anywhere: undefined,
      });
      expect(await outcomeAt(sql, won.code, left)).toBe("redeemed");
    }));

  it("is any store of its organisation where several are left", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      const won = await win({ email }, sql);
      const left = await createStore(sql, { orgId: ours.id });
      await createStore(sql, { orgId: ours.id });
      // Another merchant's take none of it.
      const theirs = await createOrganization(sql);
      await archive(sql, ours.storeId);
      expect(await placeOf(sql, won)).toEqual({ kind: "stores", name: "Boulangerie Martin" });
      expect(await mailed(sql, won, email)).toEqual({
        store: "Boulangerie Martin",
        address: undefined,
        anywhere: "stores",
      });
      expect(await outcomeAt(sql, won.code, theirs.storeId)).toBe("forbidden");
      expect(await outcomeAt(sql, won.code, left)).toBe("redeemed");
    }));

  it("is nowhere once every store was archived, and its own again as soon as that is in use", () =>
    undone(database.sql, async (sql) => {
      const won = await win({ email: somebody() }, sql);
      await createOrganization(sql);
      await archive(sql, ours.storeId);
      expect(await placeOf(sql, won)).toEqual({ kind: "none", name: "Boulangerie Martin" });
      await sql`update public.stores set archived_at = null where id = ${ours.storeId}`;
      expect(await placeOf(sql, won)).toMatchObject({ kind: "store" });
    }));
});

describe("a mail", () => {
  it("goes to the address of the spin, whatever somebody types, and once", async () => {
    const email = somebody();
    const victim = somebody();
    const won = await win({ email });
    expect(await mail(won, victim)).toEqual({
      outcome: "sent",
      recipient: `${email[0]}•••@exemple.fr`,
    });
    expect(await mail(won, victim)).toEqual({ outcome: "repeated", recipient: null });
    expect(await mailsTo(victim)).toEqual([]);
    expect(await mailsTo(email)).toEqual([
      {
        path: `/c/${campaign.slug}/gain#gain=${won.spinId}.${won.nonce}`,
        code: won.code,
        name: expect.any(String),
        brand: null,
        locale: "fr",
        white_label: true,
        until: { at: expect.any(String), timezone: "Europe/Paris" },
        facts: {
          prize: "Tarte au citron",
          rules: expect.stringMatching(`^/c/${campaign.slug}/reglement\\?version=\\d+$`),
          store: expect.any(String),
          address: expect.any(String),
        },
      },
    ]);
    // A mail that nothing could deliver for a day is of no use any more.
    const kept = await database.sql`
      select expires_at - created_at = interval '1 day' as is_a_day from private.outbox where recipient = ${email}`;
    expect(kept).toEqual([{ is_a_day: true }]);
    // Later it may be asked for again, three times in all.
    for (const outcome of ["sent", "sent", "repeated"]) {
      await database.sql`
        update private.prize_mails set sent_at = now() - interval '11 minutes' where spin_id = ${won.spinId}`;
      expect(await mail(won)).toMatchObject({ outcome });
    }
    expect(await mailsTo(email)).toHaveLength(3);
  });

  it("may be asked for again from the tenth minute on", () =>
    undone(database.sql, async (sql) => {
      const won = await win({ email: somebody() }, sql);
      for (const [minutes, outcome] of [
        [0, "sent"],
        [10, "sent"],
        [9, "repeated"],
      ] as const) {
        await sql`
          update private.prize_mails set sent_at = now() - make_interval(mins => ${minutes})
          where spin_id = ${won.spinId}`;
        expect(await mail(won, null, randomUUID(), sql)).toMatchObject({ outcome });
      }
    }));

  it("asks for an address where only a phone is known, and few reach one", async () => {
    const typed = somebody();
    const won = (phone: string) => win({ email: null, phone });
    const first = await won("0639980001");
    expect(await mail(first)).toEqual({ outcome: "email_needed", recipient: null });
    expect(await mail(first, typed)).toMatchObject({ outcome: "sent" });
    expect(await mail(await won("0639980002"), typed)).toMatchObject({ outcome: "sent" });
    expect(await mail(await won("0639980003"), typed)).toMatchObject({ outcome: "sent" });
    expect(await mail(await won("0639980004"), typed)).toEqual({
      outcome: "too_many_attempts",
      recipient: null,
    });
    expect(await mailsTo(typed)).toHaveLength(3);
  });

  it("reaches the address of many spins ten times a day, however it is spelt", async () => {
    // In one transaction time stands still: no new day begins in the middle.
    await undone(database.sql, async (sql) => {
      const name = randomUUID();
      const outcomes: string[] = [];
      for (let turn = 0; turn < 11; turn += 1) {
        const won = await win({ email: `${name}+${turn}@exemple.fr` }, sql);
        // Asking again for what is on its way takes nothing from the ten.
        for (const address of ["one", "again"]) {
          const answer = await mail(won, null, `${address} ${turn}`, sql);
          outcomes.push(answer?.outcome ?? "");
        }
      }
      expect(outcomes.slice(0, 20)).toEqual(Array(10).fill(["sent", "repeated"]).flat());
      expect(outcomes.slice(20)).toEqual(["too_many_attempts", "too_many_attempts"]);
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from private.outbox where recipient like ${`${name}%`}`;
      expect(row?.count).toBe(10);
    });
  });

  it("is not written for a prize that is used, for a wrong nonce, or for one address without end", async () => {
    const email = somebody();
    const won = await win({ email });
    expect(await mail({ ...won, nonce: randomUUID() }, email)).toEqual({
      outcome: "prize_not_found",
      recipient: null,
    });
    const { storeId, users } = ours;
    await redeem(database.sql, { userId: users.cashier.id, code: won.code, storeId });
    expect(await mail(won)).toEqual({ outcome: "code_used", recipient: null });
    const outcomes = new Set<string | undefined>();
    for (let tries = 0; tries < 31; tries += 1)
      outcomes.add((await mail(won, null, "one"))?.outcome);
    expect([...outcomes]).toEqual(["code_used", "too_many_attempts"]);
    expect(await mailsTo(email)).toEqual([]);
  });

  it("leaves out the name of a prize that looks like an address of the web", async () => {
    const { sql } = database;
    const trap = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, trap, { name: "Gagnez sur evil.example" });
    await drawWheel(sql, trap, [{ weight: 100, rewardId }]);
    const email = somebody();
    const { body } = await spin(sql, { campaignId: trap.id, email });
    const { spin_id: spinId, nonce } = spinResult.parse(JSON.parse(body ?? ""));
    await sql`select public.mail_prize(${trap.id}, ${spinId}, ${nonce}, null, 'x')`;
    expect(await mailsTo(email)).toMatchObject([{ facts: { store: expect.any(String) } }]);
    expect(JSON.stringify(await mailsTo(email))).not.toContain("evil");
  });
});

describe("a reminder", () => {
  /** A prize that was won twenty days ago, and ends so many days of the store after the clock's. */
  async function oldPrize(
    sql: TransactionSql,
    daysLeft: number,
    contact: { email?: string | null; phone?: string },
  ) {
    const won = await win(contact, sql);
    await sql`
      update public.redemptions set created_at = now() - interval '20 days',
        expires_at = ((private.now_in('Europe/Paris')::date + ${daysLeft + 1}::integer)::timestamp
          at time zone 'Europe/Paris') - interval '1 second'
      where spin_id = ${won.spinId}`;
    return won;
  }

  const remind = async (sql: TransactionSql) =>
    (await sql<{ rows: number }[]>`select private.remind_prizes(100) as rows`)[0]?.rows;

  const reminders = (sql: TransactionSql, address: string) => sql<
    { state: string; data: { code?: string } }[]
  >`
    select state, data from private.outbox where recipient = ${address} and template = 'prize_reminder'`;

  /** The clock of Paris, where the store is, today at a time. */
  async function atParis(sql: TransactionSql, time: string): Promise<void> {
    const [row] = await sql<{ moment: Date }[]>`
      select ((now() at time zone 'Europe/Paris')::date + ${time}::time) at time zone 'Europe/Paris' as moment`;
    await setClock(sql, row?.moment.toISOString() ?? "");
  }

  /** The store's clock, today at an hour. */
  async function at(sql: TransactionSql, hour: string): Promise<void> {
    const [row] = await sql<
      { day: string }[]
    >`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`;
    await setClock(sql, `${row?.day}T${hour}:00Z`);
  }

  it("goes out once, three days before the last one, by day", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      await at(sql, "12:30");
      const won = await oldPrize(sql, 3, { email });
      await at(sql, "21:30");
      expect(await remind(sql)).toBe(0);
      await at(sql, "12:30");
      expect(await remind(sql)).toBe(1);
      expect(await reminders(sql, email)).toMatchObject([
        { state: "queued", data: { code: won.code } },
      ]);
      expect(await remind(sql)).toBe(0);
      expect(await reminders(sql, email)).toHaveLength(1);
    }));

  it.each([
    { why: "that ends later", daysLeft: 4 },
    { why: "that ends today", daysLeft: 0 },
  ])("is not sent for a prize $why", ({ daysLeft }) =>
    undone(database.sql, async (sql) => {
      await at(sql, "12:30");
      await oldPrize(sql, daysLeft, { email: somebody() });
      expect(await remind(sql)).toBe(0);
    }),
  );

  it.each([
    { why: "at 8:59", isSent: 0, time: "08:59:59" },
    { why: "at 9:00", isSent: 1, time: "09:00:00" },
    { why: "at 18:59", isSent: 1, time: "18:59:59" },
    { why: "at 19:00", isSent: 0, time: "19:00:00" },
    { why: "the day before the last one", isSent: 1, daysLeft: 1 },
    { why: "a little less than three days after it was won", isSent: 0, wonHours: 70 },
    { why: "a little more than three days after it was won", isSent: 1, wonHours: 74 },
    { why: "while the team checks it", isSent: 0, verdict: "held" },
    { why: "once the plan is over", isSent: 0, status: "canceled" },
  ])("goes out so often $why: $isSent", ({ isSent, time, daysLeft, wonHours, verdict, status }) =>
    undone(database.sql, async (sql) => {
      await atParis(sql, time ?? "12:00:00");
      const email = somebody();
      const { spinId } = await oldPrize(sql, daysLeft ?? 2, { email });
      await sql`
        update public.redemptions
        set created_at = now() - make_interval(hours => ${wonHours ?? 480}), verdict = ${verdict ?? null}
        where spin_id = ${spinId}`;
      await sql`
        update public.subscriptions set status = ${status ?? "active"} where org_id = ${ours.id}`;
      await remind(sql);
      expect(await reminders(sql, email)).toHaveLength(isSent);
    }),
  );

  it("names the store that takes the prize once its own was archived", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      await atParis(sql, "12:00:00");
      await oldPrize(sql, 2, { email });
      await createStore(sql, { orgId: ours.id, name: "Martin Gare" });
      await archive(sql, ours.storeId);
      expect(await remind(sql)).toBe(1);
      expect(await reminders(sql, email)).toMatchObject([
        { data: { facts: { store: "Martin Gare" } } },
      ]);
    }));

  it("is not sent for a prize that no store takes any more, before one does again", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      await atParis(sql, "12:00:00");
      await oldPrize(sql, 2, { email });
      await archive(sql, ours.storeId);
      expect(await remind(sql)).toBe(0);
      expect(await reminders(sql, email)).toEqual([]);
      await sql`update public.stores set archived_at = null where id = ${ours.storeId}`;
      expect(await remind(sql)).toBe(1);
    }));

  it("reaches one address three times a day", () =>
    undone(database.sql, async (sql) => {
      const email = somebody();
      await atParis(sql, "12:00:00");
      for (let prize = 0; prize < 4; prize += 1) await oldPrize(sql, 2, { email });
      expect(await remind(sql)).toBe(4);
      expect(await reminders(sql, email)).toHaveLength(3);
      // A prize that was decided on is not asked about again.
      expect(await remind(sql)).toBe(0);
    }));

  it("is not sent for a prize that was used, just won, or of nobody's address", () =>
    undone(database.sql, async (sql) => {
      await at(sql, "12:30");
      const used = somebody();
      const fresh = somebody();
      const { code } = await oldPrize(sql, 3, { email: used });
      await redeem(sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });
      const { spinId } = await oldPrize(sql, 3, { email: fresh });
      await sql`update public.redemptions set created_at = now() where spin_id = ${spinId}`;
      await oldPrize(sql, 3, { email: null, phone: "0639980099" });
      // Decided on, so that nobody looks at it again.
      expect(await remind(sql)).toBe(1);
      for (const address of [used, fresh]) expect(await reminders(sql, address)).toEqual([]);
    }));

  it("keeps no till waiting while it is written, and is none for who used the code or was erased meanwhile", async () => {
    const { sql } = database;
    // A store where it is noon, whatever the time is here.
    const [zone] = await sql<{ name: string }[]>`
      select name from pg_timezone_names
      where name like 'Etc/GMT%' and extract(hour from now() at time zone name) = 12 order by name limit 1`;
    const shop = await createOrganization(sql, { store: { timezone: zone?.name ?? "" } });
    const game = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    await drawWheel(sql, game, [{ weight: 100, rewardId: await createReward(sql, game) }]);
    const winner = () => `${randomUUID()}@exemple.fr`;
    const [used, slow, erased, usual] = [winner(), winner(), winner(), winner()];
    const codes: string[] = [];
    for (const email of [used, slow, erased, usual]) {
      const { body } = await spin(sql, { campaignId: game.id, email });
      codes.push(spinResult.parse(JSON.parse(body ?? "")).redemption_code ?? "");
    }
    await sql`
      update public.redemptions set created_at = now() - interval '20 days', expires_at = now() + interval '48 hours'
      where org_id = ${shop.id}`;
    let run: Promise<unknown> = Promise.resolve();
    await undone(sql, async (other) => {
      // The job has written to the first of them, and waits for the count of the second.
      await other`
        select private.count_attempt(
          array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(${slow}), 'UTF8')), 'hex')],
          '{3}', interval '1 day')`;
      run = sql`select private.remind_prizes(100)`.execute();
      await untilWaiting(sql);
      await sql.begin(async (till) => {
        await till`set local lock_timeout = '2s'`;
        const { id: userId } = shop.users.cashier;
        expect(await redeem(till, { userId, code: codes[0] ?? "", storeId: shop.storeId })).toBe(
          "redeemed",
        );
        await till`
          select private.erase_customer_data(org_id, id) from public.customers where email = ${erased}`;
      });
    });
    await run;
    const mails = await sql<{ recipient: string }[]>`
      select recipient from private.outbox
      where template = 'prize_reminder' and recipient = any (${[used, slow, erased, usual]})`;
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([slow, usual].sort());
  });

  it("goes with the code that is used while the mail still waits", () =>
    undone(database.sql, async (sql) => {
      const [email, other] = [somebody(), somebody()];
      await at(sql, "12:30");
      const { code } = await oldPrize(sql, 2, { email });
      await oldPrize(sql, 2, { email: other });
      await remind(sql);
      await redeem(sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });
      expect(await reminders(sql, email)).toEqual([{ state: "failed", data: {} }]);
      expect(await reminders(sql, other)).toMatchObject([{ state: "queued" }]);
    }));
});
