import type { IncomingMessage, ServerResponse } from "node:http";
import type { Sql } from "postgres";
import * as z from "zod/mini";
import { ENTRY_WITHOUT_REVIEW, SOURCE_QR } from "#domain/rules/constants.ts";
import { drawingsOf } from "#domain/rules/prize-pictures.ts";
import { campaignPage, forPhones } from "#domain/schemas/campaign-page.ts";
import {
  type RulesOperator,
  readRulesVersion,
  rulesIn,
  rulesOperator,
  rulesPage,
} from "#domain/schemas/campaign-rules.ts";
import { visitSource } from "#domain/schemas/journey.ts";
import {
  closedCampaignPage,
  closedIn,
  organizationIn,
  organizationPage,
} from "#domain/schemas/open-wheels.ts";
import type { Operator } from "#domain/schemas/operator.ts";
import type { Language } from "#domain/text/languages.ts";
import { wordsIn } from "#domain/text/merchant-words.ts";
import { isSlug } from "#domain/text/slugify.ts";
import {
  DATABASE_RETRY_S,
  isDatabaseUnable,
} from "../../supabase/functions/_shared/http/database-away.ts";
import type { RenderedPage } from "../../web/customer/page-data.ts";
import { PageCache } from "../http/page-cache.ts";
import { type Document, sendDocument, sendRedirect } from "../http/send.ts";
import { keptPromise } from "./kept-promise.ts";
import { choiceOf, cookieOf, languageOf } from "./language.ts";
import type { Web } from "./web.ts";

/** A change of a campaign shows within a second; what reading and answering take is left out of it. */
const LIFETIME_MS = 900;

/** Campaigns and organisations kept at once; each costs some ten kilobytes a page shown. */
const CAPACITY = 500;

const ADDRESS = /^\/(c|org)\/([^/]+?)(?:\/(review|play|reglement|gain))?\/?$/;

/** Start of such an address: its area, and its slug as it was written. */
const AREA_AND_SLUG = /^(\/[^/]+\/)[^/]+/;

/** The page of an address that does not exist, or is not revealed. */
const MISSING = { kind: "not-found", closed: null } as const;

/** Content that the database holds for one address, and the pages made of it so far. */
type Content = {
  /** As the database wrote it: the same text means that the pages still hold. */
  text: string | null;
  /** Present slug, which differs from the one asked after a renaming. */
  slug: string | null;
  /** Makes the page of one way into it (`review`, `play` in one of its modes …) in a language. */
  page(variant: Variant, language: Language): RenderedPage;
  documents: Map<`${Variant} ${Language}`, Promise<Document>>;
};

type Variant =
  | "review"
  | "play-review"
  | "play-libre"
  | "play-test"
  | "organization"
  | "rules"
  | "kept";

/** Steps of the demo that search engines may list as pages of their own. */
const DEMO_STEPS: Readonly<Partial<Record<Variant, string>>> = {
  review: "review",
  "play-test": "play",
};

/** Dependencies of the pages on the server around them. */
export type CustomerPagesOptions = {
  sql: Sql;
  web: Web;
  /** Origin at which people reach the service. */
  origin: string;
  /** Campaign that the landing page shows: the only one that search engines may list. */
  demoSlug: string | null;
  /** Operator of the service: the rules of a draw name them. */
  operator: Operator;
  /** Counts a scan; called after the answer has gone. */
  recordScan(incoming: IncomingMessage, slug: string, source: string): void;
  onFailure(error: unknown): void;
};

/** Answers the addresses of customers: `/c/…` and `/org/…`. */
export type CustomerPages = (
  incoming: IncomingMessage,
  response: ServerResponse,
  pathname: string,
) => Promise<void>;

/** Route template of a customer's address, for the log and the metrics; null for other addresses. */
export function customerRoute(pathname: string): string | null {
  if (pathname.startsWith("/org/")) return "/org/:slug";
  if (!pathname.startsWith("/c/")) return null;
  const step = ADDRESS.exec(pathname)?.[3];
  return step ? `/c/:slug/${step}` : "/c/:slug";
}

/**
 * Makes the handler of the phone pages. The first step is part of the HTML. The finished bytes are kept for less than a
 * second: a crowd in front of one QR code costs the database one query a second.
 */
