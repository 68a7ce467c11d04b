import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type OperatorFile,
  operator as operatorEntries,
  shownClaims,
} from "#domain/schemas/operator.ts";
import { escapeHtml } from "#domain/text/html.ts";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import type { Prices } from "../../supabase/functions/_shared/http/payments.ts";
import { staticHeaders } from "../http/security-headers.ts";
import { ROOT } from "../root.ts";
import { COMPRESSED, customerTemplate, SITE_FOLDER } from "./built-files.ts";
import { loadBuiltWeb, loadRoutes } from "./built-web.ts";
import { hashesOf } from "./inline-hashes.ts";
import { robotsOf, sitemapOf } from "./site-map.ts";
import type { SitePageName } from "./web.ts";

/** Settings for the web of a Supabase project, since no server of ours fills its pages. */
export type StaticSiteOptions = {
  /** Folder of a finished build. */
  dist: string;
  /** Folder to write, which is emptied first. */
  out: string;
  /** Origin at which people find the web. */
  siteUrl: string;
  /** Origin of the Supabase project. */
  projectUrl: string;
  publishableKey: string;
  operator: OperatorFile;
  google: boolean;
  captcha: { provider: "turnstile" | "hcaptcha"; siteKey: string } | null;
  /** Public key by which push services identify the project; null where push messages are off. */
  pushKey: string | null;
  /** Whether Google is asked what stores' public pages show. */
  publicRating: boolean;
  /** Null where subscriptions are off. */
  payments: { prices: Prices; test: boolean } | null;
};

/**
 * Pages that were prerendered at build, by the file that a static host answers their address with. Sign-in is not among
 * them: it is prerendered in two ways, by its query, which such a host ignores.
 */
const PRERENDERED: Readonly<Record<string, SitePageName>> = {
  "index.html": "landing",
  "pricing.html": "pricing",
  "legal/terms.html": "terms",
  "legal/privacy.html": "privacy",
  "legal/cookies.html": "cookies",
  "legal/rgpd.html": "rgpd",
  "contact.html": "contact",
  "statut.html": "status",
  "en-clair.html": "clear",
};

/** Pages that their script fills, and that have to know where the project is. */
const APPLICATION = "app.html";
const CUSTOMER = customerTemplate(FIRST_LANGUAGE);
const SHELLS = [APPLICATION, CUSTOMER];

