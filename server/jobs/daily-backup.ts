import { DAY_MS, HOUR_MS } from "#domain/text/durations.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { readBackupState, writeBackupState } from "../backup/backup-state.ts";
import {
  backupFolder,
  makeAutomaticBackup,
  makeFolder,
  removeOldBackups,
} from "../backup/make-backup.ts";
import type { BackupConfig } from "../config/backup.ts";
import type { Log } from "../log.ts";
import { InterruptibleSleep } from "./interruptible-sleep.ts";
import { within } from "./scheduler.ts";

/** Pause after a backup that failed. */
const RETRY_MS = HOUR_MS;

/** Longest sleep: a machine that was asleep itself, or whose clock was set, is late by no more. */
const MAX_SLEEP_MS = 600_000;

/** When the next daily backup is due: at a minute of the day (UTC), and an hour after one that failed. */
export function nextBackup(
  { attemptedAt, failure }: { attemptedAt: Date; failure: string | null },
  minute: number,
): Date {
  if (failure !== null) return new Date(attemptedAt.getTime() + RETRY_MS);
  const next = new Date(attemptedAt);
  next.setUTCHours(Math.floor(minute / 60), minute % 60, 0, 0);
  return next > attemptedAt ? next : new Date(next.getTime() + DAY_MS);
}

/**
 * Milliseconds until a backup is due. None is due later than in a day: one that seems to be was noted by a clock that was ahead,
 * and nothing would be kept until the years in between have passed.
 */
export function waitForBackup(
  state: Parameters<typeof nextBackup>[0],
  minute: number,
  now: Date,
): number {
  const wait = nextBackup(state, minute).getTime() - now.getTime();
  return wait > DAY_MS ? 0 : wait;
}

/** Grace period of a backup that is aborted when the server stops. */
const STOP_MS = 5_000;

/** Options of an installation's daily backup. */
export type DailyBackupOptions = {
  adminUrl: () => string;
  dataFolder: string;
  config: BackupConfig;
  log: Log;
  now: () => Date;
};

/**
 * Makes a backup every day, for as long as the server runs; one that was missed while it did not is made when it starts. The
 * embedded database has one server, so that no other server does the same.
 */
export function startDailyBackup(options: DailyBackupOptions): { stop(): Promise<void> } {
  const { config, dataFolder, now, log } = options;
  const { at } = config;
  if (at === null) return { stop: async () => undefined };
  const rest = new InterruptibleSleep();
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    await checkFolder(options);
    while (!signal.aborted) {
      const state = (await readBackupState(dataFolder)) ?? (await begin(dataFolder, now()));
      const wait = waitForBackup(state, at, now());
      if (wait > 0) await rest.sleep(Math.min(wait, MAX_SLEEP_MS));
      // Where the disk is full, that it failed cannot be written down either.
      else if (!(await backUp(options, signal)) && !signal.aborted) await rest.sleep(MAX_SLEEP_MS);
    }
  };
  // Where even the state cannot be written the log has told why; the next start tries again.
  const running = loop().catch((error: unknown) => {
    log({ event: "backup_stopped", level: "error", code: errorCode(error) });
  });
  return {
    async stop() {
      stopping.abort();
      rest.wake();
      // A disk that does not answer holds nobody up.
      await within(STOP_MS, running);
    },
  };
}

/** Warns at startup that the backup folder is not writable, rather than at night, when the first backup fails. */
async function checkFolder({ config, dataFolder, log }: DailyBackupOptions): Promise<void> {
  try {
    await makeFolder(backupFolder(config, dataFolder), dataFolder);
  } catch (error) {
    log({ event: "backup_folder_unwritable", level: "error", code: errorCode(error) });
  }
}

/** A new installation has nothing to lose yet: its first backup is made when the hour comes. */
async function begin(dataFolder: string, now: Date) {
  const state = { attemptedAt: now, failure: null, last: null };
  await writeBackupState(dataFolder, state);
  return state;
}

async function backUp(
  { adminUrl, dataFolder, config, log, now }: DailyBackupOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { bytes, seconds } = await makeAutomaticBackup(config, {
      kind: "daily",
      adminUrl: adminUrl(),
      dataFolder,
      now,
      signal,
    });
    log({ event: "backup_made", bytes, seconds });
    await removeOld(config, dataFolder, now());
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    log({ event: "backup_failed", level: "error", code: errorCode(error) });
    // The disk may be full, of those that are too old and of what was left unfinished: the next attempt finds room.
    await removeOld(config, dataFolder, now()).catch(() => undefined);
    return false;
  }
}

function removeOld(config: BackupConfig, dataFolder: string, now: Date): Promise<void> {
  return removeOldBackups(backupFolder(config, dataFolder), config.keepDays, now);
}
