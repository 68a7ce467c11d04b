import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Sql, TransactionSql } from "postgres";
import { isDiskFull } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { applyPlatform, platformFingerprint } from "../postgres/bootstrap.ts";
import { databaseRefusal } from "../postgres/database-refusal.ts";
import {
  applyMigrations,
  listMigrations,
  type Migration,
  pendingMigrations,
  refuseEdited,
} from "../postgres/migrate.ts";
import { withSetup } from "../postgres/open-setup.ts";
import { prepareDatabase } from "../postgres/prepare-database.ts";
import { quoteName } from "../postgres/quote.ts";
import { isLater, productVersion } from "../product-version.ts";
import { StartupError } from "../start/startup-error.ts";
import { CopyMeter } from "./copy-meter.ts";
import type { Manifest, TableManifest } from "./manifest.ts";
import type { OpenBackup } from "./open-backup.ts";
import { readRebuild } from "./rebuild.ts";
import { type RestoreTarget, readTarget } from "./restore-target.ts";
import type { OnProgress } from "./write-backup.ts";

/** Memory for building indexes. */
const BUILD_MEMORY = "256MB";

/** Outcome of a restoration. */
export type Restored = {
  rows: number;
  tables: number;
  /** Whether it went into a hosted project, which keeps sessions and second factors of its own. */
  isHosted: boolean;
  /** Contents of the backup that a hosted project does not take. */
  leftOut: string[];
};

/** The migrations that made a backup's schema; refuses a schema that this code does not know. */
export async function migrationsOf({ migrations, product }: Manifest): Promise<Migration[]> {
  const current = await productVersion();
  const known = new Map((await listMigrations()).map((one) => [one.version, one]));
  const found = migrations.map(({ version }) => {
    const migration = known.get(version);
    if (migration) return migration;
    throw isLater(product, current)
      ? new StartupError("backup_newer", { version: product, current })
      : new StartupError("backup_schema_unknown", { version, product });
  });
  await refuseEdited(found, migrations).catch((error: unknown) => {
    throw error instanceof StartupError && error.code === "migration_edited"
      ? new StartupError("backup_schema_changed", { product }, { cause: error })
      : error;
  });
  return found;
}

/** Progress of a restoration, and its work beside the rows. */
export type Restoration = {
  onProgress?: OnProgress;
  /** Work on the rows in the transaction that loads them: there are no rows without it, whenever this process is killed. */
  beforeCommit?(sql: TransactionSql, target: Pick<RestoreTarget, "isHosted">): Promise<void>;
  signal?: AbortSignal;
};

/**
 * Fills an empty database with a backup: makes the schema that the backup was taken of, loads all rows in one transaction,
 * counts them, and then brings the schema to this code's. What fails leaves no row behind. A database with rows is whole:
 * a start of the server does what is left.
 */
export async function restoreBackup(
  adminUrl: string,
  backup: OpenBackup,
  { onProgress = () => undefined, beforeCommit = async () => undefined, signal }: Restoration = {},
): Promise<Restored> {
  const { manifest } = backup;
  const migrations = await migrationsOf(manifest);
  try {
    return await withSetup({ adminUrl, application: "tournavis restore", signal }, async (sql) => {
      // Of two at once, the second finds what the first has brought. Its end releases the lock, whatever ends it.
      await sql`select pg_advisory_lock(hashtextextended('tournavis restore', 0))`;
      const target = await readTarget(sql, manifest);
      await makeSchema(sql, target, migrations);
      const tables = manifest.tables.filter(target.takes);
      await sql.begin(async (transaction) => {
        await load(transaction, backup, { ...manifest, tables }, target, onProgress);
        await beforeCommit(transaction, target);
      });
      await sql`analyze`;
      if (target.isHosted) {
        const applied = migrations.map(({ version }) => version);
        await applyMigrations(sql, pendingMigrations(await listMigrations(), applied));
      } else await prepareDatabase(adminUrl);
      return {
        rows: tables.reduce((sum, { rows }) => sum + rows, 0),
        tables: tables.length,
        isHosted: target.isHosted,
        leftOut: manifest.tables
          .filter((table) => table.rows > 0 && !target.takes(table))
          .map(({ schema, name }) => `${schema}.${name}`),
      };
    });
  } catch (error) {
    throw databaseRefusal(error, adminUrl);
  }
}

async function makeSchema(
  sql: Sql,
  { isHosted, applied }: RestoreTarget,
  migrations: readonly Migration[],
): Promise<void> {
  if (!isHosted) await applyPlatform(sql, await platformFingerprint());
  if (applied.length > 0) return;
  if (isHosted) {
    await sql`create schema if not exists supabase_migrations`;
    await sql`
      create table if not exists supabase_migrations.schema_migrations (
        version text primary key, statements text[], name text)`;
  }
  await applyMigrations(sql, migrations);
}

