import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fontkit from "@cantoo/fontkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amountsOf } from "#domain/rules/plans.ts";
import { claims, unknownOperator } from "#domain/schemas/operator.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import { typeset } from "#domain/text/typeset.ts";
import type { Document } from "../../server/http/send.ts";
import { ROOT } from "../../server/root.ts";
import { loadBuiltWeb } from "../../server/web/built-web.ts";
import type { SiteFilling, SitePageName } from "../../server/web/web.ts";
import { clearCopy } from "../../web/features/marketing/clear/clear.copy.ts";
import { SCREENS } from "../../web/lib/screens.ts";
import { allowedHashes, inlineSources } from "../harness/inline.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const PAGES = [
  "/",
  "/pricing",
  "/auth",
  "/legal/terms",
  "/legal/privacy",
  "/legal/cookies",
  "/legal/rgpd",
  "/contact",
  "/statut",
  "/en-clair",
] as const;
const HOSTILE = `Café <b>"Léa"</b> & Cie </script>`;

/** Most that the first screen and all pictures of `/` weigh together, compressed, in bytes. */
const MAX_LANDING_BYTES = 180_000;

/**
 * Most that a server sends before it hears from the browser again (ten segments of 1,460 bytes): what is larger costs a
 * round trip more.
 */
const FIRST_FLIGHT_BYTES = 14_600;

/** Share of a page's headers in that, in bytes. */
const HEADERS = 1_000;

/** Most that the film of a customer's journey weighs, in bytes. */
const MAX_FILM_BYTES = 400_000;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tournavis-site-"));
  const file = join(folder, "operator.json");
  const operator = {
    company: HOSTILE,
    contact_email: "bonjour@exemple.fr",
    demo_url: "https://exemple.fr/rdv",
  };
  await writeFile(file, JSON.stringify(operator));
  server = await startTestServer({ env: { OPERATOR_FILE: file } });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (path: string) => fetch(`${server.url}${path}`, { headers: { accept: "text/html" } });

async function factsOf(path: string): Promise<{ "@type": string; [name: string]: unknown }[]> {
  const page = await (await open(path)).text();
  const facts = page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return Array.from(facts, ([, json]) => JSON.parse(json ?? ""));
}

/** Bytes of an address on the line, headers included, in the smallest encoding. */
async function sizeOf(path: string): Promise<number> {
  const headers = { accept: "text/html", "accept-encoding": "br" };
  const response = await fetch(`${server.url}${path}`, { headers });
  await response.arrayBuffer();
  expect(response.status, path).toBe(200);
  const lines = Array.from(response.headers, ([name, value]) => `${name}: ${value}\r\n`);
  return Number(response.headers.get("content-length")) + lines.join("").length;
}

/** The letters that a page's styles promise of a face's file, as ranges. */
function promised(head: string, file: string): [from: number, to: number][] {
  const face = head.match(/@font-face\{[^}]*\}/g)?.find((rule) => rule.includes(`/${file}`)) ?? "";
  return Array.from(
    face.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi),
    ([, from = "", to = from]) => [Number.parseInt(from, 16), Number.parseInt(to, 16)],
  );
}

/** Letters of a text that are in none of the ranges. */
function missing(text: string, ranges: readonly [from: number, to: number][]): string[] {
  expect(text.length).toBeGreaterThan(5);
  const isIn = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);
  const letters = new Set(text.replaceAll(/\s*\n\s*/g, " "));
  return [...letters].filter((letter) => !isIn(letter.codePointAt(0) ?? 0));
}

