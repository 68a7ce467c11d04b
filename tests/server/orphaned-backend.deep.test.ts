import { stat } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { expect, it } from "vitest";
import { startCluster } from "../../server/postgres/cluster.ts";
import { killNow } from "../chaos/processes.ts";
import { temporaryFolder } from "./program.ts";

/** Changes of the log of the start (two an attempt) after which other failures of PostgreSQL count as lasting. */
const PATIENCE = 60;

it("starts the database once a process of the killed one is gone, however long that works on", async () => {
  const folder = await temporaryFolder();
  const first = await startCluster({ folder });
  const sql = postgres(first.adminUrl, { max: 1, onnotice: () => undefined });
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = backend?.pid ?? 0;
  // It works on something long: until then it does not notice that the others are gone.
  process.kill(pid, "SIGSTOP");
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  let isOver = false;
  const second = startCluster({ folder });
  second.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        seen.add((await stat(join(folder, "postgres-start.log"))).mtimeMs);
        return isOver || seen.size > PATIENCE;
      },
      { interval: 20, timeout: 20_000 },
    )
    .toBe(true);
  expect(isOver).toBe(false);
  killNow([pid]);
  const cluster = await second;
  const again = postgres(cluster.adminUrl, { max: 1 });
  expect(await again`select 1 as one`).toEqual([{ one: 1 }]);
  await again.end();
  await sql.end({ timeout: 0 });
  await cluster.stop();
});
