import { constants } from "node:fs";
import { access, chmod, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import { canEnter, databaseUser } from "../postgres/system-user.ts";
import { StartupError } from "../start/startup-error.ts";
import type { DataConfig } from "./config.ts";

/** Where root keeps the data of a clone that the database account cannot enter. */
const OUTSIDE = "/var/lib/tournavis";

/** The data folder of a configuration, made ready. */
export function dataFolderOf({
  dataFolder,
  databaseUrl,
}: Pick<DataConfig, "dataFolder" | "databaseUrl">): Promise<DataFolder> {
  return prepareDataFolder(dataFolder, { holdsDatabase: databaseUrl === null });
}

/** The data folder in use, and the one that was asked for when that one could not serve. */
export type DataFolder = { path: string; movedFrom: string | null };

/**
 * The data folder of an installation that is there already. Where a command names another one, none is made: the command
 * misses what it looks for, and says so.
 */
export async function existingDataFolder({
  dataFolder,
  databaseUrl,
}: Pick<DataConfig, "dataFolder" | "databaseUrl">): Promise<string> {
  const place = await placeOf(dataFolder, databaseUrl === null);
  if (await isMissing(place.path)) return place.path;
  return (await makeReady(place)).path;
}

/**
 * Makes the data folder ready: it exists, we can write into it, and as root the account
 * `postgres` can enter it. When a parent (say /root) is closed to that account, the data
 * goes to a folder outside that is always the same for this path.
 */
export async function prepareDataFolder(
  requested: string,
  { holdsDatabase = true }: { holdsDatabase?: boolean } = {},
): Promise<DataFolder> {
  return makeReady(await placeOf(requested, holdsDatabase));
}

/** Where the data are or will be, and whether another account has to pass through. */
type Place = DataFolder & { isPassedThrough: boolean };

async function placeOf(requested: string, holdsDatabase: boolean): Promise<Place> {
  const path = resolve(requested);
  const user = holdsDatabase ? await databaseUser(path) : null;
  if (!user) return { path, movedFrom: null, isPassedThrough: false };
  const outside = join(OUTSIDE, sha256(path).slice(0, 16));
  // A database that an earlier start has put outside stays there.
  if (!(await holdsOnly(outside, path)) && canEnter(await nearestExisting(path), user)) {
    return { path, movedFrom: null, isPassedThrough: true };
  }
  return { path: outside, movedFrom: path, isPassedThrough: false };
}

async function makeReady({ isPassedThrough, ...folder }: Place): Promise<DataFolder> {
  const { path } = folder;
  await makeWritable(path);
  if (isPassedThrough) {
    // Only passing through is opened: `pg` and `secrets` inside stay closed to others.
    const { mode } = await stat(path);
    if ((mode & 0o001) === 0) await chmod(path, (mode & 0o7777) | 0o001);
  }
  return folder;
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOENT",
  );
}

/** Whether the database is in the first folder and none in the second. */
async function holdsOnly(folder: string, other: string): Promise<boolean> {
  const [here, there] = await Promise.all(
    [folder, other].map((at) => stat(join(at, "pg")).catch(() => null)),
  );
  return Boolean(here) && !there;
}

async function makeWritable(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes a folder and those above it. (Where none can be made, Node's own way tries for ever, or names another reason.) */
async function makeFolder(path: string): Promise<void> {
  const above: string[] = [];
  const existing = await nearestExisting(path);
  for (let folder = path; folder !== existing; folder = dirname(folder)) above.unshift(folder);
  if (above.length === 0) await mkdir(path, { recursive: true });
  for (const folder of above) {
    await mkdir(folder, { mode: 0o711 }).catch((error: unknown) => {
      // Another process made it first.
      if (errorCode(error) !== "EEXIST") throw error;
    });
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory() || folder === dirname(folder)) return folder;
  }
}

function unwritable(folder: string, cause: unknown): StartupError {
  return new StartupError(
    "data_folder_unwritable",
    { folder, reason: errorCode(cause) },
    { cause },
  );
}
