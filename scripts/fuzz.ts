import { randomInt } from "node:crypto";
import postgres from "postgres";
import { readConfig } from "../server/config/config.ts";
import { prepareDatabase } from "../server/postgres/prepare-database.ts";
import { startServer } from "../server/server.ts";
import { describeFinding, fuzz } from "../tests/fuzz/run.ts";
import { startTestCluster, temporaryFolder } from "../tests/harness/cluster.ts";
import { readChoices, refuseChoices } from "./choices.ts";

/**
 * `npm run fuzz [-- --seed=N --count=N]`: bad requests over every surface of the real server, on a throw-away database.
 * Prints its seed, which repeats a run, and everything that broke a rule; ends with 1 where something did.
 */

const USAGE = "npm run fuzz -- [--seed=<whole number>] [--count=<whole number>]";
const { values } = readChoices(USAGE, {
  seed: { type: "string" },
  count: { type: "string", default: "10000" },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const count = Number(values.count);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) {
  refuseChoices(USAGE);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

say(`${count} bad requests, --seed=${seed}`);
const cluster = await startTestCluster();
const data = await temporaryFolder("tournavis-fuzz-");
const admin = postgres(cluster.adminUrl, { max: 1, onnotice: () => undefined });
await admin`create database fuzz template template0`;
await admin.end();
const url = cluster.urlFor("fuzz");
await prepareDatabase(url);
const failures: string[] = [];
const log = Object.assign(
  (line: { event: string; level?: string; [fact: string]: string | number | undefined }) => {
    if (line.level === "error") failures.push(JSON.stringify(line));
  },
  { flush: () => undefined },
);
const env = { PORT: "0", DATABASE_URL: url, TOURNAVIS_DATA: data.folder, TRUST_PROXY: "1" };
const server = await startServer(readConfig({ env, argv: ["--no-demo"], cwd: process.cwd() }), {
  log,
});
const sql = postgres(url, { max: 2, onnotice: () => undefined });
try {
  const { url: address, secrets, settled } = server;
  const target = { url: address, publishableKey: secrets.publishableKey, sql, settled };
  const onProgress = (done: number) => {
    if (done > 0 && done % 1_500 === 0) say(`  ${done}`);
  };
  const { statuses, findings } = await fuzz(target, { seed, count, onProgress });
  for (const finding of findings) say(`\n${describeFinding(finding)}`);
  for (const failure of failures) say(`log: ${failure}`);
  say("");
  for (const [surface, counts] of Object.entries(statuses)) {
    const shown = Object.entries(counts).map(([hundred, number]) => `${hundred}xx ${number}`);
    say(`${surface.padEnd(10)} ${shown.join("  ")}`);
  }
  say(`${findings.length} findings`);
  process.exitCode = findings.length === 0 && failures.length === 0 ? 0 : 1;
} finally {
  await sql.end();
  await server.stop();
  await cluster.stop();
  await data.remove();
}
