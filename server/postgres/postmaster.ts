import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { giveToOwnerOf } from "../config/owner.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { isAlive } from "./processes.ts";
import type { SystemUser } from "./system-user.ts";

const POLL_MS = 15;

/** State of the PostgreSQL that runs in a folder, from `postmaster.pid`. */
export type PostmasterState = { pid: number; port: number; ready: boolean };

/** Everything needed to run PostgreSQL in one folder. */
export type PostmasterLaunch = {
  binaries: PostgresBinaries;
  /** The folder of the database itself (`PG_VERSION` is in it). */
  folder: string;
  user: SystemUser | null;
  settings: Readonly<Record<string, string>>;
  /** Gets what PostgreSQL says before its own log opens. */
  logFile: string;
};

/**
 * Environment of PostgreSQL: nothing of ours gets in, so that neither `LANG` nor a
 * `PGPORT` of the person at the terminal changes what the database does.
 */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Programs of PostgreSQL that this process has started and that still run. */
const running = new Set<ChildProcess>();
let isEnding = false;

/** Notes a program that has to end with a start that is broken off. */
export function noteChild(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

/** Ends every program of PostgreSQL that this process has started, and lets it start none any more. */
export async function endChildren(): Promise<void> {
  isEnding = true;
  await Promise.all([...running].map(stopPostmaster));
}

/**
 * Starts PostgreSQL and waits until it accepts connections; null when it gave up (its
 * folder or port was taken, or its settings are wrong).
 *
 * It runs in a session of its own: Ctrl-C in the terminal reaches us alone, and the
 * database stops after the requests in flight, when we say so.
 */
export async function launchPostmaster(
  launch: PostmasterLaunch,
): Promise<{ child: ChildProcess; port: number } | null> {
  const port = await freePort();
  if (isEnding) return null;
  const settings = { ...launch.settings, listen_addresses: "127.0.0.1", port: String(port) };
  const log = await open(launch.logFile, "w", 0o600);
  await giveToOwnerOf(dirname(launch.logFile), launch.logFile);
  const child = spawn(
    launch.binaries.postgres,
    ["-D", launch.folder, ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`])],
    {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      cwd: "/",
      env: postgresEnvironment,
      ...launch.user,
    },
  );
  noteChild(child);
  // Before anything is waited for: a folder that is still taken ends it within milliseconds.
  const gone = Promise.race([once(child, "exit"), once(child, "error")]);
  gone.catch(() => undefined);
  await log.close();
  let isRunning = true;
  gone.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const state = await readPostmaster(launch.folder);
    if (state?.ready && state.pid === child.pid) {
      child.unref();
      return { child, port };
    }
    await Promise.race([gone, delay(POLL_MS)]).catch(() => undefined);
  }
  return null;
}

/** Stops a PostgreSQL that we started: sessions are closed, everything is written. */
export async function stopPostmaster(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, "exit");
  // SIGINT is PostgreSQL's « fast » shutdown.
  child.kill("SIGINT");
  await gone;
}

/** Stops a PostgreSQL whose owner died. */
export async function stopOrphan(launch: PostmasterLaunch): Promise<void> {
  await promisify(execFile)(
    launch.binaries.pgCtl,
    ["stop", "--pgdata", launch.folder, "--mode", "fast", "--wait", "--timeout", "60"],
    { cwd: "/", env: postgresEnvironment, ...launch.user },
  ).catch((error: unknown) => {
    // It may have ended in the meantime: what counts is that it is gone.
    if (!(error instanceof Error)) throw error;
  });
}

/** Reads `postmaster.pid`; null when no PostgreSQL runs in the folder, or its number is stale. */
export async function readPostmaster(folder: string): Promise<PostmasterState | null> {
  const lines = (await readFile(lockFile(folder), "utf8").catch(() => "")).split("\n");
  const pid = processNumber(lines);
  if (pid === null || !isAlive(pid)) return null;
  return {
    pid,
    port: Number.parseInt(lines[3] ?? "", 10) || 0,
    ready: lines[7]?.trim() === "ready",
  };
}

/**
 * Whether `postmaster.pid` is there and names no process: while PostgreSQL writes it, or for good
 * where the power went away in between. PostgreSQL starts beside no such file.
 */
export async function hasBlankLock(folder: string): Promise<boolean> {
  const text = await readFile(lockFile(folder), "utf8").catch(() => null);
  return text !== null && processNumber(text.split("\n")) === null;
}

/** Removes `postmaster.pid`, which nothing that runs needs. */
export async function removeLock(folder: string): Promise<void> {
  await rm(lockFile(folder), { force: true });
}

function lockFile(folder: string): string {
  return join(folder, "postmaster.pid");
}

function processNumber([first = ""]: string[]): number | null {
  const pid = Number.parseInt(first, 10);
  return pid > 0 ? pid : null;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
