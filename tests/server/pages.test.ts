import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { z } from "zod";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { allowedHashes, inlineSources } from "../harness/inline.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/130.0 Mobile";

/** Most that a phone downloads before the first step lives, compressed with gzip, in bytes. */
const MAX_PHONE_SCRIPT_BYTES = 86_000;
const MAX_PHONE_BYTES = 105_000;
const MAX_PHONE_REQUESTS = 8;

const manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
);

let server: TestServer;
let organization: Organization;
let campaign: Awaited<ReturnType<typeof createCampaign>>;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  organization = await createOrganization(sql, { name: "Chez <Jeanne> & Cie" });
  campaign = await createCampaign(sql, { orgId: organization.id, storeId: organization.storeId });
});
afterAll(() => server.stop());

/** Asks as a phone would, without following redirects. */
function open(path: string, headers: Record<string, string> = {}, method = "GET") {
  return fetch(`${server.url}${path}`, {
    method,
    redirect: "manual",
    headers: { accept: "text/html", "user-agent": PHONE, ...headers },
  });
}

/** The bytes as they travel: `fetch` would decode them. */
function openRaw(
  path: string,
  encoding: string,
  language?: string,
): Promise<{ encoding: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpRequest(
      `${server.url}${path}`,
      {
        headers: {
          "accept-encoding": encoding,
          ...(language !== undefined && { "accept-language": language }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ encoding: response.headers["content-encoding"], body: Buffer.concat(chunks) }),
        );
      },
    )
      .on("error", reject)
      .end();
  });
}

async function countScans(): Promise<number> {
  const [row] = await server.database.sql<{ scans: number }[]>`
    select count(*)::int as scans from public.scan_events where campaign_id = ${campaign.id}`;
  return row?.scans ?? 0;
}

/** Settles when the scans that were sent are written: each is in the log or in the table. */
async function scansReach(expected: number): Promise<void> {
  while ((await countScans()) < expected);
}

describe("the entry page", () => {
  it("leads from the bare address over the printed one to the review", async () => {
    const bare = await open(`/c/${campaign.slug}`);
    expect(bare.status).toBe(302);
    expect(bare.headers.get("location")).toBe(`/c/${campaign.slug}/play?source=qr`);
    const printed = await open(`/c/${campaign.slug}/play?source=table-4`);
    expect(printed.status).toBe(302);
    expect(printed.headers.get("location")).toBe(`/c/${campaign.slug}/review?source=table-4`);
    expect(printed.headers.get("cache-control")).toBe("no-store");
    await scansReach(1);
  });

  it("counts people, once in half an hour, and nobody who only looks ahead", async () => {
    const before = await countScans();
    const door = `/c/${campaign.slug}/play?source=qr`;
    const from = (address: string, more: Record<string, string> = {}) => ({
      "x-forwarded-for": address,
      ...more,
    });
    await open(door, from("198.51.100.1", { "user-agent": "Googlebot/2.1" }));
    await open(door, from("198.51.100.2", { "user-agent": "WhatsApp/2.23" }));
    await open(door, from("198.51.100.3", { "sec-purpose": "prefetch;prerender" }));
    await open(door, from("198.51.100.4", { purpose: "prefetch" }));
    await open(door, from("198.51.100.5"), "HEAD");
    await open(door, from("198.51.100.6"));
    await open(door, from("198.51.100.6"));
    await open(door, from("198.51.100.7"));
    await scansReach(before + 2);
    // Stopping waits for scans under way; a second server shows that no more came.
    const second = await startTestServer({ database: server.database });
    await second.stop();
    expect(await countScans()).toBe(before + 2);
  });

  it("goes on to a page even where the source is no word", async () => {
    const response = await open(
      `/c/${campaign.slug}/play?source=${encodeURIComponent("a b<script>")}`,
    );
    expect(response.headers.get("location")).toBe(`/c/${campaign.slug}/review?source=qr`);
  });
});

