import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import { isAlive } from "../../server/postgres/processes.ts";
import { runningPostmaster } from "../harness/program.ts";

/** The processes of a PostgreSQL: the one that the others belong to, and those that serve. */
export type DatabaseProcesses = { postmaster: number; servants: number[] };

/** Those of the PostgreSQL in a data folder, which somebody is connected to. */
export async function databaseProcesses(folder: string, sql: Sql): Promise<DatabaseProcesses> {
  const found = await runningPostmaster(folder);
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity order by pid`;
  return { postmaster: found.pid, servants: rows.map(({ pid }) => pid) };
}

/** Kills processes at once, as a power cut would; some may have ended by themselves. */
export function killNow(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended in the meantime.
    }
  }
}

/** Settles when a process is gone. (Whoever has no parent left may stay among the dead for a while: that is gone enough.) */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(5);
}
