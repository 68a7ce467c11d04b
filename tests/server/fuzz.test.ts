import { afterAll, beforeAll, expect, it } from "vitest";
import { describeFinding, fuzz } from "../fuzz/run.ts";
import { rounds, SEED } from "../harness/depth.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * Bad requests over every surface, as `npm run fuzz` sends them: a few of one seed here, thousands of a new one in the
 * deep suite.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it("fails at no bad request, changes nothing that it refuses, and tells nobody of its insides", {
  timeout: 1_800_000,
}, async () => {
  const { running, database, log } = server;
  const target = {
    url: server.url,
    publishableKey: running.secrets.publishableKey,
    sql: database.sql,
    settled: running.settled,
  };
  const count = rounds({ quick: 400, deep: 2_000 });
  const { findings, statuses } = await fuzz(target, { seed: SEED, count });
  expect(findings.map(describeFinding)).toEqual([]);
  expect(log.filter(({ level }) => level === "error")).toEqual([]);
  // Each surface was reached, and let something pass: requests are bad, not unreadable.
  for (const counts of Object.values(statuses)) expect(counts["4"]).toBeGreaterThan(0);
  for (const surface of ["functions", "data", "auth", "pages"] as const) {
    expect(statuses[surface]["2"]).toBeGreaterThan(0);
  }
});
