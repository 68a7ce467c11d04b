import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";
import { applyPlatform, platformFingerprint } from "./bootstrap.ts";
import { databaseRefusal } from "./database-refusal.ts";
import {
  applyMigrations,
  listMigrations,
  type Migration,
  pendingMigrations,
  readApplied,
  refuseEdited,
} from "./migrate.ts";
import { openSetup } from "./open-setup.ts";

/** Held while the schema of a database is being changed. */
const SCHEMA_LOCK = 7_870_118_002;

/** SQLSTATEs of a change that met a running transaction: a deadlock, or a lock that was not to be had in time. */
const MET_SOMEBODY: readonly string[] = ["40P01", "55P03"];

/** How long it is tried again, after a pause: longer than any statement of a job may take. */
const FREE_WITHIN_MS = 120_000;
const PAUSE_MS = 500;

const OLDEST_VERSION = 150_000;

/** State of a database's schema, compared with what this code expects. */
type Pending = { platform: string | null; migrations: Migration[]; isNew: boolean };

/** Hook and folder that a caller may bring of its own. */
export type PrepareOptions = {
  /** Called before a database that holds something is changed. */
  beforeMigrating?: () => Promise<unknown>;
  /** Folder of the migrations, where not this code's. */
  migrations?: URL;
};

/**
 * Brings a database to this code's schema: the platform's part, then the migrations. A
 * database that is already there costs two small queries. Several processes may do this
 * at once: one works, the others wait and then find nothing to do.
 */
export async function prepareDatabase(
  adminUrl: string,
  { beforeMigrating, migrations: folder }: PrepareOptions = {},
): Promise<void> {
  const sql = openSetup(adminUrl, "tournavis setup");
  try {
    await checkVersion(sql);
    if (isDone(await whatIsPending(sql, folder))) return;
    await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`;
    const { platform, migrations, isNew } = await whatIsPending(sql, folder);
    if (migrations.length > 0 && !isNew) await beforeMigrating?.();
    if (platform !== null) await untilFree(() => applyPlatform(sql, platform));
    await untilFree(() => applyMigrations(sql, migrations));
  } catch (error) {
    throw databaseRefusal(error, adminUrl);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Makes a change of the schema, which may meet what servers of the version before do meanwhile: it was rolled back then, and
 * is made anew.
 */
async function untilFree(change: () => Promise<void>): Promise<void> {
  for (const started = performance.now(); ; ) {
    try {
      return await change();
    } catch (error) {
      const cause = error instanceof StartupError ? error.cause : error;
      const isInTime = performance.now() - started < FREE_WITHIN_MS;
      if (!MET_SOMEBODY.includes(errorCode(cause)) || !isInTime) throw error;
      await delay(PAUSE_MS);
    }
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

async function whatIsPending(sql: Sql, folder?: URL): Promise<Pending> {
  const [known, fingerprint] = await Promise.all([listMigrations(folder), platformFingerprint()]);
  const [tables] = await sql<{ history: string | null; platform: string | null }[]>`
    select to_regclass('supabase_migrations.schema_migrations')::text as history,
           to_regclass('supabase_migrations.platform')::text as platform`;
  const applied = tables?.history ? await readApplied(sql) : [];
  const facts = tables?.platform
    ? await sql<{ value: string }[]>`
        select value from supabase_migrations.platform where key = 'fingerprint'`
    : [];
  const migrations = pendingMigrations(
    known,
    applied.map(({ version }) => version),
  );
  await refuseEdited(known, applied);
  return {
    isNew: applied.length === 0,
    platform: facts[0]?.value === fingerprint ? null : fingerprint,
    migrations,
  };
}

function isDone({ platform, migrations }: Pending): boolean {
  return platform === null && migrations.length === 0;
}
