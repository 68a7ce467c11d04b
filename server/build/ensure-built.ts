import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import type { Plugin } from "vite";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";
import { ROUTES_FILE, SITE_FOLDER } from "../web/built-files.ts";
import { readRoutes } from "../web/known-paths.ts";
import { withLock } from "./build-lock.ts";
import { bundleServer } from "./bundle.ts";
import { precompress } from "./precompress.ts";
import { prerenderSite } from "./prerender-site.ts";
import { readStamp, writeStamp } from "./stamp.ts";

/** Everything that the built pages depend on, from the project's root. */
const SOURCES = [
  "web",
  "supabase/functions/_shared/domain",
  "server/build/chunks.ts",
  "server/build/ensure-built.ts",
  "server/build/precompress.ts",
  "server/build/prerender-site.ts",
  "server/web/built-files.ts",
  "server/web/known-paths.ts",
  "server/build/inline.ts",
  "server/build/start-later.js",
  "server/build/texts.ts",
  "server/build/typeset-texts.ts",
  "vite.config.ts",
  "package-lock.json",
];

/** Written by the build itself, or read by tests only. */
const IGNORED = /(^|\/)(route-tree\.gen\.ts|.*\.test\.tsx?)$/;

/** Process that builds beside this one; null while there is none. */
let builder: ChildProcess | null = null;

/** Ends what builds beside this process. */
export async function endBuild(): Promise<void> {
  if (!builder) return;
  const closed = once(builder, "close");
  builder.kill();
  await closed;
}

/** Where the built web is, and how long building took; null when it was there already. */
export type BuiltWeb = { dist: string; seconds: number | null };

/**
 * Builds the web when there is no build, or its sources have changed since, and bundles the server. The new build
 * takes the place of the old one when it is whole; two processes never build at once.
 */
export async function ensureBuilt(options: {
  root: string;
  onStart?: () => void;
}): Promise<BuiltWeb> {
  const { root } = options;
  const dist = join(root, "dist");
  try {
    const cache = join(root, ".cache");
    return await withLock(cache, "build", async () => {
      // No other process builds now: these are left from builds that were interrupted.
      for (const name of await readdir(cache)) {
        if (/^dist-\d+$/.test(name)) await rm(join(cache, name), { recursive: true, force: true });
      }
      let seconds: number | null = null;
      if (!(await isFresh(root))) {
        options.onStart?.();
        const started = performance.now();
        await build(root, dist);
        seconds = (performance.now() - started) / 1000;
      }
      await bundleServer(root);
      return { dist, seconds };
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new StartupError("build_failed", { reason }, { cause: error });
  }
}

/**
 * The same for a server that starts: the building tools run in a process of their own,
 * which gives back the memory that they take.
 */
export async function ensureBuiltApart(options: {
  root: string;
  onStart?: () => void;
}): Promise<string> {
  const { root } = options;
  if (!(await isFresh(root))) {
    options.onStart?.();
    const script = join(root, "server", "build.ts");
    const child = spawn(process.execPath, ["--import", "tsx", script], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
    });
    builder = child;
    const [complaint, [code, signal]] = await Promise.all([
      text(child.stderr),
      once(child, "close"),
    ]);
    builder = null;
    if (code !== 0) {
      // Its first line is this same refusal, worded already.
      throw new StartupError("build_refused", {
        refusal: complaint.trim().split("\n")[0] || String(code ?? signal),
      });
    }
  }
  return join(root, "dist");
}

async function isFresh(root: string): Promise<boolean> {
  const stamp = await readStamp(join(root, "dist"));
  if (stamp === null) return false;
  // An image that carries the build alone has nothing to build from.
  const hasSources = await stat(join(root, "web")).catch(() => null);
  return !hasSources || stamp.web === (await fingerprint(root));
}

async function build(root: string, dist: string): Promise<void> {
  const unfinished = join(root, ".cache", `dist-${process.pid}`);
  // Taken first: what is edited while the build runs makes the next start build again.
  const web = await fingerprint(root);
  try {
    await rm(unfinished, { recursive: true, force: true });
    await buildPages(root, unfinished);
    await precompress(join(unfinished, "web"));
    await writeStamp(unfinished, { web, server: null });
    await rm(dist, { recursive: true, force: true });
    await rename(unfinished, dist);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Writes everything that the server serves into a folder, uncompressed; `plugins` may change what is built. */
export async function buildPages(
  root: string,
  folder: string,
  plugins: Plugin[] = [],
): Promise<void> {
  // Vite takes its word for what is built: the tests' own `test` would build for developers.
  process.env.NODE_ENV = "production";
  const { build: buildWith } = await import("vite");
  const configFile = join(root, "vite.config.ts");
  const shared = { configFile, logLevel: "error" as const, plugins };
  await buildWith({ ...shared, build: { outDir: join(folder, "web") } });
  // The phone pages apart, beside it: they share nothing with the application.
  await buildWith({ ...shared, mode: "phone", build: { outDir: join(folder, "web") } });
  await buildWith({ ...shared, mode: "site", build: { outDir: join(folder, "web") } });
  const renderers = {
    ...shared,
    // Everything in one file: the built server needs no package of the pages.
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { ssr: true, outDir: join(folder, "ssr") },
  } as const;
  await buildWith(renderers);
  for (const language of LANGUAGES.filter((language) => language !== FIRST_LANGUAGE)) {
    const mode = `phone-${language}`;
    await buildWith({ ...shared, mode, build: { outDir: join(folder, "web") } });
    await buildWith({ ...renderers, mode });
  }
  await prerenderSite(folder);
  await writeFile(join(folder, SITE_FOLDER, ROUTES_FILE), JSON.stringify(await readRoutes(root)));
}

/** Digest of everything that the built pages depend on. */
export async function fingerprint(root: string): Promise<string> {
  const files = (await Promise.all(SOURCES.map((source) => listFiles(join(root, source))))).flat();
  const hash = createHash("sha256");
  const kept = files.filter((file) => !IGNORED.test(file)).sort();
  const contents = await Promise.all(kept.map((file) => readFile(file)));
  for (const [index, file] of kept.entries()) {
    hash
      .update(`${relative(root, file)}\0${contents[index]?.length}\0`)
      .update(contents[index] ?? "");
  }
  return hash.digest("hex");
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (errorCode(error) === "ENOTDIR") return null;
      throw error;
    },
  );
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
