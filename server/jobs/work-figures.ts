import type { Sql } from "postgres";
import type { WorkFigure } from "../http/metrics.ts";

/** Counts what the jobs and the outbox of all processes have before them. */
export async function countWork(sql: Sql): Promise<WorkFigure[]> {
  return sql<WorkFigure[]>`
    select kind, name, amount from private.queue_metrics()
    union all select kind, name, amount from private.push_metrics()`;
}
