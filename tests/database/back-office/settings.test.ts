import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { PAYMENT_NOTICE_DAYS } from "#domain/rules/retention.ts";
import { settings } from "#domain/schemas/settings.ts";
import { workspace } from "#domain/schemas/workspace.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { secondsFromNow } from "../../harness/clock.ts";
import { setUpTestDatabase } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createFactor,
  createOrganization,
  createStore,
  createUser,
  daysFromNow,
  giveRole,
  type Organization,
  type User,
} from "../../harness/fixtures.ts";
import { review } from "../../harness/journey.ts";
import { everythingStored } from "../support/stored.ts";
import { whole } from "../support/whole.ts";

/** Settings: who reads and writes what, addresses that are given up, and what people asked to be told. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let campaign: Campaign;

beforeAll(async () => {
  ours = await createOrganization(database.sql, { store: { name: "Le Comptoir" } });
  theirs = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
});

/** Answer of a function to a user, or the SQLSTATE of its refusal. */
async function ask(user: User, statement: string, ...values: (string | boolean | null)[]) {
  return database
    .as({ userId: user.id }, async (sql) => {
      const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return row?.answer ?? null;
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

const read = (user: User, orgId = ours.id) =>
  ask(user, "select public.settings($1) as answer", orgId);

type Choices = { email?: boolean; sms?: boolean; low?: boolean; summary?: string };

const choose = (
  user: User,
  { email = true, sms = false, low = false, summary = "none" }: Choices,
  orgId = ours.id,
) =>
  ask(
    user,
    "select public.save_notifications($1, $2, $3, $4, $5)::text as answer",
    orgId,
    email,
    sms,
    low,
    summary,
  );

const rename = (user: User, name: string, slug: string, version: number, orgId = ours.id) =>
  ask(
    user,
    `update public.organizations set name = $1, slug = $2
     where id = $3 and version = ${version} returning version as answer`,
    name,
    slug,
    orgId,
  );

const version = async () => {
  const [row] = await database.sql<{ version: number }[]>`
    select version from public.organizations where id = ${ours.id}`;
  return row?.version ?? 0;
};

describe("the settings", () => {
  it("are read by owner, admin and member of that organisation alone", async () => {
    // A store that was put away is none of theirs.
    const closed = await createStore(database.sql, { orgId: ours.id });
    await database.sql`update public.stores set archived_at = now() where id = ${closed}`;
    for (const role of ["owner", "admin", "member"] as const) {
      const seen = whole(settings, await read(ours.users[role]));
      expect(seen.organization).toMatchObject({ id: ours.id, name: ours.name, slug: ours.slug });
      expect(seen.stores).toMatchObject([{ id: ours.storeId, name: "Le Comptoir", campaigns: 1 }]);
      expect(seen.subscription).toMatchObject({ plan: "pro", status: "active" });
      // Nobody of them has said what they want to hear of yet.
      expect(seen.notifications).toEqual({
        email: true,
        sms: false,
        low_ratings: false,
        summary: "none",
        monthly_report: false,
        address: ours.users[role].email,
        has_phone: false,
      });
    }
    expect(await read(ours.users.cashier)).toBe("42501");
    expect(await read(theirs.users.owner)).toBe("42501");
  });

  it("name the provider's customer to whoever manages billing, and nobody else", async () => {
    await database.sql`
      update public.subscriptions set stripe_customer_id = 'cus_settings' where org_id = ${ours.id}`;
    const customer = async (user: User) =>
      whole(settings, await read(user)).subscription?.customer_id ?? null;
    expect(await customer(ours.users.owner)).toBe("cus_settings");
    expect(await customer(ours.users.admin)).toBe("cus_settings");
    expect(await customer(ours.users.member)).toBeNull();
  });

  it("tell when a plan that was cancelled ends, and no next payment in its place", async () => {
    const { id, users } = await createOrganization(database.sql);
    const ends = async () =>
      whole(settings, await read(users.member, id)).subscription?.ends_at ?? null;
    const [end, closed] = [daysFromNow(24), daysFromNow(-1)];
    await database.sql`
      update public.subscriptions set current_period_end = ${end} where org_id = ${id}`;
    expect(await ends()).toBeNull();
    await database.sql`
      update public.subscriptions set cancel_at_period_end = true where org_id = ${id}`;
    expect(new Date((await ends()) ?? "")).toEqual(end);
    const { plan } = workspace.parse(
      await ask(users.cashier, "select public.my_workspace() as answer"),
    );
    expect(new Date(plan?.ends_at ?? "")).toEqual(end);
    // A day of its own, after a renewal: the next payment still comes.
    const later = daysFromNow(80);
    await database.sql`
      update public.subscriptions set cancel_at_period_end = false, cancel_at = ${later} where org_id = ${id}`;
    const { subscription } = whole(settings, await read(users.member, id));
    const { ends_at, current_period_end } = subscription ?? {};
    expect([ends_at, current_period_end].map((day) => new Date(day ?? ""))).toEqual([later, end]);
    await database.sql`
      update public.subscriptions
      set status = 'canceled', cancel_at_period_end = false, closed_at = ${closed}
      where org_id = ${id}`;
    expect(new Date((await ends()) ?? "")).toEqual(closed);
  });

  it("tell until when an open bill can be paid, and since when it has suspended the plan", async () => {
    const { id, users } = await createOrganization(database.sql);
    const told = async () => {
      const { subscription } = whole(settings, await read(users.member, id));
      const { due_until, suspended_since } = subscription ?? {};
      // The banner above every screen says the same day.
      const { plan } = whole(
        workspace,
        await ask(users.member, "select public.my_workspace() as answer"),
      );
      expect(plan?.due_until).toBe(due_until);
      return [due_until, suspended_since].map((day) => day && new Date(day));
    };
    const set = (facts: Record<string, Date | string | null>) => database.sql`
      update public.subscriptions set ${database.sql(facts)} where org_id = ${id}`;
    expect(await told()).toEqual([null, null]);
    const since = daysFromNow(-3);
    const until = new Date(since.getTime() + PAYMENT_NOTICE_DAYS * DAY_MS);
    await set({ status: "past_due", past_due_since: since, current_period_end: daysFromNow(27) });
    expect(await told()).toEqual([until, null]);
    // A bill of which nobody knows the day.
    await set({ past_due_since: null, current_period_end: since });
    expect(await told()).toEqual([until, null]);
    await set({ status: "suspended", past_due_since: since, closed_at: until });
    expect(await told()).toEqual([null, until]);
  });

  it("say that there is no subscription", async () => {
    const { id, users } = await createOrganization(database.sql);
    await database.sql`delete from public.subscriptions where org_id = ${id}`;
    expect(whole(settings, await read(users.owner, id)).subscription).toBeNull();
  });
});

describe("name and address", () => {
  it("are saved once for a version, by owner and admin of that organisation alone", async () => {
    const before = await version();
    expect(await rename(ours.users.admin, "Chez Nous", `${ours.slug}-a`, before)).toBe(before + 1);
    const stored = await everythingStored(database.sql);
    expect(await rename(ours.users.owner, "Trop tard", `${ours.slug}-b`, before)).toBeNull();
    expect(await rename(ours.users.member, "Membre", `${ours.slug}-b`, before + 1)).toBeNull();
    expect(await rename(theirs.users.owner, "Autre", `${ours.slug}-b`, before + 1)).toBeNull();
    expect(await rename(ours.users.owner, "Pris", theirs.slug, before + 1)).toBe("23505");
    expect(await rename(ours.users.owner, "Pris", "Pas Un Slug", before + 1)).toBe("23514");
    expect(await everythingStored(database.sql)).toEqual(stored);
  });

  it("lead from an address that was given up to the present one, and nobody else can take it", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const page = async (slug: string) => {
      const [row] = await sql<{ slug: string | null }[]>`
        select public.organization_page(${slug}) ->> 'slug' as slug`;
      return row?.slug;
    };
    const [second, third] = [`${org.slug}-deux`, `${org.slug}-trois`];
    await sql`update public.organizations set slug = ${second} where id = ${org.id}`;
    await sql`update public.organizations set slug = ${third} where id = ${org.id}`;
    expect([await page(org.slug), await page(second), await page(third)]).toEqual([
      third,
      third,
      third,
    ]);
    const isFree = (user: User, slug: string) =>
      ask(user, "select public.is_slug_free('organization', $1) as answer", slug);
    expect(await isFree(theirs.users.owner, second)).toBe(false);
    expect(await isFree(org.users.owner, second)).toBe(true);
    await expect(
      sql`update public.organizations set slug = ${second} where id = ${theirs.id}`,
    ).rejects.toMatchObject({ code: "23505" });
    const newcomer = await createUser(sql);
    expect(
      await ask(newcomer, "select public.create_organization('Neuve', $1) as answer", org.slug),
    ).toBe("23505");
    // One's own comes back, and leaves no circle.
    await sql`update public.organizations set slug = ${org.slug} where id = ${org.id}`;
    expect([await page(org.slug), await page(third)]).toEqual([org.slug, org.slug]);
  });
});

describe("notices that a member wants", () => {
  it("is saved for oneself, in one's own organisation", async () => {
    expect(await choose(ours.users.cashier, { email: false })).toBe("");
    const stored = await everythingStored(database.sql);
    expect(await choose(theirs.users.owner, { low: true })).toBe("42501");
    expect(await choose(ours.users.owner, { summary: "hourly" })).toBe("23514");
    expect(await choose(ours.users.owner, { sms: true })).toBe("TV105");
    expect(await everythingStored(database.sql)).toEqual(stored);
  });

  it("goes to a phone only when its number was proven", async () => {
    const { sql } = database;
    const user = ours.users.admin;
    const factor = await createFactor(sql, user, { status: "unverified" });
    await sql`update auth.mfa_factors set factor_type = 'phone', phone = '33612345678' where id = ${factor}`;
    expect(await choose(user, { sms: true })).toBe("TV105");
    await sql`delete from auth.mfa_factors where id = ${factor}`;
    await sql`update auth.users set phone = '33612345678', phone_confirmed_at = now() where id = ${user.id}`;
    expect(await choose(user, { sms: true, low: true })).toBe("");
  });
});

type Message = { channel: string; template: string; recipient: string; data: unknown };

async function messages(): Promise<Message[]> {
  const rows = await database.sql<Message[]>`
    delete from private.outbox returning channel, template, recipient, data`;
  return [...rows].sort((a, b) => a.recipient.localeCompare(b.recipient));
}

describe("an alert", () => {
  it("is written with a review of 3 stars or fewer, to whoever asked and may read reviews", async () => {
    const { sql } = database;
    await sql`update public.notification_preferences set low_ratings = false`;
    await messages();
    await review(sql, { campaignId: campaign.id, rating: 1 });
    expect(await messages()).toEqual([]);

    await choose(ours.users.owner, { low: true });
    await choose(ours.users.admin, { email: false, sms: true, low: true });
    await choose(ours.users.cashier, { low: true });
    await choose(theirs.users.owner, { low: true }, theirs.id);
    await sql`insert into public.organization_brands (org_id, color) values (${ours.id}, '#1d4ed8')`;
    await review(sql, { campaignId: campaign.id, rating: 4 });
    expect(await messages()).toEqual([]);
    await review(sql, { campaignId: campaign.id, rating: 3 });
    expect(await messages()).toMatchObject([
      {
        channel: "sms",
        template: "low_rating",
        recipient: "33612345678",
        data: { store: "Le Comptoir", rating: 3 },
      },
      {
        channel: "mail",
        template: "low_rating",
        recipient: ours.users.owner.email,
        data: {
          brand: { color: "#1d4ed8", logo: null },
          facts: { store: "Le Comptoir", rating: "3" },
        },
      },
    ]);
  });

  it("is not written with a review that was undone, nor without end", async () => {
    const { sql } = database;
    await choose(ours.users.admin, {});
    await sql
      .begin(async (transaction) => {
        await review(transaction, { campaignId: campaign.id, rating: 1 });
        throw new Error("undone");
      })
      .catch(() => undefined);
    expect(await messages()).toEqual([]);
    for (let n = 0; n < 40; n += 1) await review(sql, { campaignId: campaign.id, rating: 1 });
    const written = (await messages()).length;
    expect(written).toBeGreaterThan(20);
    expect(written).toBeLessThanOrEqual(31);
  });
});

describe("a summary", () => {
  const send = () => database.sql`select private.send_summaries(100)`;
  const makeDue = (user: User, at: string) => database.sql`
    update public.notification_preferences set next_summary_at = ${at}
    where user_id = ${user.id} and summary <> 'none'`;

  it("is due at 8 in the morning there, on Mondays when weekly, across a change of the clock", async () => {
    const next = async (summary: string, zone: string, after: string) => {
      const [row] = await database.sql<{ at: Date | null }[]>`
        select private.next_summary(${summary}, ${zone}, ${after}) as at`;
      return row?.at?.toISOString() ?? null;
    };
    // Clocks go back in Paris on 25 October 2026, a Sunday.
    expect(await next("daily", "Europe/Paris", "2026-10-24T05:59:59Z")).toBe(
      "2026-10-24T06:00:00.000Z",
    );
    expect(await next("daily", "Europe/Paris", "2026-10-24T06:00:00Z")).toBe(
      "2026-10-25T07:00:00.000Z",
    );
    expect(await next("weekly", "Europe/Paris", "2026-10-24T06:00:00Z")).toBe(
      "2026-10-26T07:00:00.000Z",
    );
    expect(await next("daily", "Indian/Reunion", "2026-10-24T06:00:00Z")).toBe(
      "2026-10-25T04:00:00.000Z",
    );
    expect(await next("none", "Europe/Paris", "2026-10-24T06:00:00Z")).toBeNull();
  });

  it.each([
    ["waits to be erased", "is_ending = true", 0],
    ["is suspended", "suspended_at = now()", 0],
    ["can no longer be read", "status = 'canceled', closed_at = now() - interval '30 days'", 0],
    ["can still be read", "status = 'canceled', closed_at = now() - interval '29 days'", 2],
  ])("of an organisation that %s, and a report: %s", async (_, change, count) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const reader = org.users.admin;
    await sql`
      insert into public.notification_preferences
        (org_id, user_id, monthly_report, next_report_at, summary, next_summary_at)
      values (${org.id}, ${reader.id}, true, now(), 'weekly', now())`;
    await sql.unsafe(`update public.subscriptions set ${change} where org_id = '${org.id}'`);
    await messages();
    await sql`select private.send_summaries(100), private.send_reports(100)`;
    expect(await messages()).toHaveLength(count);
    const [next] = await sql`
      select next_summary_at > now() and next_report_at > now() as is_later
      from public.notification_preferences where user_id = ${reader.id}`;
    expect(next).toEqual({ is_later: true });
  });

  it("waits for the store whose day ends last: its evening stands in no later one", async () => {
    const { sql } = database;
    // 26 hours apart: in the west it is never the day that has begun in the east.
    const [east, west] = ["Etc/GMT-14", "Etc/GMT+12"];
    const org = await createOrganization(sql, { store: { timezone: east } });
    const reader = org.users.owner;
    const storeId = await createStore(sql, { orgId: org.id, timezone: west });
    const roue = await createCampaign(sql, { orgId: org.id, storeId });
    await choose(reader, { summary: "daily" }, org.id);
    await review(sql, { campaignId: roue.id, rating: 5 });
    const dueOn = async (day: string) => {
      await sql.unsafe(
        `update public.notification_preferences set next_summary_at = (${day})::timestamp at time zone $1
         where user_id = $2`,
        [east, reader.id],
      );
    };
    const next = async () => {
      const [row] = await sql`
        select next_summary_at <= now() as is_due from public.notification_preferences where user_id = ${reader.id}`;
      return row;
    };
    await messages();

    await dueOn(`(now() at time zone '${east}')::date`);
    await send();
    expect(await messages()).toEqual([]);
    expect(await next()).toEqual({ is_due: true });

    // The day that is over in the west as well, with all that happened on it.
    await sql`
      update public.campaign_daily_stats set day = (now() at time zone ${west})::date - 1 where org_id = ${org.id}`;
    await dueOn(`(now() at time zone '${west}')::date`);
    await send();
    expect(await messages()).toMatchObject([
      { template: "daily_summary", recipient: reader.email, data: { facts: { reviews: "1" } } },
    ]);
    expect(await next()).toEqual({ is_due: false });
  });

  it("is written once a period, with the figures of that period, to whoever may read them", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const roue = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    for (const rating of [5, 4]) await review(sql, { campaignId: roue.id, rating });
    await choose(org.users.owner, { summary: "daily" }, org.id);
    await choose(org.users.admin, { summary: "weekly" }, org.id);
    await choose(org.users.cashier, { summary: "daily" }, org.id);
    for (const user of Object.values(org.users)) {
      await makeDue(user, secondsFromNow(-1).toISOString());
    }
    await messages();
    // Nothing has happened yesterday, and last week: a day is not worth a mail, a week is.
    await sql`update public.campaign_daily_stats set day = day - 100 where org_id = ${org.id}`;
    await send();
    expect(await messages()).toMatchObject([
      {
        template: "weekly_summary",
        recipient: org.users.admin.email,
        data: {
          facts: { reviews: "0" },
          days: { from: { timezone: "Europe/Paris" }, to: { timezone: "Europe/Paris" } },
        },
      },
    ]);
    await send();
    expect(await messages()).toEqual([]);

    await sql`
      update public.campaign_daily_stats set day = (now() at time zone 'Europe/Paris')::date - 1
      where org_id = ${org.id}`;
    await makeDue(org.users.owner, secondsFromNow(-1).toISOString());
    await Promise.all([send(), send(), send()]);
    // Midnight there.
    const [row] = await sql<{ at: string }[]>`
      select to_jsonb(((now() at time zone 'Europe/Paris')::date - 1)::timestamp at time zone 'Europe/Paris') as at`;
    const yesterday = { at: row?.at, timezone: "Europe/Paris" };
    expect(await messages()).toMatchObject([
      {
        template: "daily_summary",
        recipient: org.users.owner.email,
        data: {
          facts: { reviews: "2", average: "4,5", organization: org.name },
          days: { from: yesterday, to: yesterday },
        },
      },
    ]);
  });
});

