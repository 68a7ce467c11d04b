import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amountsOf } from "#domain/plans.ts";
import { allowedHashes, inlineSources } from "../harness/inline.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const PAGES = ["/", "/pricing", "/auth", "/legal/terms", "/legal/privacy"] as const;
const HOSTILE = `Café <b>"Léa"</b> & Cie </script>`;

/** Most that the first screen and all pictures of `/` weigh together, compressed, in bytes. */
const MOST_LANDING = 180_000;

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
    // Every colour that a drawing asks for has its style: without one it would be black.
    const [head = "", body = ""] = page.split("</head>");
    const hues = new Set(body.match(/(?<=[" ])(?:fill|stroke)-[a-z-]+(?=[" ])/g));
    expect(hues.size).toBeGreaterThan(4);
    expect([...hues].filter((hue) => !new RegExp(`\\.${hue}[{,]`).test(head))).toEqual([]);
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
    const robots = await (await open("/robots.txt")).text();
    expect(robots).toContain("Disallow: /dashboard\n");
    expect(robots).toContain("Disallow: /_dev/\n");
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`);
    const map = await (await open("/sitemap.xml")).text();
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