describe("a public page", () => {
  it.each(PAGES)("%s says in its HTML what it is, of whom, and sets no cookie", async (path) => {
    const response = await open(path);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).not.toContain("unsafe-inline");
    // Inline content of the page is allowed by its own hash, and nothing else is.
    const inline = inlineSources(page);
    expect(inline.length).toBeGreaterThan(1);
    expect(allowedHashes(policy)).toEqual(inline);
    expect(page).toContain('<html lang="fr">');
    expect(page).toMatch(/<title>[^<]{10,70}<\/title>/);
    expect(page).toMatch(/<meta name="description" content="[^"]{50,170}" \/>/);
    expect(page).toContain(`<link rel="canonical" href="${server.url}${path}" />`);
    expect(page).toContain(`<meta property="og:image" content="${server.url}/social.jpg" />`);
    expect(page).toMatch(/<h1[ >]/);
    expect(page).not.toMatch(/\{\{|<when-| style="|<b>"Léa"/);
    // Whatever an element is to look like, its page has the style for: each has a sheet of its own.
    expect(unstyled(page)).toEqual([]);
  });

  it.each(PAGES)(
    "%s waits for two small files of faces, which have all its letters",
    async (path) => {
      const page = await (await open(path)).text();
      const [head = "", body = ""] = page.split("</head>");
      const files = Array.from(head.matchAll(/ href="([^"]+\.woff2)"/g), ([, file = ""]) => file);
      expect(files.length).toBe(2);
      for (const file of files) expect(await sizeOf(file), file).toBeLessThan(FIRST_FLIGHT_BYTES);
      const words = body.replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/g, "");
      const titles = body.match(/(?<=<h[12][ >][^<]*)[^<>]+(?=<)/g)?.join("") ?? "";
      expect(missing(words, promised(head, "figtree-french"))).toEqual([]);
      expect(missing(titles, promised(head, "bricolage-grotesque-french"))).toEqual([]);
    },
  );

  // Chromium on Linux measures with a generic family that is named, and asks another process for each size (decision 042).
  it.each(PAGES)("%s has no named generic family behind its faces", async (path) => {
    const page = await (await open(path)).text();
    const stacks = Array.from(page.matchAll(/--font-(?:sans|display):([^;}]+)/g), ([, s]) => s);
    expect(stacks.length).toBeGreaterThanOrEqual(2);
    for (const stack of stacks) expect(stack).toMatch(/^("[\w ]+", ?){2}system-ui$/);
  });

  it("has in these files what its styles promise of them", async () => {
    const [head = ""] = (await (await open("/")).text()).split("</head>");
    for (const [, file = "", name = ""] of head.matchAll(
      / href="([^"]+\/([a-z-]+-french)[^"]+)"/g,
    )) {
      const font = fontkit.create(new Uint8Array(await (await open(file)).arrayBuffer()));
      if (!("hasGlyphForCodePoint" in font)) throw new Error(name);
      const letters = promised(head, name).flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, index) => from + index),
      );
      expect(letters.length, name).toBeGreaterThan(120);
      // A narrow space is made of the wide one: these faces have none.
      const lacking = letters.filter((letter) => !font.hasGlyphForCodePoint(letter));
      expect(lacking, name).toEqual([0x202f]);
    }
    expect.assertions(4);
  });

  it.each(["/", "/pricing", "/auth", "/legal/terms"])("%s comes in one go", async (path) => {
    expect(await sizeOf(path)).toBeLessThan(FIRST_FLIGHT_BYTES);
  });

  it("has every file that its head names", async () => {
    const page = await (await open("/")).text();
    const manifest = await (await open("/site.webmanifest")).json();
    const icons = manifest.icons.map(({ src }: { src: string }) => src);
    const named = [...page.matchAll(/(?:href|src|data-start)="(\/[^"#]*\.[a-z0-9]+)"/g)].map(
      ([, to]) => to,
    );
    expect(named.length).toBeGreaterThan(8);
    for (const path of [...named, ...icons, "/social.jpg"]) {
      expect((await open(path)).status, path).toBe(200);
    }
  });

  it("shows the form of the tab that is asked for", async () => {
    expect(await (await open("/auth?mode=signup")).text()).toContain('name="fullName"');
    const page = await (await open("/auth?redirect=%2Fsettings")).text();
    expect(page).toContain('name="email"');
    expect(page).not.toContain('name="fullName"');
  });
});

