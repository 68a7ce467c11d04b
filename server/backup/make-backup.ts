import { constants } from "node:fs";
import { access, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "#domain/text/durations.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import type { BackupConfig } from "../config/backup.ts";
import { giveToOwnerOf } from "../config/owner.ts";
import { readBackupPassphrase, readMovableSecrets } from "../config/secrets.ts";
import { StartupError } from "../start/startup-error.ts";
import { readBackupState, writeBackupState } from "./backup-state.ts";
import { type OnProgress, type WrittenBackup, writeBackup } from "./write-backup.ts";

/** Why a backup is made, as its name says. */
type BackupKind = "manual" | "daily" | "before-migration";

/** Name of a backup: what it is, and when (UTC). */
function backupName(kind: BackupKind, at: Date): string {
  const moment = at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "");
  return `tournavis-${kind}-${moment}.zip`;
}

const BEFORE_MIGRATION = /^tournavis-before-migration-\d{4}-\d{2}-\d{2}T\d{6}Z\.zip$/;

/** How many backups from before an update are kept: the present one, and two to go further back. */
const KEPT_BEFORE_MIGRATION = 3;

const DAILY = /^tournavis-daily-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.zip$/;

/** A backup of ours that was being written, as `write-backup.ts` names it. */
const UNFINISHED =
  /^tournavis-[a-z-]+-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.zip\.\d+\.partial$/;

/** Options for making a backup of an installation. */
export type MakeBackup = {
  kind: BackupKind;
  adminUrl: string;
  dataFolder: string;
  /** Where it goes: a file, or a folder in which it gets a name. */
  to: { file: string } | { folder: string };
  passphrase: string;
  now: () => Date;
  onProgress?: OnProgress;
  signal?: AbortSignal;
};

/** Makes a backup of an installation, and remembers how it went. */
export async function makeBackup(
  options: MakeBackup,
): Promise<WrittenBackup & { seconds: number }> {
  const { kind, adminUrl, dataFolder, to, passphrase, now, onProgress, signal } = options;
  const at = now();
  const file = "file" in to ? to.file : join(to.folder, backupName(kind, at));
  const before = await readBackupState(dataFolder);
  const started = performance.now();
  try {
    if ("folder" in to) await makeFolder(to.folder, dataFolder);
    const written = await writeBackup({
      adminUrl,
      file,
      passphrase,
      secrets: await readSecretsOf(dataFolder),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    });
    // A file without a name of its caller's is for the server to remove when it is old.
    if ("folder" in to) await giveToOwnerOf(to.folder, file);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const last = { at, bytes: written.bytes, seconds };
    await writeBackupState(dataFolder, { attemptedAt: at, failure: null, last });
    return { ...written, seconds };
  } catch (error) {
    const failure = errorCode(error);
    // A stop of the server is no failure of the backup, nor is a name that somebody gave twice.
    const isNameTaken = "file" in to && failure === "backup_exists";
    if (!signal?.aborted && !isNameTaken) {
      const state = { attemptedAt: at, failure, last: before?.last ?? null };
      await writeBackupState(dataFolder, state).catch(() => undefined);
    }
    throw error;
  }
}

/** Folder of the backups that were given no name. */
export function backupFolder({ folder }: BackupConfig, dataFolder: string): string {
  return folder ?? join(dataFolder, "backups");
}

/** Makes an unattended backup, with the name and passphrase of the configuration. */
export async function makeAutomaticBackup(
  config: BackupConfig,
  options: Omit<MakeBackup, "to" | "passphrase">,
): Promise<WrittenBackup & { seconds: number }> {
  const { dataFolder } = options;
  return makeBackup({
    ...options,
    to: { folder: backupFolder(config, dataFolder) },
    passphrase: config.passphrase ?? (await readBackupPassphrase(dataFolder)),
  });
}

/**
 * Removes daily backups that are older than so many days; the newest stays, however old. Of those from before an update the
 * newest three stay. What a killed process left unfinished goes after a day, which no backup takes.
 */
export async function removeOldBackups(folder: string, keepDays: number, now: Date): Promise<void> {
  const names = (await readdir(folder)).sort();
  const remove = async (found: readonly string[], pattern: RegExp, days: number) => {
    for (const name of found) {
      const made = new Date(name.replace(pattern, "$1T$2:$3:$4Z"));
      if (now.getTime() - made.getTime() > days * DAY_MS) await rm(join(folder, name));
    }
  };
  await remove(names.filter((name) => DAILY.test(name)).slice(0, -1), DAILY, keepDays);
  const updates = names.filter((name) => BEFORE_MIGRATION.test(name));
  for (const name of updates.slice(0, -KEPT_BEFORE_MIGRATION)) await rm(join(folder, name));
  await remove(
    names.filter((name) => UNFINISHED.test(name)),
    UNFINISHED,
    1,
  );
}

/** Makes the folder of backups, which belongs to whom the data belong; refuses one that cannot be written to. */
export async function makeFolder(folder: string, dataFolder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await giveToOwnerOf(dataFolder, folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorCode(error);
    throw new StartupError("backup_unwritable", { file: folder, reason }, { cause: error });
  }
}

async function readSecretsOf(dataFolder: string): Promise<Record<string, string>> {
  try {
    return await readMovableSecrets(dataFolder);
  } catch (error) {
    const details = { folder: dataFolder, reason: errorCode(error) };
    throw new StartupError("backup_secrets_unreadable", details, { cause: error });
  }
}
