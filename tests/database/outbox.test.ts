import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { VALID_SECONDS } from "../../supabase/functions/_shared/messages/mail-template.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { makePushDevice } from "../harness/push-device.ts";

const database = setUpTestDatabase();

beforeEach(() => database.sql`delete from private.outbox`.then(() => undefined));

const SECRET = { url: "https://exemple.fr/verify?token=secret" };

/** A moment so many seconds from now; a second ahead, what was just written is due for certain. */
const later = secondsFromNow;

async function enqueue(template = "recovery"): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`
    select private.enqueue_mail(${template}, ${`${randomUUID()}@exemple.fr`}, ${database.sql.json(SECRET)}) as id`;
  return row?.id ?? "";
}

const claim = (now = later(1), limit = 10, sql = database.sql) =>
  sql<{ id: string; attempt: number; data: unknown }[]>`
    select id, attempt, data from private.claim_messages(${limit}, ${now})`;

async function settle(name: string, id: string, attempt: number): Promise<boolean | undefined> {
  const { sql } = database;
  const [row] = await sql<
    { was: boolean }[]
  >`select ${sql(`private.${name}`)}(${id}, ${attempt}) as was`;
  return row?.was;
}

async function fail(
  id: string,
  attempt: number,
  options: { now?: Date; permanent?: boolean } = {},
) {
  const { now = secondsFromNow(0), permanent = false } = options;
  const [row] = await database.sql<{ state: string | null }[]>`
    select private.message_failed(${id}, ${attempt}, 'ETIMEDOUT', ${permanent}, ${now}) as state`;
  return row?.state;
}

async function stored(id: string) {
  const [row] = await database.sql`
    select state, attempts, data, last_error, settled_at is not null as settled,
      next_attempt_at as next
    from private.outbox where id = ${id}`;
  return row;
}

