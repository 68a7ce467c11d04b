import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { become, createTestDatabase, type TestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createFactor,
  createOrganization,
  createPasskey,
  createPointsReward,
  createReward,
  createUser,
  drawWheel,
  type Organization,
  type Role,
  withoutQuietHours,
} from "../harness/fixtures.ts";
import { redeem, review, spendPoints, spin, winPoints } from "../harness/journey.ts";
import { makePushDevice } from "../harness/push-device.ts";
import { readTables } from "./attempts.ts";
import { untilWaiting } from "./support/waiting.ts";

/**
 * Right to erasure: somebody who did everything that a customer can is looked for in every column of every table, whichever way
 * they were forgotten. What stays of their rows stands below with its reason: a column that is added fails until it goes or does.
 */

let database: TestDatabase;
let ours: Organization;
let campaign: Campaign;
let customerId: string;

/** Words that name nobody else, each typed in one place. */
const MARKS = {
  first: "Zélinde",
  last: "Quintefeuille",
  email: "zq.premiere@oubli.example",
  /** Typed with the same number: what was typed is kept beside each visit. */
  otherEmail: "zq.seconde@oubli.example",
  phone: "0698765432",
  words: "Mon dossier ocarinesque attend depuis une heure.",
  note: "Préfère la table ombrageuse.",
  answer: "Bonjour, votre mot pétrichorien nous touche.",
  colleague: "Rappeler cette dame vespérale.",
  device: "device-of-zelinde",
} as const;
const SEARCHED = [...Object.values(MARKS), "zelinde", "zq.", "698765432"];

/** Columns of rows about a customer whose value stays when they are forgotten, by reason. */
const STAYS: Readonly<Record<string, readonly string[]>> = {
  "what is counted, without whose it is": [
    "points_spends.points",
    "pre_spin_reviews.rating",
    "pre_spin_reviews.source",
    "spins.result_type",
    "spins.rules_version",
  ],
  "a code that they hold stays good, and the phone is answered as the first time": [
    "points_spends.code",
    "points_spends.code_key",
    "points_spends.reward_name",
    "points_spends.status",
    "redemptions.code",
    "redemptions.code_key",
    "redemptions.reward_name",
    "redemptions.status",
    "redemptions.verdict",
    "redemptions.words",
    "spins.result",
  ],
  "what the team did, and when": [
    "pre_spin_reviews.handling",
    "pre_spin_reviews.handling_version",
    "redemption_events.action",
    "review_actions.actor_name",
    "review_actions.assignee_name",
    "review_actions.delivery",
    "review_actions.kind",
  ],
  "empty while they consent, as here; goes with their row": ["customers.consent_withdrawn_by"],
  "no more than three mails about a prize": ["private.prize_mails.mails"],
  "gone within a minute (judge_spins) and an hour (sweep_checks), and read of known customers alone":
    [
      "private.network_turns.network_key",
      "private.spin_origins.device_key",
      "private.spin_origins.network_key",
    ],
};

beforeAll(async () => {
  database = await createTestDatabase();
  ours = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  customerId = await liveThrough(database.sql);
});
afterAll(() => database.drop());

const as = <T>(role: Role, run: (sql: TransactionSql) => Promise<T>) =>
  database.as({ userId: ours.users[role].id }, run);