describe("a notice that waits", () => {
  const ALL = ["low_rating", "monthly_report", "weekly_summary"];
  const FIGURES = ["monthly_report", "weekly_summary"];
  const without = (...permissions: string[]) => ({
    role: ["activity.read", "reviews.read", "customers.read"].filter(
      (permission) => !permissions.includes(permission),
    ),
  });

  it.each<[string, { sql?: string; role?: string[] }, string[]]>([
    ["leaves, where nothing has changed", {}, ALL],
    [
      "leaves with the token of before an update",
      {
        sql: `with reader as (
            update public.notification_preferences set unsubscribe_token = gen_random_uuid() where user_id = $1
            returning unsubscribe_token as old, unsubscribe_secret as new)
          update private.outbox set data = jsonb_set(data, '{facts,token}', to_jsonb(reader.old::text))
          from reader where data #>> '{facts,token}' = reader.new`,
      },
      ALL,
    ],
    [
      "does not leave to whoever was taken out of the team",
      { sql: "delete from public.organization_members where user_id = $1" },
      [],
    ],
    ["does not leave to a role without figures", without("activity.read"), []],
    ["tells no words to a role without reviews", without("reviews.read"), FIGURES],
    ["tells no words to a role without customers", without("customers.read"), FIGURES],
    [
      "does not leave to whoever wants none any more",
      { sql: "update public.notification_preferences set low_ratings = false where user_id = $1" },
      FIGURES,
    ],
    [
      "does not leave to an address that the reader has given up",
      { sql: "update auth.users set email = 'ailleurs-' || id || '@exemple.fr' where id = $1" },
      [],
    ],
  ])("%s", async (_, { sql: change, role }, expected) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { id: campaignId } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    const reader = org.users.admin;
    await sql`
      insert into public.notification_preferences
        (org_id, user_id, low_ratings, monthly_report, next_report_at, summary, next_summary_at)
      values (${org.id}, ${reader.id}, true, true, now(), 'weekly', now())`;
    await messages();
    const { review_id: reviewId } = await review(sql, { campaignId, rating: 1 });
    await sql`select public.record_feedback(${reviewId}, 'Le service était bien trop long.')`;
    await sql`select private.send_summaries(100), private.send_reports(100)`;
    if (change) await sql.unsafe(change, [reader.id]);
    if (role) await giveRole(sql, reader, { orgId: org.id, permissions: role });
    const claimed = await sql<{ template: string }[]>`
      select template from private.claim_messages(100, ${secondsFromNow(600)}) order by template`;
    expect(claimed.map(({ template }) => template)).toEqual(expected);
    const dropped = await sql<{ template: string }[]>`
      select template from private.outbox
      where state = 'failed' and last_error = 'reader_left' and data = '{}' order by template`;
    expect(dropped.map(({ template }) => template)).toEqual(
      ALL.filter((template) => !expected.includes(template)),
    );
  });
});

