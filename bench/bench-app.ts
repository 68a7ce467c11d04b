import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { readSecrets } from "../server/config/secrets.ts";
import { type ClusterOptions, startCluster } from "../server/postgres/cluster.ts";

const DATABASE = "bench";
const START_MS = 60_000;

/** The product as it ships, on a database of its own. */
export type BenchApp = {
  /** Origin of the server, which is a process of its own. */
  url: string;
  /** Address of its database, for `pgbench`. */
  databaseUrl: string;
  sql: Sql;
  secretKey: string;
  publishableKey: string;
  /** The server's data folder. */
  dataFolder: string;
  /** Number of the server's process. */
  serverPid: number;
  stop(): Promise<void>;
};

/** A new folder under the temporary one, which the database's account can enter. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-bench-"));
  await chmod(folder, 0o711);
  return folder;
}

/** Starts PostgreSQL in a app's folder, with settings over the product's own, and answers the benchmark's database. */
export async function openDatabase(
  folder: string,
  settings: ClusterOptions["settings"] = {},
): Promise<{ databaseUrl: string; isNew: boolean; stop(): Promise<void> }> {
  const cluster = await startCluster({ folder: join(folder, "database"), settings });
  const admin = postgres(cluster.adminUrl, { max: 1 });
  const [existing] = await admin`select from pg_database where datname = ${DATABASE}`;
  if (!existing) await admin`create database ${admin(DATABASE)}`;
  await admin.end();
  return { databaseUrl: cluster.urlFor(DATABASE), isNew: !existing, stop: () => cluster.stop() };
}

/** Starts the server in front of the benchmark's merchant, in a folder that goes away with `stop`. */
export async function openBenchApp(): Promise<BenchApp> {
  const folder = await makeFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  const app = await openBenchAppIn(folder).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    ...app,
    async stop() {
      await app.stop();
      await remove();
    },
  };
}

/** The same in a folder that stays: a database that is there already is taken as it is. */
export async function openBenchAppIn(folder: string): Promise<BenchApp> {
  const { databaseUrl, isNew, stop: stopDatabase } = await openDatabase(folder);
  const dataFolder = join(folder, "data");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(
    process.execPath,
    ["--import", "tsx", new URL("../server/main.ts", import.meta.url).pathname, "--no-demo"],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        TOURNAVIS_DATA: dataFolder,
        TRUST_PROXY: "1",
      },
    },
  );
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
  const stop = async () => {
    await sql.end();
    if (server.kill("SIGTERM")) await once(server, "exit");
    await stopDatabase();
  };
  try {
    await untilReady(url, server);
    if (isNew) {
      await sql.unsafe(await readFile(new URL("./seed.sql", import.meta.url), "utf8")).simple();
    }
    const { secretKey, publishableKey } = await readSecrets(dataFolder);
    const serverPid = server.pid ?? 0;
    return { url, databaseUrl, sql, secretKey, publishableKey, dataFolder, serverPid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The server stopped with ${server.exitCode}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error("The server does not get ready.");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("No free port.");
  return address.port;
}