describe("a message", () => {
  it("is taken once, with what it says", async () => {
    const id = await enqueue();
    expect([...(await claim())]).toEqual([{ id, attempt: 1, data: SECRET }]);
    expect(await claim()).toHaveLength(0);
  });

  it("is forgotten with its transaction", async () => {
    await expect(
      database.sql.begin(async (sql) => {
        await sql`select private.enqueue_mail('recovery', 'a@exemple.fr', '{}')`;
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await claim()).toHaveLength(0);
  });

  it("calls the workers when its transaction commits, not before", async () => {
    const heard: string[] = [];
    const ears = postgres(database.url, { max: 1 });
    onTestFinished(() => ears.end());
    const called = new Promise<void>((resolve) => {
      void ears.listen("tournavis_outbox", () => {
        heard.push("call");
        resolve();
      });
    });
    // The listener is there once its own connection has answered something.
    await ears.listen("tournavis_ready", () => undefined);
    await database.sql.begin(async (sql) => {
      await sql`select private.enqueue_mail('recovery', 'a@exemple.fr', '{}')`;
      await ears`select 1`;
      heard.push("commit");
    });
    await called;
    expect(heard).toEqual(["commit", "call"]);
  });

  it("keeps no secret once sent", async () => {
    const id = await enqueue();
    await claim();
    expect(await settle("message_sent", id, 1)).toBe(true);
    expect(await stored(id)).toMatchObject({ state: "sent", data: {}, settled: true });
    expect(await settle("message_sent", id, 1)).toBe(false);
  });

  it("keeps what it says when it is captured", async () => {
    const id = await enqueue();
    await claim();
    expect(await settle("message_captured", id, 1)).toBe(true);
    expect(await stored(id)).toMatchObject({ state: "captured", data: SECRET, settled: true });
  });

  it("is due again when its worker has not finished it within two minutes", async () => {
    const id = await enqueue();
    const taken = later(1);
    const since = (seconds: number) => new Date(taken.getTime() + seconds * 1000);
    await claim(taken);
    expect(await claim(since(119))).toHaveLength(0);
    expect(await claim(since(121))).toMatchObject([{ id, attempt: 2 }]);
    // The first worker comes back from the dead: it is no longer its turn.
    expect(await settle("message_sent", id, 1)).toBe(false);
    expect(await fail(id, 1)).toBeNull();
    expect(await settle("release_message", id, 1)).toBe(false);
    expect(await stored(id)).toMatchObject({ state: "queued", attempts: 2, last_error: null });
    expect(await settle("message_sent", id, 2)).toBe(true);
  });

  it("is given back untried", async () => {
    const id = await enqueue();
    await claim();
    expect(await settle("release_message", id, 1)).toBe(true);
    expect(await claim()).toMatchObject([{ id, attempt: 2 }]);
  });

  it("leaves although a clock that was days ahead said when, once it is right again", async () => {
    const { sql } = database;
    const [early, usual] = [await enqueue(), await enqueue()];
    await sql`
      update private.outbox set created_at = now() + interval '3 days', next_attempt_at = now() + interval '3 days',
        expires_at = now() + interval '4 days' where id = ${early}`;
    await sql`
      update private.outbox set next_attempt_at = now() + interval '6 hours' where id = ${usual}`;
    const [waiting] = await sql<{ seconds: number }[]>`
      select private.next_message_in() as seconds`;
    expect(waiting?.seconds).toBeLessThanOrEqual(0);
    expect((await claim()).map(({ id }) => id)).toEqual([early]);
    expect(await claim()).toEqual([]);
    const [calm] = await sql<{ seconds: number }[]>`select private.next_message_in() as seconds`;
    expect(calm?.seconds).toBeGreaterThan(0);
  });

  it("waits longer after each failure, and is given up after six hours", async () => {
    const id = await enqueue();
    const start = secondsFromNow(0).getTime();
    const waits: number[] = [];
    let now = new Date(start + 1000);
    for (let attempt = 1; attempt < 100; attempt += 1) {
      expect(await claim(now)).toMatchObject([{ id, attempt }]);
      const state = await fail(id, attempt, { now });
      const row = await stored(id);
      if (state === "failed") {
        expect(row).toMatchObject({ data: {}, last_error: "ETIMEDOUT", settled: true });
        break;
      }
      expect(row).toMatchObject({ state: "queued", data: SECRET, last_error: "ETIMEDOUT" });
      waits.push(Math.round((row?.next.getTime() - now.getTime()) / 1000));
      expect(await claim(new Date(row?.next.getTime() - 1))).toHaveLength(0);
      now = row?.next;
    }
    expect(waits.slice(0, 9)).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1800]);
    expect(new Set(waits.slice(8))).toEqual(new Set([1800]));
    const hours = (now.getTime() - start) / 3_600_000;
    expect(hours).toBeGreaterThan(5);
    expect(hours).toBeLessThan(6);
    expect(await claim(later(86_400))).toHaveLength(0);
  });

  it("is given up at once when it is refused for good", async () => {
    const id = await enqueue();
    await claim();
    expect(await fail(id, 1, { permanent: true })).toBe("failed");
    expect(await stored(id)).toMatchObject({ state: "failed", settled: true });
  });

  it.each([
    ["a link, until it expires", "recovery", "1 hour", {}],
    ["a letter, for seven days", "review_answer", "1 hour", SECRET],
    ["nothing of either after seven days", "review_answer", "7 days 1 minute", null],
  ])("that was given up keeps %s", async (_, template, age, kept) => {
    const { sql } = database;
    const id = await enqueue(template);
    await claim();
    await fail(id, 1, { permanent: true });
    expect(await stored(id)).toMatchObject({ data: SECRET });
    await sql`
      update private.outbox set settled_at = settled_at - ${age}::interval, expires_at = now()
      where id = ${id}`;
    await sql`select private.sweep_outbox(100)`;
    const left = await stored(id);
    expect(left?.data ?? null).toEqual(kept);
  });

  it("that lasts keeps what it says when its time is over", async () => {
    const id = await enqueue("prize");
    await claim(later(6 * 3600 + 1));
    expect(await stored(id)).toMatchObject({
      state: "failed",
      data: SECRET,
      last_error: "expired",
    });
  });

  it("is not sent when it comes too late, and keeps no secret", async () => {
    const id = await enqueue();
    expect(await claim(later(6 * 3600 + 1))).toHaveLength(0);
    expect(await stored(id)).toMatchObject({ state: "failed", data: {}, last_error: "expired" });
  });

  it("is worth sending for as long as what it says is of use", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner } = org.users;
    const campaign = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    const rewardId = await createReward(sql, campaign, { stock: 9 });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await spin(sql, { campaignId: campaign.id });
    const { endpoint, p256dh, auth } = makePushDevice();
    await sql`
      insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
      values (${org.id}, ${owner.id}, ${owner.id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome')`;
    await sql`
      update auth.users set phone = '33612345678', phone_confirmed_at = now() where id = ${owner.id}`;
    await sql`
      insert into public.notification_preferences (org_id, user_id, sms, low_ratings, monthly_report, next_report_at)
      values (${org.id}, ${owner.id}, true, true, true, now())`;
    await sql`
      update public.notification_preferences set summary = 'weekly', next_summary_at = now() where org_id = ${org.id}`;
    await sql`delete from private.outbox`;

    const { review_id: reviewId } = await review(sql, { campaignId: campaign.id, rating: 1 });
    const [inbox] = await sql<{ id: string; version: number }[]>`
      select private.alias_of(id) as id, handling_version as version
      from public.pre_spin_reviews where id = ${reviewId}`;
    await sql`update public.rewards set stock = 2 where id = ${rewardId}`;
    await sql`select private.send_summaries(10), private.send_reports(10)`;
    await sql`select private.notify_plan_event(${org.id}, 'plan_ended', now(), now())`;
    await sql`select private.notify_organization_end(${org.id}, 'organization_end')`;
    await sql`
      select public.contact_operator(${randomUUID()}, 'a@exemple.fr', 'other', 'A', 'b@exemple.fr', 'Bonjour', 'x')`;
    await sql`
      select private.write_gesture_mail('a@exemple.fr', 'Merci', null, d), private.write_prize_mail('prize', 'a@exemple.fr', d),
        private.notify_winners(d.org_id, array[d.id], 'prize_held')
      from public.redemptions d where d.org_id = ${org.id}`;
    await database.as({ userId: owner.id }, async (own) => {
      await own`select public.invite_member('c@exemple.fr', 'member')`;
      await own`select public.answer_review(${inbox?.id ?? ""}, ${inbox?.version ?? 0}, 'Merci', ${randomUUID()}, null)`;
    });
    const rows = await sql<{ lasts: string }[]>`
      select distinct concat_ws(' ', channel, template, expires_at - created_at, 'after',
        next_attempt_at - created_at) as lasts
      from private.outbox order by lasts`;
    expect(rows.map(({ lasts }) => lasts)).toEqual([
      "mail contact_request 2 days after 00:00:00",
      "mail invitation 2 days after 00:00:00",
      "mail low_rating 1 day after 00:02:00",
      "mail monthly_report 3 days after 00:00:00",
      "mail organization_end 2 days after 00:00:00",
      "mail plan_ended 2 days after 00:00:00",
      "mail prize 1 day after 00:00:00",
      "mail prize_held 1 day after 00:10:00",
      "mail review_answer 2 days after 00:00:00",
      "mail review_gesture 2 days after 00:00:00",
      "mail weekly_summary 1 day after 00:00:00",
      "push low_rating 1 day after 00:00:00",
      "push low_stock 1 day after 00:00:00",
      "sms low_rating 02:00:00 after 00:00:00",
    ]);
  });

  it("is written to those who have an address: a member with a phone alone stops none", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner, admin } = org.users;
    const campaign = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    await sql`
      update auth.users set email = null, phone = '33612345679', phone_confirmed_at = now() where id = ${owner.id}`;
    await sql`
      insert into public.notification_preferences
        (org_id, user_id, low_ratings, monthly_report, next_report_at, summary, next_summary_at)
      select ${org.id}, id, true, true, now(), 'weekly', now()
      from auth.users where id in (${owner.id}, ${admin.id})`;
    await review(sql, { campaignId: campaign.id, rating: 1 });
    await sql`select private.notify_plan_event(${org.id}, 'plan_ended', now(), now())`;
    await sql`select private.notify_organization_end(${org.id}, 'organization_end')`;
    await sql`select private.send_summaries(10), private.send_reports(10)`;
    const rows = await sql<{ template: string; recipient: string }[]>`
      select template, recipient from private.outbox order by template`;
    expect(rows.map(({ template, recipient }) => `${template} ${recipient}`)).toEqual([
      `low_rating ${admin.email}`,
      `monthly_report ${admin.email}`,
      `organization_end ${admin.email}`,
      `plan_ended ${admin.email}`,
      `weekly_summary ${admin.email}`,
    ]);
  });

  it("about the plan or the end of an organisation leaves to nobody who was taken out meanwhile, but to whoever asked for it", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner, admin } = org.users;
    const plan = () => sql`select private.notify_plan_event(${org.id}, 'plan_ended', now(), now())`;
    const sent = async () => {
      const rows = await sql<{ mail: string }[]>`
        select template || ' ' || recipient as mail from private.claim_messages(100, ${later(1)}) order by 1`;
      return rows.map(({ mail }) => mail);
    };
    await plan();
    expect(await sent()).toEqual([`plan_ended ${admin.email}`, `plan_ended ${owner.email}`]);
    await sql`delete from private.outbox`;
    await sql`delete from private.plan_notices`;
    await plan();
    await database.as(
      { userId: owner.id },
      (own) => own`select public.end_organization(${org.name})`,
    );
    await database.as({ userId: owner.id }, (own) => own`select public.remove_member(${admin.id})`);
    // The owner has begun anew.
    await sql`delete from public.organization_members where user_id = ${owner.id}`;
    expect(await sent()).toEqual([
      `access_ended ${admin.email}`,
      `organization_end ${owner.email}`,
    ]);
    expect(
      await sql`
        select data, last_error from private.outbox
        where recipient = ${admin.email} and template <> 'access_ended'`,
    ).toEqual([
      { data: {}, last_error: "reader_left" },
      { data: {}, last_error: "reader_left" },
    ]);
  });

  it.each([
    [
      "an unknown channel",
      `insert into private.outbox (channel, template, recipient, expires_at) values ('fax', 'a', 'b@c', now())`,
    ],
    ["a template that is no name", `select private.enqueue_mail('../secret', 'a@b', '{}')`],
    ["data that is no object", `select private.enqueue_mail('recovery', 'a@b', '[]')`],
    [
      "a secret kept after sending",
      `insert into private.outbox (channel, template, recipient, expires_at, state, settled_at, data) values ('mail', 'a', 'b@c', now(), 'sent', now(), '{"url":"x"}')`,
    ],
  ])("refuses %s", async (_, statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ code: "23514" });
    expect(await claim()).toHaveLength(0);
  });
});

