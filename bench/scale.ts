import { loadavg } from "node:os";
import { parseArgs } from "node:util";
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

/** Milliseconds of one call over the API. */
async function once(stage: Stage, owner: Owner, call: Call, side: Side): Promise<number> {
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
  if (response.status !== 200) throw new Error(`${call.name}: ${response.status} ${text}`);
  return performance.now() - began;
}

/** Milliseconds of a call, in order of length: in turn with the empty shop's, so that both meet the same machine. */
async function time(stage: Stage, owners: Owners, call: Call): Promise<Record<Side, number[]>> {
  const times: Record<Side, number[]> = { large: [], empty: [] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const side of ["large", "empty"] as const) {
      if (call[side] === null) continue;
      const taken = await once(stage, owners[side], call, side);
      if (round >= 0) times[side].push(taken);
    }
  }
  for (const list of Object.values(times)) list.sort((one, other) => one - other);
  return times;
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** A line of the table. */
async function measure(stage: Stage, owners: Owners, call: Call): Promise<string[]> {
  const { large, empty } = await time(stage, owners, call);
  const p95 = quantile(large, 0.95);
  const ratio = quantile(large, 0.5) / quantile(empty, 0.5);
  return row(
    call.name,
    quantile(large, 0.5).toFixed(1),
    p95.toFixed(1),
    quantile(empty, 0.5).toFixed(1),
    ratio.toFixed(1),
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
    const plans = await plansOf(stage, owners.large, call);
    const whole = readWhole(plans, large);
    if (whole.length > 0) failures.push(`${call.name}: reads ${whole.join(", ")} from end to end`);
    if (options.plans || whole.length > 0) say(`\n== ${call.name}\n${plans.join("\n")}`);
    else say(`${call.name}: ${pathsOf(plans, large).join(", ")}`);
    lines.push(await measure(stage, owners, call));
  }
  say(
    `\nAt the API, ${ROUNDS} calls each in turn (targets: p95 ${TARGET_MS} ms, ratio of medians ${TARGET_RATIO}); ` +
      `load of the machine ${loadavg()
        .map((load) => load.toFixed(1))
        .join(" ")}`,
  );
  table(["", "p50 ms", "p95 ms", "empty shop p50", "ratio", "missed"], lines);
  for (const failure of failures) say(`FAILED ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await stage.stop();
}
