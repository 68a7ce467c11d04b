import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { isReviewPage, REVIEW_PLATFORMS, reviewHost } from "#domain/rules/review-links.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";

/** The list of review platforms, and what may be a link to one, stand in SQL and in the domain. */

const database = setUpTestDatabase();
let ours: Organization;

beforeAll(async () => {
  ours = await createOrganization(database.sql);
});

const places = Object.values(REVIEW_PLATFORMS).flat();

/** Addresses near what is taken: pieces of platforms, of tricks, and what keyboards give. */
const address = fc
  .tuple(
    fc.constantFrom(
      "https://",
      "HTTPS://",
      "http://",
      "https:/",
      "https:\\\\",
      "//",
      "javascript:",
      "",
    ),
    fc.constantFrom("", "www.", "WWW.", "www.www.", "evil.", "-", "g.page@", "a:b@", "."),
    fc.oneof(
      fc.constantFrom(...places),
      fc.constantFrom(
        "evil.test",
        "localhost",
        "a.local",
        "127.0.0.1",
        "[::1]",
        "0x7f.1",
        "a_b.fr",
        "é.fr",
        "xn--a.xn--b",
      ),
      fc.domain(),
      fc.webAuthority({ withPort: true, withUserInfo: true, withIPv4: true, withIPv6: true }),
    ),
    fc.constantFrom(
      "",
      "",
      "/",
      ":443",
      ".",
      "/..",
      "/%2e%2e/url",
      "?q=/maps",
      "#/biz",
      "/maps/x",
      "/biz",
      "\\",
      "\u00a0",
      " ",
      "/é",
    ),
    fc.oneof(
      fc.constant(""),
      fc.webPath(),
      fc.string({ maxLength: 5 }).map((text) => text.replaceAll("\0", "")),
    ),
  )
  .map((parts) => parts.join(""));

describe("links to public reviews", () => {
  it("know the same platforms in SQL and in the domain", async () => {
    const rows = await database.sql<{ platform: string; places: string[] }[]>`
      select platform, array_agg(place) as places from private.review_platforms group by platform`;
    const sorted = (lists: (readonly [string, readonly string[]])[]) =>
      Object.fromEntries(lists.map(([name, list]) => [name, [...list].sort()]).sort());
    expect(sorted(rows.map((row) => [row.platform, row.places] as const))).toEqual(
      sorted(Object.entries(REVIEW_PLATFORMS)),
    );
  });

  it("are judged the same in SQL and in the domain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1, maxLength: 100 }), async (inputs) => {
        const rows = await database.sql<{ host: string | null; known: boolean }[]>`
          select private.review_host(input) as host, private.is_review_page(input) as known
          from unnest(${inputs}::text[]) with ordinality as u (input, n) order by n`;
        expect(rows.map(({ host, known }) => [host, known])).toEqual(
          inputs.map((input) => [reviewHost(input), isReviewPage(input)]),
        );
      }),
      { numRuns: 60 },
    );
  });
});

async function storeOf() {
  const [row] = await database.sql<
    { url: string | null; host: string | null; confirmed: boolean }[]
  >`
    select google_review_url as url, review_host_confirmed as host,
      review_host_confirmed_at is not null as confirmed
    from public.stores where id = ${ours.storeId}`;
  return row;
}

/** Saves a change as the owner does, who talks to the data API; answers the SQLSTATE of a refusal. */
async function save(change: Record<string, string | null>): Promise<string | null> {
  return database
    .as(
      { userId: ours.users.owner.id },
      (sql) => sql`update public.stores set ${sql(change)} where id = ${ours.storeId}`,
    )
    .then(
      () => null,
      (error: { code: string }) => error.code,
    );
}

async function confirmations(): Promise<readonly unknown[]> {
  return database.sql`
    select user_id, subject_id, detail ->> 'host' as host from public.audit_events
    where org_id = ${ours.id} and action = 'store.link_confirmed' order by id`;
}

describe("a store's link", () => {
  const known = "https://g.page/r/a/review";

  it("leads to a known platform, or its host is confirmed by name, which the trail keeps", async () => {
    expect(await save({ google_review_url: known })).toBeNull();
    expect(await storeOf()).toEqual({ url: known, host: null, confirmed: false });
    for (const [change, code] of [
      [{ google_review_url: "https://evil.test/a" }, "TV170"],
      [{ google_review_url: "https://evil.test/a", review_host_confirmed: "g.page" }, "TV170"],
      [
        { google_review_url: "https://g.page@evil.test/", review_host_confirmed: "evil.test" },
        "23514",
      ],
      [
        { google_review_url: "http://169.254.169.254/", review_host_confirmed: "169.254.169.254" },
        "23514",
      ],
      [{ google_review_url: "http://g.page/r" }, "23514"],
    ] as const) {
      expect(await save(change)).toBe(code);
      expect(await storeOf()).toEqual({ url: known, host: null, confirmed: false });
    }
    expect(await confirmations()).toEqual([]);

    const url = "https://evil.test/a";
    expect(await save({ google_review_url: url, review_host_confirmed: "evil.test" })).toBeNull();
    expect(await storeOf()).toEqual({ url, host: "evil.test", confirmed: true });
    const trail = [{ user_id: ours.users.owner.id, subject_id: ours.storeId, host: "evil.test" }];
    expect(await confirmations()).toEqual(trail);
    // Another page of that host has been answered for; another host has not.
    expect(await save({ google_review_url: "https://evil.test/b" })).toBeNull();
    expect(await save({ google_review_url: "https://other.test/b" })).toBe("TV170");
    expect(await confirmations()).toEqual(trail);
    expect(await save({ google_review_url: known })).toBeNull();
    expect(await storeOf()).toEqual({ url: known, host: null, confirmed: false });
    expect(await save({ google_review_url: url })).toBe("TV170");
  });

  it("of before stays, and may be confirmed", async () => {
    const kept = "https://ancien.test/avis";
    await database.sql.begin(async (sql) => {
      await sql`alter table public.stores disable trigger check_review_link`;
      await sql`update public.stores set google_review_url = ${kept} where id = ${ours.storeId}`;
      await sql`alter table public.stores enable trigger check_review_link`;
    });
    expect(
      await save({ google_review_url: kept, review_host_confirmed: null, name: "Comptoir" }),
    ).toBeNull();
    expect(await storeOf()).toEqual({ url: kept, host: null, confirmed: false });
    expect(
      await save({ google_review_url: kept, review_host_confirmed: "ancien.test" }),
    ).toBeNull();
    expect(await storeOf()).toEqual({ url: kept, host: "ancien.test", confirmed: true });
    expect((await confirmations()).at(-1)).toMatchObject({ host: "ancien.test" });
  });

  it("of a new store is judged alike", async () => {
    const open = (slug: string, url: string, host: string | null) =>
      database
        .as(
          { userId: ours.users.owner.id },
          (sql) =>
            sql`select public.create_store('Annexe', ${slug}, 'ici', ${url}, 'compliant', ${host})`,
        )
        .then(
          () => null,
          (error: { code: string; detail?: string }) => [error.code, error.detail],
        );
    expect(await open("a", "https://evil.test/a", null)).toEqual(["TV170", "evil.test"]);
    expect(await open("a", "https://evil.test/a", "evil.test")).toBeNull();
    expect(await open("b", known, null)).toBeNull();
    expect((await confirmations()).at(-1)).toMatchObject({ host: "evil.test" });
  });
});
