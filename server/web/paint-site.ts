import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { PublicSegment } from "#domain/public-page.ts";
import type { Assets } from "../../web/site/document.ts";
import type { SiteAssets, SitePage } from "../../web/site/entry-server.tsx";

/** Folder of a build that holds the painted pages, their places still empty. */
export const SITE_FOLDER = "site";

/** What the server's build of the public site exports. */
export const sitePainter = z.object({
  renderSite: z.custom<(assets: SiteAssets) => Promise<SitePage[]>>(
    (value) => typeof value === "function",
  ),
  renderTrial: z.custom<(segments: readonly PublicSegment[]) => string>(
    (value) => typeof value === "function",
  ),
});

/** File beside the pages that names what a page must load for the application to take it over. */
export const APPLICATION_FILES = "application.json";
export const applicationFiles = z.object({ script: z.string(), style: z.string().nullable() });

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
    assets: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof manifest>;

/** Paints the public pages of a finished build, once for everybody. */
export async function paintSite(dist: string): Promise<void> {
  const read = async (name: string) =>
    manifest.parse(JSON.parse(await readFile(join(dist, "web", ".vite", name), "utf8")));
  const [application, site] = await Promise.all([read("manifest.json"), read("site.json")]);
  const { renderSite } = sitePainter.parse(
    await import(pathToFileURL(join(dist, "ssr", "site-server.js")).href),
  );
  const legal = assetsOf(site, "site/legal.ts");
  const shell = assetsOf(application, "app.html");
  const pages = await renderSite({
    landing: assetsOf(site, "site/landing.ts"),
    pricing: assetsOf(site, "site/pricing.tsx"),
    legal: { ...legal, script: null, preloads: [] },
    application: shell,
  });
  const folder = join(dist, SITE_FOLDER);
  await mkdir(folder, { recursive: true });
  const taken = { script: shell.script, style: shell.styles[0] ?? null };
  await Promise.all([
    ...pages.map(({ name, html }) => writeFile(join(folder, `${name}.html`), html)),
    writeFile(join(folder, APPLICATION_FILES), JSON.stringify(taken)),
  ]);
}

/** What an entry of a build loads, by its manifest. */
function assetsOf(parts: Manifest, entry: string): Assets {
  const needed = new Set<string>();
  const collect = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of parts[name]?.imports ?? []) collect(other);
  };
  collect(entry);
  const chunks = [...needed].flatMap((name) => parts[name] ?? []);
  const own = parts[entry];
  if (!own) throw new Error(`The build lacks ${entry}.`);
  const address = (file: string) => `/${file}`;
  const unique = (files: string[]) => [...new Set(files)].map(address);
  return {
    styles: unique(chunks.flatMap(({ css }) => css)),
    script: address(own.file),
    preloads: unique(chunks.filter((chunk) => chunk !== own).map(({ file }) => file)),
    fonts: unique(chunks.flatMap(({ assets }) => assets).filter((file) => file.endsWith(".woff2"))),
  };
}
