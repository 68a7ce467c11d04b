import { execFile, spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartupError } from "../start/startup-error.ts";

/** Account under which the database runs. */
export type SystemUser = { uid: number; gid: number };

const ACCOUNT = "postgres";

/**
 * PostgreSQL refuses to run as root: root hands it to whoever made the database, to the account that the folder belongs to,
 * or to the account `postgres` (made when missing). Everybody else runs it as themselves (null).
 */
export async function databaseUser(dataFolder: string): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  const database = await stat(join(dataFolder, "pg")).catch(() => null);
  if (database && database.uid !== 0) return { uid: database.uid, gid: database.gid };
  const folder = await stat(dataFolder).catch(() => null);
  if (folder && folder.uid !== 0) {
    // The server's own, as systemd makes it. PostgreSQL runs under no number without a name.
    const owner = await findAccount((account) => account.uid === folder.uid);
    if (owner) return owner;
  }
  const existing = await findAccount(isPostgres);
  if (existing) return existing;
  try {
    await promisify(execFile)("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--home-dir",
      "/nonexistent",
      "--shell",
      "/usr/sbin/nologin",
      ACCOUNT,
    ]);
  } catch (error) {
    const created = await findAccount(isPostgres);
    if (created) return created;
    throw accountMissing(error);
  }
  const created = await findAccount(isPostgres);
  if (!created) throw accountMissing(undefined);
  return created;
}

/** Whether this account may enter a folder, whatever the permissions on the way say. */
export function canEnter(folder: string, user: SystemUser): boolean {
  const probe = spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], {
    stdio: "ignore",
    cwd: "/",
    ...user,
  });
  return probe.status === 0;
}

type Account = SystemUser & { name: string };

const isPostgres = ({ name }: Account) => name === ACCOUNT;

async function findAccount(isIt: (account: Account) => boolean): Promise<SystemUser | null> {
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const line of accounts.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (!name || !uid || !gid) continue;
    const account = { name, uid: Number(uid), gid: Number(gid) };
    if (isIt(account)) return { uid: account.uid, gid: account.gid };
  }
  return null;
}

function accountMissing(cause: unknown): StartupError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "useradd";
  return new StartupError("database_account_missing", { reason }, { cause });
}
