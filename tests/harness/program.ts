import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The product as a process of its own, for tests and for commands alike. */

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Arguments with which `npm start`, and `npm run dev` below its watcher, run Node. */
const COMMANDS = {
  start: [join(ROOT, "server", "start.js")],
  dev: ["--import", import.meta.resolve("tsx"), join(ROOT, "server", "dev.ts")],
} as const;

/** Account that owns nothing; a test run as root lends it to what an ordinary person does. */
export const NOBODY = 65_534;

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

/** How the program is started. */
export type ProgramOptions = {
  env?: Record<string, string>;
  argv?: string[];
  script?: "start" | "dev";
  /** As root, the account to run as; others run as themselves. */
  asNobody?: boolean;
};

/** Starts the program, on a free port unless `env` names one. The caller ends it. */
export function spawnProgram(options: ProgramOptions): Program {
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
  return { child, url, output: () => output, complaint: () => complaint, ended, signal };
}

/** Whether the tests run as root, whom PostgreSQL makes take another account. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Process and port of the PostgreSQL that runs in a data folder; null when none does. PostgreSQL
 * makes the file empty and fills it then: until it has, none runs. (A process 0 would be one's own group.)
 */
export async function readPostmaster(
  dataFolder: string,
): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(dataFolder, "pg", "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number);
  return pid && port ? { pid, port } : null;
}

/** The same where one has to run; fails when none does. */
export async function runningPostmaster(
  dataFolder: string,
): Promise<{ pid: number; port: number }> {
  const database = await readPostmaster(dataFolder);
  if (!database) throw new Error("no PostgreSQL runs there");
  return database;
}

/** Administrator's address of the database in a data folder. */
export async function embeddedUrl(dataFolder: string): Promise<string> {
  const database = await runningPostmaster(dataFolder);
  const password = await readFile(join(dataFolder, "secrets", "database-password"), "utf8");
  return `postgres://postgres:${password.trim()}@127.0.0.1:${database.port}/tournavis`;
}