describe("a message that was given up", () => {
  const again = async (id: string) => {
    const [row] = await database.sql<{ outcome: string }[]>`
      select private.queue_again(${id}) as outcome`;
    return row?.outcome;
  };

  it("is queued again with as many tries as a new one, and settled by the new ones alone", async () => {
    const { sql } = database;
    const id = await enqueue("review_answer");
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      await claim(later(attempt * 3600));
      await sql`update private.outbox set expires_at = ${later(100 * 3600)} where id = ${id}`;
      await fail(id, attempt, { permanent: attempt === 9 });
    }
    expect(await again(id)).toBe("queued");
    expect(await stored(id)).toMatchObject({ state: "queued", settled: false, last_error: null });
    expect(await again(id)).toBe("not_given_up");
    const now = later(1);
    expect(await claim(now)).toMatchObject([{ id, attempt: 10, data: SECRET }]);
    // A worker of the time before finds nothing of its own.
    expect(await settle("message_sent", id, 1)).toBe(false);
    expect(await fail(id, 10, { now })).toBe("queued");
    expect((await stored(id))?.next).toEqual(new Date(now.getTime() + 10_000));
    await claim(later(60));
    expect(await settle("message_sent", id, 11)).toBe(true);
    expect(await stored(id)).toMatchObject({ state: "sent", data: {} });
  });

  it("is not, once its link has expired, its data is gone or it is nobody's", async () => {
    const { sql } = database;
    const [link, letter] = [await enqueue("invitation"), await enqueue("review_answer")];
    await claim();
    for (const id of [link, letter]) await fail(id, 1, { permanent: true });
    await sql`update private.outbox set expires_at = now() where id = ${link}`;
    await sql`update private.outbox set data = '{}' where id = ${letter}`;
    expect(await again(link)).toBe("expired");
    expect(await again(letter)).toBe("emptied");
    expect(await again(randomUUID())).toBe("unknown");
    expect(await claim(later(60))).toHaveLength(0);
  });

  it("counts as waiting from then on", async () => {
    const { sql } = database;
    const id = await enqueue("review_answer");
    await claim();
    await fail(id, 1, { permanent: true });
    await sql`update private.outbox set created_at = now() - interval '6 days' where id = ${id}`;
    await again(id);
    const [oldest] = await sql<{ amount: number }[]>`
      select amount from private.queue_metrics() where kind = 'oldest'`;
    expect(oldest?.amount).toBeLessThan(3600);
  });

  it("lasts only where it opens nothing by a link or a code", async () => {
    const names = Object.keys(VALID_SECONDS);
    const rows = await database.sql<{ name: string }[]>`
      select name from unnest(${names}::text[]) name where not private.is_lasting(name) order by name`;
    const rule = "private.is_lasting lists what opens nothing; all else is not kept once given up";
    expect(
      rows.map(({ name }) => name),
      rule,
    ).toEqual([
      // Of somebody who asked to be forgotten.
      "account_deleted",
      "account_invitation",
      "confirmation",
      "email_change",
      "invitation",
      "low_rating",
      "magic_link",
      "monthly_report",
      "prize_cancelled",
      "prize_held",
      "prize_released",
      "reauthentication",
      "recovery",
    ]);
  });
});

