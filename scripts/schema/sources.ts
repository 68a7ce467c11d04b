import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../server/root.ts";

/** The one source of the schema. */
export const SCHEMAS = new URL("supabase/schemas/", ROOT);
/** Migrations that bring a database to it, from any release. */
export const MIGRATIONS = new URL("supabase/migrations/", ROOT);

/** The migration that everything begins with, generated from the schemas until a release has it. */
export const BASELINE = "20261125000000_baseline.sql";

const BASELINE_HEADER = [
  "-- The whole schema, generated from supabase/schemas by `npm run schema`. Never edited by hand.",
  "",
  "",
].join("\n");

async function filesOf(folder: URL, ending: string): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith(ending));
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, text: await readFile(new URL(name, folder), "utf8") })),
  );
}

/** The schemas' files, in the order in which they run. */
export async function readSchemas(
  folder: URL = SCHEMAS,
): Promise<{ name: string; text: string }[]> {
  return filesOf(folder, ".sql");
}

/** Checksum of each migration, by file name. */
export async function migrationChecksums(
  folder: URL = MIGRATIONS,
): Promise<Record<string, string>> {
  const files = await filesOf(folder, ".sql");
  return Object.fromEntries(
    files.map(({ name, text }) => [name, createHash("sha256").update(text).digest("hex")]),
  );
}

/** The text of the baseline: the schemas, one after the other. */
export async function baselineText(): Promise<string> {
  const files = await readSchemas();
  const parts = files.map(
    ({ name, text }) => `-- ${name} ${"=".repeat(Math.max(8, 96 - name.length))}\n\n${text}`,
  );
  return BASELINE_HEADER + parts.join("\n");
}
