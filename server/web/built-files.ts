import { z } from "zod";
import type { ShownClaims } from "#domain/schemas/operator.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import { FIRST_LANGUAGE, type Language } from "#domain/text/languages.ts";
import type { SiteAssets, SitePage } from "../../web/site/entry-server.tsx";

/** Folder of a build that holds the prerendered pages, their places still empty. */
export const SITE_FOLDER = "site";

/** File of that folder that lists the templates of the application's addresses, such as `/campaigns/$campaignId/edit`. */
export const ROUTES_FILE = "routes.json";

/** Template of the phone pages in a language, among the files of the web. */
export function customerTemplate(language: Language): string {
  return language === FIRST_LANGUAGE ? "customer.html" : `customer.${language}.html`;
}

/** File that renders the phone pages in a language, among the server's files of a build. */
export function customerRenderer(language: Language): string {
  return language === FIRST_LANGUAGE ? "entry-server.js" : `entry-server.${language}.js`;
}

/** File of that folder that names what a page must load for the application to take it over. */
export const APPLICATION_FILES = "application.json";
export const applicationFiles = z.object({ script: z.string(), style: z.string().nullable() });

/** Names of the compressed files of a build, each beside what it compresses. */
export const COMPRESSED = /\.(br|gz)$/;

/** Exports of the server's build of the public site. */
export const siteRenderer = z.object({
  renderSite: z.custom<(assets: SiteAssets) => Promise<SitePage[]>>(
    (value) => typeof value === "function",
  ),
  renderClaims: z.custom<(claims: NonNullable<ShownClaims>) => string>(
    (value) => typeof value === "function",
  ),
  renderTrial: z.custom<(segments: readonly PublicSegment[]) => string>(
    (value) => typeof value === "function",
  ),
});
