import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { noteCommand } from "./trail.ts";

type Job = {
  name: string;
  last_run_at: Date | null;
  last_count: number | null;
  last_error: string | null;
  failures: number;
};

/** `jobs`: the state of each, or one of them run at once. */
export const jobs: OperatorCommand = async (sql, { argument }) => {
  if (argument === null) {
    const rows = await sql<Job[]>`
      select name, last_run_at, last_count, last_error, failures from private.jobs order by name`;
    await noteCommand(sql, "jobs.read", null);
    return rows.map(describe).join("\n");
  }
  // Held until the transaction ends: the server that runs does not take it meanwhile, and it is the next that is due.
  const held = await sql`
    update private.jobs set next_run_at = '-infinity' where name = ${argument}`;
  if (held.count === 0) throw new StartupError("operator_unknown_job", { name: argument });
  const [run] = await sql<{ job: string; rows: number | null; error: string | null }[]>`
    select job, rows, error from private.run_next_job()`;
  await noteCommand(sql, "job.run", null, argument);
  return run?.error
    ? fillText(operatorCopy.jobFailed, { name: argument, error: run.error })
    : fillText(operatorCopy.jobDone, { name: argument, rows: run?.rows ?? 0 });
};

function describe({ name, last_run_at, last_count, last_error, failures }: Job): string {
  return fillText(operatorCopy.job, {
    name: name.padEnd(32),
    last: last_run_at?.toISOString() ?? operatorCopy.never,
    rows: last_count ?? "–",
    failures,
    error: last_error === null ? "" : fillText(operatorCopy.jobError, { error: last_error }),
  });
}
