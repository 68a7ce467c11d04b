import type { Sql } from "postgres";
import { backupFolder, makeAutomaticBackup, removeOldBackups } from "../backup/make-backup.ts";
import type { DataConfig } from "../config/config.ts";
import { type DataFolder, dataFolderOf } from "../config/data-folder.ts";
import { readSecrets, type Secrets } from "../config/secrets.ts";
import type { Log } from "../log.ts";
import { addressOf } from "../postgres/address.ts";
import { type Connections, createConnections } from "../postgres/connections.ts";
import { databaseRefusal } from "../postgres/database-refusal.ts";
import { checkDriverPatch } from "../postgres/driver-patch.ts";
import { loginPassword, openLoginRole } from "../postgres/login-role.ts";
import { type Database, openDatabase } from "../postgres/open-database.ts";
import { openPooledLogins, type PooledLogins } from "../postgres/pooled-logins.ts";
import { type PrepareOptions, prepareDatabase } from "../postgres/prepare-database.ts";
import { ROOT } from "../root.ts";

/** The data of an installation, open and up to date. */
export type Data = {
  folder: DataFolder;
  secrets: Secrets;
  /** Administrator's connections. */
  admin: Sql;
  /** Present address of that account: an embedded database that was started again has another port. */
  adminUrl(): string;
  /** Where pools are opened, and whether the database answers. */
  connections: Connections;
  /** Address with which the API logs in. */
  loginUrl: string;
  /** Addresses for short transactions: the pooler's, where there is one. */
  shortUrls: PooledLogins;
  /** Settles when an embedded PostgreSQL has died for good; it is started again a few times before. */
  broken: Promise<void>;
  close(): Promise<void>;
};

/** For who opens data without a log. */
const silent: Log = Object.assign(() => undefined, { flush: () => undefined });

/** Opens the data folder and the database, and brings both to what this code needs. */
export async function openData(
  config: DataConfig & { poolUrl?: string | null },
  { log = silent, ...options }: Pick<PrepareOptions, "migrations"> & { log?: Log } = {},
): Promise<Data> {
  const { databaseUrl, poolUrl = null } = config;
  await checkDriverPatch(ROOT);
  const folder = await dataFolderOf(config);
  const [secrets, database] = await Promise.all([
    readSecrets(folder.path),
    openDatabase({ databaseUrl, dataFolder: folder.path }),
  ]);
  const connections = createConnections(database.hosts, {
    log,
    pooler: poolUrl === null ? null : addressOf(poolUrl).hosts[0],
  });
  const admin = connections.open(database.adminUrl, {
    max: 2,
    idle_timeout: 30,
    connection: { application_name: "tournavis admin" },
  });
  const close = async () => {
    await connections.stop();
    await admin.end({ timeout: 5 });
    await database.stop();
  };
  try {
    const { adminUrl } = database;
    await prepareDatabase(adminUrl, {
      ...options,
      // An external server has backups of its own. Of the embedded one, as the code from before left it: without a backup
      // nothing is migrated.
      ...(databaseUrl === null && {
        beforeMigrating: async () => {
          await makeAutomaticBackup(config.backup, {
            kind: "before-migration",
            adminUrl,
            dataFolder: folder.path,
            now: () => new Date(),
          });
          // A file that cannot be removed holds no update back: the daily backup tries again, and says so.
          const backups = backupFolder(config.backup, folder.path);
          await removeOldBackups(backups, config.backup.keepDays, new Date()).catch(
            () => undefined,
          );
        },
      }),
    });
    const loginUrl = await logIn(admin, database, secrets);
    const shortUrls =
      poolUrl === null
        ? { api: loginUrl, functions: loginUrl }
        : await openPooledLogins({ admin, poolUrl, loginUrl, open: connections.open });
    connections.watch(adminUrl);
    let presentUrl = adminUrl;
    const broken = database.keepRunning({
      died: () => connections.lost("embedded_died"),
      started: (url) => {
        presentUrl = url;
        connections.moveTo(addressOf(url).hosts);
      },
    });
    return {
      folder,
      secrets,
      admin,
      adminUrl: () => presentUrl,
      connections,
      loginUrl,
      shortUrls,
      broken,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function logIn(admin: Sql, { adminUrl }: Database, secrets: Secrets): Promise<string> {
  try {
    return await openLoginRole(admin, adminUrl, loginPassword(adminUrl, secrets.databaseKey));
  } catch (error) {
    throw databaseRefusal(error, adminUrl);
  }
}
