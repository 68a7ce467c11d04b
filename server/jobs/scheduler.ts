import type { Sql } from "postgres";
import { isDatabaseAway } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { type Deliveries, deliverDue } from "../../supabase/functions/_shared/messages/delivery.ts";
import type { Log } from "../log.ts";
import type { Connections } from "../postgres/connections.ts";
import { InterruptibleSleep } from "./interruptible-sleep.ts";

/** Longest sleep of the outbox: a call that got lost (a broken connection, a pooler that knows no LISTEN) costs this much. */
const POLL_MS = 5_000;

/** Longest sleep of the jobs, which are not notified: their times are stored in the database. */
const JOBS_POLL_MS = 60_000;

/** Pause where work is due but in other hands. */
const BUSY_MS = 1_000;

/** Longest pause while the database does not answer. */
const TROUBLE_MS = 30_000;

/** Pause between two tries to listen again, in seconds. */
const RELISTEN_S = 0.25;

/** Grace period of messages being sent when the server stops; afterwards another worker gets them. */
const STOP_MS = 5_000;

/** Background work: recurring jobs and the sending of messages. */
export type Scheduler = {
  /** Lets what is under way finish (briefly), and starts nothing more. */
  stop(): Promise<void>;
};

/** Dependencies of the scheduled work on the process around it. */
type Scheduled = {
  connections: Pick<Connections, "open" | "answering">;
  loginUrl: string;
  deliveries: Deliveries;
  log: Log;
};

/** Connections of the jobs and the outbox: few, since both take one thing after another. */
function openWorkPool({ open }: Scheduled["connections"], loginUrl: string): Sql {
  return open(loginUrl, {
    max: 2,
    connection: {
      application_name: "tournavis jobs",
      role: "service_role",
      TimeZone: "UTC",
      statement_timeout: 60_000,
    },
  });
}

/**
 * Starts the jobs and the outbox of this process. Which work is due, and who has taken it, stands
 * in the database alone: any number of processes may do this at once, and any may die.
 */
export function startScheduler({ connections, loginUrl, deliveries, log }: Scheduled): Scheduler {
  const sql = openWorkPool(connections, loginUrl);
  // A pool of its own, since its one connection reconnects automatically.
  const ears = connections.open(loginUrl, { max: 1, backoff: () => RELISTEN_S });
  let isStopping = false;
  const newMessage = new InterruptibleSleep();
  const stopJobs = new InterruptibleSleep();

  const loop = async (
    { name, rest, longest }: { name: string; rest: InterruptibleSleep; longest: number },
    step: () => Promise<number | null>,
  ) => {
    let failures = 0;
    while (!isStopping) {
      try {
        const seconds = await step();
        failures = 0;
        await rest.sleep(pause(seconds, longest));
      } catch (error) {
        if (isStopping) return;
        if (isDatabaseAway(error)) {
          // Said once by who watches the database; the work goes on with its return.
          await Promise.all([connections.answering(), rest.sleep(BUSY_MS)]);
          continue;
        }
        log({ event: `${name}_failed`, level: "error", code: errorCode(error) });
        await rest.sleep(Math.min(BUSY_MS * 2 ** failures, TROUBLE_MS));
        failures += 1;
      }
    }
  };

  const running = Promise.all([
    loop({ name: "outbox", rest: newMessage, longest: POLL_MS }, async () => {
      await deliverDue({ sql, deliveries, log, isStopping: () => isStopping });
      const [row] = await sql<{ seconds: number | null }[]>`
        select private.next_message_in() as seconds`;
      return row?.seconds ?? null;
    }),
    loop({ name: "jobs", rest: stopJobs, longest: JOBS_POLL_MS }, async () => {
      await runDueJobs(sql, log, () => isStopping);
      const [row] = await sql<{ seconds: number | null }[]>`
        select private.next_job_in() as seconds`;
      return row?.seconds ?? null;
    }),
  ]);
  listen(ears, newMessage).catch((error: unknown) => {
    // Without it the outbox is looked at every few seconds all the same.
    if (!isStopping) log({ event: "listen_failed", level: "error", code: errorCode(error) });
  });

  return {
    async stop() {
      isStopping = true;
      newMessage.wake();
      stopJobs.wake();
      await within(STOP_MS, running);
      await Promise.all([sql.end({ timeout: 1 }), ears.end({ timeout: 0 })]);
    },
  };
}

async function listen(sql: Sql, newMessage: InterruptibleSleep): Promise<void> {
  const wake = () => newMessage.wake();
  // Messages announced while the connection did not listen are looked for as well.
  await sql.listen("tournavis_outbox", wake, wake);
}

/** Runs what is due, one job a transaction; a job that another process is running is left to it. */
async function runDueJobs(sql: Sql, log: Log, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const started = performance.now();
    const [run] = await sql<{ job: string | null; rows: number | null; error: string | null }[]>`
      select job, rows, error from private.run_next_job()`;
    if (!run?.job) return;
    const facts = { job: run.job, milliseconds: Math.round(performance.now() - started) };
    if (run.error) log({ event: "job_failed", level: "error", code: run.error, ...facts });
    // A run that found nothing to do would be most of a quiet day's log.
    else if (run.rows) log({ event: "job_ran", rows: run.rows, ...facts });
  }
}

/** Milliseconds to sleep when the next work is due in so many seconds. */
function pause(seconds: number | null, longest: number): number {
  if (seconds === null) return longest;
  return Math.min(seconds <= 0 ? BUSY_MS : seconds * 1_000, longest);
}

/** Waits for work, but not longer than so many milliseconds. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
