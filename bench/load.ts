import { spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";

/** What one run of a load generator measured. */
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
): Promise<Measure> {
  const output = await run(
    "wrk",
    [
      `-t${THREADS}`,
      `-c${CONNECTIONS}`,
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
  const output = await run(
    "pgbench",
    [
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
  const average = Number(/^latency average = ([\d.]+)/m.exec(output)?.[1]);
  if (!Number.isFinite(perSecond)) throw new Error("pgbench gave no result.");
  return { perSecond, p50: average, p99: Number.NaN, bad: 0 };
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
