import type { BenchApp } from "./bench-app.ts";
import { processorMs, servingProcesses } from "./processor.ts";
import { row } from "./report.ts";
import type { Call } from "./scale-calls.ts";
import type { Owner, Owners } from "./scale-plant.ts";
import { countRows, rowsAlone } from "./scale-rows.ts";

/** p95 at the API. */
export const TARGET_MS = 50;
/** Most processor time to that of the empty shop, when the rows of both answers are written for nothing. */
export const TARGET_RATIO = 1.9;
/** The same to the shop with one page, which tells what grows with the data: most. To the empty shop it is aimed at. */
export const GROWTH_RATIO = 1.3;

/** Calls that count, after some that do not. */
export const ROUNDS = 40;
const WARM_UP = 6;

/** Headings of a line's columns. */
export const HEAD = [
  "",
  "p50 ms",
  "p95 ms",
  "empty p50",
  "ratio",
  "processor ms",
  "one page",
  "empty",
  "ratio",
  "rows",
  "of one page",
  "µs a row",
  "written",
  "ratio without",
  "ratio to one page",
  "verdict",
];

type Side = keyof Owners;

/**
 * Duration of one call: as its caller waits, and on processors, where other users of the machine do
 * not count.
 */
type Taken = { wait: number; processor: number; answer: string };

async function once(
  app: BenchApp,
  owner: Owner,
  call: Call,
  side: Side,
  processes: readonly number[],
): Promise<Taken> {
  const spent = await processorMs(processes);
  const began = performance.now();
  const response =
    "rpc" in call
      ? await fetch(`${app.url}/rest/v1/rpc/${call.rpc}`, {
          method: "POST",
          headers: owner.headers,
          body: JSON.stringify(call[side]),
        })
      : await fetch(`${app.url}/rest/v1/${call[side]}`, { headers: owner.headers });
  const answer = await response.text();
  const wait = performance.now() - began;
  if (response.status !== 200) throw new Error(`${call.name}: ${response.status} ${answer}`);
  return { wait, answer, processor: (await processorMs(processes)) - spent };
}

/** A call again and again, in turn with the other shops', so that all meet the same machine. */
async function time(app: BenchApp, owners: Owners, call: Call): Promise<Record<Side, Taken[]>> {
  const times: Record<Side, Taken[]> = { large: [], page: [], empty: [] };
  let processes: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    if (round <= 0) processes = await servingProcesses(app);
    for (const side of ["large", "page", "empty"] as const) {
      if (call[side] === null) continue;
      const taken = await once(app, owners[side], call, side, processes);
      if (round >= 0) times[side].push(taken);
    }
  }
  return times;
}

function quantile(taken: Taken[], of: "wait" | "processor", share: number): number {
  const sorted = taken.map((one) => one[of]).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A line of the table, the targets that it misses, and whether each of its ratios is at most `GROWTH_RATIO`. */
export type Line = {
  /** Under `HEAD`, but for the verdict. */
  figures: string[];
  missed: string[];
  isWithinOfPage: boolean;
  isWithinOfEmpty: boolean;
};

/** Rows of one shop's answer, processor time of its call, and of writing those rows alone. */
type Cost = { rows: number; processor: number; written: number };

async function costOf(app: BenchApp, taken: Taken[]): Promise<Cost> {
  const answer = taken.at(-1)?.answer ?? "";
  return {
    rows: countRows(answer),
    processor: quantile(taken, "processor", 0.5),
    written: await rowsAlone(app.sql, answer),
  };
}

/** Processor time of one to another's, when the rows of both are written for nothing. */
function ratioWithout(one: Cost, other: Cost): number {
  return (one.processor - one.written) / (other.processor - other.written);
}

/** Measures a call of the three shops. */
export async function measure(app: BenchApp, owners: Owners, call: Call): Promise<Line> {
  const taken = await time(app, owners, call);
  const large = await costOf(app, taken.large);
  const page = await costOf(app, taken.page);
  const empty = await costOf(app, taken.empty);
  const p95 = quantile(taken.large, "wait", 0.95);
  const waits = (side: Side) =>
    quantile(taken.large, "wait", 0.5) / quantile(taken[side], "wait", 0.5);
  const toPage = ratioWithout(large, page);
  const toEmpty = ratioWithout(large, empty);
  const more = large.rows - empty.rows;
  const each = (ms: number) => (more > 0 ? ((Math.max(ms, 0) * 1000) / more).toFixed(0) : "–");
  const figures = row(
    call.name,
    quantile(taken.large, "wait", 0.5).toFixed(1),
    p95.toFixed(1),
    quantile(taken.empty, "wait", 0.5).toFixed(1),
    waits("empty").toFixed(1),
    large.processor.toFixed(2),
    page.processor.toFixed(2),
    empty.processor.toFixed(2),
    (large.processor / empty.processor).toFixed(2),
    `${large.rows}`,
    `${page.rows}`,
    each(large.processor - empty.processor),
    each(large.written - empty.written),
    toEmpty.toFixed(2),
    toPage.toFixed(2),
  );
  // Without processor time from the system, elapsed time has to do.
  const growth = Number.isNaN(toPage) ? waits("page") : toPage;
  const ratio = Number.isNaN(toEmpty) ? waits("empty") : toEmpty;
  const most = call.most ?? TARGET_RATIO;
  const missed = [];
  if (p95 > TARGET_MS) missed.push("slow");
  if (growth > GROWTH_RATIO) missed.push(`grows above ${GROWTH_RATIO}`);
  if (ratio > most) missed.push(`ratio above ${most}`);
  return {
    figures,
    missed,
    isWithinOfPage: !(growth > GROWTH_RATIO),
    isWithinOfEmpty: !(ratio > GROWTH_RATIO),
  };
}
