import type { ISql, Sql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { billingOverview } from "#domain/schemas/billing.ts";
import { plan } from "../../supabase/functions/_shared/domain/rules/plan-names.ts";
import { PLAN_LIMITS } from "../../supabase/functions/_shared/domain/rules/plans.ts";
import {
  EXPORT_AFTER_END_DAYS,
  PAYMENT_NOTICE_DAYS,
} from "../../supabase/functions/_shared/domain/rules/retention.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createUser,
  daysFromNow,
} from "../harness/fixtures.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Life of a subscription: its end by itself, the parts that close then, and those that stay. */

const database = setUpTestDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

async function statusOf(id: string) {
  const [row] = await sql`
    select status, closed_at is not null as is_closed from public.subscriptions where org_id = ${id}`;
  return row;
}

it("gives the notice of a default of payment, and the time to export, that the pages name", async () => {
  const [days] = await sql`
    select extract(day from private.payment_notice())::integer as notice,
      extract(day from private.export_time())::integer as to_export`;
  expect(days).toEqual({ notice: PAYMENT_NOTICE_DAYS, to_export: EXPORT_AFTER_END_DAYS });
});

describe("the jobs", () => {
  it.each([
    ["end_trials", { plan: "free_trial", trialEnd: daysFromNow(-0.1) }, "canceled"],
    ["end_trials", { plan: "free_trial", trialEnd: daysFromNow(0.1) }, "active"],
    ["end_periods", { plan: "pro", currentPeriodEnd: daysFromNow(-7.9) }, "active"],
    ["end_periods", { plan: "pro", currentPeriodEnd: daysFromNow(-8.1) }, "canceled"],
  ] as const)("%s on %j: %s", async (job, options, status) => {
    const { id } = await createOrganization(sql, options);
    await sql`select private.${sql(job)}(1000)`;
    expect(await statusOf(id)).toEqual({ status, is_closed: status !== "active" });
  });

  it("suspend eight days after an open bill, not before, and end what was cancelled at once", async () => {
    const late = await createOrganization(sql, { status: "past_due" });
    const early = await createOrganization(sql, { status: "past_due" });
    const leaving = await createOrganization(sql, { currentPeriodEnd: daysFromNow(-0.1) });
    await sql`update public.subscriptions set past_due_since = ${daysFromNow(-8.1)} where org_id = ${late.id}`;
    await sql`update public.subscriptions set past_due_since = ${daysFromNow(-7.9)} where org_id = ${early.id}`;
    await sql`update public.subscriptions set cancel_at_period_end = true where org_id = ${leaving.id}`;
    await sql`select private.suspend_unpaid_plans(1000), private.end_periods(1000)`;
    expect((await statusOf(late.id))?.status).toBe("suspended");
    expect((await statusOf(early.id))?.status).toBe("past_due");
    expect((await statusOf(leaving.id))?.status).toBe("canceled");
  });
});