/** A customer's whole life with a merchant. Answers who they are. */
async function liveThrough(sql: ISql): Promise<string> {
  const { owner, cashier } = ours.users;
  await withoutQuietHours(sql, campaign);
  await sql`
    update auth.users set phone = '33612345678', phone_confirmed_at = now() where id = ${owner.id}`;
  await sql`
    insert into public.notification_preferences
      (org_id, user_id, sms, low_ratings, summary, next_summary_at, monthly_report, next_report_at)
    values (${ours.id}, ${owner.id}, true, true, 'daily', now(), true, now())`;
  const { endpoint, p256dh, auth } = makePushDevice();
  await sql`
    insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
    values (${ours.id}, ${owner.id}, ${owner.id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome')`;
  const gift = await createReward(sql, campaign, { name: "Café offert", stock: 50 });
  const points = await createReward(sql, campaign, { type: "points" });
  const tea = await createPointsReward(sql, { orgId: ours.id });
  const { first: firstName, last: lastName, email, otherEmail, phone, device } = MARKS;
  const name = `${firstName} ${lastName}`;

  // The phone: two reviews, three wins, points and what they were spent on.
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: gift }]);
  const visit = { campaignId: campaign.id, firstName, lastName, phone, consent: true };
  const bad = await review(sql, { ...visit, email, rating: 2, locale: "de" });
  await sql`select public.record_feedback(${bad.review_id}, ${MARKS.words})`;
  const good = await review(sql, { ...visit, email: otherEmail, rating: 5 });
  const play = { campaignId: campaign.id, device };
  await spin(sql, { ...play, reviewId: bad.review_id });
  await spin(sql, { ...play, reviewId: good.review_id });
  await spin(sql, { ...play, name, email, phone });
  await sql`update public.wheel_segments set reward_id = ${points} where campaign_id = ${campaign.id}`;
  const proofs = [await winPoints(sql, { ...play, name, email })];
  await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: tea.cost });
  await sql`select private.judge_spins(1000)`;
  // One more turn, which the job has not judged.
  await sql`update public.wheel_segments set reward_id = ${gift} where campaign_id = ${campaign.id}`;
  await spin(sql, { ...play, name, email });
  const [customer] = await sql<{ id: string }[]>`
    select id from public.customers where org_id = ${ours.id} and email = ${email}`;
  const id = customer?.id ?? "";

  // Mails about the prizes, and the till.
  const wins = await sql<{ id: string; nonce: string; code: string }[]>`
    select s.id, s.nonce, d.code from public.spins s
    join public.redemptions d on d.org_id = s.org_id and d.spin_id = s.id where s.org_id = ${ours.id} order by s.id`;
  for (const win of wins)
    await sql`select public.mail_prize(${campaign.id}, ${win.id}, ${win.nonce}, ${email}, ${randomUUID()})`;
  await redeem(sql, { userId: cashier.id, code: wins[0]?.code ?? "", storeId: ours.storeId });
  await sql`
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    select d.org_id, d.spin_id, private.write_prize_mail('prize_reminder', ${email}, d)
    from public.redemptions d where d.org_id = ${ours.id} and d.code = ${wins[1]?.code ?? ""}`;

  // The team: a note, an answer with a code, a colleague, a prize that is held, the customer's own form.
  const [row] = await sql<{ alias: string }[]>`select private.alias_of(${bad.review_id}) as alias`;
  const alias = row?.alias ?? "";
  await as("owner", async (team) => {
    await team`select public.assign_review(${alias}, ${ours.users.member.id})`;
    await team`select public.note_review(${alias}, ${MARKS.colleague}, ${randomUUID()})`;
    await team`select public.claim_review(${alias}, 'keep')`;
    await team`select public.answer_review(${alias}, 0, ${MARKS.answer}, ${randomUUID()}, ${gift})`;
    await team`
      select public.save_customer(c.id, c.version, c.first_name, c.last_name, c.email, c.phone, true, ${MARKS.note})
      from public.customers c where c.id = ${id}`;
  });
  const marked = await sql`
    select private.mark_codes(d.org_id, d.campaign_id, 'disposable', 'oubli.example', 1, array[d.id])
    from public.redemptions d where d.org_id = ${ours.id} and d.code = ${wins[2]?.code ?? ""}`;
  expect(marked).toHaveLength(1);
  await as(
    "owner",
    (team) => team`
      select public.decide_check((public.check_groups(${ours.id}) #>> '{items,0,id}')::uuid, 'hold')`,
  );
  await sql`select private.send_summaries(10), private.send_reports(10)`;
  return id;
}

/** Columns in which somebody can be read: the customer, unless other words are given. */
async function traces(sql: ISql, marks: readonly string[] = [...SEARCHED, customerId]) {
  const tables = (await readTables(sql)).filter(({ schema }) => schema !== "supabase_migrations");
  const words = marks.map((word) => word.toLowerCase());
  const found = await sql.unsafe<{ name: string }[]>(
    tables
      .flatMap(({ name, columns }) =>
        columns.map(
          (column) => `
            select '${name}.${column.name}' as name where exists (
              select from ${name} t, unnest($1::text[]) w where position(w in lower(t."${column.name}"::text)) > 0)`,
        ),
      )
      .join(" union all "),
    [words],
  );
  return found.map(({ name }) => name).sort();
}

type Column = { name: string; filled: boolean };

