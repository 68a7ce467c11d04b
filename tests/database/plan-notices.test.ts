import type { Sql } from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditTrail } from "#domain/schemas/team.ts";
import { auditActionName, auditSentence } from "../../web/features/team/audit/audit-sentence.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, daysFromNow, type Organization } from "../harness/fixtures.ts";

/** Notices to owner and admins about their plan, once each, and their entries in the trail. */

const database = setUpTestDatabase();
let sql: Sql;
let org: Organization;

beforeAll(async () => {
  sql = database.sql;
});

/** Mails to the organisation's people so far: template, role, the day that it mentions, and the organisation's colour. */
async function mails({ users }: Organization) {
  const roleOf = new Map(Object.entries(users).map(([role, { email }]) => [email, role]));
  const rows = await sql<
    { template: string; recipient: string; day: Date; color: string | null }[]
  >`
    select template, recipient, (data #>> '{days,day,at}')::timestamptz as day, data #>> '{brand,color}' as color
    from private.outbox
    where channel = 'mail' and recipient = any (${[...roleOf.keys()]}) order by recipient`;
  return rows.map(({ template, recipient, day, color }) =>
    [template, roleOf.get(recipient), day.toISOString(), ...(color ? [color] : [])].join(" "),
  );
}

const toBoth = (template: string, day: Date, ...color: string[]) =>
  ["admin", "owner"].map((role) => [template, role, day.toISOString(), ...color].join(" "));

/** Runs every job that ends or announces something, as often as two processes might. */
async function runJobs() {
  for (let times = 0; times < 2; times += 1) {
    await sql`
      select private.notify_ending_trials(1000), private.end_trials(1000), private.end_periods(1000),
        private.suspend_unpaid_plans(1000)`;
  }
}

/** Subscription that the payment provider is made to hold. */
const apply = (
  { slug }: Organization,
  state: "active" | "past_due" | "canceled",
  { plan = "pro", since = null, ended = null, isEnding = false, due = null }: Partial<Held> = {},
) => sql`
  select public.apply_subscription(${`cus_${slug}`}, ${`sub_${slug}`}, ${plan}, 'monthly', ${state},
    ${daysFromNow(20)}, ${isEnding}, ${since}, ${ended}, p_due_cents => ${due})`;
type Held = {
  plan: string;
  since: Date | null;
  ended: Date | null;
  isEnding: boolean;
  due: number | null;
};

const subscribed = async (options: Parameters<typeof createOrganization>[1] = {}) => {
  const made = await createOrganization(sql, options);
  await sql`select public.set_billing_customer(${made.id}, ${`cus_${made.slug}`})`;
  return made;
};

describe("a trial", () => {
  it("is spoken of three days before its end, not earlier, again when that has moved, and once it is over", async () => {
    const end = daysFromNow(2.9);
    const soon = await createOrganization(sql, { plan: "free_trial", trialEnd: end });
    const later = await createOrganization(sql, { plan: "free_trial", trialEnd: daysFromNow(3.1) });
    await Promise.all([runJobs(), runJobs()]);
    expect(await mails(soon)).toEqual(toBoth("trial_ending", end));
    expect(await mails(later)).toEqual([]);

    // A team that was given more time is notified of the new end.
    const moved = daysFromNow(2.5);
    await sql`delete from private.outbox where template = 'trial_ending'`;
    await sql`update public.subscriptions set trial_end = ${moved} where org_id = ${soon.id}`;
    await runJobs();
    expect(await mails(soon)).toEqual(toBoth("trial_ending", moved));

    const over = daysFromNow(-0.01);
    await sql`update public.subscriptions set trial_end = ${over} where org_id = ${soon.id}`;
    await sql`delete from private.outbox where template = 'trial_ending'`;
    await Promise.all([runJobs(), runJobs()]);
    expect(await mails(soon)).toEqual(
      toBoth("trial_ended", new Date(over.getTime() + 30 * 86_400_000)),
    );
  });

  it("of an organisation that is being ended is not", async () => {
    const made = await createOrganization(sql, { plan: "free_trial", trialEnd: daysFromNow(1) });
    await sql`update public.subscriptions set is_ending = true where org_id = ${made.id}`;
    await runJobs();
    await sql`update public.subscriptions set trial_end = ${daysFromNow(-1)} where org_id = ${made.id}`;
    await runJobs();
    expect(await mails(made)).toEqual([]);
  });
});