describe("the jobs, by the instant", () => {
  const DAYS = "interval '8 days'";
  const LATER = "interval '1 microsecond'";
  const trial = "plan = 'free_trial', trial_end";
  const unpaid = "status = 'past_due', past_due_since";
  const leaving = "cancel_at_period_end = true, current_period_end";

  // A transaction has one time. [job, plan, what becomes of it, when it closed]
  it.each([
    ["end_trials", `${trial} = now()`, "canceled", "trial_end"],
    ["end_trials", `${trial} = now() + ${LATER}`, "active", "null"],
    ["end_trials", "plan = 'pro', trial_end = now() - interval '1 day'", "active", "null"],
    ["end_trials", `${unpaid} = now(), ${trial} = now()`, "past_due", "null"],
    ["end_periods", `current_period_end = now() - ${DAYS}`, "canceled", "current_period_end"],
    ["end_periods", `current_period_end = now() - ${DAYS} + ${LATER}`, "active", "null"],
    ["end_periods", `${leaving} = now()`, "canceled", "current_period_end"],
    ["end_periods", `${leaving} = now() + ${LATER}`, "active", "null"],
    // Renewed until then: the period is followed by another.
    ["end_periods", `cancel_at = now() + ${DAYS}, current_period_end = now()`, "active", "null"],
    [
      "end_periods",
      `cancel_at = now(), current_period_end = now() - ${DAYS}`,
      "canceled",
      "current_period_end",
    ],
    ["end_periods", `${trial} = now(), ${leaving} = now()`, "active", "null"],
    ["end_periods", `${unpaid} = now(), ${leaving} = now()`, "past_due", "null"],
    ["suspend_unpaid_plans", `${unpaid} = now() - ${DAYS}`, "suspended", "now()"],
    ["suspend_unpaid_plans", `${unpaid} = now() - ${DAYS} + ${LATER}`, "past_due", "null"],
  ])("%s on %s: %s", async (job, change, status, closedAt) => {
    await undone(sql, async (tx) => {
      const { id } = await createOrganization(tx);
      await tx.unsafe(`update public.subscriptions set ${change} where org_id = '${id}'`);
      await tx`select private.${tx(job)}(1000)`;
      const [row] = await tx.unsafe(`
        select status, closed_at is not distinct from ${closedAt} as is_instant,
          (cancel_at_period_end or cancel_at is not null) and status = 'canceled' as still_leaves
        from public.subscriptions where org_id = '${id}'`);
      expect(row).toEqual({ status, is_instant: true, still_leaves: false });
    });
  });

  // End of a plan, before they have written it down. [plan, whether it is open, since when it is closed]
  it.each([
    [`${leaving} = now()`, false, "current_period_end"],
    [`${leaving} = now() + ${LATER}`, true, "null"],
    [`current_period_end = now() - ${DAYS}`, false, "current_period_end"],
    [`current_period_end = now() - ${DAYS} + ${LATER}`, true, "null"],
    [`cancel_at = now() + ${DAYS}, current_period_end = now()`, true, "null"],
    [`${trial} = now()`, false, "trial_end"],
    [`${trial} = now() + ${LATER}, ${leaving} = now()`, true, "null"],
    [`${unpaid} = now(), ${leaving} = now()`, true, "null"],
    [`${unpaid} = now() - ${DAYS}`, false, "now()"],
  ])("and without them, on %s: open is %s", async (change, isOpen, since) => {
    await undone(sql, async (tx) => {
      const { id } = await createOrganization(tx);
      await tx.unsafe(`update public.subscriptions set ${change} where org_id = '${id}'`);
      const [row] = await tx.unsafe(`
        select private.is_plan_open(s) as is_open, private.closed_since(s) is not distinct from ${since} as is_instant
        from public.subscriptions s where org_id = '${id}'`);
      expect(row).toEqual({ is_open: isOpen, is_instant: true });
    });
  });

  it("speak of a trial that ends within three days, and has not ended", async () => {
    await undone(sql, async (tx) => {
      const spokenOf = async (trialEnd: string) => {
        const { id } = await createOrganization(tx, { plan: "free_trial" });
        await tx.unsafe(
          `update public.subscriptions set trial_end = ${trialEnd} where org_id = '${id}'`,
        );
        await tx`select private.notify_ending_trials(1000)`;
        return (await tx`select 1 from private.plan_notices where org_id = ${id}`).length > 0;
      };
      expect(await spokenOf("now()")).toBe(false);
      expect(await spokenOf(`now() + ${LATER}`)).toBe(true);
      expect(await spokenOf("now() + interval '3 days'")).toBe(true);
      expect(await spokenOf(`now() + interval '3 days' + ${LATER}`)).toBe(false);
    });
  });

  it.each([
    ["end_trials", `${trial} = now() - interval '1 day'`],
    ["end_periods", "current_period_end = now() - interval '9 days'"],
    ["suspend_unpaid_plans", `${unpaid} = now() - interval '9 days'`],
    ["notify_ending_trials", `${trial} = now() + interval '1 day'`],
    ["reconcile_subscriptions", "stripe_customer_id = 'cus_of_the_locked'"],
  ])("%s passes over a plan that somebody is changing", async (job, change) => {
    const run = async (from: Sql) =>
      undone(from, async (tx) => {
        await tx`set local lock_timeout = '2s'`;
        const [row] = await tx.unsafe<{ count: number }[]>(`select private.${job}(1000) as count`);
        return row?.count ?? 0;
      });
    const before = await run(sql);
    const { id } = await createOrganization(sql);
    await sql.unsafe(`update public.subscriptions set ${change} where org_id = '${id}'`);
    expect(await run(sql)).toBe(before + 1);
    const meanwhile = await undone(sql, async (holder) => {
      await holder`select 1 from public.subscriptions where org_id = ${id} for update`;
      return run(sql);
    });
    expect(meanwhile).toBe(before);
  });
});

const CLOSED = [
  ["an ended trial", { plan: "free_trial", trialEnd: daysFromNow(-1) }],
  ["suspended", { plan: "pro", status: "suspended" }],
  ["canceled", { plan: "basic", status: "canceled" }],
] as const;

