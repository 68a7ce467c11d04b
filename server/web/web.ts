import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownClaims } from "#domain/schemas/operator.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import type { Language } from "#domain/text/languages.ts";
import type { RenderedPage } from "../../web/customer/page-data.ts";
import type { Document } from "../http/send.ts";
import type { Filling } from "./fill-page.ts";

/** The public pages that are prerendered at build. */
export const SITE_PAGES = [
  "landing",
  "pricing",
  "terms",
  "privacy",
  "cookies",
  "rgpd",
  "contact",
  "status",
  "clear",
  "signin",
  "signup",
] as const;
export type SitePageName = (typeof SITE_PAGES)[number];

/** Values by which the server fills such a page; the web adds those that it has made itself. */
export type SiteFilling = Omit<Filling, "wheel" | "claims" | "application"> & {
  /** Segments of the demo's wheel; null without a demo. */
  wheel: readonly PublicSegment[] | null;
  claims: ShownClaims;
};

/** Where a phone page is shown, and in which language. */
type CustomerPlace = {
  path: string;
  language: Language;
  /** Whole address under which search engines may know it; without one they are asked not to index. */
  found?: string | null;
};

/** The web as the server sees it: built once (production), or made on request (development). */
export type Web = {
  /** A file by its exact path; undefined when there is none. */
  file(path: string): Document | undefined;
  /** A public page, filled for this deployment. */
  site(name: SitePageName, filling: SiteFilling): Promise<Document>;
  /** Whether the application has a page for an address. */
  knows(path: string): boolean;
  /** The application's page, which shows whatever the address asks for. */
  application(path: string): Promise<Document>;
  /** A phone page for one state; null asks for the page that finds its own data. */
  customer(page: RenderedPage | null, place: CustomerPlace): Promise<Document>;
  /** Gets every request first and passes on those that it does not know. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};
