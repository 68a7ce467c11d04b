import postgres, { type Sql } from "postgres";
import { StartupError } from "../start/startup-error.ts";
import { applyPlatform, platformFingerprint } from "./bootstrap.ts";
import { databaseRefusal } from "./database-refusal.ts";
import { applyMigrations, listMigrations, type Migration, pendingMigrations } from "./migrate.ts";

/** Held while the schema of a database is being changed. */
const SCHEMA_LOCK = 7_870_118_002;

const OLDEST_VERSION = 150_000;

/** Where a database stands between what it has and what this code wants. */
type Pending = { platform: string | null; migrations: Migration[] };

/**
 * Brings a database to this code's schema: the platform's part, then the migrations. A
 * database that is already there costs two small queries. Several processes may do this
 * at once: one works, the others wait and then find nothing to do.
 */
export async function prepareDatabase(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, {
    max: 1,
    max_lifetime: 0,
    onnotice: () => undefined,
    connect_timeout: 10,
    connection: { application_name: "tournavis setup", statement_timeout: 0 },
  });
  try {
    await checkVersion(sql);
    if (isDone(await whatIsPending(sql))) return;
    await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`;
    const { platform, migrations } = await whatIsPending(sql);
    if (platform !== null) await applyPlatform(sql, platform);
    await applyMigrations(sql, migrations);
  } catch (error) {
    throw databaseRefusal(error, adminUrl);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function checkVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as name`;
  if (row && row.number < OLDEST_VERSION) {
    throw new StartupError("database_too_old", { version: row.name });
  }
}

async function whatIsPending(sql: Sql): Promise<Pending> {
  const [known, fingerprint] = await Promise.all([listMigrations(), platformFingerprint()]);
  const [tables] = await sql<{ history: string | null; platform: string | null }[]>`
    select to_regclass('supabase_migrations.schema_migrations')::text as history,
           to_regclass('supabase_migrations.platform')::text as platform`;
  const applied = tables?.history
    ? await sql<{ version: string }[]>`
        select version from supabase_migrations.schema_migrations`
    : [];
  const facts = tables?.platform
    ? await sql<{ value: string }[]>`
        select value from supabase_migrations.platform where key = 'fingerprint'`
    : [];
  return {
    platform: facts[0]?.value === fingerprint ? null : fingerprint,
    migrations: pendingMigrations(
      known,
      applied.map(({ version }) => version),
    ),
  };
}

function isDone({ platform, migrations }: Pending): boolean {
  return platform === null && migrations.length === 0;
}
