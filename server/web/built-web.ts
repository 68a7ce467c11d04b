import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { encodeQuickly, encodeWell } from "../http/encoding.ts";
import { applicationPolicy, customerPolicy } from "../http/security-headers.ts";
import { type Document, etagOf, IMMUTABLE, REVALIDATE } from "../http/send.ts";
import {
  APPLICATION_FILES,
  applicationFiles,
  COMPRESSED,
  ROUTES_FILE,
  SITE_FOLDER,
  siteRenderer,
} from "./built-files.ts";
import { fillCustomerTemplate, isMissing, type RenderPage } from "./customer-document.ts";
import { fillPage } from "./fill-page.ts";
import { hashesOf } from "./inline-hashes.ts";
import { knownPaths } from "./known-paths.ts";
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
const CUSTOMER = "/customer.html";

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
  const template = files.get(CUSTOMER)?.body.identity.toString("utf8");
  if (!application || template === undefined) throw new Error(`no built web in ${dist}`);
  files.delete(APPLICATION);
  files.delete(CUSTOMER);
  const { renderPage } = serverBuild.parse(
    await import(pathToFileURL(join(dist, "ssr", "entry-server.js")).href),
  );
  const page: Document = { ...application, policy: applicationPolicy(captcha) };
  const site = await readSite(dist);
  const plainPolicy = customerPolicy(hashesOf(template));
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
    customer: async (state, _path, found = null) => {
      const { html, style } = fillCustomerTemplate(template, renderPage, state, found);
      const identity = Buffer.from(html);
      return {
        status: isMissing(state) ? 404 : 200,
        type: "text/html; charset=utf-8",
        cacheControl: REVALIDATE,
        etag: etagOf(identity),
        body: encodeQuickly(identity),
        policy: style === null ? plainPolicy : customerPolicy(hashesOf(`${template}${style}`)),
      };
    },
  };
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
  const { renderTrial } = siteRenderer.parse(await import(renderer));
  const templates = new Map<string, string>(pages);
  const template = (name: SitePageName) => templates.get(name) ?? "";
  return {
    template,
    fill(name: SitePageName, filling: SiteFilling): string {
      const wheel = filling.wheel && renderTrial(filling.wheel);
      return fillPage(template(name), { ...filling, wheel, application });
    },
  };
}

async function readFiles(root: string): Promise<Map<string, Document>> {
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
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
