import postgres from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dashboard } from "#domain/schemas/back-office.ts";
import { storeStats } from "#domain/schemas/stores.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createRole,
  createStore,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { whole } from "./support/whole.ts";

/**
 * Figures of a store's public page that a merchant types in, and the reviews collected here since.
 */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;

beforeAll(async () => {
  theirs = await createOrganization(database.sql);
});
beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

function call(user: User, statement: string, ...values: (string | number | null)[]) {
  return database
    .as({ userId: user.id }, async (sql): Promise<unknown> => {
      const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return row?.answer;
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

const rate = (user: User, rating: number | null, reviews: number | null, storeId = ours.storeId) =>
  call(
    user,
    "select public.set_public_rating($1, $2, $3)::text as answer",
    storeId,
    rating,
    reviews,
  );

const remove = (user: User, day: string) =>
  call(user, "select public.remove_public_rating($1, $2)::text as answer", ours.storeId, day);

async function ratingOf(user: User = ours.users.member) {
  const answer = await call(user, "select public.store_stats($1) as answer", ours.storeId);
  return whole(storeStats, answer)?.public_rating;
}

const rows = () =>
  database.sql`
    select store_id, rating::float as rating, reviews from public.public_ratings
    where org_id = ${ours.id} order by store_id, day`;

const trail = async () =>
  (
    await database.sql<{ action: string }[]>`
      select action from public.audit_events
      where org_id = ${ours.id} and action like 'store.rat%' order by id`
  ).map(({ action }) => action);

/** Stores the figures of the store's page on a day. */
async function was(day: string, rating: number, reviews: number): Promise<void> {
  await database.sql`
    insert into public.public_ratings (org_id, store_id, day, rating, reviews)
    values (${ours.id}, ${ours.storeId}, ${day}, ${rating}, ${reviews})`;
}

async function collected(campaignId: string, day: string, reviews: number): Promise<void> {
  await database.sql`
    insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, reviews)
    values (${ours.id}, ${campaignId}, ${ours.storeId}, ${day}, 0, ${reviews})`;
}

describe("the public page of a store", () => {
  it("is typed in once a day, the last figures standing, and each change in the trail", async () => {
    const { member } = ours.users;
    // One transaction, so that no midnight comes in between.
    await database.as({ userId: member.id }, async (sql) => {
      for (const [rating, reviews] of [
        [4.6, 128],
        [4.6, 128],
        [4.7, 130],
      ] as const) {
        await sql`select public.set_public_rating(${ours.storeId}, ${rating}, ${reviews})`;
      }
    });
    expect(await rows()).toMatchObject([{ rating: 4.7, reviews: 130 }]);
    expect(await trail()).toEqual(["store.rated", "store.rated"]);
    const day = (await ratingOf())?.first?.day ?? "";
    expect(await remove(member, day)).toBe("");
    expect(await remove(member, day)).toBe("");
    expect(await rows()).toEqual([]);
    expect(await trail()).toEqual(["store.rated", "store.rated", "store.rating_removed"]);
  });

  it.each([
    [5.1, 3, "23514"],
    [-0.1, 3, "23514"],
    [4.65, 3, "23514"],
    [0.5, 3, "23514"],
    [4.6, 0, "23514"],
    [0, 3, "23514"],
    [4.6, -1, "23514"],
    [4.6, 10_000_001, "23514"],
    [null, 3, "23502"],
    [4.6, null, "23502"],
  ])("is refused where no page shows it: %s of %s reviews", async (rating, reviews, code) => {
    await was("2026-03-01", 4.4, 118);
    expect(await rate(ours.users.owner, rating, reviews)).toBe(code);
    expect(await rows()).toMatchObject([{ rating: 4.4, reviews: 118 }]);
    expect(await trail()).toEqual([]);
  });

  it("is written by whoever may change stores, and by nobody of another organisation", async () => {
    await was("2026-03-01", 4.4, 118);
    const day = (await ratingOf())?.first?.day ?? "";
    const role = await createRole(database.sql, {
      orgId: ours.id,
      permissions: ["activity.read", "stores.read"],
    });
    await database.sql`
      update public.organization_members set role = ${role} where user_id = ${ours.users.member.id}`;
    for (const user of [ours.users.member, ours.users.cashier, theirs.users.owner]) {
      expect(await rate(user, 5, 1)).toBe("42501");
      expect(await remove(user, day)).toBe("42501");
    }
    expect(await rate(ours.users.owner, 5, 1, theirs.storeId)).toBe("42501");
    expect(await rows()).toMatchObject([{ rating: 4.4, reviews: 118 }]);
    expect((await ratingOf())?.points).toMatchObject([{ rating: 4.4, reviews: 118 }]);
    expect(await ratingOf(theirs.users.owner)).toBeUndefined();
  });

  it("stands beside what was collected since the first day, that day left out", async () => {
    const campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    await was("2026-02-10", 4.4, 118);
    await was("2026-03-01", 4.5, 125);
    await was("2026-03-09", 4.6, 130);
    for (const [day, reviews] of [
      ["2026-02-09", 50],
      ["2026-02-10", 40],
      ["2026-02-11", 3],
      ["2026-03-01", 4],
      ["2026-03-06", 6],
      ["2026-03-11", 1],
    ] as const) {
      await collected(campaign.id, day, reviews);
    }
    await database.sql`select private.fold_days(100)`;
    const seen = await ratingOf();
    expect(seen).toMatchObject({ first: { rating: 4.4, reviews: 118 }, collected: 14 });
    expect(seen?.points.map((point) => [point.reviews, point.collected])).toEqual([
      [118, 0],
      [125, 7],
      [130, 13],
    ]);
    const board = dashboard.parse(
      await call(ours.users.owner, "select public.dashboard($1) as answer", ours.id),
    );
    expect(board.public_ratings.items).toEqual([
      {
        id: ours.storeId,
        name: expect.anything(),
        rating: { first: seen?.first, collected: 14, points: seen?.points.slice(-1) },
      },
    ]);
  });

  // At any moment one of the two has another day than UTC.
  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "is of the day at the store, as in %s",
    async (timezone) => {
      await database.sql`update public.stores set timezone = ${timezone} where id = ${ours.storeId}`;
      await rate(ours.users.member, 4.4, 118);
      const [row] = await database.sql`
        select day = private.now_in(${timezone})::date as is_today from public.public_ratings where org_id = ${ours.id}`;
      expect(row?.is_today).toBe(true);
    },
  );

  it("is shown for three stores, the one that was typed in last first, archived ones left out", async () => {
    const others = [];
    for (let store = 0; store < 4; store += 1) {
      others.push(await createStore(database.sql, { orgId: ours.id }));
    }
    const [first = "", second = "", third = ""] = others;
    await rate(ours.users.owner, 4, 10, second);
    await rate(ours.users.owner, 3, 10, third);
    await rate(ours.users.owner, 5, 10, first);
    await database.sql`
      update public.public_ratings set day = day - 1 where org_id = ${ours.id} and store_id = ${third}`;
    await database.sql`update public.stores set archived_at = now() where id = ${first}`;
    const { public_ratings: shown } = dashboard.parse(
      await call(ours.users.owner, "select public.dashboard($1) as answer", ours.id),
    );
    expect(shown.stores).toBe(4);
    expect(shown.items.map(({ id }) => id)).toEqual([second, third, ours.storeId]);
  });

  it("goes with its store", async () => {
    const store = await createStore(database.sql, { orgId: ours.id });
    await rate(ours.users.owner, 4, 10, store);
    await call(ours.users.owner, "select public.remove_store($1, false)::text as answer", store);
    expect(await rows()).toEqual([]);
  });
});