describe.each(CLOSED)("%s", (_, options) => {
  it("is read by its team, and written by nobody", async () => {
    const org = await createOrganization(sql, options);
    const write = (role: "owner" | "admin" | "member") =>
      database.as({ userId: org.users[role].id }, async (tx) => {
        await tx`update public.stores set address = 'Ailleurs' where org_id = ${org.id}`;
      });
    for (const role of ["owner", "admin", "member"] as const) {
      await expect(write(role)).rejects.toMatchObject({ code: "TV085" });
      const rows = await database.as(
        { userId: org.users[role].id },
        (tx) => tx`select address from public.stores where org_id = ${org.id}`,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.address).not.toBe("Ailleurs");
    }
    await expect(
      database.as(
        { userId: org.users.owner.id },
        (tx) => tx`
        insert into public.campaigns (org_id, store_id, name) values (${org.id}, ${org.storeId}, 'Neuve')`,
      ),
    ).rejects.toMatchObject({ code: "TV085" });
    expect(await sql`select 1 from public.campaigns where org_id = ${org.id}`).toHaveLength(0);
  });
});

describe("a smaller plan", () => {
  it("lets the campaigns rest that the merchant did not keep", async () => {
    const org = await createOrganization(sql, { plan: "pro" });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push((await createCampaign(sql, { orgId: org.id, storeId: org.storeId })).id);
    }
    const kept = ids.slice(0, 2);
    await sql`select public.set_billing_customer(${org.id}, ${`cus_${org.slug}`})`;
    const keep = async (chosen: string[]) => {
      const [row] = await sql`
        select public.keep_campaigns(${org.id}, 'basic', ${chosen}::uuid[]) as outcome`;
      return row?.outcome;
    };
    expect(await keep([])).toBe("campaigns_to_choose");
    expect(await keep(ids)).toBe("campaigns_to_choose");
    expect(await keep(kept)).toBe("fits");
    const apply = () => sql`
      select public.apply_subscription(${`cus_${org.slug}`}, ${`sub_${org.slug}`}, 'basic', 'monthly', 'active',
        ${daysFromNow(30)}, false, null, null)`;
    await apply();
    await apply();
    const active = await sql<{ id: string }[]>`
      select id from public.campaigns where org_id = ${org.id} and active`;
    expect(active).toHaveLength(PLAN_LIMITS.basic.campaigns);
    // The newest has the room that is left.
    expect(active.map(({ id }) => id).sort()).toEqual([...kept, ids[4]].sort());
  });

  it("asks for a choice only where the campaigns do not fit, and takes one to as many as do", async () => {
    const [org, other] = [await createOrganization(sql), await createOrganization(sql)];
    const campaignsOf = async ({ id: orgId, storeId }: typeof org, count: number, active = true) =>
      Promise.all(
        Array.from({ length: count }, () => createCampaign(sql, { orgId, storeId, active })),
      ).then((made) => made.map(({ id }) => id));
    const room = PLAN_LIMITS.basic.campaigns;
    const ids = await campaignsOf(org, room);
    const resting = await campaignsOf(org, 2, false);
    const theirs = await campaignsOf(other, room + 1);
    const keep = async (chosen: string[], plan = "basic") => {
      const [row] = await sql`
        select public.keep_campaigns(${org.id}, ${plan}, ${chosen}::uuid[]) as outcome`;
      return row?.outcome;
    };
    const noted = async () => {
      const [row] = await sql<{ ids: string[] }[]>`
        select kept_campaign_ids as ids from public.subscriptions where org_id = ${org.id}`;
      return row?.ids.toSorted();
    };
    expect(await keep([])).toBe("fits");
    ids.push(...(await campaignsOf(org, 1)));
    expect(await keep([], "pro")).toBe("fits");
    expect(await keep([...theirs, ...resting])).toBe("campaigns_to_choose");
    expect(await noted()).toEqual([]);
    for (const chosen of [ids.slice(0, 1), ids.slice(0, room)]) {
      expect(await keep([...chosen, ...resting, ...theirs])).toBe("fits");
      expect(await noted()).toEqual(chosen.toSorted());
    }
    const [untouched] = await sql<{ ids: string[] }[]>`
      select kept_campaign_ids as ids from public.subscriptions where org_id = ${other.id}`;
    expect(untouched?.ids).toEqual([]);

    // A plan without a limit lets none rest.
    await sql`select private.deactivate_excess_campaigns(${other.id})`;
    const running = await sql`
      select 1 from public.campaigns where org_id = ${other.id} and active`;
    expect(running).toHaveLength(room + 1);
  });

  it("that has room for no campaign lets all of them rest", async () => {
    await undone(sql, async (tx) => {
      const org = await createOrganization(tx, { plan: "basic" });
      await createCampaign(tx, { orgId: org.id, storeId: org.storeId });
      await tx`update public.plan_limits set max_active_campaigns = 0 where plan = 'basic'`;
      const [asked] = await tx`select public.keep_campaigns(${org.id}, 'basic', '{}') as outcome`;
      expect(asked?.outcome).toBe("campaigns_to_choose");
      await tx`select private.deactivate_excess_campaigns(${org.id})`;
      const running = await tx`select 1 from public.campaigns where org_id = ${org.id} and active`;
      expect(running).toEqual([]);
    });
  });
});

