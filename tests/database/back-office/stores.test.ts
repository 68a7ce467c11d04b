import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { created } from "#domain/schemas/back-office.ts";
import { storeList, storeStats } from "#domain/schemas/stores.ts";
import { NEAR_TIMEZONES } from "../../../web/lib/near-timezones.ts";
import { setUpTestDatabase } from "../../harness/database.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createStore,
  createUser,
  drawWheel,
  type Organization,
  type Role,
  type User,
} from "../../harness/fixtures.ts";
import { redeem, review, scan, spendPoints, spin, winPoints } from "../../harness/journey.ts";
import { whole } from "../support/whole.ts";

/** Stores: opened, changed, put away, brought back and deleted, by whom and by whom not. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;

beforeAll(async () => {
  theirs = await createOrganization(database.sql);
});
beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

/** Answer of a statement to a signed-in user: its rows, or the SQLSTATE of the refusal. */
function call(user: User, statement: string, ...values: (string | null)[]): Promise<unknown> {
  return database
    .as({ userId: user.id }, async (sql) => [...(await sql.unsafe(statement, values))])
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

/** Stores, what hangs on them and what was written down about them: a line a row. */
async function stored(): Promise<string[]> {
  const rows = await database.sql<{ line: string }[]>`
    select s::text as line from public.stores s
    union all select c::text from public.campaigns c
    union all select r::text from public.redemptions r
    union all select e::text from public.audit_events e
    order by 1`;
  return rows.map(({ line }) => line);
}

async function changesNothing(run: () => Promise<unknown>): Promise<unknown> {
  const before = await stored();
  const answer = await run();
  expect(await stored()).toEqual(before);
  return answer;
}

const open = (user: User, slug: string | null, name = "Annexe", url: string | null = null) =>
  call(
    user,
    "select public.create_store($1, $2, '2 rue Verte', $3, 'gating') as answer",
    name,
    slug,
    url,
  );

const edit = (user: User, id: string, change: string, version = 1) =>
  call(
    user,
    `update public.stores set ${change} where id = $1 and version = ${version} returning version`,
    id,
  );

const remove = (user: User, id: string, isArchived: boolean) =>
  call(user, `select public.remove_store($1, ${isArchived})::text as answer`, id);

const bringBack = (user: User, id: string) =>
  call(user, "update public.stores set archived_at = null where id = $1 returning name", id);

async function rowOf(id: string) {
  const [row] = await database.sql`select * from public.stores where id = ${id}`;
  return row;
}

async function listOf(user: User, isArchived = false, search = "") {
  const rows = await database.as(
    { userId: user.id },
    (sql) =>
      sql<{ answer: unknown }[]>`
        select public.store_list(${ours.id}, ${search}, ${isArchived}) as answer`,
  );
  return whole(storeList, rows[0]?.answer);
}

const ALLOWED: readonly Role[] = ["owner", "admin", "member"];

describe("a store is opened", () => {
  it.each(ALLOWED)("by a person of the role %s, with what was typed", async (role) => {
    const [row] = Object(
      await open(ours.users[role], `annexe-${role}`, " Annexe ", " https://g.page/a "),
    );
    const made = created.parse(row?.answer);
    expect(await rowOf(made.id)).toMatchObject({
      org_id: ours.id,
      name: "Annexe",
      slug: `annexe-${role}`,
      address: "2 rue Verte",
      google_review_url: "https://g.page/a",
      review_mode: "gating",
      timezone: "Europe/Paris",
      archived_at: null,
      version: 1,
    });
  });

  it("in the time zone of the first one, unless another is named; never in one that nobody knows", async () => {
    const shop = await createOrganization(database.sql);
    const openIn = (slug: string, timezone: string | null) =>
      call(
        shop.users.owner,
        "select public.create_store('Annexe', $1, 'ici', null, null, null, $2) as answer",
        slug,
        timezone,
      );
    const zones = async () => {
      const rows = await database.sql<{ timezone: string }[]>`
        select timezone from public.stores where org_id = ${shop.id} order by created_at`;
      return rows.map(({ timezone }) => timezone);
    };
    await database.sql`update public.stores set timezone = 'Indian/Reunion' where org_id = ${shop.id}`;
    const before = await zones();
    await openIn("annexe-sans", null);
    await openIn("annexe-avec", "America/Martinique");
    expect(await zones()).toEqual([...before, "Indian/Reunion", "America/Martinique"]);
    expect(await changesNothing(() => openIn("annexe-mars", "Mars/Olympus"))).toBe("23514");
  });

  it.each([
    ...NEAR_TIMEZONES,
    "America/Port-au-Prince",
    "America/Argentina/Buenos_Aires",
    "Antarctica/DumontDUrville",
    // Names that a browser may give its own zone.
    ...["UTC", "GMT", "CET", "EST", "HST", "EST5EDT", "US/Pacific", "Etc/GMT-14", "Etc/GMT+12"],
  ])("in a time zone that browsers offer: %s", async (timezone) => {
    await database.sql`update public.stores set timezone = ${timezone} where id = ${ours.storeId}`;
    const hour = new Intl.DateTimeFormat("fr", { timeZone: timezone, timeStyle: "long" });
    expect(hour.format(0)).not.toBe("");
  });

  it("by nobody of the till, of no organisation, or in another one's name", async () => {
    const nobody = await createUser(database.sql);
    const insert = `insert into public.stores (org_id, name, slug, address) values ($1, 'Annexe', 'annexe', 'ici')`;
    expect(await changesNothing(() => open(ours.users.cashier, "annexe"))).toBe("42501");
    expect(await changesNothing(() => open(nobody, "annexe"))).toBe("TV023");
    for (const user of [ours.users.cashier, theirs.users.owner, nobody]) {
      expect(await changesNothing(() => call(user, insert, ours.id))).toBe("42501");
    }
  });

  it.each([
    ["a blank name", "annexe", "  ", null, "23514"],
    ["a name that is too long", "annexe", "x".repeat(121), null, "23514"],
    ["no slug", null, "Annexe", null, "23502"],
    ["capitals in the slug", "Annexe", "Annexe", null, "23514"],
    ["a reviews address of another kind", "annexe", "Annexe", "javascript:alert(1)", "23514"],
    ["a reviews address with a space", "annexe", "Annexe", "https://avis.example/a b", "23514"],
  ])("never with %s", async (_, slug, name, url, code) => {
    expect(await changesNothing(() => open(ours.users.owner, slug, name, url))).toBe(code);
  });

  it("under a slug that is free in the organisation; another one's does not matter", async () => {
    await createStore(database.sql, { orgId: ours.id });
    await database.sql`update public.stores set slug = 'gare' where org_id = ${theirs.id}`;
    expect(await open(ours.users.owner, "gare")).toHaveLength(1);
    expect(await changesNothing(() => open(ours.users.owner, "gare"))).toBe("23505");
  });

  it("as the plan allows: one on the trial, several on Basic", async () => {
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    const basic = await createOrganization(database.sql, { plan: "basic" });
    expect(await changesNothing(() => open(trial.users.owner, "annexe"))).toBe("TV003");
    expect(await open(basic.users.owner, "annexe")).toHaveLength(1);
    expect(await open(basic.users.owner, "kiosque")).toHaveLength(1);
  });

  it("once under an identifier chosen for it: a second try corrects the first, and no other shop's", async () => {
    const { sql } = database;
    const shop = await createOrganization(sql, { plan: "free_trial" });
    await sql`delete from public.stores where org_id = ${shop.id}`;
    const id = randomUUID();
    const openAs = (user: User, name: string, slug: string, zone: string | null) =>
      call(
        user,
        "select public.create_store($1, $2, 'ici', null, 'gating', null, $3, $4) as answer",
        name,
        slug,
        zone,
        id,
      );
    const { owner, cashier } = shop.users;
    expect(await openAs(owner, "Gare", "gare", "Indian/Reunion")).toEqual([
      { answer: { id, name: "Gare", slug: "gare" } },
    ]);
    // Words that were typed since are kept; a time zone that is not named stays.
    expect(await openAs(owner, "La Gare", "la-gare", null)).toEqual([
      { answer: { id, name: "La Gare", slug: "la-gare" } },
    ]);
    expect(
      await sql`select name, slug, timezone from public.stores where org_id = ${shop.id}`,
    ).toEqual([{ name: "La Gare", slug: "la-gare", timezone: "Indian/Reunion" }]);
    expect(await changesNothing(() => openAs(cashier, "Prise", "prise", null))).toBe("42501");
    expect(await changesNothing(() => openAs(theirs.users.owner, "Prise", "prise", null))).toBe(
      "23505",
    );
  });

  it("once where two tries of it arrive at once", async () => {
    const { sql } = database;
    const id = randomUUID();
    const tries = ["annexe", "annexe"].map((slug) =>
      call(
        ours.users.owner,
        "select public.create_store('Annexe', $1, 'ici', null, null, null, null, $2) as answer",
        slug,
        id,
      ),
    );
    for (const answer of await Promise.all(tries)) {
      expect(answer).toEqual([{ answer: { id, name: "Annexe", slug: "annexe" } }]);
    }
    const rows =
      await sql`select id from public.stores where org_id = ${ours.id} and name = 'Annexe'`;
    expect(rows).toEqual([{ id }]);
  });
});

describe("a store is changed", () => {
  it.each(ALLOWED)(
    "by a person of the role %s: form and settings, a version each",
    async (role) => {
      const user = ours.users[role];
      const form = "name = 'Gare', slug = 'gare', address = '3 rue Bleue'";
      const settings =
        "review_mode = 'gating', timezone = 'Indian/Reunion', google_review_url = 'https://g.page/b'";
      expect(await edit(user, ours.storeId, form)).toEqual([{ version: 2 }]);
      expect(await edit(user, ours.storeId, settings, 2)).toEqual([{ version: 3 }]);
      expect(await rowOf(ours.storeId)).toMatchObject({
        name: "Gare",
        slug: "gare",
        address: "3 rue Bleue",
        review_mode: "gating",
        timezone: "Indian/Reunion",
        google_review_url: "https://g.page/b",
      });
    },
  );

  it("not over what somebody else saved meanwhile", async () => {
    await edit(ours.users.admin, ours.storeId, "address = '3 rue Bleue'");
    expect(
      await changesNothing(() => edit(ours.users.member, ours.storeId, "address = '4 rue Rose'")),
    ).toEqual([]);
  });

  it("by nobody of the till or of another organisation", async () => {
    for (const user of [ours.users.cashier, theirs.users.owner]) {
      expect(
        await changesNothing(() => edit(user, ours.storeId, "review_mode = 'gating'")),
      ).toEqual([]);
      expect(await changesNothing(() => bringBack(user, ours.storeId))).toEqual([]);
    }
  });

  it.each([
    ["a mode that there is not", "review_mode = 'libre'", "23514"],
    ["a time zone that there is not", "timezone = 'Europe/Lyon'", "23514"],
    // PostgreSQL reads these, and no browser does.
    ["a time zone made up with its offset", "timezone = 'ABC5'", "23514"],
    ["a time zone made up like a name", "timezone = 'Foo/Bar5'", "23514"],
    ["an abbreviation", "timezone = 'CEST'", "23514"],
    ["a folder of time zones", "timezone = 'posix/Europe/Paris'", "23514"],
    ["an offset that nobody has", "timezone = 'Etc/GMT+13'", "23514"],
    ["no time zone", "timezone = null", "23502"],
    ["a reviews address without https", "google_review_url = 'avis.example'", "23514"],
    ["an empty reviews address", "google_review_url = ''", "23514"],
    ["a blank address", "address = ' '", "23514"],
    ["a slug with an accent", "slug = 'été'", "23514"],
    ["an amount by the side door", "average_basket = 1", "42501"],
    ["another organisation", "org_id = gen_random_uuid()", "42501"],
    ["another version", "version = 9", "42501"],
    ["another date", "created_at = now()", "42501"],
  ])("never to %s", async (_, change, code) => {
    expect(await changesNothing(() => edit(ours.users.owner, ours.storeId, change))).toBe(code);
  });

  it("never to a slug of its neighbour", async () => {
    const next = await createStore(database.sql, { orgId: ours.id });
    const slug = String((await rowOf(next))?.slug);
    expect(
      await changesNothing(() => edit(ours.users.owner, ours.storeId, `slug = '${slug}'`)),
    ).toBe("23505");
  });
});

describe("a store is put away", () => {
  it("and its campaigns rest; brought back, they go on resting", async () => {
    const { id: orgId, storeId, users } = ours;
    const elsewhere = await createStore(database.sql, { orgId });
    const here = await createCampaign(database.sql, { orgId, storeId });
    const there = await createCampaign(database.sql, { orgId, storeId: elsewhere });
    const active = async () => {
      const rows = await database.sql<{ id: string }[]>`
        select id from public.campaigns where org_id = ${orgId} and active`;
      return rows.map(({ id }) => id);
    };
    expect(await remove(users.admin, storeId, true)).toHaveLength(1);
    const { archived_at: at } = Object(await rowOf(storeId));
    expect(at).toBeInstanceOf(Date);
    expect(await active()).toEqual([there.id]);
    expect((await listOf(users.owner)).items.map(({ id }) => id)).toEqual([elsewhere]);
    expect(await listOf(users.owner, true)).toMatchObject({
      total: 1,
      archived: 1,
      items: [{ id: storeId, slug: null, closed: "none_running", has_history: true }],
    });
    // A second time changes nothing, not even the date.
    expect(await changesNothing(() => remove(users.admin, storeId, true))).toHaveLength(1);

    expect(await bringBack(users.member, storeId)).toHaveLength(1);
    expect((await listOf(users.owner)).items).toHaveLength(2);
    expect(await active()).toEqual([there.id]);
    expect((await rowOf(here.storeId))?.archived_at).toBeNull();
  });

  it("or deleted by owners and admins of the organisation alone", async () => {
    for (const user of [ours.users.member, ours.users.cashier, theirs.users.owner]) {
      for (const isArchived of [true, false]) {
        expect(await changesNothing(() => remove(user, ours.storeId, isArchived))).toBe("42501");
      }
    }
    // Past the function, by whoever may call it, nothing goes either: it alone sees what hangs on a store.
    for (const user of [ours.users.owner, ours.users.admin]) {
      expect(
        await changesNothing(() =>
          call(user, "delete from public.stores where id = $1", ours.storeId),
        ),
      ).toBe("42501");
    }
    expect(await remove(ours.users.admin, ours.storeId, false)).toHaveLength(1);
    expect(await rowOf(ours.storeId)).toBeUndefined();
  });
});

describe("a store is deleted only when nothing hangs on it", () => {
  const refused = async () => {
    expect((await listOf(ours.users.owner)).items[0]?.has_history).toBe(true);
    expect(await changesNothing(() => remove(ours.users.owner, ours.storeId, false))).toBe("TV140");
  };

  it("no campaign", async () => {
    await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId, active: false });
    await refused();
  });

  it("no figure of a campaign that has moved on, open or folded", async () => {
    const { id: orgId, storeId } = ours;
    const campaign = await createCampaign(database.sql, { orgId, storeId });
    await scan(database.sql, { slug: campaign.slug });
    const next = await createStore(database.sql, { orgId });
    await database.sql`update public.campaigns set store_id = ${next} where id = ${campaign.id}`;
    await database.sql`update public.stores set created_at = now() - interval '1 day' where id = ${next}`;
    await refused();
    await database.sql`update public.campaign_daily_stats set day = day - 9 where org_id = ${orgId}`;
    await database.sql`select private.fold_days(1000)`;
    await refused();
  });

  it("no code that was used there", async () => {
    const { id: orgId, storeId, users } = ours;
    const next = await createStore(database.sql, { orgId });
    await database.sql`update public.stores set created_at = now() - interval '1 day' where id = ${next}`;
    const campaign = await createCampaign(database.sql, { orgId, storeId });
    const rewardId = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
    await spin(database.sql, { campaignId: campaign.id });
    const [won] = await database.sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${orgId}`;
    await redeem(database.sql, { userId: users.cashier.id, code: won?.code ?? "", storeId });
    await database.sql`update public.campaigns set store_id = ${next} where org_id = ${orgId}`;
    await database.sql`delete from public.campaign_daily_stats where org_id = ${orgId}`;
    await refused();
  });

  it("no code for points that was used there, nor what the team has handed out", async () => {
    const { sql } = database;
    const { id: orgId, storeId, users } = ours;
    const next = await createStore(sql, { orgId });
    await sql`update public.stores set created_at = now() - interval '1 day' where id = ${next}`;
    const campaign = await createCampaign(sql, { orgId, storeId: next, playIntervalDays: 0 });
    const rewardId = await createReward(sql, campaign, { type: "points" });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    const proofs = [await winPoints(sql, { campaignId: campaign.id })];
    const tea = await createPointsReward(sql, { orgId, cost: 20 });
    const spend = { campaignId: campaign.id, proofs, rewardId: tea.id, cost: tea.cost };
    const { body } = await spendPoints(sql, spend);
    const code = body?.codes[0]?.code ?? "";
    expect((await listOf(users.owner)).items[0]?.has_history).toBe(false);
    expect(await redeem(sql, { userId: users.cashier.id, code, storeId })).toBe("redeemed");
    await refused();
  });

  it("no invitation to its till that can be accepted; others go with it", async () => {
    const { id: orgId, storeId, users } = ours;
    const { sql } = database;
    const invite = async (email: string) => {
      await call(users.owner, "select public.invite_member($1, 'cashier', $2)", email, storeId);
      await refused();
    };
    await invite("retiree@exemple.fr");
    await sql`update private.invitations set withdrawn_at = now() where org_id = ${orgId}`;
    await invite("expiree@exemple.fr");
    await sql`update private.invitations set expires_at = now() where org_id = ${orgId}`;
    expect((await listOf(users.owner)).items[0]?.has_history).toBe(false);
    expect(await remove(users.owner, storeId, false)).toHaveLength(1);
    expect(await rowOf(storeId)).toBeUndefined();
    // An expired invitation could be sent again: without a store it would open every till.
    expect(await sql`select from private.invitations where org_id = ${orgId}`).toEqual([]);
  });

  it("no key of its till, until it was taken back", async () => {
    const { id: orgId, storeId, users } = ours;
    const { id } = await createApiKey(database.sql, { orgId, scope: "redeem", storeId });
    await refused();
    await call(users.owner, "select public.revoke_api_key($1)::text as answer", id);
    expect((await listOf(users.owner)).items[0]?.has_history).toBe(false);
    expect(await remove(users.owner, storeId, false)).toHaveLength(1);
    expect(await rowOf(storeId)).toBeUndefined();
    const keys = await database.sql`
      select id, store_id, revoked_at is not null as is_revoked from private.api_keys
      where org_id = ${orgId}`;
    expect(keys).toEqual([{ id, store_id: null, is_revoked: true }]);
  });

  it("nobody who works there alone", async () => {
    await database.sql`
      update public.organization_members set store_id = ${ours.storeId}
      where user_id = ${ours.users.cashier.id}`;
    await refused();
  });
});

describe("the figures of a store", () => {
  it("are those of its campaigns, and of nobody else's", async () => {
    const { id: orgId, storeId, users } = ours;
    const next = await createStore(database.sql, { orgId });
    const here = await createCampaign(database.sql, { orgId, storeId });
    const there = await createCampaign(database.sql, { orgId, storeId: next });
    await review(database.sql, { campaignId: here.id, rating: 5 });
    await review(database.sql, { campaignId: here.id, rating: 2 });
    await scan(database.sql, { slug: there.slug });
    const list = await listOf(users.owner);
    const figures = Object.fromEntries(list.items.map((item) => [item.id, item.figures]));
    expect(figures[storeId]).toMatchObject({ scans: 0, reviews: 2, rating_sum: 7 });
    expect(figures[next]).toMatchObject({ scans: 1, reviews: 0, rating_sum: 0 });
    expect(list.figures).toMatchObject({ scans: 1, reviews: 2, five_star_reviews: 1 });
    // An owner without a store in this list still sees the organisation's figures above it.
    expect(await listOf(users.owner, false, "introuvable")).toMatchObject({
      matches: 0,
      figures: list.figures,
    });
  });

  it("are nothing to the till and to other organisations", async () => {
    const stats = (user: User) =>
      call(user, "select public.store_stats($1) as answer", ours.storeId);
    const list = (user: User) => call(user, "select public.store_list($1) as answer", ours.id);
    for (const user of [ours.users.cashier, theirs.users.owner]) {
      expect(await stats(user)).toEqual([{ answer: null }]);
      expect(await list(user)).toBe("42501");
    }
    const [row] = Object(await stats(ours.users.member));
    expect(whole(storeStats, row?.answer)?.store.id).toBe(ours.storeId);
  });
});
