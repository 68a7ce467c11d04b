import { resolve } from "node:path";
import { z } from "zod";
import type { Read } from "./services.ts";

/** Shortest passphrase that protects an installation's secrets. */
export const PASSPHRASE_MIN_LENGTH = 12;

/** How backups are made. */
export type BackupConfig = {
  /** Minute of the day (UTC) of the daily backup of the embedded database; null: none. */
  at: number | null;
  /** Days for which daily backups are kept. */
  keepDays: number;
  /** Where they go; null: `backups` in the data folder. */
  folder: string | null;
  /** Protects the secrets in them; null: asked for at the terminal, made once for the daily ones. */
  passphrase: string | null;
};

const DEFAULT_AT = 3 * 60 + 30;
const DEFAULT_KEEP_DAYS = 14;

const at = z.union([
  z.literal("off").transform(() => ({ minute: null })),
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .transform((text) => ({ minute: Number(text.slice(0, 2)) * 60 + Number(text.slice(3)) })),
]);

const keepDays = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .refine((days) => days >= 1 && days <= 3650);

/** Reads the settings of backups from the environment. */
export function readBackup(
  read: Read,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): BackupConfig {
  const folder = env.BACKUP_FOLDER?.trim();
  const time = read("BACKUP_AT", at, "invalid_backup_at");
  return {
    at: time === null ? DEFAULT_AT : time.minute,
    keepDays: read("BACKUP_KEEP_DAYS", keepDays, "invalid_backup_keep_days") ?? DEFAULT_KEEP_DAYS,
    folder: folder ? resolve(cwd, folder) : null,
    passphrase: read(
      "BACKUP_PASSPHRASE",
      z.string().min(PASSPHRASE_MIN_LENGTH),
      "invalid_backup_passphrase",
    ),
  };
}