describe("a bill that is not paid", () => {
  beforeEach(async () => {
    org = await subscribed();
    await apply(org, "active");
  });

  it("is mailed once with the end of the notice and the merchant's colour, then the suspension", async () => {
    await sql`insert into public.organization_brands (org_id, color) values (${org.id}, '#1d4ed8')`;
    const since = daysFromNow(-1);
    await apply(org, "past_due", { since });
    await apply(org, "past_due", { since });
    await runJobs();
    expect(await mails(org)).toEqual(
      toBoth("payment_failed", new Date(since.getTime() + 8 * 86_400_000), "#1d4ed8"),
    );
    await sql`delete from private.outbox`;
    const old = daysFromNow(-8.5);
    await sql`update public.subscriptions set past_due_since = ${old} where org_id = ${org.id}`;
    await sql`delete from private.outbox`;
    await Promise.all([runJobs(), runJobs()]);
    expect(await mails(org)).toEqual(
      toBoth("plan_suspended", new Date(old.getTime() + 38 * 86_400_000), "#1d4ed8"),
    );
    // It is paid, and the provider's messages come once more in another order: nothing is told again.
    await apply(org, "active");
    await sql`delete from private.outbox`;
    await apply(org, "past_due", { since: old });
    await apply(org, "active");
    expect(await mails(org)).toEqual([]);
  });

  it("is mailed with what is left to pay, until it is paid", async () => {
    const dues = async () => {
      const rows = await sql<{ told: string }[]>`
        select concat_ws(' ', template, data -> 'due_cents') as told from private.outbox
        where channel = 'mail' and recipient = ${org.users.owner.email} order by id`;
      return rows.map(({ told }) => told);
    };
    const since = daysFromNow(-7.9);
    await apply(org, "past_due", { since, due: 17_880 });
    // Part of it is paid: the same bill is not told again.
    await apply(org, "past_due", { since, due: 10_000 });
    await sql`update public.subscriptions set past_due_since = ${daysFromNow(-8.5)} where org_id = ${org.id}`;
    await sql`select private.suspend_unpaid_plans(1000)`;
    expect(await dues()).toEqual([
      "payment_failed 17880",
      "payment_failed 10000",
      "plan_suspended 10000",
    ]);
    await apply(org, "active");
    const [row] = await sql`select due_cents from public.subscriptions where org_id = ${org.id}`;
    expect(row).toEqual({ due_cents: null });
    // Nor is it said where the provider did not say.
    await apply(org, "past_due", { since: daysFromNow(-1) });
    expect((await dues()).at(-1)).toBe("payment_failed");
  });

  it("tells the end of a subscription that was cancelled", async () => {
    const ended = daysFromNow(-0.5);
    await apply(org, "canceled", { ended });
    await apply(org, "canceled", { ended });
    await runJobs();
    expect(await mails(org)).toEqual(
      toBoth("plan_ended", new Date(ended.getTime() + 30 * 86_400_000)),
    );
  });
});

describe("the trail", () => {
  const sentences = async () => {
    const [row] = await database.as(
      { userId: org.users.owner.id },
      (tx) => tx<{ t: unknown }[]>`
      select public.audit_trail(${org.id}) as t`,
    );
    return auditTrail
      .parse(row?.t)
      .items.toReversed()
      .filter(({ action }) => /^(plan|notifications)\./.test(action))
      .map((event) => {
        expect(auditActionName(event.action)).toMatch(/^(Abonnement|Notifications) : /);
        return `${event.is_platform ? "Tournavis" : event.by} ${auditSentence(event)}`;
      });
  };

  it("says what became of the plan, and by whom", async () => {
    org = await subscribed({ plan: "basic" });
    const { admin } = org.users;
    await sql`delete from public.audit_events where org_id = ${org.id}`;
    await sql.begin(async (tx) => {
      await tx`select public.begin_billing(${admin.id}, ${admin.id}, 'aal1', ${org.id})`;
      await tx`
        select public.apply_subscription(${`cus_${org.slug}`}, ${`sub_${org.slug}`}, 'pro', 'yearly', 'active',
          ${daysFromNow(300)}, false, null, null)`;
    });
    const held = { plan: "pro" };
    const since = daysFromNow(-2);
    await apply(org, "active", held);
    await apply(org, "past_due", { ...held, since });
    await apply(org, "past_due", { ...held, since });
    await apply(org, "active", held);
    await apply(org, "active", { ...held, isEnding: true });
    await apply(org, "active", held);
    await apply(org, "canceled", { ...held, ended: daysFromNow(-0.1) });
    expect(await sentences()).toEqual([
      "Camille Martin a changé le plan : Basic → Pro, annuel",
      "Tournavis a changé le plan : Pro, annuel → Pro, mensuel",
      "Tournavis a constaté un paiement non abouti (Pro, mensuel)",
      "Tournavis a rouvert le plan (Pro, mensuel)",
      "Tournavis a enregistré la résiliation du plan (Pro, mensuel) en fin de période",
      "Tournavis a annulé la résiliation du plan (Pro, mensuel)",
      "Tournavis a clos le plan (Pro, mensuel)",
    ]);
  });

  it("says that a member changed their notices, once for each change", async () => {
    org = await createOrganization(sql);
    const { member } = org.users;
    await sql`insert into public.notification_preferences (org_id, user_id) values (${org.id}, ${member.id})`;
    const save = () =>
      database.as(
        { userId: member.id },
        (tx) => tx`select public.save_notifications(${org.id}, true, false, true, 'weekly')`,
      );
    await save();
    await save();
    expect(await sentences()).toEqual(["Camille Martin a changé ses notifications"]);
  });
});
