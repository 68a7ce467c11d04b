import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import type { Document } from "../../server/http/send.ts";
import { ROOT } from "../../server/root.ts";
import { startDevelopmentWeb } from "../../server/web/development-web.ts";
import { SITE_PAGES, type SiteFilling, type Web } from "../../server/web/web.ts";

/** Answers of `npm run dev`: the pages straight from their sources, without a build. */

const ORIGIN = "http://localhost:3000";
const NOT_KNOWN = 418;
const root = fileURLToPath(ROOT);

let web: Web;
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    web.middleware?.(incoming, response, () => response.writeHead(NOT_KNOWN).end());
  });
  web = await startDevelopmentWeb(root, server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  url = `http://127.0.0.1:${address.port}`;
});
// Vite ends with the server that it was given.
afterAll(() => void server.close());

const textOf = ({ body }: Document) => body.identity.toString("utf8");

const filling: SiteFilling = {
  origin: ORIGIN,
  operator: { ...unknownOperator, company: "Roue & Cie" },
  offers: { google: false, phone: false, captcha: false, contact: true, payments: true },
  demoSlug: null,
  wheel: null,
  claims: null,
};

/** Sources that a page names: its style sheets, and what starts it. */
const sourcesOf = (html: string) =>
  Array.from(
    html.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="(\/(?!@)[^"]+)"/g),
    ([, address]) => address,
  );

const site = (name: string, ...kinds: string[]) => kinds.map((kind) => `/site/${name}.${kind}`);

/** Sources of each page, and its title. */
const PAGES: Record<(typeof SITE_PAGES)[number], readonly [sources: string[], title: string]> = {
  landing: [site("landing", "css", "ts"), "Tournavis"],
  pricing: [site("pricing", "css", "tsx"), "Des prix simples"],
  terms: [site("legal", "css"), "Conditions"],
  privacy: [site("legal", "css"), "confidentialité"],
  cookies: [site("legal", "css"), "Cookies"],
  rgpd: [site("legal", "css"), "RGPD"],
  contact: [site("contact", "css", "ts"), "Contact"],
  status: [site("status", "css", "ts"), "Statut"],
  clear: [site("clear", "css", "ts"), "Ce que ça rapporte"],
  signin: [["/app.css", "/main.tsx", "/site/auth.css"], "Connexion"],
  signup: [["/app.css", "/main.tsx", "/site/auth.css"], "Créer un compte"],
};

describe("a public page", () => {
  it.each(SITE_PAGES)("%s is filled, and loads its own sources", async (name) => {
    const document = await web.site(name, filling);
    expect(document).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    const html = textOf(document);
    const [sources, title] = PAGES[name];
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toContain(title);
    expect(sourcesOf(html).sort()).toEqual(sources);
    for (const source of sources) expect(existsSync(`${root}web${source}`), source).toBe(true);
    expect(html).toContain('src="/@vite/client"');
    expect(html).not.toContain("{{");
    expect(html).not.toContain("<when-");
    if (name === "terms") expect(html).toContain("Roue &amp; Cie");
    // Files that the application loads where it takes the page over for a member.
    if (name === "pricing") expect(html).toContain('"script":"/main.tsx","style":"/app.css"');
  });

  it("shows the wheel of the demo where there is one, and an example where there is none", async () => {
    const segments = ["Brioche", "Perdu"].map((label, position) => ({
      ...{ id: randomUUID(), label, position },
      color: "#8B5CF6",
    }));
    const landing = async (wheel: SiteFilling["wheel"]) =>
      textOf(await web.site("landing", { ...filling, wheel }));
    const demo = await landing(segments);
    expect(demo).toContain("Brioche");
    const example = await landing(null);
    expect(example).not.toContain("Brioche");
    expect(example).toContain("Dessert");
  });
});

describe("the application", () => {
  it("is one page for all of its addresses, and for no other", async () => {
    const document = await web.application("/dashboard");
    expect(document).toMatchObject({ status: 200, cacheControl: "no-store" });
    expect(document.policy).toContain("'unsafe-inline'");
    expect(document.policy).toContain("frame-ancestors 'none'");
    const html = textOf(document);
    expect(html).toContain('<div id="root">');
    expect(sourcesOf(html)).toEqual(["/app.css", "/main.tsx"]);
    expect([web.knows("/dashboard"), web.knows("/aucune-page")]).toEqual([true, false]);
    // Vite answers for files.
    expect(web.file("/app.html")).toBeUndefined();
  });
});

describe("a phone page", () => {
  it("finds its own data where none is named", async () => {
    const document = await web.customer(null, { path: "/c/quelconque/review", language: "fr" });
    expect(document).toMatchObject({ status: 200, cacheControl: "no-store" });
    const html = textOf(document);
    expect(html).toContain('<div id="page"></div>');
    expect(html).toContain("customer/entry-client.tsx");
    expect(html).toContain('name="robots" content="noindex"');
  });

  it("is missing where nothing is, and may be found where it says so", async () => {
    const missing = await web.customer({ kind: "no-page" }, { path: "/c/", language: "fr" });
    expect(missing.status).toBe(404);
    expect(textOf(missing)).toContain("<title>Page non trouvée</title>");
    const place = {
      path: "/c/demo/review",
      language: "fr",
      found: `${ORIGIN}/c/demo/review`,
    } as const;
    const found = textOf(await web.customer(null, place));
    expect(found).toContain(`<link rel="canonical" href="${ORIGIN}/c/demo/review" />`);
    expect(found).not.toContain("noindex");
  });
});

describe("a phone page in another language", () => {
  it("has texts and sources of that language, from the same files", async () => {
    const document = await web.customer({ kind: "no-page" }, { path: "/c/", language: "en" });
    expect(document).toMatchObject({ status: 404, vary: "accept-language, cookie" });
    const html = textOf(document);
    expect(html).toContain('<html lang="en"');
    expect(html).toContain("<title>Page not found</title>");
    const source = await fetch(`${url}/@en/customer/unavailable/no-page.tsx`);
    expect(await source.text()).toContain("/@en/customer/unavailable/no-page.copy.en.ts");
  });
});

describe("a source", () => {
  it.each(["/main.tsx", `/@fs${root}supabase/functions/_shared/domain/text/slugify.ts`])(
    "%s is answered as a script",
    async (path) => {
      const response = await fetch(`${url}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("javascript");
    },
  );

  it("outside the repository is answered to nobody, and an address that is none goes on", async () => {
    expect((await fetch(`${url}/@fs/etc/hostname`)).status).toBe(403);
    expect((await fetch(`${url}/dashboard`, { headers: { accept: "text/html" } })).status).toBe(
      NOT_KNOWN,
    );
  });
});