describe("who changes what is paid for", () => {
  const begin = async (tx: ISql, userId: string, orgId: string | null = null) => {
    const [row] = await tx`
      select outcome, org_id, org_name, email, plan, status, customer_id, subscription_id
      from public.begin_billing(${userId}, ${userId}, 'aal1', ${orgId})`;
    return row;
  };

  it.each([
    ["role falls", "forbidden", "update public.organization_members set role = 'member'"],
    ["place in the team goes", "forbidden", "delete from public.organization_members"],
    ["session ends", "session_ended", "delete from auth.sessions"],
  ])("is nobody whose %s while they wait for a colleague's change", async (_, expected, loss) => {
    const org = await createOrganization(sql);
    const { id } = org.users.admin;
    const waiting = await sql.begin(async (colleague) => {
      await begin(colleague, org.users.owner.id);
      const outcome = begin(sql, id);
      await untilWaiting(sql);
      await sql.unsafe(`${loss} where user_id = $1`, [id]);
      return { outcome };
    });
    expect(await waiting.outcome).toMatchObject({ outcome: expected, customer_id: null });
  });

  it("is an owner or an admin of the organisation that is asked for, or of their own", async () => {
    const [org, other] = [await createOrganization(sql), await createOrganization(sql)];
    await sql`
      update public.subscriptions set stripe_customer_id = ${`cus_${org.slug}`}, stripe_subscription_id = ${`sub_${org.slug}`}
      where org_id = ${org.id}`;
    const { owner, admin, member, cashier } = org.users;
    const granted = {
      outcome: "granted",
      org_id: org.id,
      org_name: org.name,
      plan: "pro",
      status: "active",
      customer_id: `cus_${org.slug}`,
      subscription_id: `sub_${org.slug}`,
    };
    for (const { id, email } of [owner, admin]) {
      expect(await begin(sql, id)).toEqual({ ...granted, email });
      expect(await begin(sql, id, org.id)).toEqual({ ...granted, email });
    }
    for (const [userId, orgId] of [
      [member.id, org.id],
      [cashier.id, null],
      [owner.id, other.id],
    ] as const) {
      expect((await begin(sql, userId, orgId))?.outcome).toBe("forbidden");
    }
    expect((await begin(sql, crypto.randomUUID()))?.outcome).toBe("session_ended");
    await undone(sql, async (tx) => {
      await tx`delete from public.subscriptions where org_id = ${org.id}`;
      expect((await begin(tx, owner.id))?.outcome).toBe("forbidden");
    });
  });

  it("does so alone, and what they do is theirs until the transaction ends", async () => {
    const org = await createOrganization(sql);
    const one = await sql.reserve();
    try {
      await one`begin`;
      await begin(one, org.users.owner.id);
      for (const statement of [
        sql`select public.set_billing_customer(${org.id}, 'cus_meanwhile')`,
        sql`select public.keep_campaigns(${org.id}, 'pro', '{}')`,
      ]) {
        const waiting = undone(sql, async (tx) => {
          await tx`set local lock_timeout = '50ms'`;
          await tx`${statement}`;
        });
        await expect(waiting).rejects.toMatchObject({ code: "55P03" });
      }
      await one`commit`;
      const [row] = await one`select current_setting('tournavis.acting_user', true) as acting`;
      expect(row?.acting || null).toBeNull();
    } finally {
      one.release();
    }
    await sql`select public.set_billing_customer(${org.id}, ${`cus_${org.slug}`})`;
  });

  it("is charged again only by a subscription that runs and was not cancelled", async () => {
    await undone(sql, async (tx) => {
      const org = await createOrganization(tx);
      const other = await createOrganization(tx);
      await tx`update public.subscriptions set stripe_subscription_id = 'sub_other' where org_id = ${other.id}`;
      const isCharged = async (change: string) => {
        await tx.unsafe(`update public.subscriptions set ${change} where org_id = '${org.id}'`);
        const [row] = await tx<{ is: boolean }[]>`
          select private.has_running_payments(${org.id}) as is`;
        return row?.is;
      };
      expect(await isCharged("status = 'active'")).toBe(false);
      expect(await isCharged("stripe_subscription_id = 'sub_ours'")).toBe(true);
      expect(await isCharged("status = 'past_due'")).toBe(true);
      expect(await isCharged("status = 'suspended'")).toBe(true);
      expect(await isCharged("status = 'active', cancel_at = now() + interval '90 days'")).toBe(
        true,
      );
      expect(await isCharged("cancel_at_period_end = true")).toBe(false);
      expect(await isCharged("cancel_at_period_end = false, status = 'canceled'")).toBe(false);
    });
  });
});

