import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The memory that a large export takes. That it goes at its reader's pace is in `slow-readers.test.ts`. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Memory that this process holds, without what nobody needs any more, in bytes. */
function memoryInUse(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}

it("an export of 100,000 customers goes through without the process growing by more than 50 MB", async () => {
  const big = await createOrganization(server.database.sql);
  await server.database.sql.begin(async (sql) => {
    // Rows as the triggers would leave them: only reading them is asked here.
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into public.customers (org_id, name, email, created_at)
      select ${big.id}, 'Client ' || n, 'client' || n || '@exemple.fr', now() - n * interval '1 minute'
      from generate_series(1, 100000) n`;
  });
  const { token } = await server.signIn(big.users.owner);
  const before = memoryInUse();
  let highest = before;
  const response = await fetch(`${server.url}/functions/v1/exports-csv`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ type: "customers", org_id: big.id, filters: {} }),
  });
  let lines = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    for (const byte of part.value) {
      if (byte === 10) lines += 1;
      if (byte === 10 && lines % 10_000 === 0) highest = Math.max(highest, memoryInUse());
    }
  }
  const grown = Math.round((highest - before) / 1024 / 1024);
  process.stdout.write(`Export of 100,000 customers: the process grew by ${grown} MB.\n`);
  expect(lines).toBe(100_001);
  expect(grown).toBeLessThan(50);
});
