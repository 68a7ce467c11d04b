import { randomInt } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TransactionSql } from "postgres";
import { ZipFile } from "yazl";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { databaseRefusal } from "../postgres/database-refusal.ts";
import { readApplied } from "../postgres/migrate.ts";
import { withSetup } from "../postgres/open-setup.ts";
import { quoteName } from "../postgres/quote.ts";
import { versionOfSchema } from "../postgres/releases.ts";
import { StartupError } from "../start/startup-error.ts";
import { CopyMeter } from "./copy-meter.ts";
import {
  FORMAT,
  MANIFEST_ENTRY,
  type Manifest,
  SECRETS_ENTRY,
  type SequenceManifest,
  type TableManifest,
} from "./manifest.ts";
import { readTables, SCHEMAS, type StoredTable } from "./read-tables.ts";
import { sealSecrets } from "./seal-secrets.ts";
import { settle } from "./settle.ts";

/** Half the time of zlib's own choice, for files a tenth larger. */
const COMPRESSION = 3;

/** Told how much of the work is done, from 0 to 1. */
export type OnProgress = (part: number) => void;

/** File and size of a finished backup. */
export type WrittenBackup = { file: string; bytes: number; rows: number; tables: number };

/** Sources of a backup, and its destination. */
export type BackupOptions = {
  /** Administrator's address of the database. */
  adminUrl: string;
  /** Must not exist; appears under this name when it is whole. */
  file: string;
  secrets: Readonly<Record<string, string>>;
  passphrase: string;
  onProgress?: OnProgress;
  signal?: AbortSignal;
};

/**
 * Writes everything that an installation is into one file: every table as it was at one instant, sequences, and the
 * secrets under a passphrase. Others go on meanwhile; rows are never held in memory, whatever their number.
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { adminUrl, file } = options;
  await refuseTaken(file);
  // A number by chance: a process that was killed may have had this one's, and left its file.
  const unfinished = `${file}.${randomInt(2 ** 47)}.partial`;
  let broken: unknown;
  try {
    const { signal } = options;
    return await withSetup({ adminUrl, application: "tournavis backup", signal }, async (sql) => {
      // One instant for all tables.
      const manifest = await sql.begin("isolation level repeatable read read only", (transaction) =>
        writeArchive(transaction, unfinished, options).catch((error: unknown) => {
          broken = error;
          throw error;
        }),
      );
      const { size } = await settle(unfinished, file);
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      return { file, bytes: size, rows, tables: manifest.tables.length };
    });
  } catch (thrown) {
    // The driver refuses to roll back in the midst of rows: what it throws then says nothing of the reason.
    const error = broken ?? thrown;
    if (error instanceof StartupError) throw error;
    const code = errorCode(error);
    if (code === "EEXIST") throw new StartupError("backup_exists", { file }, { cause: error });
    if (["ENOSPC", "EDQUOT"].includes(code)) {
      throw new StartupError("backup_disk_full", { file }, { cause: error });
    }
    if (["ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code)) {
      throw new StartupError("backup_unwritable", { file, reason: code }, { cause: error });
    }
    throw databaseRefusal(error, adminUrl);
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** Refuses a name that a file has already: no backup takes the place of another. */
export async function refuseTaken(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new StartupError("backup_exists", { file });
}

async function writeArchive(
  sql: TransactionSql,
  path: string,
  { secrets, passphrase, signal, onProgress = () => undefined }: BackupOptions,
): Promise<Manifest> {
  await sql`
    select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('search_path', '', true), set_config('client_encoding', 'UTF8', true),
      set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
      set_config('bytea_output', 'hex', true)`;
  const about = await readSource(sql);
  const tables = await readTables(sql);
  const expected = tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1;

  const zip = new ZipFile();
  const written: TableManifest[] = [];
  let manifest: Manifest | undefined;
  let manifestBytes = Buffer.alloc(0);
  let before = 0;

  const add = (entry: string, content: () => Promise<Readable>) => {
    zip.addReadStreamLazy(entry, { compressionLevel: COMPRESSION, mode: 0o600 }, (take) => {
      content().then(
        (stream) => take(null, stream),
        (error: unknown) => take(error, Readable.from([])),
      );
    });
  };
  for (const table of tables) {
    const entry = `tables/${table.schema}.${table.name}.copy`;
    add(entry, async () => {
      let seen = 0;
      const meter = new CopyMeter((bytes) => {
        // How many bytes its rows make as text is known afterwards only.
        seen = Math.min(seen + bytes, table.bytes);
        onProgress((before + seen) / expected);
      });
      meter.once("end", () => {
        before += table.bytes;
        const { schema, name, columns } = table;
        written.push({ schema, name, columns, entry, ...meter.measured() });
      });
      // The archive listens to no entry of its own, and an error that nobody hears ends the process.
      meter.on("error", (error) => zip.emit("error", error));
      const rows = await sql.unsafe(copyStatement(table)).readable();
      rows.on("error", (error) => meter.destroy(error));
      // The driver stops reading from its connection when the last rows are many at once, and goes on when it is asked for more.
      rows.once("end", () => rows._read(0));
      return rows.pipe(meter);
    });
  }
  add(MANIFEST_ENTRY, async () => {
    manifest = { format: FORMAT, ...about, tables: written, sequences: await readSequences(sql) };
    manifestBytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    return Readable.from([manifestBytes]);
  });
  add(SECRETS_ENTRY, async () =>
    Readable.from([Buffer.from(await sealSecrets(secrets, passphrase, manifestBytes))]),
  );
  zip.end();
  const stop = new AbortController();
  zip.on("error", (error: Error) => stop.abort(error));
  const signals = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  try {
    await pipeline(zip.outputStream, createWriteStream(path, { flags: "wx", mode: 0o600 }), {
      signal: signals,
    });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  }
  if (!manifest) throw new Error("The backup ended before its manifest.");
  onProgress(1);
  return manifest;
}

function copyStatement({ schema, name, columns }: StoredTable): string {
  const list = columns.map((column) => quoteName(column)).join(", ");
  return `copy ${quoteName(schema, name)} (${list}) to stdout`;
}

async function readSource(
  sql: TransactionSql,
): Promise<Pick<Manifest, "product" | "createdAt" | "postgres" | "migrations">> {
  const [server] = await sql<{ postgres: string; history: string | null; now: Date }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres, now() as now,
      to_regclass('supabase_migrations.schema_migrations')::text as history`;
  if (!server?.history) throw new StartupError("backup_nothing_there");
  const migrations = await readApplied(sql);
  return {
    product: await versionOfSchema(migrations.map(({ version }) => version)),
    createdAt: server.now.toISOString(),
    postgres: server.postgres,
    migrations,
  };
}

/** Sequences, read after all tables, so that none is behind the rows that took numbers from it. */
async function readSequences(sql: TransactionSql): Promise<SequenceManifest[]> {
  const sequences = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname in ${sql([...SCHEMAS])} order by 1, 2`;
  const found: SequenceManifest[] = [];
  for (const { schema, name } of sequences) {
    const [row] = await sql<{ value: string; isCalled: boolean }[]>`
      select last_value::text as value, is_called as "isCalled" from ${sql(`${schema}.${name}`)}`;
    if (row) found.push({ schema, name, ...row });
  }
  return found;
}
