import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { processorMs, servingProcesses } from "./processor.ts";
import { row, say, table } from "./report.ts";
import { type Call, calls } from "./scale-calls.ts";
import { pathsOf, plansOf, readWhole } from "./scale-plans.ts";
import { type Owner, plant } from "./scale-plant.ts";
import { openStage, type Stage } from "./stage.ts";

/**
 * `npm run bench:scale [-- --size=0.1] [--plans] [--only=customers]`: every list, dashboard and search at the design's
 * size, at the API, beside the same screen of an empty shop. Fails where a plan reads a table from end to end.
 */

/** p95 at the API, and its ratio to the empty shop. */
const TARGET_MS = 50;
const TARGET_RATIO = 2;

const ROUNDS = 40;
const WARM_UP = 6;

/** Tables of fewer rows are read as a whole with good reason. */
const SMALL_TABLE = 2_000;

const { values: options } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    plans: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

type Side = "large" | "empty";
type Owners = Record<Side, Owner>;

/** What one call took: as who waits sees it, and on processors, where others who use the machine do not count. */
type Taken = { wait: number; processor: number };

async function once(
  stage: Stage,
  owner: Owner,
  call: Call,
  side: Side,
  processes: readonly number[],
): Promise<Taken> {
  const spent = await processorMs(processes);
  const began = performance.now();
  const response =
    "rpc" in call
      ? await fetch(`${stage.url}/rest/v1/rpc/${call.rpc}`, {
          method: "POST",
          headers: owner.headers,
          body: JSON.stringify(call[side]),
        })
      : await fetch(`${stage.url}/rest/v1/${call[side]}`, { headers: owner.headers });
  const text = await response.text();
  const wait = performance.now() - began;
  if (response.status !== 200) throw new Error(`${call.name}: ${response.status} ${text}`);
  return { wait, processor: (await processorMs(processes)) - spent };
}

/** A call again and again, in turn with the empty shop's, so that both meet the same machine. */
async function time(stage: Stage, owners: Owners, call: Call): Promise<Record<Side, Taken[]>> {
  const times: Record<Side, Taken[]> = { large: [], empty: [] };
  let processes: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    if (round <= 0) processes = await servingProcesses(stage);
    for (const side of ["large", "empty"] as const) {
      if (call[side] === null) continue;
      const taken = await once(stage, owners[side], call, side, processes);
      if (round >= 0) times[side].push(taken);
    }
  }
  return times;
}

function quantile(taken: Taken[], of: keyof Taken, share: number): number {
  const sorted = taken.map((one) => one[of]).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A line of the table. */
async function measure(stage: Stage, owners: Owners, call: Call): Promise<string[]> {
  const { large, empty } = await time(stage, owners, call);
  const p95 = quantile(large, "wait", 0.95);
  const ratio = quantile(large, "wait", 0.5) / quantile(empty, "wait", 0.5);
  const processor = [large, empty].map((side) => quantile(side, "processor", 0.5));
  const [ofLarge = Number.NaN, ofEmpty = Number.NaN] = processor;
  return row(
    call.name,
    quantile(large, "wait", 0.5).toFixed(1),
    p95.toFixed(1),
    quantile(empty, "wait", 0.5).toFixed(1),
    ratio.toFixed(1),
    ofLarge.toFixed(1),
    ofEmpty.toFixed(1),
    (ofLarge / ofEmpty).toFixed(1),
    [p95 > TARGET_MS && "slow", ratio > TARGET_RATIO && "ratio"].filter(Boolean).join(", "),
  );
}

const stage = await openStage();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stage.stop().finally(() => process.exit(1)));
}
try {
  const owners = await plant(stage, options.size);
  const sized = await stage.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${SMALL_TABLE}`;
  const large = new Set(sized.map(({ name }) => name));
  const lines: string[][] = [];
  const failures: string[] = [];
  for (const call of calls.filter(({ name }) => name.includes(options.only))) {
    try {
      const plans = await plansOf(stage, owners.large, call);
      const whole = readWhole(plans, large);
      if (whole.length > 0) {
        failures.push(`${call.name}: reads ${whole.join(", ")} from end to end`);
      }
      if (options.plans || whole.length > 0) say(`\n== ${call.name}\n${plans.join("\n")}`);
      else say(`${call.name}: ${pathsOf(plans, large).join(", ")}`);
      lines.push(await measure(stage, owners, call));
    } catch (error) {
      // Minutes went into the data: the other calls are asked all the same.
      failures.push(`${call.name}: ${error}`);
    }
  }
  say(
    `\nAt the API, ${ROUNDS} calls each in turn (targets: p95 ${TARGET_MS} ms, ratio of medians ${TARGET_RATIO}); ` +
      `load of the machine ${loadavg()
        .map((load) => load.toFixed(1))
        .join(" ")}`,
  );
  table(
    ["", "p50 ms", "p95 ms", "empty p50", "ratio", "processor ms", "empty", "ratio", "missed"],
    lines,
  );
  for (const failure of failures) say(`FAILED ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await stage.stop();
}
