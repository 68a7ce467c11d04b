import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everythingStored } from "../database/support/stored.ts";
import { createOrganization, createStore, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { ANSWERS, type GooglePlaces, startGooglePlaces } from "./google-places.ts";

/**
 * Rating of a store's page at Google: who sees it, which part is kept, and how often Google is
 * asked.
 */

/** An identifier that Google's documentation gives as an example. */
const PLACE = "ChIJgUbEo8cfqokR5lP9_Wh_DaM";
const KEY = "cle-de-google";

let places: GooglePlaces;
let server: TestServer;
let ours: Organization;

beforeAll(async () => {
  places = await startGooglePlaces();
  server = await startTestServer({
    env: { GOOGLE_PLACES_KEY: KEY, GOOGLE_PLACES_URL: places.url },
  });
});
afterAll(async () => {
  await server.stop();
  await places.stop();
});

beforeEach(async () => {
  const { sql } = server.database;
  ours = await createOrganization(sql);
  await sql`update public.stores set google_place_id = ${PLACE} where id = ${ours.storeId}`;
  await sql`delete from private.rating_source`;
  places.answer(ANSWERS.shown);
  places.asked.length = 0;
});

async function asMember(user = ours.users.member) {
  const { token } = await server.signIn(user);
  return async (storeId = ours.storeId) => {
    const { status, body } = await server.call("public-rating", { store_id: storeId }, { token });
    return [status, body];
  };
}

const resumes = async () => {
  const rows = await server.database.sql<{ failures: number; minutes: number | null }[]>`
    select failures, round(extract(epoch from resumes_at - now()) / 60)::int as minutes from private.rating_source`;
  return rows.map(({ failures, minutes }) => [failures, minutes]);
};

/** The pause is over. */
const later = () =>
  server.database.sql`update private.rating_source set resumes_at = now() - interval '1 second'`;

describe("what Google shows", () => {
  it("is handed to whoever reads the figures, asked as documented, and kept nowhere", async () => {
    const { sql } = server.database;
    const ask = await asMember();
    const before = await everythingStored(sql);
    expect(await ask()).toEqual([200, { state: "shown", rating: 4.6, reviews: 213 }]);
    expect(await everythingStored(sql)).toEqual(before);
    expect(places.asked).toHaveLength(1);
    expect(places.asked[0]).toMatchObject({
      path: `/v1/places/${PLACE}`,
      headers: { "x-goog-api-key": KEY, "x-goog-fieldmask": "rating,userRatingCount" },
    });
    const config: unknown = await (await fetch(`${server.url}/config.json`)).json();
    expect(config).toMatchObject({ public_rating: true });
    expect(JSON.stringify([config, server.log])).not.toContain(KEY);
  });

  it("of a page without reviews is no rating", async () => {
    places.answer(ANSWERS.unreviewed);
    expect(await (await asMember())()).toEqual([200, { state: "shown", rating: 0, reviews: 0 }]);
  });

  it("is for members of that organisation who read its figures", async () => {
    const theirs = await createOrganization(server.database.sql);
    const refused = [404, { error: expect.objectContaining({ code: "not_found" }) }];
    expect(await (await asMember(ours.users.cashier))()).toEqual(refused);
    expect(await (await asMember(theirs.users.owner))()).toEqual(refused);
    const { status } = await server.call("public-rating", { store_id: ours.storeId });
    expect(status).toBe(401);
    expect(places.asked).toEqual([]);
  });
});

describe("Google is not asked", () => {
  it("without a place, on a day that was typed in, nor more than six times a day for a store", async () => {
    const { sql } = server.database;
    const ask = await asMember();
    const other = await createStore(sql, { orgId: ours.id });
    expect(await ask(other)).toEqual([200, { state: "no_place" }]);
    await sql`
      insert into public.public_ratings (org_id, store_id, day, rating, reviews)
      values (${ours.id}, ${ours.storeId}, private.now_in('Europe/Paris')::date, 4.5, 200)`;
    expect(await ask()).toEqual([200, { state: "typed" }]);
    expect(places.asked).toEqual([]);
    await sql`update public.public_ratings set day = day - 1 where org_id = ${ours.id}`;
    for (let n = 0; n < 6; n += 1) expect((await ask())[1]).toMatchObject({ state: "shown" });
    expect(await ask()).toEqual([200, { state: "too_many" }]);
    expect(places.asked).toHaveLength(6);
  });

  it("where the operator has no key", async () => {
    const plain = await startTestServer({ database: server.database });
    try {
      const { token } = await plain.signIn(ours.users.member);
      const { body } = await plain.call("public-rating", { store_id: ours.storeId }, { token });
      expect(body).toEqual({ state: "off" });
      const config: unknown = await (await fetch(`${plain.url}/config.json`)).json();
      expect(config).toMatchObject({ public_rating: false });
    } finally {
      await plain.running.stop();
    }
    expect(places.asked).toEqual([]);
  });
});

describe("a failure", () => {
  it("of one place is that store's alone", async () => {
    const { sql } = server.database;
    const ask = await asMember();
    for (const verdict of [ANSWERS.gone, ANSWERS.malformed]) {
      places.answer(verdict);
      expect(await ask()).toEqual([200, { state: "unknown_place" }]);
    }
    await sql`update public.stores set google_place_id = '../../autre' where id = ${ours.storeId}`;
    expect(await ask()).toEqual([200, { state: "unknown_place" }]);
    expect(places.asked).toHaveLength(2);
    expect(await resumes()).toEqual([]);
  });

  it.each([
    ["wrongKey", "API_KEY_INVALID"],
    ["switchedOff", "SERVICE_DISABLED"],
    ["tooMany", "RATE_LIMIT_EXCEEDED"],
    ["trouble", "HTTP_503"],
  ] as const)(
    "of the key or of Google (%s) leaves it alone for a while, and is logged by code",
    async (name, code) => {
      const ask = await asMember();
      places.answer(ANSWERS[name]);
      const from = server.log.length;
      expect(await ask()).toEqual([200, { state: "paused" }]);
      expect(server.log.slice(from)).toContainEqual(
        expect.objectContaining({ event: "public_rating_failed", code }),
      );
      expect(JSON.stringify(server.log)).not.toContain(PLACE);
      expect(await ask()).toEqual([200, { state: "paused" }]);
      expect(places.asked).toHaveLength(1);
      expect(await resumes()).toEqual([[1, 1]]);
    },
  );

  it("that goes on doubles the pause, up to six hours; an answer ends it", async () => {
    const { sql } = server.database;
    const ask = await asMember();
    places.answer(null);
    expect(await ask()).toEqual([200, { state: "paused" }]);
    await later();
    expect(await ask()).toEqual([200, { state: "paused" }]);
    expect(await resumes()).toEqual([[2, 2]]);
    await sql`update private.rating_source set failures = 12`;
    await later();
    expect(await ask()).toEqual([200, { state: "paused" }]);
    expect(await resumes()).toEqual([[12, 360]]);
    await later();
    places.answer(ANSWERS.shown);
    expect((await ask())[1]).toMatchObject({ state: "shown" });
    expect(await resumes()).toEqual([[0, null]]);
  });
});