/** Columns that can say something, of tables with a customer and of those that refer to such rows, and whether they do. */
async function columnsAbout(sql: ISql): Promise<Column[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    with recursive about as (
      select c.oid from pg_class c where c.relkind = 'r' and (c.oid = 'public.customers'::regclass or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id' and not a.attisdropped))
      union
      select k.conrelid from about b join pg_constraint k on k.confrelid = b.oid and k.contype = 'f')
    select b.oid::regclass::text as table, a.attname::text as column
    from about b join pg_attribute a on a.attrelid = b.oid and a.attnum > 0 and not a.attisdropped
    -- Identifiers are looked for as such; moments and yes or no name nobody.
    where a.atttypid <> all ('{uuid,boolean,timestamptz}'::regtype[])
      and exists (select from pg_attribute o where o.attrelid = b.oid and o.attname = 'org_id')
    order by 1, a.attnum`;
  const [row] = await sql.unsafe<Record<string, boolean>[]>(
    `select ${columns
      .map(
        ({ table, column }, place) =>
          `exists (select from ${table} where org_id = '${ours.id}' and "${column}" is not null) as c${place}`,
      )
      .join(", ")}`,
  );
  return columns.map(({ table, column }, place) => ({
    name: `${table}.${column}`,
    filled: row?.[`c${place}`] ?? false,
  }));
}

/** Columns that the life above leaves empty, or that erasure leaves filled, though no reason is stated. */
async function unstated(sql: TransactionSql): Promise<string[]> {
  const stated = new Set(Object.values(STAYS).flat());
  const empty = (await columnsAbout(sql)).filter(({ filled }) => !filled);
  await sql`select private.erase_customer_data(${ours.id}, ${customerId})`;
  const left = (await columnsAbout(sql)).filter(({ filled }) => filled);
  return [...empty, ...left].flatMap(({ name }) => (stated.has(name) ? [] : [name])).sort();
}

/** Where a person stands for a while longer: the turns of the last minute and hour, and attempts of the last day at most. */
const BRIEFLY = [
  "private.network_turns.customer_id",
  "private.rate_limits.key",
  "private.spin_origins.customer_id",
  "private.spin_origins.device_key",
];

const WAYS: readonly [name: string, way: (sql: TransactionSql) => Promise<unknown>][] = [
  [
    "by the team",
    async (sql) => {
      await become(sql, { userId: ours.users.owner.id });
      await sql`select public.erase_customer(${customerId})`;
      await sql`reset role`;
      // The trail says that somebody was forgotten, by an identifier that leads nowhere.
      const events = await sql`
        delete from public.audit_events where action = 'customer.erased' and subject_id = ${customerId}
        returning detail`;
      expect([...events]).toEqual([{ detail: {} }]);
    },
  ],
  [
    "by time",
    async (sql) => {
      await sql`
        update public.customers set created_at = now() - interval '4 years', last_activity_at = now() - interval '3 years 1 day'`;
      await sql`select private.sweep_customers(100)`;
    },
  ],
  [
    "with their merchant",
    async (sql) => {
      await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${ours.id}`;
      for (let run = 0; run < 2; run += 1) await sql`select private.erase_organizations(100000)`;
    },
  ],
];

it.each(WAYS)("somebody who is forgotten %s stands in no table any more", async (_, forget) => {
  const before = await traces(database.sql);
  expect(before).toEqual(
    expect.arrayContaining([
      "customers.search_words",
      "pre_spin_reviews.review_text",
      "private.outbox.data",
      "review_actions.body",
      ...BRIEFLY,
    ]),
  );
  const left = await undone(database.sql, async (sql) => {
    await forget(sql);
    const rest = await traces(sql);
    expect(BRIEFLY).toEqual(expect.arrayContaining(rest));
    await sql`select private.judge_spins(1000)`;
    await sql`update private.network_turns set created_at = now() - interval '61 minutes'`;
    await sql`update private.rate_limits set expires_at = now() - interval '1 second'`;
    await sql`select private.sweep_checks(1000), private.sweep_limits(1000)`;
    return traces(sql);
  });
  expect(left).toEqual([]);
});

it("says of every column about a customer that it goes with them, or why it stays", async () => {
  expect(await undone(database.sql, unstated)).toEqual([]);
  // A column that nobody thought of.
  const added = await undone(database.sql, async (sql) => {
    await sql`alter table public.spins add column birthday date default '1980-02-29'`;
    await sql`alter table private.prize_mails add column opened_with inet`;
    return unstated(sql);
  });
  expect(added).toEqual(["private.prize_mails.opened_with", "spins.birthday"]);
});

