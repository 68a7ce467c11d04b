import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { syncFolder } from "../config/sync-folder.ts";
import { StartupError } from "../start/startup-error.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { noteChild, postgresEnvironment } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import type { SystemUser } from "./system-user.ts";

const UNFINISHED = /^init-(\d+)-/;

/**
 * Makes a new database in `<data>/pg`. It is made elsewhere and gets its name when it is
 * whole: a process that dies in between leaves nothing that looks like a database. Of two
 * processes that do this at once, one names its own and the other throws its own away.
 */
export async function initialiseDatabase(options: {
  binaries: PostgresBinaries;
  dataFolder: string;
  password: string;
  user: SystemUser | null;
}): Promise<void> {
  const { binaries, dataFolder, password, user } = options;
  const workshop = await mkdtemp(join(dataFolder, `init-${process.pid}-`));
  try {
    const passwordFile = join(workshop, "password");
    const unfinished = join(workshop, "pg");
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await mkdir(unfinished, { mode: 0o700 });
    if (user) {
      for (const path of [workshop, passwordFile, unfinished])
        await chown(path, user.uid, user.gid);
    }
    const making = promisify(execFile)(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=icu",
        "--icu-locale=fr-FR",
        "--data-checksums",
        "--no-instructions",
      ],
      { cwd: "/", env: postgresEnvironment, ...user },
    );
    noteChild(making.child);
    await making;
    await rename(unfinished, join(dataFolder, "pg")).catch((error: unknown) => {
      if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error))) throw error;
    });
    await syncFolder(dataFolder);
  } catch (error) {
    throw new StartupError(
      "data_folder_unwritable",
      { folder: dataFolder, reason: reasonOf(error) },
      { cause: error },
    );
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Code of the system, which initdb says in words alone: it ends with a 1, whatever the matter. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "initdb";
  if ("stderr" in error && /: No space left on device$/m.test(String(error.stderr)))
    return "ENOSPC";
  return typeof error.code === "string" ? error.code : "initdb";
}

/** Removes what processes left that died while making a database. */
export async function removeUnfinished(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    const pid = UNFINISHED.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(dataFolder, name), { recursive: true, force: true });
    }
  }
}
