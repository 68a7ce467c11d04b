import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fontkit from "@cantoo/fontkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amountsOf } from "#domain/rules/plans.ts";
import { unknownOperator } from "#domain/schemas/operator.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import { ROOT } from "../../server/root.ts";
import { loadBuiltWeb } from "../../server/web/built-web.ts";
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
const MOST_LANDING = 180_000;

/**
 * Most that a server sends before it hears from the browser again (ten segments of 1,460 bytes): what is larger costs a
 * round trip more.
 */
const AT_ONCE = 14_600;

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

/** What an address costs on the line, headers included, in the smallest encoding. */
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
    // What stands in the page is allowed by its own hash, and nothing else is.
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
    const [head = "", body = ""] = page.split("</head>");
    const classes = Array.from(body.matchAll(/ class="([^"]+)"/g), ([, names = ""]) => names);
    const names = new Set(classes.join(" ").replaceAll("&amp;", "&").split(" "));
    expect(names.size).toBeGreaterThan(50);
    const unknown = [...names].filter(
      (name) => !head.includes(`.${name.replace(/[^\w-]/g, "\\$&")}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each(PAGES)(
    "%s waits for two small files of faces, which have all its letters",
    async (path) => {
      const page = await (await open(path)).text();
      const [head = "", body = ""] = page.split("</head>");
      const files = Array.from(head.matchAll(/ href="([^"]+\.woff2)"/g), ([, file = ""]) => file);
      expect(files.length).toBe(2);
      for (const file of files) expect(await sizeOf(file), file).toBeLessThan(AT_ONCE);
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
    expect(await sizeOf(path)).toBeLessThan(AT_ONCE);
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
    expect(robots).toContain("Disallow: /dashboard\n");
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
  expect(bytes).toBeLessThan(MOST_LANDING);
});

it("the landing page has the wheel of the demo, and an example where there is no demo", async () => {
  const web = await loadBuiltWeb(fileURLToPath(new URL("dist", ROOT)), null);
  const offers = { google: false, phone: false, captcha: false, contact: false };
  const landing = async (wheel: PublicSegment[] | null) => {
    const filling = {
      origin: server.url,
      operator: unknownOperator,
      offers,
      demoSlug: null,
      wheel,
    };
    return (await web.site("landing", filling)).body.identity.toString("utf8");
  };
  const segments = ["Brioche", "Perdu"].map((label, position) => ({
    ...{ id: randomUUID(), label, position },
    color: "#8B5CF6",
  }));
  expect(await landing(segments)).toContain("Brioche");
  const example = await landing(null);
  expect(example).not.toContain("Brioche");
  expect(example).toContain("Dessert");
});
