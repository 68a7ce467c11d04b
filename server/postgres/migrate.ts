import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres, { type ISql, type Sql, type TransactionSql } from "postgres";
import { isDiskFull } from "../../supabase/functions/_shared/http/database-away.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
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

/** A migration that a database was given, with the SHA-256 of its text; null where another tool took it apart. */
export type AppliedMigration = { version: string; sha256: string | null };

/** The migrations that a database was given. */
export function readApplied(sql: ISql): Promise<AppliedMigration[]> {
  return sql<AppliedMigration[]>`
    select version, case when cardinality(statements) = 1
      then encode(sha256(convert_to(statements[1], 'UTF8')), 'hex') end as sha256
    from supabase_migrations.schema_migrations order by version`;
}

/** Refuses a database that was given another text than this code has: its schema is unknown. */
export async function refuseEdited(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Promise<void> {
  const given = new Map(applied.map(({ version, sha256 }) => [version, sha256]));
  for (const { version, file } of known) {
    const digest = given.get(version);
    if (digest && digest !== sha256(await readFile(file, "utf8"))) {
      throw new StartupError("migration_edited", { version });
    }
  }
}

/**
 * Lock timeout of a migration, since all other transactions queue behind it. Shorter than the second after
 * which PostgreSQL looks for a deadlock: of a change and a request, the change gives way.
 */
const LOCK_TIMEOUT = "500ms";

/** Lets a change of the schema give up soon where another session holds what it needs; the whole is tried again then. */
export async function waitBriefly(sql: TransactionSql): Promise<void> {
  await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
}

/**
 * Applies migrations in order, each with its line of history, in one transaction: where one fails, the database is as it
 * was, and the code from before goes on with it. The history is that of the Supabase CLI, so that the same database can
 * go on with either.
 */
export async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  if (migrations.length === 0) return;
  await sql.begin(async (transaction) => {
    for (const migration of migrations) await apply(transaction, migration);
  });
}

async function apply(sql: TransactionSql, { version, name, file }: Migration): Promise<void> {
  const content = await readFile(file, "utf8");
  try {
    await waitBriefly(sql);
    await sql.unsafe(content).simple();
    // A file may change settings of the session for itself, not for the next, and owes the next no trigger.
    await sql.unsafe("reset all; set constraints all immediate; set constraints all deferred");
    await sql`
      insert into supabase_migrations.schema_migrations (version, statements, name)
      values (${version}, ${[content]}, ${name})`;
  } catch (error) {
    // No fault of the migration, nor mended by the code from before.
    if (!(error instanceof postgres.PostgresError) || isDiskFull(error)) throw error;
    const details = { version, reason: error.code, message: error.message };
    throw new StartupError("migration_failed", details, { cause: error });
  }
}
