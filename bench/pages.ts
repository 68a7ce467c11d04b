import { setTimeout as delay } from "node:timers/promises";
import type { BenchApp } from "./bench-app.ts";
import { wrk } from "./load.ts";
import { median, row, say, table } from "./report.ts";

const ROUNDS = 3;
const SECONDS = 6;
const FRESHNESS_ROUNDS = 5;

/** Requests a second of a campaign's first page, and how long a change takes to show on it. */
export async function benchPages(app: BenchApp): Promise<void> {
  const page = `${app.url}/c/banc-7/review`;
  const file = `${app.url}/healthz`;
  await wrk(page, "./page.lua", 2);
  const pages = [];
  const plain = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    pages.push(await wrk(page, "./page.lua", SECONDS));
    plain.push(await wrk(file, "./page.lua", SECONDS));
  }
  const base = median(plain.map(({ perSecond }) => perSecond));
  say(`\nCampaign page, 64 connections, gzip (median of ${ROUNDS} × ${SECONDS} s)`);
  table(
    ["", "per second", "ratio", "p50 ms", "p99 ms", "errors"],
    [["/healthz", plain] as const, ["/c/{slug}/review", pages] as const].map(([name, rounds]) => {
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
  say(`A change of the store's name shows after at most ${await freshness(app, page)} ms.`);
}

/** The longest that a page under steady reading kept showing what had been changed. */
async function freshness(app: BenchApp, page: string): Promise<number> {
  let longest = 0;
  for (let round = 0; round < FRESHNESS_ROUNDS; round += 1) {
    const name = `Café ${round} ${Date.now()}`;
    await (await fetch(page)).text();
    await app.sql`update public.stores set name = ${name}`;
    const changed = Date.now();
    while (!(await (await fetch(page)).text()).includes(name)) await delay(5);
    longest = Math.max(longest, Date.now() - changed);
  }
  return longest;
}
