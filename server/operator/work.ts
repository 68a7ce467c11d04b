import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { noteCommand } from "./trail.ts";

/** `messages`: what waits and what was given up, counted, without its addresses; `retry` makes all that waits due now. */
export const messages: OperatorCommand = async (sql, { argument }) => {
  if (argument === "retry") {
    const { count } = await sql`
      update private.outbox set next_attempt_at = now()
      where state = 'queued' and attempts > 0 and next_attempt_at > now()`;
    await sql`select pg_notify('tournavis_outbox', '')`;
    await noteCommand(sql, "messages.retried", null);
    return fillText(operatorCopy.retried, { count });
  }
  if (argument !== null) throw new StartupError("unknown_argument", { argument });
  const rows = await sql<
    { state: string; channel: string; template: string; count: number; error: string | null }[]
  >`
    select state, channel, template, count(*)::integer as count,
      (array_agg(last_error order by id desc) filter (where last_error is not null))[1] as error
    from private.outbox where state in ('queued', 'failed')
    group by state, channel, template order by state, channel, template`;
  await noteCommand(sql, "messages.read", null);
  if (rows.length === 0) return operatorCopy.noMessage;
  return rows
    .map(({ state, error, ...row }) =>
      fillText(operatorCopy.message, {
        ...row,
        state: operatorCopy.states[state] ?? state,
        error: error ?? "–",
      }),
    )
    .join("\n");
};

type Job = {
  name: string;
  last_run_at: Date | null;
  last_count: number | null;
  last_error: string | null;
  failures: number;
};

/** `jobs`: where each stands, or one of them run at once. */
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