/** The script that starts a phone page, and what it fetches. */
const STARTER = /<script data-start="([^"]*)"(?: data-ahead="([^"]*)")?/;

/**
 * Page that a static host answers with 404 to every address that is neither a file nor in
 * `_redirects`.
 */
const MISSING = "404.html";

/**
 * Which page answers an address that is no file. Every address of the application has a line of its own: a last line
 * for all others would answer 200 to what is not there. It would hide the files from hosts that look at these lines
 * first.
 */
function redirectsFile(routes: readonly string[]): string {
  const prerendered = new Set(
    Object.keys(PRERENDERED).map((file) => `/${file.replace(/\.html$/, "")}`),
  );
  const ofApplication = routes
    .map((route) => route.replace(/(?<=.)\/$/, "").replaceAll("$", ":"))
    .filter((route) => route !== "/" && !prerendered.has(route));
  const lines = [...new Set(ofApplication)].map((route) => `${route}  /app  200`);
  return ["/c/*  /customer  200", "/org/*  /customer  200", ...lines, ""].join("\n");
}

/** Writes the web of a Supabase project as a folder for a static host, with its headers and addresses. */
export async function writeStaticSite(options: StaticSiteOptions): Promise<void> {
  const { dist, out, siteUrl, projectUrl, publishableKey, google, captcha } = options;
  // Without the claims: no page but one has a use for them.
  const operator = operatorEntries.parse(options.operator);
  const built = join(dist, "web");
  const provider = captcha?.provider ?? null;
  const web = await loadBuiltWeb(dist, provider);
  await rm(out, { recursive: true, force: true });
  await cp(built, out, {
    recursive: true,
    filter: (file) => !COMPRESSED.test(file) && !file.startsWith(join(built, ".vite")),
  });
  const write = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), content);
  };

  const offers = { google, phone: false };
  const filling = {
    origin: siteUrl,
    operator,
    claims: shownClaims(options.operator, false),
    offers: {
      ...offers,
      captcha: captcha !== null,
      contact: operator.contact_email !== null,
      payments: options.payments !== null,
    },
    demoSlug: null,
    wheel: null,
  };
  for (const [file, name] of Object.entries(PRERENDERED)) {
    await write(file, (await web.site(name, filling)).body.identity);
  }
  const shells = await Promise.all(
    SHELLS.map(async (name) => {
      const page = await readFile(join(built, name), "utf8");
      return name === CUSTOMER ? inEveryLanguage(page, built) : page;
    }),
  );
  for (const language of LANGUAGES) await rm(join(out, customerTemplate(language)));
  for (const [index, name] of SHELLS.entries()) {
    const page = shells[index] ?? "";
    const known = { project: projectUrl, operator: JSON.stringify(operator) };
    const data = Object.entries(known).map(([key, value]) => `data-${key}="${escapeHtml(value)}"`);
    const told = page.replace("<html ", () => `<html ${data.join(" ")} `);
    if (told === page)
      throw new Error(`${name} has no element that could say where the project is.`);
    await write(name, told);
    if (name === APPLICATION) {
      await write(
        MISSING,
        told.replace("<head>", () => '<head><meta name="robots" content="noindex">'),
      );
    }
  }
  const prerendered = await readdir(join(dist, SITE_FOLDER));
  const templates = await Promise.all(
    prerendered
      .filter((name) => name.endsWith(".html"))
      .map((name) => readFile(join(dist, SITE_FOLDER, name), "utf8")),
  );
  const inline = hashesOf([...shells, ...templates].join("\n"));
  const config = {
    supabase_url: projectUrl,
    publishable_key: publishableKey,
    ...offers,
    captcha: captcha && { provider: captcha.provider, site_key: captcha.siteKey },
    payments: options.payments,
    push_key: options.pushKey,
    public_rating: options.publicRating,
    operator,
  };
  await write("config.json", JSON.stringify(config));
  await write("robots.txt", robotsOf(siteUrl));
  await write("sitemap.xml", sitemapOf(siteUrl, null));
  await write(
    "_headers",
    headersFile(staticHeaders({ captcha: provider, inline, projectUrl, siteUrl })),
  );
  await write("_redirects", redirectsFile(await loadRoutes(dist)));
}

/** The page of customers with the scripts of every language, of which it starts one: no server chooses here. */
async function inEveryLanguage(page: string, built: string): Promise<string> {
  const others = LANGUAGES.filter((language) => language !== FIRST_LANGUAGE);
  const scripts = others.map(async (language) => {
    const translated = await readFile(join(built, customerTemplate(language)), "utf8");
    const [, start, ahead = ""] = STARTER.exec(translated) ?? [];
    if (start === undefined) throw new Error(`The phone pages start no script: ${language}`);
    return ` data-lang${language}="${`${start} ${ahead}`.trim()}"`;
  });
  const known = (await Promise.all(scripts)).join("");
  const choice = await readFile(new URL("server/web/choose-language.js", ROOT), "utf8");
  return page.replace(/(<script data-start="[^>]*)>/, (_, head: string) => {
    return `${head}${known}>${choice}`;
  });
}

/** Headers as Netlify, Cloudflare Pages and others read them; a file of a build never changes under its name. */
function headersFile(headers: readonly (readonly [name: string, value: string])[]): string {
  const lines = headers.map(([name, value]) => `  ${name}: ${value}`);
  const forEver = "  cache-control: public, max-age=31536000, immutable";
  return ["/*", ...lines, "", "/assets/*", forEver, ""].join("\n");
}
