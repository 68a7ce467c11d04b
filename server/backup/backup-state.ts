import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { giveToOwnerOf } from "../config/owner.ts";

const STATE_FILE = "backup.json";

const stateSchema = z.object({
  /** Time of the last attempt; before the first one, the start of the installation. */
  attemptedAt: z.coerce.date(),
  /** Code of what went wrong then; null where it succeeded, or none was made yet. */
  failure: z.string().nullable(),
  /** The last backup that succeeded. */
  last: z.object({ at: z.coerce.date(), bytes: z.number(), seconds: z.number() }).nullable(),
});

/** State of an installation's backups, in `backup.json` of the data folder. */
export type BackupState = z.infer<typeof stateSchema>;

/** Reads it; null where nothing was written, or nothing that can be read. */
export async function readBackupState(dataFolder: string): Promise<BackupState | null> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(join(dataFolder, STATE_FILE), "utf8")));
  } catch {
    return null;
  }
}

/** Writes it, whole or not at all. */
export async function writeBackupState(dataFolder: string, state: BackupState): Promise<void> {
  const file = join(dataFolder, STATE_FILE);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await giveToOwnerOf(dataFolder, unfinished);
  await rename(unfinished, file);
}