export function createCustomerPages(options: CustomerPagesOptions): CustomerPages {
  const { sql, web } = options;
  const operator = rulesOperator.parse(options.operator);
  const cache = new PageCache<Content>({
    read: async (key, previous) => {
      const text = await readText(sql, key);
      return previous?.text === text && !web.middleware ? previous : contentOf(key, text, operator);
    },
    lifetimeMs: web.middleware ? 0 : LIFETIME_MS,
    capacity: CAPACITY,
  });
  const missing = new Map<string, Promise<Document>>();

  /** Address for search engines; null for merchants' pages, which are for customers in front of the QR code. */
  const foundAt = (slug: string, variant: Variant): string | null => {
    const step = DEMO_STEPS[variant];
    return slug === options.demoSlug && step ? `${options.origin}/c/${slug}/${step}` : null;
  };

  const sendNotFound = async (
    incoming: IncomingMessage,
    response: ServerResponse,
    path: string,
    kind: "not-found" | "no-page" = "not-found",
  ) => {
    const language = languageOf(incoming);
    const make = () => web.customer(kind === "no-page" ? { kind } : MISSING, { path, language });
    const document = web.middleware ? make() : keptPromise(missing, `${kind} ${language}`, make);
    sendDocument(incoming, response, await document);
  };

  const answer = async (
    incoming: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    { query, language }: { query: URLSearchParams; language: Language },
  ) => {
    const destination = destinationOf(pathname, query);
    if (destination.kind === "missing") {
      return sendNotFound(incoming, response, pathname, destination.page);
    }
    if (destination.kind === "redirect") return sendRedirect(response, destination.to);
    if (destination.kind === "scan") {
      const { slug, source } = destination;
      sendRedirect(response, `/c/${slug}/review?source=${source}`);
      if (incoming.method === "GET" && !isPrefetch(incoming)) {
        options.recordScan(incoming, slug, source);
      }
      return;
    }
    const { slug, variant, key } = destination;
    const kept = cache.get(key);
    const content = kept instanceof Promise ? await kept : kept;
    if (content.text === null) return sendNotFound(incoming, response, pathname);
    if (content.slug !== null && content.slug !== slug) {
      const search = query.size > 0 ? `?${query}` : "";
      return sendRedirect(response, pathname.replace(AREA_AND_SLUG, `$1${content.slug}`) + search);
    }
    const inLanguage = `${variant} ${language}` as const;
    let document = content.documents.get(inLanguage);
    if (!document) {
      const found = foundAt(slug, variant);
      document = web.customer(content.page(variant, language), {
        path: pathname,
        language,
        found,
      });
      content.documents.set(inLanguage, document);
      document.catch(() => content.documents.delete(inLanguage));
    }
    sendDocument(incoming, response, await document);
  };

  return async (incoming, response, pathname) => {
    if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD", "content-length": 0 }).end();
      return;
    }
    const query = queryOf(incoming);
    const choice = choiceOf(incoming, pathname, query);
    if (choice !== null) {
      const isSecure = options.origin.startsWith("https:");
      response.setHeader("set-cookie", cookieOf(choice.language, isSecure));
      return sendRedirect(response, choice.back);
    }
    const language = languageOf(incoming);
    try {
      await answer(incoming, response, pathname, { query, language });
    } catch (error) {
      options.onFailure(error);
      if (response.headersSent) return;
      if (isDatabaseUnable(error)) response.setHeader("retry-after", DATABASE_RETRY_S);
      // The page without data asks for it itself, and shows a failure when that fails too.
      const document = await web.customer(null, { path: pathname, language });
      sendDocument(incoming, response, { ...document, status: 503, cacheControl: "no-store" });
    }
  };
}

/** Where an address leads, as far as its text alone decides. */
type Destination =
  | { kind: "missing"; page: "not-found" | "no-page" }
  | { kind: "redirect"; to: string }
  /** A scan of the QR code, which is counted. */
  | { kind: "scan"; slug: string; source: string }
  /** A page; `key` is what the database is asked for. */
  | { kind: "page"; slug: string; variant: Variant; key: string };

