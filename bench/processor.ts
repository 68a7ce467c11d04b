import { readFile } from "node:fs/promises";
import type { BenchApp } from "./bench-app.ts";

/** The processes that serve requests of a app: the server and its connections in PostgreSQL. */
export async function servingProcesses(app: BenchApp): Promise<number[]> {
  const backends = await app.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return [app.serverPid, ...backends.map(({ pid }) => pid)];
}

/** Milliseconds that processes have spent on a processor (Linux); NaN where the system does not report it. */
export async function processorMs(processes: readonly number[]): Promise<number> {
  const spent = await Promise.all(
    processes.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "");
      return Number.parseInt(text, 10);
    }),
  );
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}