describe("a text message that waits", () => {
  const LEFT = "delete from public.organization_members where user_id = $1";

  it.each<[string, string, string, boolean]>([
    ["leaves, where nothing has changed", "33612345601", "select $1::uuid", true],
    ["does not leave to whoever was taken out of the team", "33612345602", LEFT, false],
    [
      "does not leave to whoever wants no text message any more",
      "33612345603",
      "update public.notification_preferences set sms = false where user_id = $1",
      false,
    ],
    [
      "does not leave to a number that the reader has given up",
      "33612345604",
      "update auth.users set phone = '33600000000' where id = $1",
      false,
    ],
  ])("%s", async (_, phone, change, leaves) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { id: campaignId } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    const reader = org.users.admin;
    await sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${reader.id}`;
    await choose(reader, { email: false, sms: true, low: true }, org.id);
    await messages();
    await review(sql, { campaignId, rating: 1 });
    await sql.unsafe(change, [reader.id]);
    const claimed = await sql<{ channel: string; recipient: string }[]>`
      select channel, recipient from private.claim_messages(100, ${secondsFromNow(600)})`;
    expect(claimed).toEqual(leaves ? [{ channel: "sms", recipient: phone }] : []);
    expect(
      await sql`select state, last_error, data = '{}' as is_empty from private.outbox`,
    ).toEqual([
      leaves
        ? { state: "queued", last_error: null, is_empty: false }
        : { state: "failed", last_error: "reader_left", is_empty: true },
    ]);
  });

  it("does not leave in the place of one that was dropped before it", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { id: campaignId } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    const reader = org.users.admin;
    await choose(reader, { low: true }, org.id);
    await messages();
    for (const rating of [1, 2, 3]) await review(sql, { campaignId, rating });
    await sql.unsafe(LEFT, [reader.id]);
    expect(await sql`select id from private.claim_messages(1, ${secondsFromNow(600)})`).toEqual([]);
    expect(await sql`select distinct last_error from private.outbox`).toEqual([
      { last_error: "reader_left" },
    ]);
  });
});

describe("unsubscribing", () => {
  it("ends what the mail was about, by its token alone", async () => {
    const { sql } = database;
    await choose(ours.users.owner, { low: true, summary: "daily" });
    const state = async () => {
      const [row] = await sql`
        select low_ratings, summary, next_summary_at is null as is_over, unsubscribe_secret
        from public.notification_preferences where user_id = ${ours.users.owner.id}`;
      return row;
    };
    const token = (await state())?.unsubscribe_secret;
    const end = (by: string, kind: string) =>
      sql`select public.unsubscribe(${by}, ${kind}) as answer`;
    for (const other of [randomUUID(), "0".repeat(64), "", "-".repeat(36)]) {
      expect(await end(other, "alert")).toMatchObject([{ answer: false }]);
    }
    expect(await end(token, "everything")).toMatchObject([{ answer: false }]);
    expect(await state()).toMatchObject({ low_ratings: true, summary: "daily", is_over: false });
    await end(token, "alert");
    expect(await state()).toMatchObject({ low_ratings: false, summary: "daily" });
    await end(token, "summary");
    expect(await state()).toMatchObject({ summary: "none", is_over: true });
  });

  it("takes links of 256 random bits, and those of mails from before", async () => {
    const { sql } = database;
    const { id } = ours.users.owner;
    const secrets = await sql<{ secret: string; token: string | null }[]>`
      select unsubscribe_secret as secret, unsubscribe_token as token from public.notification_preferences
      where org_id = ${ours.id}`;
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(secrets.length);
    for (const { secret, token } of secrets) {
      expect([secret, token]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), null]);
    }
    const former = randomUUID();
    await sql`
      update public.notification_preferences set unsubscribe_token = ${former}, low_ratings = true where user_id = ${id}`;
    const [answer] = await sql`select public.unsubscribe(${former}, 'alert') as answer`;
    expect(answer).toEqual({ answer: true });
    const wanting =
      await sql`select from public.notification_preferences where user_id = ${id} and low_ratings`;
    expect(wanting).toHaveLength(0);
  });
});