it("somebody whose account is erased stands in the trail of their team alone, and in no review", async () => {
  const { sql } = database;
  const marks = ["Théodorine", "Vaillancourt", "tv.compte@oubli.example", "33687654321"];
  const [, , email = "", phone = ""] = marks;
  const user = await createUser(sql, { email, fullName: "Théodorine Vaillancourt" });
  await sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${user.id}`;
  await as("owner", (team) => team`select public.invite_member(${email}, 'admin')`);
  await sql`
    update private.outbox set state = 'sent', data = '{}', settled_at = now() where template = 'invitation'`;
  await database.as({ userId: user.id }, async (own) => {
    await own`
      select public.accept_waiting_invitation((public.waiting_invitation() ->> 'id')::uuid)`;
  });
  const [review] = await sql<{ alias: string; version: number }[]>`
    select private.alias_of(id) as alias, handling_version as version from public.pre_spin_reviews
    where org_id = ${ours.id} order by id limit 1`;
  const alias = review?.alias ?? "";
  await database.as({ userId: user.id }, async (own) => {
    await own`select public.save_notifications(${ours.id}, true, true, true, 'daily', true)`;
    await own`select public.note_review(${alias}, 'Vu avec la cuisine.', ${randomUUID()})`;
    await own`select public.assign_review(${alias}, ${user.id})`;
    await own`
      select public.decide_check((public.check_groups(${ours.id}) #>> '{items,0,id}')::uuid, 'clear')`;
  });
  await sql`select private.send_summaries(10), private.send_reports(10)`;
  await sql`select private.enqueue_mail('password_changed', ${email}, ${sql.json({ email })})`;
  await createPasskey(sql, user);
  await createFactor(sql, user);
  const found = await traces(sql, marks);
  expect(found).toEqual(
    expect.arrayContaining([
      "audit_events.actor_name",
      "auth.users.email",
      "private.check_groups.closed_by",
      "private.invitations.email",
      "private.outbox.recipient",
      "review_actions.actor_name",
      "review_actions.assignee_name",
    ]),
  );
  await sql`delete from auth.users where id = ${user.id}`;
  // Kept for 13 months, as all logs: who did what, and who called a device normal.
  expect(await traces(sql, marks)).toEqual([
    "audit_events.actor_name",
    "audit_events.detail",
    "private.check_groups.closed_by",
  ]);
  // An identifier that leads to nobody any more.
  expect(await traces(sql, [user.id])).toEqual([
    "audit_events.subject_id",
    "audit_events.user_id",
    "review_actions.user_id",
  ]);
});

describe("what was given to somebody to do with a review", () => {
  const ASSIGNED = "review_actions.assignee_name";
  let alias: string;

  beforeEach(async () => {
    const { review_id: id } = await review(database.sql, { campaignId: campaign.id, rating: 2 });
    alias = id ?? "";
  });

  const join = async (fullName: string) => {
    const user = await createUser(database.sql, { fullName });
    await database.sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${user.id}, 'member')`;
    return user;
  };
  const assign = (user: { id: string }) =>
    as("owner", (team) => team`select public.assign_review(${alias}, ${user.id})`);
  const assignees = async () => {
    const [row] = await as(
      "owner",
      (team) => team<{ names: string[] }[]>`
        select array(select a ->> 'assignee' from jsonb_array_elements(public.review_detail(${alias})::jsonb -> 'actions') a) as names`,
    );
    return row?.names;
  };

  it("is forgotten with their account, though they left before and never touched a review", async () => {
    const { sql } = database;
    const user = await join("Barnabé Ozanne");
    await assign(user);
    await as("owner", (team) => team`select public.remove_member(${user.id})`);
    expect(await traces(sql, ["Ozanne"])).toContain(ASSIGNED);
    await sql`delete from auth.users where id = ${user.id}`;
    expect(await traces(sql, ["Ozanne"])).not.toContain(ASSIGNED);
    expect(await assignees()).toEqual([]);
  });

  it("is forgotten under the name that they had then", async () => {
    const { sql } = database;
    const user = await join("Isaure Delaunoy");
    await assign(user);
    await sql`
      update auth.users set raw_user_meta_data = '{"full_name": "Isaure Montcalmé"}' where id = ${user.id}`;
    await sql`delete from auth.users where id = ${user.id}`;
    expect(await traces(sql, ["Delaunoy"])).not.toContain(ASSIGNED);
    expect(await assignees()).toEqual([]);
  });

  it("is forgotten though it is given while the account goes: that waits", async () => {
    const { sql } = database;
    const user = await join("Perrine Aubépin");
    const { going } = await sql.begin(async (gift) => {
      await become(gift, { userId: ours.users.owner.id });
      await gift`select public.assign_review(${alias}, ${user.id})`;
      const going = sql`delete from auth.users where id = ${user.id}`.execute();
      await untilWaiting(sql);
      return { going };
    });
    await going;
    expect(await assignees()).toEqual([]);
  });

  it("stays where it was given to a colleague of the same name", async () => {
    const { sql } = database;
    const stays = await join("Marie Blanchemain");
    const goes = await join("Marie Blanchemain");
    await assign(goes);
    await assign(stays);
    await sql`delete from auth.users where id = ${goes.id}`;
    expect(await assignees()).toEqual(["Marie Blanchemain"]);
  });

  it("is found by its name where it was kept before the account stood beside it", async () => {
    const { sql } = database;
    const user = await join("Gontran Lheureux");
    await assign(user);
    await sql`update public.review_actions set assignee_id = null where assignee_name = 'Gontran Lheureux'`;
    await sql`delete from auth.users where id = ${user.id}`;
    expect(await assignees()).toEqual([]);
  });
});
