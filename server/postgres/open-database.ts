import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { StartupError } from "../start/startup-error.ts";
import { addressOf, type DatabaseAddress, type DatabaseHost } from "./address.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { createProbe } from "./probe.ts";

/** Our database within the embedded PostgreSQL. */
export const DATABASE = "tournavis";

/** How often an embedded PostgreSQL may die within so long before it counts as broken. */
const MAX_CRASHES = 3;
const DEATHS_MS = 60_000;

/** How long a start waits for one of several hosts to take writes, and how often it asks: another may be being promoted. */
const PROMOTION_MS = 10_000;
const ASK_AGAIN_MS = 200;

/** The database of an installation, wherever it runs. */
export type Database = {
  /** Administrator's address, on the host that takes writes. */
  adminUrl: string;
  /** Where it may run: first where it does. */
  hosts: readonly DatabaseHost[];
  /**
   * Starts an embedded PostgreSQL again whenever it crashes, and reports both. Settles when that is of no use any more: it has
   * died too often, or cannot start. Never for a database that is not ours, nor once it was stopped.
   */
  keepRunning(tell: { died(): void; started(adminUrl: string): void }): Promise<void>;
  stop(): Promise<void>;
};

/** Runs the embedded PostgreSQL in the data folder, or takes the one that was given. */
export async function openDatabase(options: {
  databaseUrl: string | null;
  dataFolder: string;
}): Promise<Database> {
  if (options.databaseUrl !== null) {
    const address = addressOf(options.databaseUrl);
    const primary = await findPrimary(address);
    return {
      adminUrl: address.at(primary),
      hosts: [primary, ...address.hosts.filter((host) => host !== primary)],
      keepRunning: () => new Promise(() => undefined),
      stop: async () => undefined,
    };
  }
  const start = () => startCluster({ folder: options.dataFolder });
  const cluster = await start();
  try {
    await createDatabase(cluster);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return supervised(cluster, start);
}

/** A PostgreSQL of ours, and how another takes its place. */
function supervised(atFirst: Cluster, start: () => Promise<Cluster>): Database {
  let running = Promise.resolve(atFirst);
  let isStopping = false;
  return {
    adminUrl: atFirst.urlFor(DATABASE),
    hosts: addressOf(atFirst.urlFor(DATABASE)).hosts,
    async keepRunning(tell) {
      for (let deaths: number[] = []; ; ) {
        await (await running).exited;
        if (isStopping) return new Promise(() => undefined);
        tell.died();
        const now = performance.now();
        deaths = [...deaths, now].filter((death) => now - death < DEATHS_MS);
        if (deaths.length >= MAX_CRASHES) return;
        running = start();
        try {
          tell.started((await running).urlFor(DATABASE));
        } catch {
          return;
        }
      }
    },
    async stop() {
      isStopping = true;
      const last = await running.catch(() => null);
      await last?.stop();
    },
  };
}

/** The host of an address that takes writes. A single one is not probed: connecting to it shows that. */
async function findPrimary({ hosts, at }: DatabaseAddress): Promise<DatabaseHost> {
  const [first] = hosts;
  if (hosts.length === 1) return first;
  const probe = createProbe(at(first), () => 0);
  const started = performance.now();
  try {
    for (;;) {
      const answer = await probe.findPrimary(hosts, first);
      if ("host" in answer) return answer.host;
      if (performance.now() - started > PROMOTION_MS) {
        throw new StartupError("database_unreachable", { reason: answer.code });
      }
      await delay(ASK_AGAIN_MS);
    }
  } finally {
    await probe.close();
  }
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const sql = postgres(cluster.adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const [existing] = await sql`select from pg_database where datname = ${DATABASE}`;
    if (!existing) await sql`create database ${sql(DATABASE)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
