import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { readChoices, refuseChoices } from "../scripts/choices.ts";
import { type BenchApp, makeFolder, openBenchAppIn } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { say, table } from "./report.ts";
import { calls } from "./scale-calls.ts";
import { GROWTH_RATIO, HEAD, measure, ROUNDS, TARGET_MS, TARGET_RATIO } from "./scale-measure.ts";
import { pathsOf, plansOf, readWhole } from "./scale-plans.ts";
import { type Owners, plant, signInOwners } from "./scale-plant.ts";

/**
 * `npm run bench:scale [-- --size=0.1] [--data=folder] [--plans] [--only=customers]`: every list, dashboard and search at
 * the design's size, at the API. The same screens of an empty shop, and of one with a page of everything, are shown beside it. A folder named by `--data` keeps the data set, and
 * one that is there is measured as it is. Fails where a target is missed or a plan reads a large table from end to end.
 */

/** Tables of fewer rows are read as a whole with good reason. */
const SMALL_TABLE = 2_000;

const USAGE =
  "npm run bench:scale -- [--size=<share of the design's size>] [--data=<folder>] [--plans] [--only=<part of a name>]";
const { values: options } = readChoices(USAGE, {
  size: { type: "string", default: "1" },
  data: { type: "string", default: "" },
  plans: { type: "boolean", default: false },
  only: { type: "string", default: "" },
});
if (!(Number(options.size) > 0)) refuseChoices(USAGE);

/** A line of the table for every call, each with its verdict last. */
async function measureAll(
  app: BenchApp,
  owners: Owners,
): Promise<{ lines: string[][]; ofPage: number; ofEmpty: number }> {
  const sized = await app.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${SMALL_TABLE}`;
  const large = new Set(sized.map(({ name }) => name));
  const lines: string[][] = [];
  let ofPage = 0;
  let ofEmpty = 0;
  for (const call of calls.filter(({ name }) => name.includes(options.only))) {
    try {
      const plans = await plansOf(app, owners.large, call);
      const whole = readWhole(plans, large, SMALL_TABLE);
      if (options.plans || whole.length > 0) say(`\n== ${call.name}\n${plans.join("\n")}`);
      const { figures, missed, isWithinOfPage, isWithinOfEmpty } = await measure(app, owners, call);
      if (isWithinOfPage) ofPage += 1;
      if (isWithinOfEmpty) ofEmpty += 1;
      const all = [...missed, ...whole.map((name) => `reads all of ${name}`)];
      const line = [...figures, all.join(", ") || PASSED];
      say(`${line.join("  ")}  by ${pathsOf(plans, large).join(", ")}`);
      lines.push(line);
    } catch (error) {
      // Minutes went into the data: the other calls are asked all the same.
      lines.push([call.name, ...HEAD.slice(2).map(() => "–"), `${error}`]);
    }
  }
  return { lines, ofPage, ofEmpty };
}

const PASSED = "ok";

const folder = options.data ? resolve(options.data) : await makeFolder();
const cleanUp = createCleanUp();
if (!options.data) cleanUp.add(() => rm(folder, { recursive: true, force: true }));
try {
  await plant(folder, options.size);
  const app = await openBenchAppIn(folder);
  cleanUp.add(() => app.stop());
  const { lines, ofPage, ofEmpty } = await measureAll(app, await signInOwners(app));
  const load = loadavg().map((one) => one.toFixed(1));
  say(
    `\nAt the API, ${ROUNDS} calls each in turn (targets: p95 ${TARGET_MS} ms; processor time ${GROWTH_RATIO} times ` +
      `that of the shop with one page and ${TARGET_RATIO} times the empty shop's, the writing of the rows left out of all); load of the machine ${load.join(" ")}`,
  );
  table(HEAD, lines);
  const failed = lines.filter((line) => line.at(-1) !== PASSED).length;
  say(
    `\n${lines.length - failed} passed, ${failed} failed; of ${lines.length} lines, ${ofPage} at most ${GROWTH_RATIO} times ` +
      `the shop with one page, ${ofEmpty} the empty shop`,
  );
  if (failed > 0 || lines.length === 0) process.exitCode = 1;
} finally {
  await cleanUp.run();
}