describe("many workers at once", () => {
  it("send each message once", async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => enqueue()));
    const pools = Array.from({ length: 8 }, () => postgres(database.url, { max: 1 }));
    onTestFinished(() => Promise.all(pools.map((pool) => pool.end())).then(() => undefined));
    // Connected before the work begins: otherwise the first could have done it all.
    await Promise.all(pools.map((pool) => pool`select`));
    const taken = await Promise.all(
      pools.map(async (pool) => {
        const mine: string[] = [];
        for (;;) {
          const messages = await claim(later(1), 3, pool);
          if (messages.length === 0) return mine;
          for (const { id, attempt } of messages) {
            mine.push(id);
            await pool`select private.message_sent(${id}, ${attempt})`;
          }
        }
      }),
    );
    expect(taken.flat().sort()).toEqual(ids.sort());
    // The work was shared: otherwise this test shows nothing.
    expect(taken.filter((mine) => mine.length > 0).length).toBeGreaterThan(1);
  });

  it("do not wait for each other", async () => {
    const [first, second] = [await enqueue(), await enqueue()];
    await database.sql.begin(async (sql) => {
      const [mine] = await sql<{ id: string }[]>`select id from private.claim_messages(1)`;
      const others = await claim();
      expect([mine?.id, ...others.map(({ id }) => id)].sort()).toEqual([first, second].sort());
    });
  });
});

