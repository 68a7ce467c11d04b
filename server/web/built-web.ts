import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { LANGUAGES, type Language } from "#domain/text/languages.ts";
import { encodeQuickly, encodeWell } from "../http/encoding.ts";
import { applicationPolicy, customerPolicy } from "../http/security-headers.ts";
import { type Document, etagOf, IMMUTABLE, REVALIDATE } from "../http/send.ts";
import {
  APPLICATION_FILES,
  applicationFiles,
  COMPRESSED,
  customerRenderer,
  customerTemplate,
  ROUTES_FILE,
  SITE_FOLDER,
  siteRenderer,
} from "./built-files.ts";
import { fillCustomerTemplate, isMissing, type RenderPage } from "./customer-document.ts";
import { fillPage } from "./fill-page.ts";
import { hashesOf } from "./inline-hashes.ts";
import { keptPromise } from "./kept-promise.ts";
import { knownPaths } from "./known-paths.ts";
import { LANGUAGE_HEADERS } from "./language.ts";
import { SITE_PAGES, type SiteFilling, type SitePageName, type Web } from "./web.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webm": "video/webm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/** Templates, served through their own routes only. */
const APPLICATION = "/app.html";

const serverBuild = z.object({
  renderPage: z.custom<RenderPage>((value) => typeof value === "function"),
});

/**
 * Loads what `npm run build` made, whole, into memory: it is small and never changes while we run.
 * Whose captcha the application shows decides what its pages may load.
 */
export async function loadBuiltWeb(
  dist: string,
  captcha: Parameters<typeof applicationPolicy>[0],
): Promise<Web> {
  const files = await readFiles(join(dist, "web"));
  const application = files.get(APPLICATION);
  const customer = readCustomer(dist, files);
  if (!application) throw new Error(`no built web in ${dist}: npm run build`);
  files.delete(APPLICATION);
  const page: Document = { ...application, policy: applicationPolicy(captcha) };
  const site = await readSite(dist);
  return {
    site: async (name, filling) => {
      const identity = Buffer.from(site.fill(name, filling));
      return {
        status: 200,
        type: "text/html; charset=utf-8",
        cacheControl: REVALIDATE,
        etag: etagOf(identity),
        // Made once an origin, and read by every visitor.
        body: await encodeWell(identity),
        // The application takes these over, for everybody or for members.
        policy: applicationPolicy(captcha, hashesOf(site.template(name))),
      };
    },
    file: (path) => files.get(path),
    knows: knownPaths(await loadRoutes(dist)),
    application: async () => page,
    customer: async (state, { language, found = null }) => {
      const { template, plainPolicy, renderPage } = await customer(language);
      const { html, style } = fillCustomerTemplate(template, renderPage, state, found);
      const identity = Buffer.from(html);
      return {
        status: isMissing(state) ? 404 : 200,
        type: "text/html; charset=utf-8",
        cacheControl: REVALIDATE,
        etag: etagOf(identity),
        body: encodeQuickly(identity),
        policy: style === null ? plainPolicy : customerPolicy(hashesOf(`${template}${style}`)),
        vary: LANGUAGE_HEADERS,
      };
    },
  };
}

/** Takes the templates of the phone pages from the files, and gives the means to fill one, loaded when first needed. */
function readCustomer(dist: string, files: Map<string, Document>) {
  const templates = new Map<Language, string>();
  for (const language of LANGUAGES) {
    const file = `/${customerTemplate(language)}`;
    const template = files.get(file)?.body.identity.toString("utf8");
    if (template === undefined) throw new Error(`no ${file} in ${dist}`);
    files.delete(file);
    templates.set(language, template);
  }
  const load = async (language: Language) => {
    const template = templates.get(language) ?? "";
    const renderer = pathToFileURL(join(dist, "ssr", customerRenderer(language))).href;
    const { renderPage } = serverBuild.parse(await import(renderer));
    return { template, plainPolicy: customerPolicy(hashesOf(template)), renderPage };
  };
  const loaded = new Map<Language, ReturnType<typeof load>>();
  return (language: Language) => keptPromise(loaded, language, () => load(language));
}

/** Templates of the application's addresses, as the build has listed them. */
export async function loadRoutes(dist: string): Promise<string[]> {
  const text = await readFile(join(dist, SITE_FOLDER, ROUTES_FILE), "utf8");
  return z.array(z.string()).parse(JSON.parse(text));
}

/** The public pages as the build has prerendered them, to be filled. */
async function readSite(dist: string) {
  const read = async (name: string) => readFile(join(dist, SITE_FOLDER, name), "utf8");
  const pages = await Promise.all(
    SITE_PAGES.map(async (name) => [name, await read(`${name}.html`)] as const),
  );
  const application = applicationFiles.parse(JSON.parse(await read(APPLICATION_FILES)));
  const renderer = pathToFileURL(join(dist, "ssr", "site-server.js")).href;
  const { renderTrial, renderClaims } = siteRenderer.parse(await import(renderer));
  const templates = new Map<string, string>(pages);
  const template = (name: SitePageName) => templates.get(name) ?? "";
  return {
    template,
    fill(name: SitePageName, filling: SiteFilling): string {
      const wheel = filling.wheel && renderTrial(filling.wheel);
      const claims = filling.claims && renderClaims(filling.claims);
      return fillPage(template(name), { ...filling, wheel, claims, application });
    },
  };
}

async function readFiles(root: string): Promise<Map<string, Document>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw new Error(`no built web in ${root}: npm run build`, { cause: error });
    },
  );
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((name) => !COMPRESSED.test(name) && !name.startsWith(`${sep}.`));
  const present = new Map<string, Document>();
  await Promise.all(
    names.map(async (name) => {
      const path = name.split(sep).join("/");
      const file = join(root, name);
      const [identity, gzip, br] = await Promise.all([
        readFile(file),
        readFile(`${file}.gz`).catch(() => null),
        readFile(`${file}.br`).catch(() => null),
      ]);
      present.set(path, {
        status: 200,
        type: TYPES[extname(path)] ?? "application/octet-stream",
        cacheControl: path.startsWith("/assets/") ? IMMUTABLE : REVALIDATE,
        etag: etagOf(identity),
        body: { identity, gzip, br },
      });
    }),
  );
  return present;
}
