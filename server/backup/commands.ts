import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { type CommandOptions, type DataConfig, readDataConfig } from "../config/config.ts";
import { dataFolderOf, existingDataFolder } from "../config/data-folder.ts";
import {
  HASH_KEY,
  readBackupPassphrase,
  readMovableSecrets,
  SIGNING_KEYS,
  VAPID_KEYS,
  writeMovedSecrets,
} from "../config/secrets.ts";
import { openDatabase } from "../postgres/open-database.ts";
import { reachDatabase, requireEmbedded } from "../postgres/reach-database.ts";
import { fillText } from "../start/fill-text.ts";
import { runCopy } from "../start/run.copy.ts";
import { StartupError } from "../start/startup-error.ts";
import { backupCopy } from "./backup.copy.ts";
import { type Forgotten, forgetSealed, type PresentKeys } from "./forget-sealed.ts";
import { backupFolder, makeBackup } from "./make-backup.ts";
import { type OpenBackup, openBackup } from "./open-backup.ts";
import { migrationsOf, restoreBackup } from "./restore-backup.ts";
import { askNewPassphrase, askPassphrase, progressOf } from "./terminal.ts";
import { refuseTaken } from "./write-backup.ts";

const MEGABYTE = 1_000_000;

/** Flag of `restore`: the backup's seal stays closed. */
const WITHOUT_SECRETS = "--without-secrets";

/** `npm run backup [-- file]`: everything of the installation in one file, whether its server runs or not. */
export async function runBackup({ env, argv, cwd, signal }: CommandOptions): Promise<void> {
  const { file, asksHelp } = readArguments(argv, []);
  if (asksHelp) return say(backupCopy.help);
  const config = readDataConfig({ env, cwd });
  const dataFolder = await folderToBackUp(config);
  const named = file ? resolve(cwd, file) : null;
  if (named !== null) await refuseTaken(named);
  const passphrase = config.backup.passphrase ?? (await askNewPassphrase());
  const database = await reachDatabase(config, dataFolder);
  try {
    const made = await withProgress(backupCopy.writing, (onProgress) =>
      makeBackup({
        kind: "manual",
        adminUrl: database.adminUrl,
        dataFolder,
        to: named === null ? { folder: backupFolder(config.backup, dataFolder) } : { file: named },
        passphrase,
        now: () => new Date(),
        onProgress,
        ...(signal && { signal }),
      }),
    );
    if (Object.keys(await readMovableSecrets(dataFolder)).length === 0) {
      say(fillText(backupCopy.noSecrets, { folder: join(dataFolder, "secrets") }));
    }
    say(
      fillText(backupCopy.written, {
        ...made,
        size: megabytes(made.bytes),
        rows: count(made.rows),
      }),
    );
    say(backupCopy.keepPassphrase);
  } finally {
    await database.stop();
  }
}

/** The folder of the data; that of a database elsewhere is made for its backups. Refuses one that has no database, before anything is asked. */
async function folderToBackUp(config: DataConfig): Promise<string> {
  if (config.databaseUrl !== null) return (await dataFolderOf(config)).path;
  const dataFolder = await existingDataFolder(config);
  await requireEmbedded(dataFolder);
  return dataFolder;
}

/**
 * `npm run restore -- file`: a backup into an empty database, and its secrets into the data folder. With `--without-secrets`
 * these stay sealed, as after the passphrase was lost.
 */
