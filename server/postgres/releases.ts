import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isLater, productVersion } from "../product-version.ts";
import { ROOT } from "../root.ts";
import { listMigrations } from "./migrate.ts";

/** Migrations of each release. */
export const RELEASES = new URL("supabase/releases/", ROOT);

const ENDING = ".json";

/** Digits with which the name of a migration begins. */
const VERSION_LENGTH = 14;

const release = z.object({ migrations: z.record(z.string(), z.string()) });

/** Checksums of the migrations that each release brought, by version of the release. */
export async function readReleases(): Promise<Map<string, Record<string, string>>> {
  const files = (await readdir(fileURLToPath(RELEASES))).filter((name) => name.endsWith(ENDING));
  const releases = await Promise.all(
    files.sort().map(async (name) => {
      const text = await readFile(new URL(name, RELEASES), "utf8");
      const { migrations } = release.parse(JSON.parse(text));
      return [name.slice(0, -ENDING.length), migrations] as const;
    }),
  );
  return new Map(releases);
}

/**
 * Version of the product that works with a schema: this code's, or before its migrations have run, that of the newest release
 * which has no other migrations. What is backed up before an update is the way back to that one.
 */
export async function versionOfSchema(applied: readonly string[]): Promise<string> {
  const given = new Set(applied);
  const current = await productVersion();
  if ((await listMigrations()).every(({ version }) => given.has(version))) return current;
  const isWhole = (brought: Record<string, string>) =>
    Object.keys(brought).every((name) => given.has(name.slice(0, VERSION_LENGTH)));
  let newest: string | null = null;
  for (const [version, brought] of await readReleases()) {
    if (isWhole(brought) && (newest === null || isLater(version, newest))) newest = version;
  }
  return newest ?? current;
}
