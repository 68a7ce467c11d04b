import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  type CampaignList,
  campaignList,
  type Dashboard,
  dashboard,
} from "#domain/schemas/back-office.ts";
import { setUpTestDatabase } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createRole,
  createStore,
  createUser,
  daysFromNow,
  drawWheel,
  type Organization,
  type User,
} from "../../harness/fixtures.ts";
import { redeem, review, scan, spin } from "../../harness/journey.ts";
import { avoidWholeScans, readsDuring } from "../../harness/table-reads.ts";

/** The dashboard and the list of campaigns: one request each, right figures, and nobody else's. */

const database = setUpTestDatabase();

async function ask(user: User, statement: string, values: (string | number)[]): Promise<unknown> {
  return database.as({ userId: user.id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
    return row?.answer;
  });
}

async function dashboardOf(organization: Organization, user = organization.users.owner) {
  return dashboard.parse(
    await ask(user, "select public.dashboard($1) as answer", [organization.id]),
  );
}

async function listOf(
  organization: Organization,
  { q = "", page = 1, user = organization.users.owner } = {},
): Promise<CampaignList> {
  const values = [organization.id, q, page];
  return campaignList.parse(
    await ask(user, "select public.campaign_list($1, $2, p_page => $3) as answer", values),
  );
}

async function refusal(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "allowed",
    (error: unknown) => (error instanceof postgres.PostgresError ? error.code : String(error)),
  );
}

/** A campaign whose every turn wins. */
async function winning(
  { id: orgId, storeId }: Organization,
  type: "gift" | "points" = "gift",
): Promise<Campaign> {
  const campaign = await createCampaign(database.sql, { orgId, storeId, playIntervalDays: 0 });
  const rewardId = await createReward(database.sql, campaign, { type, name: "Café offert" });
  await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
  return campaign;
}

/** Moves what a table dates, so that it happened some minutes ago. */
async function ago(table: string, column: string, where: string, minutes: number): Promise<void> {
  await database.sql.unsafe(
    `update ${table} set ${column} = now() - interval '${minutes} minutes' where ${where}`,
  );
}

/** The part of a store's or a campaign's figures that shows the way of customers. */
const withFunnel = z.object({ advanced: z.object({ funnel: z.unknown() }) });

const NOTHING: Dashboard["totals"] = {
  scans: 0,
  reviews: 0,
  rating_sum: 0,
  five_star_reviews: 0,
  wins: 0,
  points_wins: 0,
  redemptions: 0,
};

