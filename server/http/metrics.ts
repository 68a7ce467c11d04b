import type { IncomingMessage } from "node:http";
import type { Sql } from "postgres";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import type { BackupState } from "../backup/backup-state.ts";
import { isFromThisMachine } from "../network/this-machine.ts";
import { productVersion } from "../product-version.ts";

/** Figures of one server, in Prometheus' text format. */
export type Metrics = {
  /** Counts one answered request under its route template: never an address, never a code. */
  observe(route: string, method: string, status: number, seconds: number): void;
  contentType: string;
  text(): Promise<string>;
};

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Number of database connections by who holds them and what they do. */
export type ConnectionCount = { application: string; state: string; connections: number };

/** Counts the open connections of all our processes to this database. */
export async function countConnections(admin: Sql): Promise<ConnectionCount[]> {
  return admin<ConnectionCount[]>`
    select application_name as application, coalesce(state, 'unknown') as state,
           count(*)::int as connections
    from pg_stat_activity
    where datname = current_database() and application_name like 'tournavis %'
    group by 1, 2`;
}

/** One figure of the jobs and the outbox, which all our processes share. */
export type WorkFigure = {
  kind: "messages" | "oldest" | "failures" | "devices";
  /** State of the messages, name of the job, or kind of notification. */
  name: string;
  amount: number;
};

/** Counts held elsewhere, read only on request. */
export type Counts = {
  connections(): Promise<ConnectionCount[]>;
  work(): Promise<WorkFigure[]>;
  /** How backups went; null where there was none yet. */
  backups(): Promise<BackupState | null>;
  /** Listeners to channels of this process. */
  channels(): { connections: number; topics: number };
};

/** Makes the figures of a server. */
export function createMetrics(counts: Counts): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "tournavis_build_info",
    help: "Version of Tournavis that runs, and of Node.js; always 1.",
    labelNames: ["version", "node"],
    registers: [registry],
    async collect() {
      this.set({ version: await productVersion(), node: process.version }, 1);
    },
  });
  const requests = new Counter({
    name: "http_requests_total",
    help: "Answered requests.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its answer.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  new Gauge({
    name: "database_connections",
    help: "Open database connections of Tournavis.",
    labelNames: ["application", "state"],
    registers: [registry],
    async collect() {
      this.reset();
      // Without the database the other figures are wanted all the more.
      const found = await counts.connections().catch(() => []);
      for (const { application, state, connections } of found) {
        this.set({ application, state }, connections);
      }
    },
  });
  new Gauge({
    name: "background_work",
    help: "Messages queued and failed, age in seconds of the oldest queued, failures in a row of each job, devices that are told.",
    labelNames: ["kind", "name"],
    registers: [registry],
    async collect() {
      this.reset();
      const found = await counts.work().catch(() => []);
      for (const { kind, name, amount } of found) this.set({ kind, name }, amount);
    },
  });
  observeBackups(registry, counts);
  new Gauge({
    name: "realtime_listeners",
    help: "Open connections to channels, and topics that somebody listens to, of this process.",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      const { connections, topics } = counts.channels();
      this.set({ kind: "connections" }, connections);
      this.set({ kind: "topics" }, topics);
    },
  });

  // Looking up a series by its labels costs more than counting: the few there are are kept.
  const series = new Map<string, { count(): void; time(seconds: number): void }>();
  return {
    observe(route, method, status, seconds) {
      const key = `${method} ${status} ${route}`;
      let one = series.get(key);
      if (!one) {
        const counter = requests.labels(route, method, String(status));
        const histogram = durations.labels(route);
        one = { count: () => counter.inc(), time: (value) => histogram.observe(value) };
        series.set(key, one);
      }
      one.count();
      one.time(seconds);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Figures of the last backup; a rule about their age must also fire when there was none. */
function observeBackups(registry: Registry, { backups }: Counts): void {
  const gauge = (name: string, help: string, read: (state: BackupState) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const state = await backups().catch(() => null);
        this.set((state && read(state)) ?? 0);
      },
    });
  const seconds = (moment: Date | undefined) => moment && moment.getTime() / 1000;
  gauge(
    "backup_last_success_timestamp_seconds",
    "When the last backup that succeeded was begun; 0: there is none.",
    ({ last }) => seconds(last?.at),
  );
  gauge("backup_last_success_bytes", "Size of that backup's file.", ({ last }) => last?.bytes);
  gauge("backup_last_success_seconds", "How long that backup took.", ({ last }) => last?.seconds);
  gauge("backup_last_failed", "Whether the last attempt at a backup failed.", ({ failure }) =>
    failure === null ? 0 : 1,
  );
}

/**
 * Whether a request may read the figures: from a program on this machine that comes without a
 * proxy, or from a holder of the token.
 */
export function mayReadMetrics(incoming: IncomingMessage, token: string | null): boolean {
  if (token !== null && isSameText(incoming.headers.authorization ?? "", `Bearer ${token}`))
    return true;
  return isFromThisMachine(incoming);
}