describe("for search engines", () => {
  it("the prices are those of the checkout, and the questions those of the page", async () => {
    const [organization, application] = await factsOf("/");
    expect(organization).toMatchObject({ "@type": "Organization", url: `${server.url}/` });
    const prices = new Set([amountsOf("basic", "yearly"), amountsOf("pro", "monthly")]);
    for (const { total } of prices) {
      expect(JSON.stringify(application)).toContain(`"price":"${(total / 100).toFixed(2)}"`);
    }
    const questions = (await factsOf("/pricing")).find((fact) => fact["@type"] === "FAQPage");
    expect(JSON.stringify(questions)).toContain("Faut-il une carte bancaire pour essayer ?");
  });

  it("the site map names pages that answer, and the back-office stays out", async () => {
    const text = await open("/robots.txt");
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const robots = await text.text();
    for (const screen of Object.keys(SCREENS).filter((path) => path !== "/pricing")) {
      expect(robots).toContain(`Disallow: /${screen.split("/")[1]}\n`);
    }
    expect(robots).toContain("Disallow: /_dev/\n");
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`);
    const listed = await open("/sitemap.xml");
    expect(listed.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const map = await listed.text();
    const found = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
    expect(found).toEqual(PAGES.map((path) => server.url + path));
  });
});

it("the landing page weighs 180 kB at most with its fonts, pictures and script", async () => {
  const page = await (await open("/")).text();
  const files = new Set(
    [...page.matchAll(/(?:href|src|data-start)="(\/[^"#]*\.(?:css|js|woff2|webp))"/g)].map(
      ([, to]) => to,
    ),
  );
  expect(files.size).toBeGreaterThan(6);
  let bytes = 0;
  for (const path of ["/", ...files]) {
    const headers = { accept: "text/html", "accept-encoding": "gzip" };
    const response = await fetch(`${server.url}${path}`, { headers });
    bytes += Number(response.headers.get("content-length"));
    await response.arrayBuffer();
  }
  expect(bytes).toBeGreaterThan(80_000);
  expect(bytes).toBeLessThan(MAX_LANDING_BYTES);
});

let loaded: ReturnType<typeof loadBuiltWeb> | undefined;

/** A page as another deployment than this one would show it. */
async function pageOf(
  name: SitePageName,
  {
    offers,
    ...facts
  }: Partial<Omit<SiteFilling, "offers">> & {
    offers?: Partial<SiteFilling["offers"]>;
  } = {},
): Promise<Document> {
  loaded ??= loadBuiltWeb(fileURLToPath(new URL("dist", ROOT)), null);
  const web = await loaded;
  const none = { google: false, phone: false, captcha: false, contact: false, payments: true };
  return web.site(name, {
    ...{ origin: server.url, operator: unknownOperator, demoSlug: null, wheel: null, claims: null },
    ...facts,
    offers: { ...none, ...offers },
  });
}

const htmlOf = ({ body }: Document) => body.identity.toString("utf8");

/** Classes that a page names and has no style for. */
function unstyled(page: string): string[] {
  const [head = "", body = ""] = page.split("</head>");
  const classes = Array.from(body.matchAll(/ class="([^"]+)"/g), ([, names = ""]) => names);
  const names = new Set(classes.join(" ").replaceAll("&amp;", "&").split(" "));
  expect(names.size).toBeGreaterThan(50);
  return [...names].filter((name) => !head.includes(`.${name.replace(/[^\w-]/g, "\\$&")}`));
}

/** French prose that the landing page has none of, so that it compresses as what an operator writes. */
const PROSE = clearCopy.law.entries.map(({ answer }) => answer).join(" ");

/** A wheel like the demo shop's, in as many segments, with its labels. */
const WHEEL: PublicSegment[] = [
  ["Café offert", "#8357e7"],
  ["Pas de chance", "#6B7280"],
  ["10 % de remise", "#10B981"],
  ["50 points", "#06B6D4"],
  ["Tarte du jour", "#F59E0B"],
  ["La prochaine fois", "#6B7280"],
  ["Brunch pour deux", "#EC4899"],
].map(([label = "", color = ""], position) => ({ id: randomUUID(), label, color, position }));

describe("what the landing page claims", () => {
  const FIGURES = ["500k+", "94 %", "2000+"].map((text) => typeset(text));
  const PEOPLE = ["Marie Lenoir", "Karim Benali", "Sophie Arnaud"];

  it("is the specification's on somebody's own machine, in one go with the demo's wheel", async () => {
    const { body } = await pageOf("landing", {
      ...{ demoSlug: "demo", wheel: WHEEL, claims: "examples" },
    });
    expect((body.br?.length ?? FIRST_FLIGHT_BYTES) + HEADERS).toBeLessThan(FIRST_FLIGHT_BYTES);
    const page = await (await open("/")).text();
    for (const claim of [...FIGURES, ...PEOPLE]) expect(page).toContain(claim);
    expect(page).not.toContain("Ce que vous pouvez vérifier");
  });

  it("is nothing where nobody confirms it: what can be proven stands there, in one go as well", async () => {
    const document = await pageOf("landing", { demoSlug: "demo", wheel: WHEEL });
    const page = htmlOf(document);
    for (const claim of [...FIGURES, ...PEOPLE, "Ils ont posé"]) expect(page).not.toContain(claim);
    const [, section = ""] = page.split('id="preuves"');
    expect(section).toContain("Ce que vous pouvez vérifier");
    for (const place of ["/c/demo/reglement", "/en-clair#loi", "/legal/cookies", "/statut"])
      expect(section).toContain(`href="${place}"`);
    expect(htmlOf(await pageOf("landing"))).not.toContain("/reglement");
    expect(unstyled(page)).toEqual([]);
    expect((document.body.br?.length ?? FIRST_FLIGHT_BYTES) + HEADERS).toBeLessThan(
      FIRST_FLIGHT_BYTES,
    );
  });

  it("is the operator's own, escaped, as far as there is something, and comes in one go", async () => {
    const prose = (start: number, length: number) => PROSE.slice(start).trim().slice(0, length);
    const testimonials = [0, 1, 2].map((index) => ({
      text: `${index} ${HOSTILE} {{company}} ${prose(index * 240, 240)}`.slice(0, 240),
      name: prose(720 + index * 60, 60),
      role: prose(900 + index * 60, 60),
    }));
    const figures = [0, 1, 2].map((index) => ({
      value: `${index}`.repeat(16),
      label: prose(1080 + index * 40, 40),
    }));
    const document = await pageOf("landing", {
      ...{ demoSlug: "demo", wheel: WHEEL },
      claims: claims.parse({ figures, testimonials }),
    });
    const page = htmlOf(document);
    expect(page).toContain("Ils ont posé le QR code sur le comptoir");
    for (const { value } of figures) expect(page).toContain(value);
    expect(page).toContain("1 Café &lt;b&gt;&quot;Léa&quot;&lt;/b&gt; &amp; Cie &lt;/script&gt;");
    expect(page).not.toContain('<b>"Léa"');
    for (const example of [...FIGURES, ...PEOPLE]) expect(page).not.toContain(example);
    expect((document.body.br?.length ?? FIRST_FLIGHT_BYTES) + HEADERS).toBeLessThan(
      FIRST_FLIGHT_BYTES,
    );

    const alone = htmlOf(await pageOf("landing", { claims: { figures, testimonials: [] } }));
    expect(alone).toContain(figures[0]?.value);
    expect(alone).not.toContain("<blockquote");
  });
});

describe("where nobody can subscribe", () => {
  it("neither page leads to a purchase, and the trial stays", async () => {
    for (const name of ["landing", "pricing"] as const) {
      const open = htmlOf(await pageOf(name));
      expect(open).not.toContain("ne sont pas ouverts");
      expect(open).toContain('"name":"Basic, mensuel"');
      const closed = htmlOf(await pageOf(name, { offers: { payments: false } }));
      expect(closed).toContain("Les abonnements ne sont pas ouverts pour le moment");
      expect(closed).toContain('href="/auth/signup"');
      for (const invitation of ["/checkout", "Choisir", "Changez", '"name":"Basic, mensuel"'])
        expect(closed).not.toContain(invitation);
      expect(closed).toContain('"name":"Essai gratuit"');
      expect(unstyled(closed)).toEqual([]);
    }
  });
});

it("the film of the journey weighs 400 kB at most", async () => {
  const response = await fetch(`${server.url}/product/journey.webm`);
  const bytes = (await response.arrayBuffer()).byteLength;
  expect(response.headers.get("content-type")).toBe("video/webm");
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(MAX_FILM_BYTES);
});

it("the landing page has the wheel of the demo, and an example where there is no demo", async () => {
  const landing = async (wheel: PublicSegment[] | null) =>
    htmlOf(await pageOf("landing", { wheel }));
  const segments = ["Brioche", "Perdu"].map((label, position) => ({
    ...{ id: randomUUID(), label, position },
    color: "#8B5CF6",
  }));
  expect(await landing(segments)).toContain("Brioche");
  const example = await landing(null);
  expect(example).not.toContain("Brioche");
  expect(example).toContain("Dessert");
});