describe("the dashboard", () => {
  it("of an organisation where nothing has happened is empty, with its plan's limits", async () => {
    const organization = await createOrganization(database.sql, { plan: "free_trial" });
    expect(await dashboardOf(organization)).toEqual({
      limits: { max_active_campaigns: 1, monthly_spins: 100, max_users: 2 },
      used: { active_campaigns: 0, monthly_spins: 0, users: 4 },
      totals: NOTHING,
      last_30_days: NOTHING,
      previous_30_days: NOTHING,
      has_campaign: false,
      has_reward: false,
      todo: {
        unseen_reviews: { count: 0, items: [] },
        low_stock: [],
        checks: 0,
        over_campaign: null,
        empty_campaign: null,
        unlinked_store: null,
      },
      // The free trial has no trends.
      advanced: null,
      first_day: null,
      activity: [],
      public_ratings: {
        stores: 1,
        items: [
          {
            id: organization.storeId,
            name: expect.any(String),
            rating: { first: null, collected: 0, points: [] },
          },
        ],
      },
      reviews: [],
      active_campaigns: [],
    });
  });

  it("keeps who played without a review beside the funnel, wins and codes with them, also a code given back", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization);
    const { review_id: reviewId } = await review(database.sql, { campaignId: campaign.id });
    await scan(database.sql, { slug: campaign.slug });
    await spin(database.sql, { campaignId: campaign.id, reviewId });
    for (let entry = 0; entry < 3; entry += 1) {
      await spin(database.sql, { campaignId: campaign.id });
    }
    const codes = await database.sql<{ id: string; code: string }[]>`
      select r.id, r.code from public.redemptions r join public.spins s on s.id = r.spin_id
      where r.campaign_id = ${campaign.id} and s.review_id is null order by r.id limit 2`;
    for (const { code } of codes) {
      const { cashier } = organization.users;
      const { storeId } = organization;
      expect(await redeem(database.sql, { userId: cashier.id, code, storeId })).toBe("redeemed");
    }
    await ask(organization.users.cashier, "select public.restore_code($1)", [codes[0]?.id ?? ""]);
    const funnel = {
      ...{ scans: 1, reviews: 1, spins: 1, wins: 1, redemptions: 0 },
      free: { spins: 3, wins: 3, redemptions: 1 },
    };
    const shown = async () => {
      const { owner } = organization.users;
      const stats = async (name: string, id: string) =>
        withFunnel.parse(await ask(owner, `select public.${name}($1) as answer`, [id])).advanced;
      return [
        (await dashboardOf(organization)).advanced?.funnel,
        (await stats("store_stats", organization.storeId)).funnel,
        (await stats("campaign_stats", campaign.id)).funnel,
      ];
    };
    expect(await shown()).toEqual([funnel, funnel, funnel]);
    // Once the day is over, and folded, the same.
    await database.sql`
      update public.campaign_daily_stats set day = day - 1 where org_id = ${organization.id}`;
    await database.sql`select private.fold_days(100)`;
    expect(await shown()).toEqual([funnel, funnel, funnel]);
  });

  it("shows the latest written reviews to whoever has the inbox, words and names to whoever sees customers", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization);
    const ids: string[] = [];
    for (const [index, firstName] of ["Ana", "Ben", "Cléo", "Dan", "Eve", "Flo"].entries()) {
      const { review_id: id } = await review(database.sql, {
        campaignId: campaign.id,
        firstName,
        lastName: "Petit",
        rating: 5,
      });
      ids.push(id);
      await ago("public.pre_spin_reviews", "created_at", `id = '${id}'`, 10 - index);
      // The third one gave stars alone.
      if (index !== 2) {
        await database.sql`select public.record_feedback(${id}, ${`Un bel accueil, dit ${firstName} en partant.`})`;
      }
    }
    const [flo] = (await dashboardOf(organization)).reviews ?? [];
    expect(flo).toMatchObject({
      rating: 5,
      first_name: "Flo",
      text: "Un bel accueil, dit Flo en partant.",
      store: expect.any(String),
    });
    // An alias, which the inbox opens.
    expect(ids).not.toContain(flo?.id);
    expect(
      await ask(organization.users.owner, "select public.review_detail($1) as answer", [
        flo?.id ?? "",
      ]),
    ).toMatchObject({ id: flo?.id });
    const names = (await dashboardOf(organization)).reviews?.map(({ first_name }) => first_name);
    expect(names).toEqual(["Flo", "Eve", "Dan", "Ben"]);
    // Of long ones the beginning.
    await database.sql`
      update public.pre_spin_reviews set review_text = repeat('Un bel accueil. ', 30) where id = ${ids[5] ?? ""}`;
    expect((await dashboardOf(organization)).reviews?.[0]?.text).toHaveLength(400);

    const reader = await createUser(database.sql);
    const joins = async (permissions: string[]) => {
      const role = await createRole(database.sql, { orgId: organization.id, permissions });
      await database.sql`
        insert into public.organization_members (org_id, user_id, role)
        values (${organization.id}, ${reader.id}, ${role})
        on conflict (org_id, user_id) do update set role = excluded.role`;
      return (await dashboardOf(organization, reader)).reviews;
    };
    expect(await joins(["activity.read", "customers.read"])).toBeNull();
    const unnamed = (await joins(["activity.read", "reviews.read"])) ?? [];
    expect(unnamed).toHaveLength(4);
    expect(unnamed.map(({ first_name, text }) => [first_name, text])).toEqual(
      unnamed.map(() => [null, null]),
    );
  });

  it("without a subscription takes the free trial's limits", async () => {
    const organization = await createOrganization(database.sql);
    await database.sql`delete from public.subscriptions where org_id = ${organization.id}`;
    const { limits } = await dashboardOf(organization);
    expect(limits).toEqual({ max_active_campaigns: 1, monthly_spins: 100, max_users: 2 });
  });

  it("adds up what happened, in all and in the last 30 days and the 30 before", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization);
    for (const rating of [5, 5, 3]) {
      await scan(database.sql, { slug: campaign.slug });
      const { review_id: reviewId } = await review(database.sql, {
        campaignId: campaign.id,
        rating,
      });
      await spin(database.sql, { campaignId: campaign.id, reviewId });
    }
    const [won] = await database.sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${organization.id} limit 1`;
    await redeem(database.sql, {
      userId: organization.users.cashier.id,
      code: won?.code ?? "",
      storeId: organization.storeId,
    });
    for (const [days, scans] of [
      [29, 10],
      [30, 100],
      [59, 1000],
      [60, 10_000],
    ]) {
      await database.sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans)
        values (${organization.id}, ${campaign.id}, ${organization.storeId},
          private.now_in('Europe/Paris')::date - ${days ?? 0}::int, 15, ${scans ?? 0})`;
    }
    const seen = await dashboardOf(organization);
    expect(seen).toMatchObject({ has_campaign: true, has_reward: true });
    const today = {
      ...{ reviews: 3, rating_sum: 13, five_star_reviews: 2 },
      ...{ wins: 3, points_wins: 0, redemptions: 1 },
    };
    expect(seen.totals).toEqual({ ...today, scans: 11_113 });
    // The first day with figures, whether its days are folded or not.
    const [first] = await database.sql<{ day: string }[]>`
      select (private.now_in('Europe/Paris')::date - 60)::text as day`;
    expect(seen.first_day).toBe(first?.day);
    await database.sql`select private.fold_days(1000)`;
    expect((await dashboardOf(organization)).first_day).toBe(first?.day);
    expect(seen.last_30_days).toEqual({ ...today, scans: 13 });
    expect(seen.previous_30_days).toEqual({ ...NOTHING, scans: 1100 });
    expect(seen.used.monthly_spins).toBe(3);
    expect(seen.active_campaigns).toMatchObject([
      { id: campaign.id, name: expect.any(String), scans: 11_113 },
    ]);
  });

  it("shows the newest four of the latest reviews, uses and wins", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization);
    const where = `org_id = '${organization.id}'`;
    for (let index = 0; index < 6; index += 1) {
      await review(database.sql, { campaignId: campaign.id, rating: 4, firstName: `Avis${index}` });
    }
    for (const name of ["Premier", "Second", "Troisième"]) {
      await spin(database.sql, { campaignId: campaign.id, name });
    }
    await ago("public.pre_spin_reviews", "created_at", where, 60);
    await ago("public.redemptions", "created_at", `${where} and end_user_name = 'Premier'`, 3);
    await ago("public.redemptions", "created_at", `${where} and end_user_name = 'Second'`, 2);
    await ago("public.redemptions", "created_at", `${where} and end_user_name = 'Troisième'`, 1);
    await database.sql`
      update public.redemptions set status = 'used', used_at = now() - interval '90 seconds'
      where org_id = ${organization.id} and end_user_name = 'Premier'`;
    const { activity } = await dashboardOf(organization);
    expect(activity.map(({ kind, name }) => `${kind} ${name?.split(" ")[0]}`)).toEqual([
      "win Troisième",
      "redeem Premier",
      "win Second",
      expect.stringMatching(/^review Avis/),
    ]);
    expect(activity.map(({ rating, reward }) => rating ?? reward)).toEqual([
      "Café offert",
      "Café offert",
      "Café offert",
      4,
    ]);
  });

  it("shows two wins at most, of codes and of points together", async () => {
    const organization = await createOrganization(database.sql);
    for (const type of ["points", "gift"] as const) {
      const campaign = await winning(organization, type);
      for (let turn = 0; turn < 2; turn += 1) {
        await review(database.sql, { campaignId: campaign.id, rating: 4 });
        await spin(database.sql, { campaignId: campaign.id });
      }
    }
    await ago("public.pre_spin_reviews", "created_at", `org_id = '${organization.id}'`, 60);
    const { activity } = await dashboardOf(organization);
    expect(activity.map(({ kind }) => kind)).toEqual(["win", "win", "review", "review"]);
  });

  it("counts won points as wins, and names by their address whoever gave no name", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization, "points");
    await spin(database.sql, { campaignId: campaign.id, name: "Ana", email: "ana@exemple.fr" });
    await database.sql`
      update public.spins set end_user_name = null where org_id = ${organization.id}`;
    const { activity } = await dashboardOf(organization);
    expect(activity).toMatchObject([
      { kind: "win", name: "ana@exemple.fr", reward: "Café offert" },
    ]);
  });

  it("lists the two newest active campaigns", async () => {
    const organization = await createOrganization(database.sql);
    const { id: orgId, storeId } = organization;
    for (const [index, name] of ["Ancienne", "Hier", "Arrêtée", "Nouvelle"].entries()) {
      const active = name !== "Arrêtée";
      const { id } = await createCampaign(database.sql, { orgId, storeId, name, active });
      await ago("public.campaigns", "created_at", `id = '${id}'`, 100 - index);
    }
    const seen = await dashboardOf(organization);
    expect(seen.active_campaigns.map(({ name }) => name)).toEqual(["Nouvelle", "Hier"]);
    expect(seen.used.active_campaigns).toBe(3);
    expect(seen.has_campaign).toBe(true);
  });

  it("counts the month of the organisation's store", async () => {
    const organization = await createOrganization(database.sql, {
      store: { timezone: "Pacific/Kiritimati" },
    });
    const campaign = await winning(organization);
    const [day] = await database.sql<{ last: string; first: string }[]>`
      select (date_trunc('month', d)::date - 1)::text as last, date_trunc('month', d)::date::text as first
      from private.now_in('Pacific/Kiritimati') d`;
    for (const [when, spins] of [
      [day?.last, 40],
      [day?.first, 2],
    ]) {
      await database.sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, spins)
        values (${organization.id}, ${campaign.id}, ${organization.storeId}, ${when ?? ""}, 0, ${spins ?? 0})`;
    }
    expect((await dashboardOf(organization)).used.monthly_spins).toBe(2);
  });

  it("and the list are for those who may read them, there", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const nobody = await createUser(database.sql);
    const asked = { member: ours.users.member, admin: ours.users.admin, owner: ours.users.owner };
    for (const user of Object.values(asked)) {
      await dashboardOf(ours, user);
      await listOf(ours, { user });
    }
    for (const user of [ours.users.cashier, theirs.users.owner, nobody]) {
      expect(await refusal(dashboardOf(ours, user))).toBe("42501");
      expect(await refusal(listOf(ours, { user }))).toBe("42501");
    }
  });

  it("and the list look events up by index alone", async () => {
    const organization = await createOrganization(database.sql);
    const campaign = await winning(organization);
    const { review_id: reviewId } = await review(database.sql, { campaignId: campaign.id });
    await spin(database.sql, { campaignId: campaign.id, reviewId });
    // As autovacuum does at any time: small tables are read whole then.
    await database.sql`analyze`;
    const reads = await database.as({ userId: organization.users.owner.id }, async (sql) => {
      await avoidWholeScans(sql);
      const tables = [
        "pre_spin_reviews",
        "redemptions",
        "spins",
        "points_ledger",
        "scan_events",
        "campaign_daily_stats",
        "campaigns",
        "organization_members",
      ];
      return readsDuring(
        sql,
        tables,
        () =>
          sql`select public.dashboard(${organization.id}), public.campaign_list(${organization.id})`,
      );
    });
    expect(reads).toHaveLength(8);
    expect(reads.filter(({ wholeScans }) => wholeScans > 0)).toEqual([]);
  });
});

describe("the list of campaigns", () => {
  it("shows each campaign with its figures, newest first", async () => {
    const organization = await createOrganization(database.sql);
    const older = await winning(organization);
    await ago("public.campaigns", "created_at", `id = '${older.id}'`, 5);
    const newer = await createCampaign(database.sql, {
      orgId: organization.id,
      storeId: organization.storeId,
      active: false,
      startsAt: daysFromNow(1),
      endsAt: daysFromNow(9),
    });
    await scan(database.sql, { slug: older.slug });
    const { review_id: reviewId } = await review(database.sql, { campaignId: older.id, rating: 4 });
    await spin(database.sql, { campaignId: older.id, reviewId });
    const list = await listOf(organization);
    expect(list).toMatchObject({ total: 2, active: 1, matches: 2, page: 1 });
    expect(list.figures).toMatchObject({ scans: 1, reviews: 1, rating_sum: 4 });
    expect(list.items).toMatchObject([
      { id: newer.id, active: false, scans: 0, reviews: 0, spins: 0, redemptions: 0 },
      { id: older.id, active: true, scans: 1, reviews: 1, spins: 1, redemptions: 0 },
    ]);
    expect(list.items[0]?.ends_at).toEqual(expect.any(String));
  });

  it("finds by the name of the campaign or of its store, whatever the case, and takes signs as they are", async () => {
    const organization = await createOrganization(database.sql);
    const orgId = organization.id;
    const elsewhere = await createStore(database.sql, { orgId, name: "Belleville" });
    await createCampaign(database.sql, { orgId, storeId: organization.storeId, name: "Noël 100%" });
    await createCampaign(database.sql, { orgId, storeId: elsewhere, name: "Été" });
    const found = async (q: string) =>
      (await listOf(organization, { q })).items.map(({ name }) => name);
    expect(await found("noël")).toEqual(["Noël 100%"]);
    expect(await found(" belleVILLE ")).toEqual(["Été"]);
    expect(await found("100%")).toEqual(["Noël 100%"]);
    expect(await found("_")).toEqual([]);
    expect(await found("\\")).toEqual([]);
    expect(await listOf(organization, { q: "rien" })).toMatchObject({
      total: 2,
      matches: 0,
      items: [],
    });
  });

  it("comes in pages of twenty, and a page too far is the last", async () => {
    const organization = await createOrganization(database.sql);
    const rows = Array.from({ length: 41 }, (_, index) => ({
      org_id: organization.id,
      store_id: organization.storeId,
      name: `Campagne ${index}`,
      slug: `page-${randomUUID()}`,
      active: false,
    }));
    await database.sql`insert into public.campaigns ${database.sql(rows)}`;
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await listOf(organization, { page }));
    expect(pages.map(({ items }) => items.length)).toEqual([20, 20, 1]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(41);
    expect(await listOf(organization, { page: 9 })).toEqual(pages[2]);
    expect(await listOf(organization, { page: -1 })).toEqual(pages[0]);
  });
});
