import type { BenchApp } from "./bench-app.ts";
import { CONNECTIONS, type Measure, pgbench, wrk } from "./load.ts";
import { median, row, say, table } from "./report.ts";

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 4;

/** Share of the reference that spins over HTTP have to reach. */
const TARGET_RATIO = 0.35;

/**
 * Spins a second over HTTP, against `pgbench` running the same SQL call with as many connections on
 * the same database; and the same call through rest/v1/rpc. Rounds alternate, so that a noisy
 * minute of the machine meets all three.
 */
export async function benchSpins(app: BenchApp): Promise<void> {
  for (const campaigns of [100, 1]) {
    const ways: Record<string, (seconds: number) => Promise<Measure>> = {
      pgbench: (seconds) => pgbench(app.databaseUrl, campaigns, seconds),
      "functions/v1/spin_wheel": (seconds) => spin(app, "function", campaigns, seconds),
      "rest/v1/rpc/spin_wheel": (seconds) => spin(app, "rpc", campaigns, seconds),
    };
    const measures = new Map<string, Measure[]>();
    for (const way of Object.values(ways)) await way(WARM_UP_SECONDS);
    // On a new database PostgreSQL plans for empty tables until autovacuum has counted once, a minute later.
    await app.sql`analyze`;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        measures.set(name, [...(measures.get(name) ?? []), await way(SECONDS)]);
      }
    }
    const base = median((measures.get("pgbench") ?? []).map(({ perSecond }) => perSecond));
    say(
      `\nSpins, 64 connections, new customers, ${campaigns} campaign(s) (median of ${ROUNDS} × ${SECONDS} s)`,
    );
    table(
      ["", "per second", "ratio", "p50 ms", "p99 ms", "errors"],
      [...measures].map(([name, rounds]) => {
        const perSecond = median(rounds.map((measure) => measure.perSecond));
        return row(
          name,
          perSecond.toFixed(0),
          (perSecond / base).toFixed(2),
          median(rounds.map((measure) => measure.p50)).toFixed(1),
          median(rounds.map((measure) => measure.p99)).toFixed(1),
          rounds.reduce((sum, measure) => sum + measure.bad, 0).toFixed(0),
        );
      }),
    );
    await benchWaiting(app, campaigns, base);
  }
}

/**
 * How long a customer waits when the machine is busy, not drowned: 64 connections whose spins come at
 * the target's share of the reference. (Without pauses there are always 64 in the queue, and the wait is
 * 64 divided by the spins a second, whatever is done.)
 */
async function benchWaiting(app: BenchApp, campaigns: number, reference: number): Promise<void> {
  const pauseMs = (CONNECTIONS / (reference * TARGET_RATIO)) * 1000;
  const rounds: Measure[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await spin(app, "function", campaigns, SECONDS, pauseMs));
  }
  const of = (pick: (measure: Measure) => number) => median(rounds.map(pick)).toFixed(1);
  say(
    `at a pace of about ${TARGET_RATIO} of pgbench: ${of((m) => m.perSecond)} a second, ` +
      `p50 ${of((m) => m.p50)} ms, p99 ${of((m) => m.p99)} ms`,
  );
}

let seed = 0;

function spin(
  app: BenchApp,
  target: "function" | "rpc",
  campaigns: number,
  seconds: number,
  pauseMs = 0,
): Promise<Measure> {
  seed += 1;
  return wrk(app.url, "./spin.lua", seconds, {
    BENCH_TARGET: target,
    BENCH_CAMPAIGNS: String(campaigns),
    BENCH_SEED: String(seed),
    BENCH_PAUSE_MS: String(pauseMs),
    BENCH_SECRET_KEY: app.secretKey,
  });
}