export async function runRestore({ env, argv, cwd, signal }: CommandOptions): Promise<void> {
  const { file, asksHelp, withoutSecrets } = readArguments(argv, [WITHOUT_SECRETS]);
  if (asksHelp) return say(backupCopy.help);
  if (!file) throw new StartupError("restore_file_missing");
  const config = readDataConfig({ env, cwd });
  const started = performance.now();
  const backup = await openBackup(resolve(cwd, file));
  try {
    // All that can be refused is refused before a database is made or touched.
    await migrationsOf(backup.manifest);
    const { path: dataFolder, movedFrom } = await dataFolderOf(config);
    const secrets = withoutSecrets ? {} : await unseal(backup, config, dataFolder);
    await compareSecrets(dataFolder, secrets);
    await withProgress(backupCopy.verifying, (onProgress) => backup.verify(onProgress));
    const database = await openDatabase({ databaseUrl: config.databaseUrl, dataFolder });
    try {
      const lost: Forgotten[] = [];
      const done = await withProgress(backupCopy.restoring, (onProgress) =>
        restoreBackup(database.adminUrl, backup, {
          onProgress,
          ...(signal && { signal }),
          async beforeCommit(sql, { isHosted }) {
            await writeMovedSecrets(dataFolder, secrets);
            if (!withoutSecrets || isHosted) return;
            lost.push(await forgetSealed(sql, await presentKeys(dataFolder, env)));
          },
        }),
      );
      for (const gone of lost) {
        const folder = join(dataFolder, "secrets");
        say(fillText(backupCopy.withoutSecrets, { folder, ...gone }));
      }
      if (done.leftOut.length > 0) {
        say(fillText(backupCopy.leftOut, { tables: done.leftOut.join(", ") }));
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      say(fillText(backupCopy.restored, { rows: count(done.rows), tables: done.tables, seconds }));
      if (movedFrom !== null) {
        say(fillText(runCopy.moved, { asked: movedFrom, folder: dataFolder }));
      }
    } finally {
      await database.stop();
    }
  } finally {
    backup.close();
  }
}

/** Keys that the folder has already, or the environment gives. */
async function presentKeys(dataFolder: string, env: NodeJS.ProcessEnv): Promise<PresentKeys> {
  const present = await readMovableSecrets(dataFolder);
  return {
    hashKey: present[HASH_KEY] ?? null,
    hasVapidKeys: present[VAPID_KEYS] !== undefined || Boolean(env.VAPID_KEYS?.trim()),
  };
}

/** The file that was named, and what else was asked for; refuses what the command does not know. */
function readArguments(argv: readonly string[], flags: readonly string[]) {
  const named = argv.filter((argument) => !flags.includes(argument));
  const asksHelp = named.includes("--help") || named.includes("-h");
  const unknown = named.find((argument, index) => argument.startsWith("-") || index > 0);
  if (unknown !== undefined && !asksHelp) {
    throw new StartupError("unknown_argument", { argument: unknown });
  }
  return { file: named[0], asksHelp, withoutSecrets: argv.includes(WITHOUT_SECRETS) };
}

/** Opens the secrets, with the passphrase of the automatic backups of this folder where that is the one. */
async function unseal(
  backup: OpenBackup,
  { backup: { passphrase } }: DataConfig,
  dataFolder: string,
): Promise<Record<string, string>> {
  if (passphrase !== null) return backup.unseal(passphrase);
  if (await stat(join(dataFolder, "secrets", "backup-passphrase")).catch(() => null)) {
    const own = await readBackupPassphrase(dataFolder);
    const secrets = await backup.unseal(own).catch((error: unknown) => {
      if (error instanceof StartupError && error.code === "backup_passphrase_wrong") return null;
      throw error;
    });
    if (secrets !== null) return secrets;
  }
  return backup.unseal(await askPassphrase());
}

/** Refuses a folder with secrets of another installation: what they opened would be lost. */
async function compareSecrets(
  dataFolder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const present = await readMovableSecrets(dataFolder);
  for (const [name, secret] of Object.entries(present)) {
    // These change in the life of an installation: those of today stay.
    if (name === SIGNING_KEYS) continue;
    if (secrets[name] !== undefined && secrets[name] !== secret) {
      throw new StartupError("restore_secrets_differ", { folder: dataFolder, name });
    }
  }
}

async function withProgress<T>(
  title: string,
  work: (onProgress: (part: number) => void) => Promise<T>,
): Promise<T> {
  const progress = progressOf(title);
  try {
    return await work(progress.onProgress);
  } finally {
    progress.end();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toLocaleString("fr-FR", { maximumFractionDigits: 1 })} Mo`;
}

function count(rows: number): string {
  return rows.toLocaleString("fr-FR");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
