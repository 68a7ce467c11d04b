import { beforeEach, describe, expect, it } from "vitest";
import { monthlyReport } from "#domain/schemas/monthly-report.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createRole,
  createStore,
  createUser,
  type Organization,
  type User,
} from "../harness/fixtures.ts";

/** The report of a month: what stands in it, who gets it, and that each gets it once. */

const database = setUpTestDatabase();
let ours: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql, { plan: "pro" });
  await database.sql`delete from public.notification_preferences`;
  await database.sql`delete from private.outbox`;
});

const send = () => database.sql`select private.send_reports(100)`;

/** The member wants reports; the next is due at a moment. */
async function subscribes(user: User, at = "2025-03-01T07:00:00Z", organization = ours) {
  await database.as({ userId: user.id }, async (sql) => {
    await sql`select public.save_notifications(${organization.id}, true, false, false, 'none', true)`;
  });
  await database.sql`
    update public.notification_preferences set next_report_at = ${at} where user_id = ${user.id}`;
}

type Mail = { template: string; recipient: string; data: { report?: unknown } };

async function mails(): Promise<Mail[]> {
  return database.sql<Mail[]>`
    select template, recipient, data from private.outbox order by recipient, id`;
}

async function reports() {
  return (await mails()).map(({ template, recipient, data }) => {
    expect(template).toBe("monthly_report");
    return { recipient, month: monthlyReport.parse(data.report).month };
  });
}

/** Answer to the server for a user and a month, an SQL expression. */
async function asked(user: User, month: string, organization = ours) {
  const [row] = await database.sql.unsafe<{ outcome: string; report: unknown }[]>(
    `select outcome, report from public.monthly_report($1, $1, 'aal1', $2, ${month})`,
    [user.id, organization.id],
  );
  return row;
}

const THIS_MONTH = "date_trunc('month', private.now_in('Europe/Paris'))::date";
const monthsAgo = (months: number) => `(${THIS_MONTH} - interval '${months} months')::date`;