function destinationOf(pathname: string, query: URLSearchParams): Destination {
  const [, area, written = "", step] = ADDRESS.exec(pathname) ?? [];
  if (area === undefined || (area === "org" && step)) return { kind: "missing", page: "no-page" };
  const slug = written.toLowerCase();
  if (!isSlug(slug)) return { kind: "missing", page: "not-found" };
  const source = sourceOf(query) ?? SOURCE_QR;
  if (area === "c" && !step) return { kind: "redirect", to: `/c/${slug}/play?source=${source}` };
  const variant = area === "org" ? "organization" : variantOf(step, query);
  const key = keyOf(variant, slug, query);
  if (key === null) return { kind: "missing", page: "not-found" };
  if (variant === "play-test" && query.has("source")) return { kind: "scan", slug, source };
  return { kind: "page", slug, variant, key };
}

/**
 * Key that the database is asked for: `campaign:slug`, `organization:slug`, `rules:slug` or
 * `rules:slug:version`.
 */
function keyOf(variant: Variant, slug: string, query: URLSearchParams): string | null {
  if (variant === "organization") return `organization:${slug}`;
  // The page of one's prizes outlives the campaign, as its rules do.
  if (variant === "kept") return `rules:${slug}`;
  if (variant !== "rules") return `campaign:${slug}`;
  const asked = query.get("version");
  if (asked === null) return `rules:${slug}`;
  const version = readRulesVersion(asked);
  return version === null ? null : `rules:${slug}:${version}`;
}

async function readText(sql: Sql, key: string): Promise<string | null> {
  const [what, slug = "", version = null] = key.split(":");
  const answer =
    what === "organization"
      ? sql`public.organization_page(${slug})`
      : what === "rules"
        ? sql`public.campaign_rules_page(${slug}, ${version}::integer)`
        : sql`coalesce(public.campaign_page(${slug}), public.closed_campaign_page(${slug}))`;
  const [row] = await sql<{ text: string | null }[]>`select ${answer}::text as text`;
  return row?.text ?? null;
}

function contentOf(key: string, text: string | null, operator: RulesOperator): Content {
  const documents: Content["documents"] = new Map();
  if (text === null) {
    return { text, slug: null, page: () => MISSING, documents };
  }
  if (key.startsWith("rules:")) {
    const page = rulesPage.parse(JSON.parse(text));
    const { id: campaign_id, slug, content, white_label, brand } = page;
    const pictures = drawingsOf(page.pictures);
    const store = { name: content.store.name, timezone: content.timezone };
    return {
      text,
      slug,
      page: (variant, language) => {
        if (variant === "rules") return { kind: "rules", page: rulesIn(page, language), operator };
        const words = wordsIn(page.words, language);
        const kept = { campaign_id, slug, store, white_label, brand, pictures };
        return { kind: "kept", ...kept, ...(words.length > 0 && { words }) };
      },
      documents,
    };
  }
  if (key.startsWith("organization:")) {
    const page = organizationPage.parse(JSON.parse(text));
    return {
      text,
      slug: page.slug,
      page: (_, language) => ({
        kind: "organization",
        organization: organizationIn(page, language),
      }),
      documents,
    };
  }
  const found = z.union([campaignPage, closedCampaignPage]).parse(JSON.parse(text));
  if ("state" in found) {
    return {
      text,
      slug: found.slug,
      page: (_, language) => ({ kind: "not-found", closed: closedIn(found, language) }),
      documents,
    };
  }
  return {
    text,
    slug: found.slug,
    page: (variant, language) => {
      const campaign = forPhones(found, language);
      if (variant === "play-libre") return { kind: "play", mode: "libre", campaign };
      if (variant === "play-review") return { kind: "play", mode: "review", campaign };
      if (variant === "play-test") return { kind: "play", mode: "test", campaign };
      return { kind: "review", campaign };
    },
    documents,
  };
}

/** Which page an address shows; bare `/play` is the test mode (design, section 4). */
function variantOf(step: string | undefined, query: URLSearchParams): Variant {
  if (step === "reglement") return "rules";
  if (step === "gain") return "kept";
  if (step !== "play") return "review";
  if (query.has("review_id")) return "play-review";
  return query.get("entry") === ENTRY_WITHOUT_REVIEW ? "play-libre" : "play-test";
}

function queryOf(incoming: IncomingMessage): URLSearchParams {
  const url = incoming.url ?? "";
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

function sourceOf(query: URLSearchParams): string | null {
  const source = query.get("source")?.toLowerCase() ?? "";
  return visitSource.safeParse(source).success ? source : null;
}

/** A browser that looks ahead has not scanned anything. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return /\bprefetch\b/.test(`${headers["sec-purpose"] ?? ""} ${headers.purpose ?? ""}`);
}
