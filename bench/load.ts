import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Measurement of one run of a load generator. */
export type Measure = {
  /** Successful requests (or transactions) a second. */
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers that were not a success. */
  bad: number;
};

/** Connections of every load. */
export const CONNECTIONS = 64;
const THREADS = 2;

const wrkResult = z.object({
  requests: z.number(),
  microseconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  bad: z.number(),
});

/** Loads a URL with `wrk` and one of the scripts beside this file. */
export async function wrk(
  url: string,
  script: string,
  seconds: number,
  env: Record<string, string> = {},
  connections = CONNECTIONS,
): Promise<Measure> {
  const output = await run(
    "wrk",
    [
      `-t${THREADS}`,
      `-c${connections}`,
      `-d${seconds}s`,
      "--timeout",
      "10s",
      "-s",
      new URL(script, import.meta.url).pathname,
      url,
    ],
    env,
  );
  const line = /^RESULT (.+)$/m.exec(output)?.[1];
  if (!line) throw new Error("wrk gave no result.");
  const result = wrkResult.parse(JSON.parse(line));
  return {
    perSecond: (result.requests - result.bad) / (result.microseconds / 1e6),
    p50: result.p50,
    p99: result.p99,
    bad: result.bad,
  };
}

/** Runs the SQL call of a spin with `pgbench`, as the role that the server uses. */
export async function pgbench(
  databaseUrl: string,
  campaigns: number,
  seconds: number,
): Promise<Measure> {
  const url = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "tournavis-bench-"));
  const output = await run(
    "pgbench",
    [
      "--log",
      `--log-prefix=${join(folder, "transactions")}`,
      "--no-vacuum",
      "--protocol=prepared",
      `--client=${CONNECTIONS}`,
      `--jobs=${THREADS}`,
      `--time=${seconds}`,
      `--define=campaigns=${campaigns}`,
      `--file=${new URL("./spin.pgbench.sql", import.meta.url).pathname}`,
      url.pathname.slice(1),
    ],
    {
      PGHOST: url.hostname,
      PGPORT: url.port,
      PGUSER: decodeURIComponent(url.username),
      PGPASSWORD: decodeURIComponent(url.password),
      PGOPTIONS: "-c role=service_role",
    },
  );
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  if (!Number.isFinite(perSecond)) throw new Error("pgbench gave no result.");
  const waits = await transactionTimes(folder);
  await rm(folder, { recursive: true });
  return { perSecond, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), bad: 0 };
}

/** How long each transaction took, in milliseconds and ascending, from the logs of `pgbench --log`. */
async function transactionTimes(folder: string): Promise<Float64Array> {
  const logs = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  // client, number of the transaction, microseconds, script, when it ended
  const times = logs.flatMap((log) =>
    log
      .trimEnd()
      .split("\n")
      .map((line) => Number(line.split(" ")[2]) / 1000),
  );
  return Float64Array.from(times).sort();
}

/** The value below which this share of ascending values lies. */
export function percentile(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
}

async function run(command: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LC_ALL: "C", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const failed = once(child, "error").then(([error]) => {
    throw new Error(`${command} is missing: see bench/README.md.`, { cause: error });
  });
  const [code] = await Promise.race([once(child, "close"), failed]);
  if (code !== 0) throw new Error(`${command} stopped with ${code}:\n${output}`);
  return output;
}