async function load(
  sql: TransactionSql,
  backup: OpenBackup,
  { tables, sequences }: Manifest,
  target: RestoreTarget,
  onProgress: OnProgress,
): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '0', true), set_config('lock_timeout', '0', true),
      set_config('search_path', '', true), set_config('client_encoding', 'UTF8', true),
      set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('maintenance_work_mem', ${BUILD_MEMORY}, true)`;
  const owned = await ownedOf(sql, tables);
  const ownedNames = owned.map(nameOf);
  const resumeTriggers = await pauseTriggers(sql, ownedNames);
  const rebuild = await readRebuild(sql, ownedNames);
  for (const statement of rebuild.drop) await sql.unsafe(statement);

  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
  let done = 0;
  const fill = async (table: TableManifest) => {
    const meter = new CopyMeter((bytes) => {
      done += bytes;
      onProgress(Math.min(done / all, 1));
    });
    await copyInto(sql, table, await backup.rowsOf(table), meter);
    await checkRows(sql, table, meter);
  };
  // Triggers of tables that are a hosted project's cannot be paused by everybody: what they write into ours goes again.
  for (const table of tables) if (!owned.includes(table)) await fill(table);
  for (const table of [...owned].reverse()) {
    const [row] = await sql.unsafe<{ filled: boolean }[]>(
      `select exists (select from ${nameOf(table)}) as filled`,
    );
    if (row?.filled) await sql.unsafe(`delete from ${nameOf(table)}`);
  }
  for (const table of owned) await fill(table);

  for (const { schema, name, value, isCalled } of sequences) {
    if (!target.takes({ schema, name })) continue;
    await sql`select setval(${quoteName(schema, name)}::regclass, ${value}::bigint, ${isCalled})`;
  }
  for (const statement of rebuild.create) await sql.unsafe(statement);
  await resumeTriggers();
}

/** Tables that the account may change the triggers and indexes of. */
async function ownedOf(
  sql: TransactionSql,
  tables: readonly TableManifest[],
): Promise<TableManifest[]> {
  const rows = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and pg_has_role(c.relowner, 'usage')`;
  const owned = new Set(rows.map(({ name }) => name));
  return tables.filter(({ schema, name }) => owned.has(`${schema}.${name}`));
}

/**
 * Keeps triggers from firing until the answer is called. Where the account may not set the session's role (it takes a
 * superuser, or a platform that allows it), the triggers of its own tables are switched off instead.
 */
async function pauseTriggers(
  sql: TransactionSql,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  try {
    await sql.savepoint((inner) => inner`set local session_replication_role = replica`);
    return async () => void (await sql`set local session_replication_role = origin`);
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
  }
  for (const table of tables) await sql.unsafe(`alter table ${table} disable trigger user`);
  return async () => {
    for (const table of tables) await sql.unsafe(`alter table ${table} enable trigger user`);
  };
}

/** Feeds rows to `COPY`. */
async function copyInto(
  sql: TransactionSql,
  table: TableManifest,
  rows: Readable,
  meter: CopyMeter,
): Promise<void> {
  const columns = table.columns.map((column) => quoteName(column)).join(", ");
  const failed = (error: unknown) => {
    if (isDiskFull(error)) return error;
    const details = { table: `${table.schema}.${table.name}`, reason: errorCode(error) };
    return new StartupError("restore_failed", details, { cause: error });
  };
  try {
    const copying = await sql.unsafe(`copy ${nameOf(table)} (${columns}) from stdin`).writable();
    refuseLate(sql, copying);
    await pipeline(rows, meter, copying);
  } catch (error) {
    throw failed(error);
  }
}

/**
 * The driver reports an error while rows are being written, but none after the last: its stream would stay
 * unfinished for ever. A statement behind it is refused as well, and says so.
 */
function refuseLate(sql: TransactionSql, copying: Writable): void {
  const finish = copying._final.bind(copying);
  copying._final = (done) => {
    let isDone = false;
    const once = (error?: Error | null) => {
      if (!isDone) done(error);
      isDone = true;
    };
    finish(once);
    sql`select 1`.then(
      () => undefined,
      (error: Error) => once(error),
    );
  };
}

async function checkRows(
  sql: TransactionSql,
  table: TableManifest,
  meter: CopyMeter,
): Promise<void> {
  const [row] = await sql.unsafe<{ count: string }[]>(`select count(*) from ${nameOf(table)}`);
  // The file may have been changed since it was verified.
  const isSame = meter.measured().sha256 === table.sha256;
  if (Number(row?.count) !== table.rows || !isSame) {
    const name = `${table.schema}.${table.name}`;
    throw new StartupError("restore_failed", { table: name, reason: "count" });
  }
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return quoteName(schema, name);
}
