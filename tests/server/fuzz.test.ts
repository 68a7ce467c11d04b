import { afterAll, beforeAll, expect, it } from "vitest";
import { describeFinding, fuzz } from "../fuzz/run.ts";
import { leftOver } from "../fuzz/watch-rows.ts";
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

function note(operation: "INSERT" | "UPDATE" | "DELETE", name: string, row: object) {
  return { name, application: "tournavis functions", operation, row: { ...row } };
}
const namesOf = (notes: Parameters<typeof leftOver>[0]) => leftOver(notes).map(({ name }) => name);

it("counts a row that was added and taken away again as none", () => {
  const added = note("INSERT", "public.customers", { id: "a" });
  const changed = note("UPDATE", "public.customers", { id: "a" });
  const gone = note("DELETE", "public.customers", { id: "a" });
  expect(namesOf([added, changed, gone])).toEqual([]);
  expect(namesOf([added])).toEqual(["public.customers"]);
  expect(namesOf([gone])).toEqual(["public.customers"]);
  expect(namesOf([added, note("DELETE", "public.customers", { id: "b" })])).toHaveLength(2);
  expect(namesOf([added, note("DELETE", "public.stores", { id: "a" })])).toHaveLength(2);

  // A row that was there before and is made anew, and rows that have no identifier.
  expect(namesOf([gone, added])).toHaveLength(2);
  const [one, other] = [{ email: "a" }, { email: "b" }];
  expect(namesOf([note("INSERT", "x.y", one), note("DELETE", "x.y", other)])).toHaveLength(2);
});

it("counts events as none where each of their figures comes to nothing", () => {
  const more = note("INSERT", "private.recent_figures", { id: 1, customers: 1, consents: 0 });
  const less = note("INSERT", "private.recent_figures", { id: 2, customers: -1, consents: 0 });
  const consent = note("INSERT", "private.recent_figures", { id: 3, customers: -1, consents: 1 });
  expect(namesOf([more, less])).toEqual([]);
  expect(namesOf([more])).toHaveLength(1);
  expect(namesOf([more, consent])).toHaveLength(2);
  const ofAnother = note("INSERT", "private.recent_figures", { org_id: "b", customers: -1 });
  const ofOne = note("INSERT", "private.recent_figures", { org_id: "a", customers: 1 });
  expect(namesOf([ofOne, ofAnother])).toHaveLength(2);
});
