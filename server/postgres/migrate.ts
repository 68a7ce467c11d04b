import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { ROOT } from "../root.ts";
import { StartupError } from "../start/startup-error.ts";

const FOLDER = new URL("supabase/migrations/", ROOT);
const FILE_NAME = /^(\d{14})_(\w+)\.sql$/;

/** One file of `supabase/migrations`. */
export type Migration = { version: string; name: string; file: URL };

/** The migrations that this code brings, oldest first. */
export async function listMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith(".sql"));
  return names.sort().map((fileName) => {
    const [, version, name] = FILE_NAME.exec(fileName) ?? [];
    if (version === undefined || name === undefined) {
      throw new Error(`a migration is named <14 digits>_<snake_case>.sql, not ${fileName}`);
    }
    return { version, name, file: new URL(fileName, folder) };
  });
}

/**
 * Which migrations a database lacks; refuses one that has some which this code does not know. Every release has begun with
 * the first one, so that a database without it was made by a commit from before.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly string[],
): Migration[] {
  const versions = new Set(known.map(({ version }) => version));
  const unknown = applied.filter((version) => !versions.has(version)).sort()[0];
  const done = new Set(applied);
  if (unknown !== undefined) {
    const isOfARelease = known[0] !== undefined && done.has(known[0].version);
    throw new StartupError(isOfARelease ? "database_newer" : "database_before_releases", {
      version: unknown,
    });
  }
  return known.filter(({ version }) => !done.has(version));
}

/**
 * Applies migrations in order, each with its line of history in one transaction. The
 * history is that of the Supabase CLI, so that the same database can go on with either.
 */
export async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  for (const { version, name, file } of migrations) {
    const content = await readFile(file, "utf8");
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(content).simple();
        // A file may change settings of the session for itself, not for the next.
        await transaction.unsafe("reset all");
        await transaction`
          insert into supabase_migrations.schema_migrations (version, statements, name)
          values (${version}, ${[content]}, ${name})`;
      });
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) throw error;
      const details = { version, reason: error.code, message: error.message };
      throw new StartupError("migration_failed", details, { cause: error });
    }
  }
}