describe("the outbox", () => {
  it.each(["anon", "authenticated"])("is closed to %s", async (role) => {
    const id = await enqueue();
    const caller = role === "anon" ? "anon" : { userId: randomUUID() };
    for (const statement of [
      "select * from private.outbox",
      "select * from private.jobs",
      "select * from private.claim_messages(1)",
      "select * from private.captured_messages(1)",
      "select private.enqueue_mail('recovery', 'a@exemple.fr', '{}')",
      "call private.run_due_jobs()",
    ]) {
      await expect(database.as(caller, (sql) => sql.unsafe(statement))).rejects.toMatchObject({
        code: "42501",
      });
    }
    expect(await stored(id)).toMatchObject({ state: "queued", attempts: 0 });
  });

  it("shows the server's own role no more than its functions do", async () => {
    await expect(
      database.as("service_role", (sql) => sql`select * from private.outbox`),
    ).rejects.toMatchObject({ code: "42501" });
  });

  it("tells when there is something to do", async () => {
    const [nothing] = await database.sql`select private.next_message_in() as seconds`;
    expect(nothing?.seconds).toBeNull();
    await enqueue();
    const [now] = await database.sql`select private.next_message_in() as seconds`;
    expect(now?.seconds).toBeLessThanOrEqual(0);
    await claim();
    const [claimed] = await database.sql`select private.next_message_in() as seconds`;
    expect(claimed?.seconds).toBeGreaterThan(100);
  });
});
