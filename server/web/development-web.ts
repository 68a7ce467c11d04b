import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import type { ViteDevServer } from "vite";
import { z } from "zod";
import { FIRST_LANGUAGE, type Language } from "#domain/text/languages.ts";
import type { SiteAssets } from "../../web/site/entry-server.tsx";
import { encodeQuickly } from "../http/encoding.ts";
import { type Document, etagOf } from "../http/send.ts";
import { siteRenderer } from "./built-files.ts";
import { fillCustomerTemplate, isMissing, type RenderPage } from "./customer-document.ts";
import { fillPage } from "./fill-page.ts";
import { knownPaths, readRoutes } from "./known-paths.ts";
import { LANGUAGE_HEADERS } from "./language.ts";
import type { Web } from "./web.ts";

/**
 * Policy for Vite's additions to pages during development: inline scripts, styles that scripts
 * insert, a socket that announces changes.
 */
const POLICY =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob: ws: wss:; frame-ancestors 'none'";

const serverSource = z.object({
  renderPage: z.custom<RenderPage>((value) => typeof value === "function"),
});

const still = { inline: null, script: null, preloads: [], fonts: [] };

/** Assets of the public pages during development: the sources themselves. */
const SOURCES: SiteAssets = {
  landing: { ...still, styles: ["/site/landing.css"], script: "/site/landing.ts" },
  pricing: { ...still, styles: ["/site/pricing.css"], script: "/site/pricing.tsx" },
  legal: { ...still, styles: ["/site/legal.css"] },
  contact: { ...still, styles: ["/site/contact.css"], script: "/site/contact.ts" },
  status: { ...still, styles: ["/site/status.css"], script: "/site/status.ts" },
  clear: { ...still, styles: ["/site/clear.css"], script: "/site/clear.ts" },
  signIn: { ...still, styles: ["/site/auth.css", "/app.css"], script: "/main.tsx" },
};

/** The web straight from its sources, in front of the same platform: edits show at once. */
export async function startDevelopmentWeb(root: string, server: Server): Promise<Web> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    configFile: join(root, "vite.config.ts"),
    appType: "custom",
    server: { middlewareMode: true, hmr: { server }, fs: { allow: [root] } },
  });
  server.once("close", () => void vite.close());

  const translated = new Map<string, Promise<ViteDevServer>>();
  /** The phone pages' sources in one language: those of another have a server of their own. */
  const sourcesIn = async (language: Language): Promise<ViteDevServer> => {
    if (language === FIRST_LANGUAGE) return vite;
    const base = `/@${language}/`;
    const started =
      translated.get(base) ??
      createServer({
        configFile: join(root, "vite.config.ts"),
        mode: `phone-${language}`,
        base,
        cacheDir: join(root, ".cache", `vite-${language}`),
        appType: "custom",
        server: { middlewareMode: true, hmr: { server }, fs: { allow: [root] } },
      });
    translated.set(base, started);
    return started;
  };
  server.once("close", async () => {
    for (const started of translated.values()) await (await started).close();
  });

  const pageOf = async (
    path: string,
    template: string,
    html: string,
    sources = vite,
  ): Promise<Document> => {
    // Vite resolves what a page names from the page's own address, not from the visitor's.
    const identity = Buffer.from(await sources.transformIndexHtml(`/${template}`, html, path));
    return {
      status: 200,
      type: "text/html; charset=utf-8",
      cacheControl: "no-store",
      etag: etagOf(identity),
      body: encodeQuickly(identity),
      policy: POLICY,
    };
  };
  const read = (template: string) => readFile(join(root, "web", template), "utf8");

  return {
    file: () => undefined,
    // A route that is made while developing shows its page at once, as 404 until the next start.
    knows: knownPaths(await readRoutes(root)),
    site: async (name, filling) => {
      const { renderSite, renderTrial, renderClaims } = siteRenderer.parse(
        await vite.ssrLoadModule("/site/entry-server.tsx"),
      );
      const page = (await renderSite(SOURCES)).find((one) => one.name === name);
      const wheel = filling.wheel && renderTrial(filling.wheel);
      const claims = filling.claims && renderClaims(filling.claims);
      const application = { script: "/main.tsx", style: "/app.css" };
      const html = fillPage(page?.html ?? "", { ...filling, wheel, claims, application });
      return pageOf(`/${name}`, "app.html", html);
    },
    application: async (path) => pageOf(path, "app.html", await read("app.html")),
    customer: async (page, { path, language, found = null }) => {
      const sources = await sourcesIn(language);
      const { renderPage } = serverSource.parse(
        await sources.ssrLoadModule("/customer/entry-server.tsx"),
      );
      // Vite does not rewrite relative addresses of a page, but the visitor's address is in another folder.
      const template = (await read("customer.html"))
        .replace(`lang="${FIRST_LANGUAGE}"`, `lang="${language}"`)
        .replaceAll('"./customer/', '"/customer/');
      const { html } = fillCustomerTemplate(template, renderPage, page, found);
      const document = await pageOf(path, "customer.html", html, sources);
      return { ...document, status: isMissing(page) ? 404 : 200, vary: LANGUAGE_HEADERS };
    },
    middleware: async (incoming, response, next) => {
      const [base = ""] = /^\/@[a-z]{2}\//.exec(incoming.url ?? "") ?? [];
      const { middlewares } = (await translated.get(base)) ?? vite;
      middlewares(incoming, response, next);
    },
  };
}
