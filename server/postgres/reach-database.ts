import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DataConfig } from "../config/config.ts";
import { readDatabasePassword } from "../config/secrets.ts";
import { StartupError } from "../start/startup-error.ts";
import { embeddedUrl } from "./embedded-url.ts";
import { DATABASE, openDatabase } from "./open-database.ts";
import { readPostmaster } from "./postmaster.ts";

/** A database that is there for the length of a command. */
export type ReachedDatabase = { adminUrl: string; stop(): Promise<void> };

/** The installation's database: that of its server while it runs, else started for as long as it takes. */
export async function reachDatabase(
  { databaseUrl }: DataConfig,
  dataFolder: string,
): Promise<ReachedDatabase> {
  if (databaseUrl === null) {
    const folder = await requireEmbedded(dataFolder);
    const running = await readPostmaster(folder);
    if (running?.ready) {
      const password = await readDatabasePassword(dataFolder);
      return {
        adminUrl: embeddedUrl(password, running.port, DATABASE),
        stop: async () => undefined,
      };
    }
  }
  return openDatabase({ databaseUrl, dataFolder });
}

/** Folder of the embedded database; refuses a data folder that has none. */
export async function requireEmbedded(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, "pg");
  if (!(await stat(folder).catch(() => null))) throw new StartupError("backup_nothing_there");
  return folder;
}
