import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { afterAll, onTestFinished } from "vitest";
import { PASSWORD } from "../harness/fixtures.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm start` and `npm run dev` run. */
const COMMANDS = {
  start: [join(ROOT, "server", "start.js")],
  dev: ["--import", import.meta.resolve("tsx"), join(ROOT, "server", "dev.ts")],
} as const;

/** Account that owns nothing; a test run as root lends it to what an ordinary person does. */
const NOBODY = 65_534;

/** `npm start` as a process of its own, in a session of its own like a terminal's. */
export type Program = {
  child: ChildProcess;
  /** Origin that it printed; settles when it answers, fails when it ends first. */
  url: Promise<string>;
  /** Everything it has written so far. */
  output(): string;
  complaint(): string;
  /** Settles with how it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal to the program and all that a terminal would reach with it. */
  signal(name: NodeJS.Signals): void;
};

/** Starts the program on a free port; what still runs at the test's end is killed. */
export function startProgram(options: {
  env?: Record<string, string>;
  argv?: string[];
  script?: "start" | "dev";
  /** As root, the account to run as; others run as themselves. */
  asNobody?: boolean;
}): Program {
  const { env = {}, argv = [], script = "start", asNobody = false } = options;
  const child = spawn(process.execPath, [...COMMANDS[script], ...argv], {
    cwd: ROOT,
    detached: true,
    // Nothing of the terminal's language or settings: what a bare service gets.
    env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(asNobody && isRoot() && { uid: NOBODY, gid: NOBODY }),
  });
  let output = "";
  let complaint = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));
  const url = new Promise<string>((resolve, reject) => {
    const look = () => {
      // Up to what follows the port: a part of the output may end in the middle of it.
      const found = /http:\/\/[\w.-]+:\d+(?=\D)/.exec(output)?.[0];
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    ended.then(() => reject(new Error(`it ended first: ${complaint}`)));
  });
  url.catch(() => undefined);
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, name);
    }
  };
  onTestFinished(async () => {
    signal("SIGKILL");
    await ended;
  });
  return { child, url, output: () => output, complaint: () => complaint, ended, signal };
}

/**
 * Skips a test that wants an ordinary person where root keeps the project in a folder of its own
 * (`/root`), which nobody else can even enter; says so.
 */
export function needOrdinaryPerson(skip: (reason: string) => void): void {
  if (!isRoot()) return;
  const { status } = spawnSync(
    process.execPath,
    ["-e", "require('node:fs').accessSync(process.argv[1])", ROOT],
    { cwd: "/", uid: NOBODY, gid: NOBODY },
  );
  if (status === 0) return;
  const reason = `only root can enter ${ROOT}: nobody else could start the program there`;
  process.stdout.write(`Skipped: ${reason}.\n`);
  skip(reason);
}

/** Whether the tests run as root, whom PostgreSQL makes take another account. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
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
    // Whoever served that PostgreSQL finds out that it is gone, and may write until then.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
}

/** Process and port of the PostgreSQL that runs in a data folder; null when none does. */
export async function readPostmaster(
  dataFolder: string,
): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(dataFolder, "pg", "postmaster.pid"), "utf8").catch(() => null);
  if (text === null) return null;
  const lines = text.split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Administrator's address of the database in a data folder. */
export async function embeddedUrl(dataFolder: string): Promise<string> {
  const database = await readPostmaster(dataFolder);
  if (!database) throw new Error("no PostgreSQL runs there");
  const password = await readFile(join(dataFolder, "secrets", "database-password"), "utf8");
  return `postgres://postgres:${password.trim()}@127.0.0.1:${database.port}/tournavis`;
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
