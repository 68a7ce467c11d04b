import type { BenchApp } from "./bench-app.ts";
import { processorMs, servingProcesses } from "./processor.ts";
import { row } from "./report.ts";
import type { Call } from "./scale-calls.ts";
import type { Owner, Owners } from "./scale-plant.ts";
import { countRows, rowsAlone } from "./scale-rows.ts";

/** p95 at the API. */
export const TARGET_MS = 50;
/** Processor time to that of the empty shop, when the rows of both answers are written for nothing: most, and what is aimed at. */
export const TARGET_RATIO = 1.9;
export const GOAL_RATIO = 1.3;

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
  "empty",
  "ratio",
  "rows",
  "µs a row",
  "written",
  "ratio without",
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

/** A call again and again, in turn with the empty shop's, so that both meet the same machine. */
async function time(app: BenchApp, owners: Owners, call: Call): Promise<Record<Side, Taken[]>> {
  const times: Record<Side, Taken[]> = { large: [], empty: [] };
  let processes: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    if (round <= 0) processes = await servingProcesses(app);
    for (const side of ["large", "empty"] as const) {
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

/** A line of the table, under `HEAD` but for its verdict, the targets that it misses, and whether it reaches the goal. */
export async function measure(
  app: BenchApp,
  owners: Owners,
  call: Call,
): Promise<{ figures: string[]; missed: string[]; isAtGoal: boolean }> {
  const { large, empty } = await time(app, owners, call);
  const p95 = quantile(large, "wait", 0.95);
  const ratio = quantile(large, "wait", 0.5) / quantile(empty, "wait", 0.5);
  const [ofLarge = Number.NaN, ofEmpty = Number.NaN] = [large, empty].map((side) =>
    quantile(side, "processor", 0.5),
  );
  const answers = [large, empty].map((side) => side.at(-1)?.answer ?? "");
  const [rows = 0, emptyRows = 0] = answers.map(countRows);
  const alone: number[] = [];
  for (const answer of answers) alone.push(await rowsAlone(app.sql, answer));
  const [rowsOfLarge = 0, rowsOfEmpty = 0] = alone;
  const more = rows - emptyRows;
  const without = (ofLarge - rowsOfLarge) / (ofEmpty - rowsOfEmpty);
  const each = (ms: number) => (more > 0 ? ((Math.max(ms, 0) * 1000) / more).toFixed(0) : "–");
  const figures = row(
    call.name,
    quantile(large, "wait", 0.5).toFixed(1),
    p95.toFixed(1),
    quantile(empty, "wait", 0.5).toFixed(1),
    ratio.toFixed(1),
    ofLarge.toFixed(1),
    ofEmpty.toFixed(1),
    (ofLarge / ofEmpty).toFixed(2),
    `${rows}`,
    each(ofLarge - ofEmpty),
    each(rowsOfLarge - rowsOfEmpty),
    without.toFixed(2),
  );
  const missed = [];
  if (p95 > TARGET_MS) missed.push("slow");
  // Where the system does not tell processor time, waits have to do.
  const judged = Number.isNaN(without) ? ratio : without;
  const most = call.most ?? TARGET_RATIO;
  if (judged > most) missed.push(`ratio above ${most}`);
  return { figures, missed, isAtGoal: !(judged > GOAL_RATIO) };
}