describe("the plan as its pages show it", () => {
  const overview = async (userId: string) => {
    const [row] = await database.as(
      { userId },
      (tx) => tx<{ overview: unknown }[]>`select public.billing_overview() as overview`,
    );
    return whole(billingOverview, row?.overview);
  };

  it.each(["is_ending = true", "suspended_at = now()"])(
    "says that a trial runs although its organisation is closed: %s",
    async (state) => {
      const org = await createOrganization(sql);
      await sql.unsafe(
        `update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '3 days', ${state}
        where org_id = $1`,
        [org.id],
      );
      expect(await overview(org.users.owner.id)).toMatchObject({ is_open: true });
    },
  );

  it("names the provider's customer and the active campaigns to whoever manages billing", async () => {
    const org = await createOrganization(sql);
    await createOrganization(sql);
    await sql`
      update public.subscriptions set stripe_customer_id = ${`cus_${org.slug}`}, stripe_subscription_id = ${`sub_${org.slug}`}
      where org_id = ${org.id}`;
    const { id } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId, name: "Été" });
    await createCampaign(sql, { orgId: org.id, storeId: org.storeId, active: false });
    const plan = { org_id: org.id, plan: "pro", status: "active", is_open: true };
    expect(await overview(org.users.owner.id)).toMatchObject({
      ...plan,
      may_manage: true,
      customer_id: `cus_${org.slug}`,
      subscription_id: `sub_${org.slug}`,
      active_campaigns: [{ id, name: "Été" }],
    });
    for (const role of ["member", "cashier"] as const) {
      expect(await overview(org.users[role].id)).toMatchObject({
        ...plan,
        may_manage: false,
        customer_id: null,
        subscription_id: null,
        active_campaigns: [],
      });
    }
  });

  it("says how it is paid and until when, whatever of it is known, and nothing to nobody's member", async () => {
    const org = await createOrganization(sql);
    const paid = {
      ...{ billing: "yearly", trial_end: null, current_period_end: "2027-03-01T00:00:00+00:00" },
      ...{ cancel_at_period_end: true, past_due_since: null },
    };
    const late = {
      ...{ billing: null, trial_end: "2026-01-15T08:00:00+00:00", current_period_end: null },
      ...{ cancel_at_period_end: false, past_due_since: "2026-02-01T09:30:00+00:00" },
    };
    for (const known of [paid, late]) {
      await sql`update public.subscriptions set ${sql(known)} where org_id = ${org.id}`;
      expect(await overview(org.users.member.id)).toMatchObject(known);
    }
    // A change of plan undoes a cancellation for a later day as well.
    await sql`update public.subscriptions set cancel_at = ${daysFromNow(90)} where org_id = ${org.id}`;
    expect(await overview(org.users.member.id)).toMatchObject({ cancel_at_period_end: true });
    expect(await overview((await createUser(sql)).id)).toBeNull();
  });

  it("lists the newest 200 campaigns", async () => {
    const org = await createOrganization(sql);
    await sql`
      insert into public.campaigns (org_id, store_id, name, slug, created_at)
      select ${org.id}, ${org.storeId}, n::text, 'liste-' || n, timestamptz '2026-01-01' + n * interval '1 hour'
      from generate_series(1, 201) n`;
    const { active_campaigns: listed } = (await overview(org.users.owner.id)) ?? {};
    const names = listed?.map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 200 }, (_, place) => String(201 - place)));
  });
});

it("the pages' limits are the database's", async () => {
  const rows = await sql`
    select plan, max_active_campaigns as campaigns, monthly_spins as spins, max_users as users
    from public.plan_limits`;
  expect(rows).toHaveLength(plan.options.length);
  for (const { plan: name, ...limits } of rows)
    expect(PLAN_LIMITS[plan.parse(name)]).toEqual(limits);
});
