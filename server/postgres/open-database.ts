import postgres from "postgres";
import { type Cluster, startCluster } from "./cluster.ts";

/** Our database within the embedded PostgreSQL. */
export const DATABASE = "tournavis";

/** The database of an installation, wherever it runs. */
export type Database = {
  /** Administrator's address. */
  adminUrl: string;
  /** Settles when an embedded PostgreSQL is gone; never for one that is not ours. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

/** Runs the embedded PostgreSQL in the data folder, or takes the one that was given. */
export async function openDatabase(options: {
  databaseUrl: string | null;
  dataFolder: string;
}): Promise<Database> {
  if (options.databaseUrl !== null) {
    return {
      adminUrl: options.databaseUrl,
      exited: new Promise(() => undefined),
      stop: async () => undefined,
    };
  }
  const cluster = await startCluster({ folder: options.dataFolder });
  try {
    await createDatabase(cluster);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return {
    adminUrl: cluster.urlFor(DATABASE),
    exited: cluster.exited,
    stop: () => cluster.stop(),
  };
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
