import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { say, table } from "./report.ts";
import { calls } from "./scale-calls.ts";
import { HEAD, measure, ROUNDS, TARGET_MS, TARGET_RATIO } from "./scale-measure.ts";
import { pathsOf, plansOf, readWhole } from "./scale-plans.ts";
import { plant } from "./scale-plant.ts";
import { openStage } from "./stage.ts";

/**
 * `npm run bench:scale [-- --size=0.1] [--plans] [--only=customers]`: every list, dashboard and search at the design's
 * size, at the API, beside the same screen of an empty shop. Fails where a plan reads a table from end to end.
 */

/** Tables of fewer rows are read as a whole with good reason. */
const SMALL_TABLE = 2_000;

const { values: options } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    plans: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

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
      const line = await measure(stage, owners, call);
      say(`${line.join("  ")}  by ${pathsOf(plans, large).join(", ")}`);
      lines.push(line);
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
  table(HEAD, lines);
  for (const failure of failures) say(`FAILED ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await stage.stop();
}
