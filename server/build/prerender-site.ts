import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { FIRST_LANGUAGE, LANGUAGES, type Language } from "#domain/text/languages.ts";
import type { Assets } from "../../web/site/document.ts";
import {
  APPLICATION_FILES,
  customerTemplate,
  SITE_FOLDER,
  siteRenderer,
} from "../web/built-files.ts";
import { readInline } from "./inline.ts";

/** Elements by which the phone pages fetch files, as the build has written them. */
const FETCHED =
  / *<(?:script type="module"[^>]*><\/script>|link rel="(?:modulepreload|stylesheet)"[^>]*>)\n/g;

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

/** Of the brand's faces, those that every page needs (`web/ui/faces.css`): the others come with letters that want them. */
const FIRST_FACE = /-french[^/]*\.woff2$/;

/** Renders the public pages of a finished build, once for everybody. */
export async function prerenderSite(dist: string): Promise<void> {
  const read = async (name: string) =>
    manifest.parse(JSON.parse(await readFile(join(dist, "web", ".vite", name), "utf8")));
  const [application, site] = await Promise.all([read("manifest.json"), read("site.json")]);
  const { renderSite } = siteRenderer.parse(
    await import(pathToFileURL(join(dist, "ssr", "site-server.js")).href),
  );
  const withInline = async (assets: Assets, when?: "touched") => ({
    ...assets,
    inline: await readInline(join(dist, "web"), assets, when),
  });
  const shell = assetsOf(application, "app.html");
  // Sign-in has styles of its own until the application, whose script hydrates it, loads the rest.
  const signIn = {
    ...assetsOf(site, "site/auth.ts"),
    script: shell.script,
    preloads: shell.preloads,
    takenOver: shell.styles,
  };
  const pages = await renderSite({
    landing: await withInline(assetsOf(site, "site/landing.ts"), "touched"),
    pricing: await withInline(assetsOf(site, "site/pricing.tsx"), "touched"),
    legal: await withInline({ ...assetsOf(site, "site/legal.ts"), script: null, preloads: [] }),
    contact: await withInline(assetsOf(site, "site/contact.ts"), "touched"),
    status: await withInline(assetsOf(site, "site/status.ts")),
    clear: await withInline(assetsOf(site, "site/clear.ts")),
    signIn: await withInline(signIn, "touched"),
  });
  const folder = join(dist, SITE_FOLDER);
  await mkdir(folder, { recursive: true });
  await finishCustomer(dist, async (language) =>
    assetsOf(await read(`phone-${language}.json`), "customer/entry-client.tsx"),
  );
  const taken = { script: shell.script, style: shell.styles[0] ?? null };
  await Promise.all([
    ...pages.map(({ name, html }) => writeFile(join(folder, `${name}.html`), html)),
    writeFile(join(folder, APPLICATION_FILES), JSON.stringify(taken)),
  ]);
}

/** Lets the phone pages be seen before their script starts, and without waiting for their styles. */
async function finishCustomer(
  dist: string,
  translated: (language: Language) => Promise<Assets>,
): Promise<void> {
  const web = join(dist, "web");
  const built = await readFile(join(web, customerTemplate(FIRST_LANGUAGE)), "utf8");
  const all = (pattern: RegExp) => Array.from(built.matchAll(pattern), ([, href = ""]) => href);
  const [script = null] = all(/<script type="module"[^>]* src="([^"]+)">/g);
  const styles = all(/<link rel="stylesheet"[^>]* href="([^"]+)">/g);
  const preloads = all(/<link rel="modulepreload"[^>]* href="([^"]+)">/g);
  for (const language of LANGUAGES) {
    const scripts = language === FIRST_LANGUAGE ? { script, preloads } : await translated(language);
    const { style, start } = await readInline(web, {
      styles,
      script: scripts.script,
      preloads: scripts.preloads,
    });
    if (style === "" || start === null) throw new Error("The phone pages lack styles or script.");
    const page = built
      .replace(FETCHED, "")
      .replace(`lang="${FIRST_LANGUAGE}"`, `lang="${language}"`)
      .replace("</head>", () => `  <style>${style}</style>\n    ${start}\n  </head>`);
    await writeFile(join(web, customerTemplate(language)), page);
  }
}

/** Assets that an entry of a build loads, by its manifest; dependencies come first. */
function assetsOf(parts: Manifest, entry: string): Assets {
  const seen = new Set<string>();
  const inOrder = (name: string): string[] => {
    if (seen.has(name)) return [];
    seen.add(name);
    return [...(parts[name]?.imports ?? []).flatMap(inOrder), name];
  };
  const chunks = inOrder(entry).flatMap((name) => parts[name] ?? []);
  const own = parts[entry];
  if (!own) throw new Error(`The build lacks ${entry}.`);
  const address = (file: string) => `/${file}`;
  const unique = (files: string[]) => [...new Set(files)].map(address);
  return {
    inline: null,
    styles: unique(chunks.flatMap(({ css }) => css)),
    script: address(own.file),
    preloads: unique(chunks.filter((chunk) => chunk !== own).map(({ file }) => file)),
    fonts: unique(chunks.flatMap(({ assets }) => assets).filter((file) => FIRST_FACE.test(file))),
  };
}
