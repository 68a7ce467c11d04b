import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import type { ServiceState, ServiceStatus } from "../_shared/domain/schemas/service-status.ts";
import { json } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/** How long an answer is handed to everybody who asks, in milliseconds: what a thousand ask at once is asked once. */
const KEPT_MS = 5_000;

/** Timeout of the database; the status page must respond when little else does. */
const TIMEOUT_MS = 3_000;

/** Waiting times in seconds from which a part counts as slow, and from which as stopped. */
const SLOW_S = 600;
const STILL_S = 3_600;

type Row = { mail_waiting_s: number; job_late_s: number; last_job_at: Date | null };

type Kept = { at: number; status: Promise<ServiceStatus> };

/** Last answer for each database: a process has one, tests have many. */
const kept = new WeakMap<Sql, Kept>();

/** `GET status`: the public status of the service. It answers 200 in every state. */
export const handler = serve(
  { name: "status", method: "GET", failure: "internal_error" },
  async (_, { sql, now }) => {
    const known = kept.get(sql);
    const at = now().getTime();
    const fresh =
      known && at - known.at >= 0 && at - known.at < KEPT_MS
        ? known
        : { at, status: readStatus(sql, now()) };
    kept.set(sql, fresh);
    const answer = json(await fresh.status);
    answer.headers.set("cache-control", `public, max-age=${KEPT_MS / 1000}`);
    return answer;
  },
);

async function readStatus(sql: Sql, now: Date): Promise<ServiceStatus> {
  const patience = new AbortController();
  const row = await Promise.race([
    sql<Row[]>`select mail_waiting_s, job_late_s, last_job_at from public.service_status()`.then(
      ([first]) => first ?? null,
      () => null,
    ),
    delay(TIMEOUT_MS, null, { signal: patience.signal }).catch(() => null),
  ]);
  patience.abort();
  return statusOf(row, now);
}

/**
 * Status of each part from the figures of the database; without them, the state of messages and
 * jobs is unknown.
 */
function statusOf(row: Row | null, now: Date): ServiceStatus {
  const database = row === null ? "down" : "operational";
  const parts: ServiceStatus["parts"] = [
    { name: "pages", state: "operational" },
    { name: "api", state: database },
    { name: "database", state: database },
    row === null
      ? { name: "mail", state: "unknown" }
      : {
          name: "mail",
          state: byDelay(row.mail_waiting_s),
          waiting_s: Math.round(row.mail_waiting_s),
        },
    row === null
      ? { name: "jobs", state: "unknown" }
      : {
          name: "jobs",
          state: byDelay(row.job_late_s),
          last_run_at: row.last_job_at?.toISOString() ?? null,
        },
  ];
  const isWell = parts.every(({ state }) => state === "operational");
  // Without mails for an hour the service is hampered; without its database it is down.
  const state = row === null ? "down" : isWell ? "operational" : "degraded";
  return { state, checked_at: now.toISOString(), parts };
}

function byDelay(seconds: number): ServiceState {
  if (seconds < SLOW_S) return "operational";
  return seconds < STILL_S ? "degraded" : "down";
}