describe("a phone page", () => {
  it("holds its first step and its data, escaped", async () => {
    const response = await open(`/c/${campaign.slug}/review?source=qr`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(html)?.[1];
    expect(data).not.toContain("<");
    expect(JSON.parse(data ?? "")).toMatchObject({
      kind: "review",
      campaign: { id: campaign.id, organization: { name: "Chez <Jeanne> & Cie" } },
    });
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toMatch(/<meta name="description" content="[^"]{30,170}" \/>/);
    expect(html).not.toMatch(/<!--page-/);
    expect(html).toContain("Chez &lt;Jeanne&gt; &amp; Cie");
  });

  it("holds nothing that its security policy forbids", async () => {
    for (const path of ["review", "play", "play?entry=libre", "play?review_id=x"]) {
      const response = await open(`/c/${campaign.slug}/${path}`);
      const html = await response.text();
      expect(html).not.toMatch(/<[a-z][^>]* style=|<[a-z][^>]* on[a-z]+=/);
      // Its styles and what starts its script, by their hashes; the rest is data.
      const policy = response.headers.get("content-security-policy");
      expect(policy).not.toContain("unsafe-inline");
      expect(allowedHashes(policy)).toEqual(inlineSources(html));
      expect(inlineSources(html)).toHaveLength(2);
      expect(html.match(/<script(?! data-start=| type="application\/json")/)).toBeNull();
      for (const [, address] of html.matchAll(/(?:src|href)="([^"#]*)"/g)) {
        expect(address).toMatch(/^\/(?!\/)|^\?lang=[a-z]{2}$|^$/);
      }
    }
  });

  it.each([
    ["play", { kind: "play", mode: "test" }],
    ["play?entry=libre", { kind: "play", mode: "libre" }],
    ["play?entry=libre&source=qr", { kind: "play", mode: "libre" }],
    ["play?review_id=7d8f0f5e-9d55-4b1c-8b7e-0c8f5b1d0a11", { kind: "play", mode: "review" }],
    ["review", { kind: "review" }],
    ["review/", { kind: "review" }],
  ])("%s", async (path, expected) => {
    const html = await (await open(`/c/${campaign.slug}/${path}`)).text();
    const data = /id="page-data">(.*?)<\/script>/.exec(html)?.[1];
    expect(JSON.parse(data ?? "")).toMatchObject(expected);
  });

  it("comes in the best encoding that the client takes, the same in all", async () => {
    const path = `/c/${campaign.slug}/review`;
    const plain = await openRaw(path, "");
    const br = await openRaw(path, "gzip, deflate, br");
    const gzip = await openRaw(path, "gzip, br;q=0");
    expect([plain.encoding, br.encoding, gzip.encoding]).toEqual([undefined, "br", "gzip"]);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(br.body.length).toBeLessThan(plain.body.length / 2);
  });

  it("is not sent again when it has not changed, nor to who asks for its head", async () => {
    const path = `/c/${campaign.slug}/review`;
    const first = await open(path);
    const etag = first.headers.get("etag") ?? "";
    const second = await open(path, { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(second.headers.get("etag")).toBe(etag);
    const head = await open(path, {}, "HEAD");
    expect(head.status).toBe(200);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
    expect(await head.text()).toBe("");
    const post = await open(path, {}, "POST");
    expect(post.status).toBe(405);
    expect(post.headers.get("allow")).toBe("GET, HEAD");
  });

  it("shows a change within a second", async () => {
    const { sql } = server.database;
    const path = `/c/${campaign.slug}/play`;
    for (const name of ["Première", "Deuxième", "Troisième"]) {
      await open(path);
      await sql`update public.campaigns set name = ${name} where id = ${campaign.id}`;
      const changedAt = performance.now();
      for (;;) {
        const askedAt = performance.now();
        const html = await (await open(path)).text();
        if (html.includes(`"name":"${name}"`)) break;
        expect(askedAt - changedAt).toBeLessThan(1000);
      }
    }
  });

  it("closes within a second when the campaign does", async () => {
    const { sql } = server.database;
    const closing = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    const path = `/c/${closing.slug}/review`;
    expect((await open(path)).status).toBe(200);
    await sql`update public.campaigns set active = false where id = ${closing.id}`;
    const changedAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      const response = await open(path);
      if (response.status === 404) {
        expect(await response.text()).toContain("Campagne non trouvée ou inactive");
        break;
      }
      expect(askedAt - changedAt).toBeLessThan(1000);
    }
  });

  it("sends a renamed campaign's old address on, with its query", async () => {
    const { sql } = server.database;
    const renamed = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    await sql`update public.campaigns set slug = 'nouvelle-adresse' where id = ${renamed.id}`;
    const review = await open(`/c/${renamed.slug}/review?source=table`);
    expect(review.status).toBe(302);
    expect(review.headers.get("location")).toBe("/c/nouvelle-adresse/review?source=table");
    const play = await open(`/c/${renamed.slug}/play?entry=libre`);
    expect(play.headers.get("location")).toBe("/c/nouvelle-adresse/play?entry=libre");
  });

  it("sends old addresses on whose slug is the start of their area's name", async () => {
    const { sql } = server.database;
    const jeweller = await createOrganization(sql);
    const { orgId, storeId } = { orgId: jeweller.id, storeId: jeweller.storeId };
    const { id } = await createCampaign(sql, { orgId, storeId });
    await sql`update public.organizations set slug = 'or' where id = ${orgId}`;
    await sql`update public.organizations set slug = 'or-et-argent' where id = ${orgId}`;
    await sql`update public.campaigns set slug = 'c' where id = ${id}`;
    await sql`update public.campaigns set slug = 'colliers' where id = ${id}`;
    expect((await open("/org/or")).headers.get("location")).toBe("/org/or-et-argent");
    expect((await open("/c/C/review")).headers.get("location")).toBe("/c/colliers/review");
  });

  it.each(["/c/aucune/review", "/c/aucune/play", "/c/Pas%20Un%20Slug/review", "/org/aucune"])(
    "%s says that there is no such campaign",
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain("Campagne non trouvée ou inactive");
      expect(html).toContain('"kind":"not-found"');
    },
  );

  it("takes a slug that somebody typed in capitals", async () => {
    expect((await open(`/c/${campaign.slug.toUpperCase()}/review`)).status).toBe(200);
  });

  it("lists an organisation's open campaigns", async () => {
    const html = await (await open(`/org/${organization.slug}`)).text();
    const data = JSON.parse(/id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? "");
    expect(data.kind).toBe("organization");
    expect(data.organization.campaigns.map(({ slug }: { slug: string }) => slug)).toContain(
      campaign.slug,
    );
  });

  it("lets the browser find its data itself when the database is away", async () => {
    const lonely = await startTestServer();
    const { name } = lonely.database;
    const sql = postgres(inject("database").adminUrl, { max: 1, onnotice: () => {} });
    onTestFinished(() => sql.end());
    await sql`alter database ${sql(name)} allow_connections false`;
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name}`;
    const page = await fetch(`${lonely.url}/c/quelconque/review`);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('<div id="page"></div>');
    expect((await fetch(`${lonely.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${lonely.url}/healthz`)).status).toBe(200);
    await sql`alter database ${sql(name)} allow_connections true`;
    await lonely.stop();
  });
});

describe("the language of a phone page", () => {
  const path = () => `/c/${campaign.slug}/review`;
  const titles = { fr: "Donnez votre avis", en: "Leave a review" };
  const langOf = (html: string) => /<html lang="([a-z]+)"/.exec(html)?.[1];

  it("is the first of ours that the browser asks for, and French where it asks for none", async () => {
    for (const [asked, language] of [
      ["en-US,en;q=0.9,fr;q=0.8", "en"],
      ["fr-FR,en;q=0.9", "fr"],
      ["ja", "fr"],
      ["*", "fr"],
    ] as const) {
      const response = await open(path(), { "accept-language": asked });
      const html = await response.text();
      expect(langOf(html), asked).toBe(language);
      expect(html).toContain(titles[language]);
      expect(response.headers.get("vary")).toBe("accept-encoding, accept-language, cookie");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
    // A program that asks for no language at all.
    expect(langOf((await openRaw(path(), "")).body.toString())).toBe("fr");
  });

  it("makes each language another document for caches", async () => {
    const english = { "accept-language": "en" };
    const etag = (await open(path(), english)).headers.get("etag") ?? "";
    const same = await open(path(), { ...english, "if-none-match": etag });
    expect(same.status).toBe(304);
    expect(same.headers.get("vary")).toContain("accept-language");
    const other = await open(path(), { "accept-language": "fr", "if-none-match": etag });
    expect(other.status).toBe(200);
    expect(langOf(await other.text())).toBe("fr");
  });

  it("is what somebody chose, who comes back to the same address", async () => {
    const play = `/c/${campaign.slug}/play`;
    const chosen = await open(`${play}?lang=en`, {
      referer: `${server.url}${play}?review_id=abc&lang=fr`,
    });
    expect(chosen.status).toBe(302);
    expect(chosen.headers.get("location")).toBe(`${play}?review_id=abc`);
    expect(chosen.headers.get("cache-control")).toBe("no-store");
    const cookie = chosen.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^lang=en; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const html = await (
      await open(path(), { cookie: "a=b; lang=en", "accept-language": "fr" })
    ).text();
    expect(langOf(html)).toBe("en");
    // Another page's address adds nothing, and an unknown choice is none.
    const elsewhere = await open(`${play}?lang=en`, { referer: `${server.url}${path()}?x=1` });
    expect(elsewhere.headers.get("location")).toBe(play);
    expect((await open(`${path()}?lang=xx`)).status).toBe(200);
    const printed = await open(`/c/${campaign.slug}?lang=en`);
    expect(printed.headers.get("location")).toBe(`/c/${campaign.slug}`);
  });

  it("is that of every page: the rules, prizes, a missing campaign, no page at all", async () => {
    const english = { "accept-language": "en" };
    const text = async (address: string) => (await open(address, english)).text();
    const rules = await text(`/c/${campaign.slug}/reglement`);
    expect(rules).toContain("the French text alone governs");
    expect(rules).not.toContain("<script");
    expect(await text(`/c/${campaign.slug}/gain`)).toContain("My prizes");
    expect(await text(`/c/${campaign.slug}/play`)).toContain("Test mode");
    expect(await text(`/org/${organization.slug}`)).toContain("Where are you?");
    expect(await text("/c/aucune/review")).toContain("Wheel not found or not active");
    expect(await text(`/c/${campaign.slug}/nulle-part`)).toContain("Page not found");
    const french = await (await open(`/c/${campaign.slug}/reglement`)).text();
    expect(french).not.toContain("?lang=fr");
  });
});

describe.each(LANGUAGES)("what a phone downloads for a first step: %s", (language) => {
  const isFirst = language === FIRST_LANGUAGE;
  /** Most that a translation may add to the French pages, in bytes. */
  const more = isFirst ? 0 : 2_000;

  it.each([
    ["review", "customer/review-flow/review-page.tsx"],
    // Brings the page around it, which has no name of its own in the manifest.
    ["play?entry=libre", "customer/wheel/name-step.tsx"],
  ] as const)("%s stays light", async (step, view) => {
    const name = isFirst ? "phone.json" : `phone-${language}.json`;
    const phone = new URL(`../../dist/web/.vite/${name}`, import.meta.url);
    const parts = manifest.parse(JSON.parse(await readFile(phone, "utf8")));
    const needed = new Set<string>();
    const collect = (name: string) => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const other of parts[name]?.imports ?? []) collect(other);
    };
    for (const part of [isFirst ? "customer.html" : "customer/entry-client.tsx", view]) {
      collect(part);
    }
    expect([...needed].filter((name) => !parts[name])).toEqual([]);
    const weigh = async (path: string) => (await openRaw(path, "gzip", language)).body.length;
    // A part that a group has taken up has no file of its own: what is loaded with it brings that group's.
    const files = [...needed].flatMap((name) => parts[name]?.file ?? []);
    const scripts = await Promise.all(files.map((file) => weigh(`/${file}`)));
    // The page with its styles, its scripts, and the picture in the browser's tab.
    const rest = await Promise.all([`/c/${campaign.slug}/${step}`, "/favicon.svg"].map(weigh));
    const sum = (sizes: number[]) => sizes.reduce((all, size) => all + size, 0);
    expect(sum(scripts)).toBeGreaterThan(50_000);
    expect(sum(scripts)).toBeLessThan(MAX_PHONE_SCRIPT_BYTES + more);
    expect(sum([...scripts, ...rest])).toBeLessThan(MAX_PHONE_BYTES + more);
    expect(scripts.length + rest.length).toBeLessThanOrEqual(MAX_PHONE_REQUESTS);
  });
});

describe("the rules of a draw", () => {
  it("are a text without a script, in each of their versions", async () => {
    const { sql } = server.database;
    const game = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    const rewardId = await createReward(sql, game, { name: "Tarte & café" });
    await drawWheel(sql, game, [{ weight: 30, rewardId }, { weight: 70 }]);
    const address = `/c/${game.slug}/reglement`;
    const [version] = await sql<{ now: number }[]>`
      select rules_version as now from public.campaigns where id = ${game.id}`;
    const now = version?.now ?? 0;
    const html = await (await open(address)).text();
    expect(html).not.toContain("<script");
    expect(html).not.toContain("modulepreload");
    for (const words of [
      "Chez &lt;Jeanne&gt; &amp; Cie",
      "Tarte &amp; café",
      "30\u00a0%",
      "70\u00a0%",
    ]) {
      expect(html).toContain(words);
    }
    expect(html).toContain(`Version\u00a0${now}, en vigueur`);

    await sql`update public.rewards set name = 'Tarte du jour' where id = ${rewardId}`;
    const former = await (await open(`${address}?version=${now}`)).text();
    expect(former).toContain("Tarte &amp; café");
    // A change shows within a second; the address of the next version is asked for the first time.
    const next = await (await open(`${address}?version=${now + 1}`)).text();
    expect(next).toContain("Tarte du jour");
    const called = await server.call(`campaign_rules?slug=${game.slug}&version=${now}`);
    expect(called).toMatchObject({ status: 200, body: { version: now, in_force: now + 1 } });
  });

  it("are not found for what is no version, and lead from a former address to the present one", async () => {
    const { sql } = server.database;
    for (const query of ["version=0", "version=2x", "version=999999"]) {
      expect((await open(`/c/${campaign.slug}/reglement?${query}`)).status).toBe(404);
    }
    for (const query of ["slug=nulle-part", `slug=${campaign.slug}&version=x`, "slug=A'"]) {
      expect((await server.call(`campaign_rules?${query}`)).status).toBe(404);
    }
    const renamed = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    await sql`update public.campaigns set slug = ${`${renamed.slug}-bis`} where id = ${renamed.id}`;
    const moved = await open(`/c/${renamed.slug}/reglement?version=1`);
    expect(moved.status).toBe(302);
    expect(moved.headers.get("location")).toBe(`/c/${renamed.slug}-bis/reglement?version=1`);
  });
});
