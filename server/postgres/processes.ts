import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";

/**
 * Whether a process with this number runs, whoever owns it. The dead whom nobody has
 * collected yet (first process of a container without `init`) do not count.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  return process.platform !== "linux" || statFields(pid)?.[0] !== "Z";
}

/**
 * A name for one process that outlives its number: numbers are used again, a number
 * with the moment of its birth is not. Null when there is no such process.
 */
export function processIdentity(pid: number): string | null {
  if (!isAlive(pid)) return null;
  const birth = birthOf(pid);
  return birth === null ? null : `${pid}@${birth}`;
}

/** The process number inside an identity. */
export function identityPid(identity: string): number {
  return Number.parseInt(identity, 10);
}

/** The command line of a process, or null when it is gone or hidden. */
export function commandLine(pid: number): string | null {
  if (process.platform === "linux") return readProc(pid, "cmdline")?.replaceAll("\0", " ") ?? null;
  return ps(pid, "command=");
}

function birthOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "lstart=")?.replace(/\s+/g, "_") ?? null;
  return statFields(pid)?.[19] ?? null;
}

/** `/proc/<pid>/stat` from its third field on: the second, a name, may hold spaces and brackets. */
function statFields(pid: number): string[] | null {
  const stat = readProc(pid, "stat");
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? null;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
}

function ps(pid: number, column: string): string | null {
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
