import type { IncomingMessage, ServerResponse } from "node:http";
import { encodeQuickly } from "../http/encoding.ts";
import { originOf } from "../http/origin.ts";
import { type Document, etagOf, REVALIDATE, sendDocument } from "../http/send.ts";
import { keptPromise } from "./kept-promise.ts";
import { robotsOf, sitemapOf } from "./site-map.ts";
import type { SiteFilling, SitePageName, Web } from "./web.ts";

/** Addresses of the public pages. */
const PAGES: Readonly<Record<string, SitePageName>> = {
  "/": "landing",
  "/pricing": "pricing",
  "/auth": "signin",
  "/legal/terms": "terms",
  "/legal/privacy": "privacy",
  "/legal/cookies": "cookies",
  "/legal/rgpd": "rgpd",
  "/contact": "contact",
  "/statut": "status",
  "/en-clair": "clear",
};

/** Files about the site that hold its origin. */
const FILES: Readonly<Record<string, (origin: string, demoSlug: string | null) => string>> = {
  "/robots.txt": robotsOf,
  "/sitemap.xml": sitemapOf,
};

/** Origins kept at once where `PUBLIC_URL` is not set: clients say theirs, so there is a bound. */
const MAX_ORIGINS = 8;

/** Dependencies of the public pages on the server around them. */
export type SitePagesOptions = {
  web: Web;
  /** Origin that people use; null: the one that each request came to. */
  publicUrl: string | null;
  filling: Omit<SiteFilling, "origin">;
};

/** Answers the addresses of the public site; null for other addresses. */
export type SitePages = (
  incoming: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<void> | null;

/** Makes the handler of the pages that were prerendered at build: filled once an origin, then the same bytes for all. */
export function createSitePages({ web, publicUrl, filling }: SitePagesOptions): SitePages {
  const kept = new Map<string, Map<string, Promise<Document>>>();

  const make = async (name: string, origin: string): Promise<Document> => {
    const write = FILES[name];
    if (write) return textOf(name, write(origin, filling.demoSlug));
    return web.site(PAGES[name] ?? "signup", { ...filling, origin });
  };

  const documentOf = (name: string, origin: string): Promise<Document> => {
    if (web.middleware) return make(name, origin);
    if (kept.size >= MAX_ORIGINS && !kept.has(origin)) kept.clear();
    const documents = kept.get(origin) ?? new Map<string, Promise<Document>>();
    kept.set(origin, documents);
    return keptPromise(documents, name, () => make(name, origin));
  };

  return (incoming, response, path) => {
    const name = path === "/auth" && asksToSignUp(incoming) ? "/auth?mode=signup" : path;
    if (!(path in PAGES) && !(path in FILES)) return null;
    const origin = publicUrl ?? originOf(incoming);
    return documentOf(name, origin).then((document) => sendDocument(incoming, response, document));
  };
}

function asksToSignUp({ url = "" }: IncomingMessage): boolean {
  return new URLSearchParams(url.slice(url.indexOf("?"))).get("mode") === "signup";
}

function textOf(name: string, text: string): Document {
  const identity = Buffer.from(text);
  return {
    status: 200,
    type: name.endsWith(".xml") ? "application/xml; charset=utf-8" : "text/plain; charset=utf-8",
    cacheControl: REVALIDATE,
    etag: etagOf(identity),
    body: encodeQuickly(identity),
  };
}