describe("the report of a month", () => {
  it("is due on the first at 8 in the morning there, across a change of the clock and of the year", async () => {
    const next = async (zone: string, after: string) => {
      const [row] = await database.sql<{ at: Date }[]>`
        select private.next_report(${zone}, ${after}) as at`;
      return row?.at.toISOString();
    };
    expect(await next("Europe/Paris", "2026-03-01T06:59:59Z")).toBe("2026-03-01T07:00:00.000Z");
    expect(await next("Europe/Paris", "2026-03-01T07:00:00Z")).toBe("2026-04-01T06:00:00.000Z");
    expect(await next("Europe/Paris", "2026-12-31T23:30:00Z")).toBe("2027-01-01T07:00:00.000Z");
    expect(await next("Pacific/Kiritimati", "2026-01-31T12:00:00Z")).toBe(
      "2026-01-31T18:00:00.000Z",
    );
  });

  it("goes out once a month and member, however many jobs run, and whichever of them breaks off", async () => {
    const { owner, admin } = ours.users;
    await subscribes(owner);
    await subscribes(admin);
    await database.sql
      .begin(async (sql) => {
        await sql`select private.send_reports(100)`;
        throw new Error("the process dies before it commits");
      })
      .catch(() => undefined);
    expect(await mails()).toEqual([]);
    await Promise.all([send(), send(), send()]);
    await send();
    const expected = [admin.email, owner.email].sort();
    expect(await reports()).toEqual(
      expected.map((recipient) => ({ recipient, month: "2025-02-01" })),
    );
    // However late it came, the next is due on the first of the next month.
    const [row] = await database.sql<{ is_right: boolean }[]>`
      select bool_and(n.next_report_at = private.next_report('Europe/Paris', now())) as is_right
      from public.notification_preferences n where n.org_id = ${ours.id}`;
    expect(row?.is_right).toBe(true);
  });

  it("is of the reader's own organisation and month, whoever else is due", async () => {
    const theirs = await createOrganization(database.sql, { plan: "pro" });
    for (const organization of [ours, theirs]) {
      const { owner, admin, member } = organization.users;
      await subscribes(owner, "2025-03-01T07:00:00Z", organization);
      await subscribes(admin, "2025-03-01T07:00:00Z", organization);
      await subscribes(member, "2025-04-01T06:00:00Z", organization);
    }
    await send();
    const got = (await mails()).map(({ recipient, data }) => {
      const { organization, month } = monthlyReport.parse(data.report);
      return { recipient, organization, month };
    });
    expect(got).toHaveLength(6);
    expect(got).toEqual(
      expect.arrayContaining(
        [ours, theirs].flatMap(({ name, users: { owner, admin, member } }) => [
          { recipient: owner.email, organization: name, month: "2025-02-01" },
          { recipient: admin.email, organization: name, month: "2025-02-01" },
          { recipient: member.email, organization: name, month: "2025-03-01" },
        ]),
      ),
    );
  });

  it("is of the month that is over there, where it is another one in UTC", async () => {
    await database.sql`update public.stores set timezone = 'Pacific/Kiritimati' where id = ${ours.storeId}`;
    await subscribes(ours.users.owner, "2025-02-28T18:00:00Z");
    await send();
    expect(await reports()).toMatchObject([{ month: "2025-02-01" }]);
  });

  it("waits until its last day is over in every store", async () => {
    const { sql } = database;
    const { owner } = ours.users;
    // 26 hours apart: in the west it is never the day that has begun in the east.
    const [east, west] = ["Etc/GMT-14", "Etc/GMT+12"];
    await sql`update public.stores set timezone = ${east} where id = ${ours.storeId}`;
    await createStore(sql, { orgId: ours.id, timezone: west });
    const [moments] = await sql<{ early: string; late: string }[]>`
      select ((now() at time zone ${east})::date::timestamp at time zone ${east})::text as early,
        ((now() at time zone ${west})::date::timestamp at time zone ${east})::text as late`;
    await subscribes(owner, moments?.early);
    await send();
    expect(await mails()).toEqual([]);
    await subscribes(owner, moments?.late);
    await send();
    expect(await reports()).toMatchObject([{ recipient: owner.email }]);
  });

  it("moves with the clock of the first store: none comes early, is of another month, or comes twice", async () => {
    const { sql } = database;
    const { owner } = ours.users;
    const second = await createStore(sql, { orgId: ours.id });
    await subscribes(owner, "2025-03-01T07:00:00Z");
    await sql`
      update public.notification_preferences set summary = 'weekly', next_summary_at = '2025-03-03T07:00:00Z'
      where user_id = ${owner.id}`;
    const waits = async () => {
      const [row] = await sql<{ report: Date; summary: Date }[]>`
        select next_report_at as report, next_summary_at as summary
        from public.notification_preferences where user_id = ${owner.id}`;
      return [row?.report.toISOString(), row?.summary.toISOString()];
    };
    const moveTo = (zone: string, store = ours.storeId) => sql`
      update public.stores set timezone = ${zone} where id = ${store}`;
    const inParis = await waits();
    expect(inParis).toEqual(["2025-03-01T07:00:00.000Z", "2025-03-03T07:00:00.000Z"]);
    // Every store is opened with the clock of Paris, and gets its own in its settings.
    await moveTo("Pacific/Tahiti");
    const inTahiti = ["2025-03-01T18:00:00.000Z", "2025-03-03T18:00:00.000Z"];
    expect(await waits()).toEqual(inTahiti);
    await moveTo("Asia/Tokyo", second);
    expect(await waits()).toEqual(inTahiti);
    await moveTo("Europe/Paris");
    expect(await waits()).toEqual(inParis);
    // Without its first store, an organisation goes by the next one.
    await sql`delete from public.stores where id = ${ours.storeId}`;
    expect(await waits()).toEqual(["2025-02-28T23:00:00.000Z", "2025-03-02T23:00:00.000Z"]);
    await sql`delete from public.stores where id = ${second}`;
    expect(await waits()).toEqual(inParis);
    await createStore(sql, { orgId: ours.id, timezone: "Pacific/Tahiti" });
    expect(await waits()).toEqual(inTahiti);
    await send();
    expect(await reports()).toEqual([{ recipient: owner.email, month: "2025-02-01" }]);
  });

  it("is made sixty times an hour for a person, who holds up no colleague", async () => {
    const { owner, admin } = ours.users;
    const month = monthsAgo(1);
    for (let times = 0; times < 60; times += 1) {
      expect((await asked(owner, month))?.outcome).toBe("made");
    }
    expect(await asked(owner, month)).toEqual({ outcome: "too_many_attempts", report: null });
    expect((await asked(admin, month))?.outcome).toBe("made");
  });

  it("says what the dashboard says of the same days, free entries and public pages with it", async () => {
    const { sql } = database;
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    for (const [day, scans] of [
      ["2025-01-31", 40],
      ["2025-02-01", 7],
      ["2025-02-28", 5],
      ["2025-03-01", 90],
    ] as const) {
      await sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans, reviews, rating_sum,
          spins, wins, redemptions, free_spins)
        values (${ours.id}, ${campaign.id}, ${ours.storeId}, ${day}, 0, ${scans}, 2, 9, 3, 1, 1, 1)`;
    }
    for (const [day, reviews] of [
      ["2025-01-20", 110],
      ["2025-02-03", 115],
      ["2025-02-27", 124],
      ["2025-03-02", 130],
    ] as const) {
      await sql`
        insert into public.public_ratings (org_id, store_id, day, rating, reviews)
        values (${ours.id}, ${ours.storeId}, ${day}, 4.5, ${reviews})`;
    }
    await subscribes(ours.users.owner);
    await send();
    const [mail] = await mails();
    const report = monthlyReport.parse(mail?.data.report);
    expect(report.figures.totals).toMatchObject({ scans: 12, reviews: 4 });
    expect(report.figures.previous).toMatchObject({ scans: 40 });
    expect(report.figures.days).toHaveLength(28);
    expect(report.figures.funnel).toMatchObject({ spins: 4, free: { spins: 2 } });
    expect(report.public_pages).toMatchObject([
      { at: { day: "2025-02-27", reviews: 124 }, before: { day: "2025-01-20", reviews: 110 } },
    ]);
    const shown = await database.as({ userId: ours.users.owner.id }, async (as) => {
      const [row] = await as<{ answer: unknown }[]>`
        select public.period_figures(${ours.id}, '2025-02-01', '2025-02-28') as answer`;
      return row?.answer;
    });
    expect(report.figures).toEqual(shown);
    // It is handed on: nobody's name or address stands in it.
    expect(JSON.stringify(report)).not.toMatch(/@|customer/);
  });

  it("goes to nobody without the figures, the plan, or the wish", async () => {
    const { owner, member, admin } = ours.users;
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    await subscribes(trial.users.owner, undefined, trial);
    await subscribes(member);
    const role = await createRole(database.sql, { orgId: ours.id, permissions: ["stores.read"] });
    await database.sql`
      update public.organization_members set role = ${role} where user_id = ${member.id}`;
    await subscribes(admin);
    await subscribes(owner);
    const [row] = await database.sql<{ token: string }[]>`
      select unsubscribe_secret as token from public.notification_preferences where user_id = ${admin.id}`;
    await database.sql`
      update public.notification_preferences set summary = 'weekly', next_summary_at = now() + interval '1 day', low_ratings = true
      where user_id = ${admin.id}`;
    await database.sql`select public.unsubscribe(${row?.token ?? ""}, 'report')`;
    const [others] = await database.sql`
      select summary, low_ratings, monthly_report from public.notification_preferences where user_id = ${admin.id}`;
    expect(others).toEqual({ summary: "weekly", low_ratings: true, monthly_report: false });
    // A page of an older release saves without a word about reports.
    await database.as({ userId: owner.id }, async (sql) => {
      await sql`select public.save_notifications(${ours.id}, true, false, true, 'none')`;
    });
    await send();
    expect(await reports()).toEqual([{ recipient: owner.email, month: "2025-02-01" }]);
    // Without e-mail none is due, and none is caught up later.
    await database.as({ userId: owner.id }, async (sql) => {
      await sql`select public.save_notifications(${ours.id}, false, false, true, 'none', true)`;
    });
    const [kept] = await database.sql`
      select monthly_report, next_report_at from public.notification_preferences where user_id = ${owner.id}`;
    expect(kept).toEqual({ monthly_report: true, next_report_at: null });
  });

  it("is on for the owner of a new organisation", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    await database.as({ userId: user.id }, async (as) => {
      await as`select public.create_organization('Chez Nous', ${`chez-nous-${user.id}`})`;
    });
    const made = await sql`
      select monthly_report, next_report_at > created_at as is_due
      from public.notification_preferences n join public.organizations o on o.id = n.org_id
      where n.user_id = ${user.id}`;
    expect([...made]).toEqual([{ monthly_report: true, is_due: true }]);
  });

  it("is made of any of the last 12 months that are over, for whoever reads the figures of a plan with them", async () => {
    const { owner, member, cashier } = ours.users;
    const theirs = await createOrganization(database.sql);
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    for (const months of [1, 12]) {
      const made = await asked(member, monthsAgo(months));
      expect(made?.outcome).toBe("made");
      expect(monthlyReport.parse(made?.report).organization).toBe(ours.name);
    }
    for (const [user, month, organization, outcome] of [
      [owner, THIS_MONTH, ours, "month"],
      [owner, monthsAgo(13), ours, "month"],
      [owner, `${monthsAgo(2)} + 1`, ours, "month"],
      [owner, "null", ours, "month"],
      [cashier, monthsAgo(1), ours, "forbidden"],
      [theirs.users.owner, monthsAgo(1), ours, "forbidden"],
      [trial.users.owner, monthsAgo(1), trial, "plan"],
    ] as const) {
      expect(await asked(user, month, organization)).toEqual({ outcome, report: null });
    }
  });
});
