import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, onTestFinished } from "vitest";
import { PASSWORD } from "../harness/fixtures.ts";
import {
  embeddedUrl,
  isRoot,
  NOBODY,
  type Program,
  type ProgramOptions,
  ROOT,
  readPostmaster,
  spawnProgram,
} from "../harness/program.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";

/** Starts the program on a free port; what still runs at the test's end is killed. */
export function startProgram(options: ProgramOptions): Program {
  const program = spawnProgram(options);
  onTestFinished(async () => {
    program.signal("SIGKILL");
    await program.ended;
  });
  return program;
}

/**
 * Skips a test that wants an ordinary person where root keeps the project in a folder of its own
 * (`/root`), which nobody else can even enter; says so.
 */
export function needOrdinaryPerson(skip: Skip): void {
  if (!isRoot()) return;
  const { status } = spawnSync(
    process.execPath,
    ["-e", "require('node:fs').accessSync(process.argv[1])", ROOT],
    { cwd: "/", uid: NOBODY, gid: NOBODY },
  );
  if (status === 0) return;
  skipAloud(skip, `only root can enter ${ROOT}: nobody else could start the program there`);
}

/** A folder that does not outlive the test, nor does a PostgreSQL in it. */
export async function temporaryFolder({ mode = 0o711 } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-server-test-"));
  await chmod(folder, mode);
  removeAtEnd(folder);
  return folder;
}

/**
 * Makes data folders in which the program has run before (without the demo, and was stopped): copies of one that
 * is made once a file, since a first start costs three later ones. Call it beside the tests of a file.
 */
export function usedFolders(): () => Promise<string> {
  let made: Promise<string> | undefined;
  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), "tournavis-server-test-"));
    await chmod(folder, 0o711);
    const program = await start(folder);
    program.signal("SIGTERM");
    await program.ended;
    return folder;
  };
  afterAll(async () => {
    if (made !== undefined) await rm(await made, { recursive: true, force: true });
  });
  return async () => {
    made ??= make();
    const folder = await temporaryFolder();
    // (`fs.cp` would not keep whose files they are.)
    const { status, stderr } = spawnSync("cp", ["-a", `${await made}/.`, folder]);
    if (status !== 0) throw new Error(String(stderr));
    return folder;
  };
}

/** Removes a data folder after the test, with the PostgreSQL that may still run in it. */
export function removeAtEnd(folder: string): void {
  onTestFinished(async () => {
    const database = await readPostmaster(folder);
    if (database) await killAndWait(database.pid);
    // A server that used that PostgreSQL finds out that it is gone, and may write until then.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
}

/** Access token of a fixture's user at a program, and the key that comes with it. */
export async function signInAt(
  at: string,
  { email }: { email: string },
): Promise<{ apikey: string; authorization: string }> {
  const { publishable_key: apikey } = await (await fetch(`${at}/config.json`)).json();
  const response = await fetch(`${at}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token: token } = await response.json();
  return { apikey, authorization: `Bearer ${token}` };
}

/** Settles when a program has written of an event so many times. */
export async function says(
  { child, output, ended }: Program,
  event: string,
  times = 1,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (output().split(event).length > times) resolve();
    };
    child.stdout?.on("data", look);
    ended.then(() => reject(new Error(`it ended before ${event}: ${output()}`)));
    look();
  });
}

/** Ends a program that a test has started, as a power cut would unless told otherwise, and waits until it is gone. */
export async function endChild(
  child: ChildProcess | null,
  signal: NodeJS.Signals = "SIGKILL",
): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Kills a process as a power cut would, and waits until it is gone. */
export async function killAndWait(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Administrator's connection to the database in a data folder, closed with the test. */
export async function openAdmin(dataFolder: string): Promise<Sql> {
  const sql = postgres(await embeddedUrl(dataFolder), { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Starts the program in a data folder and waits for its address. */
export async function start(
  dataFolder: string,
  argv = ["--no-demo"],
): Promise<Program & { at: string }> {
  const program = startProgram({ env: { TOURNAVIS_DATA: dataFolder }, argv });
  return { ...program, at: await program.url };
}
