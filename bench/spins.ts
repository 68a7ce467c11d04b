import { type Measure, pgbench, wrk } from "./load.ts";
import { median, row, say, table } from "./report.ts";
import type { Stage } from "./stage.ts";

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 4;

/**
 * Spins a second over HTTP, against `pgbench` running the same SQL call with as many connections on
 * the same database; and the same call through rest/v1/rpc. Rounds alternate, so that a noisy
 * minute of the machine meets all three.
 */
export async function benchSpins(stage: Stage): Promise<void> {
  for (const campaigns of [100, 1]) {
    const ways: Record<string, (seconds: number) => Promise<Measure>> = {
      pgbench: (seconds) => pgbench(stage.databaseUrl, campaigns, seconds),
      "functions/v1/spin_wheel": (seconds) => spin(stage, "function", campaigns, seconds),
      "rest/v1/rpc/spin_wheel": (seconds) => spin(stage, "rpc", campaigns, seconds),
    };
    const measures = new Map<string, Measure[]>();
    for (const way of Object.values(ways)) await way(WARM_UP_SECONDS);
    // On a new database PostgreSQL plans for empty tables until autovacuum has counted once, a minute later.
    await stage.sql`analyze`;
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
  }
}

let seed = 0;

function spin(
  stage: Stage,
  target: "function" | "rpc",
  campaigns: number,
  seconds: number,
): Promise<Measure> {
  seed += 1;
  return wrk(stage.url, "./spin.lua", seconds, {
    BENCH_TARGET: target,
    BENCH_CAMPAIGNS: String(campaigns),
    BENCH_SEED: String(seed),
    BENCH_SECRET_KEY: stage.secretKey,
  });
}
