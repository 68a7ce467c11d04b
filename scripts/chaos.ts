import { randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { say, table } from "../bench/report.ts";
import { chaos } from "../tests/chaos/run.ts";
import { readChoices, refuseChoices } from "./choices.ts";

/**
 * `npm run chaos [-- --rounds=N --seed=N]`: SIGKILLs of the server, of its PostgreSQL and of both, and cut connections, at random
 * instants under load. Prints its seed, which repeats the schedule, and what was lost or doubled or does not agree; ends with 1 where
 * anything was.
 */

const USAGE = "npm run chaos -- [--seed=<whole number>] [--rounds=<whole number>]";
const { values } = readChoices(USAGE, {
  seed: { type: "string" },
  rounds: { type: "string", default: "200" },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(rounds) || rounds < 1) {
  refuseChoices(USAGE);
}

say(`${rounds} rounds, --seed=${seed}`);
const began = performance.now();
const { struck, acknowledged, findings, gaveUp } = await chaos({ seed, rounds, say });
const minutes = (performance.now() - began) / 60_000;
const load = loadavg().map((one) => one.toFixed(1));

say(`\n${minutes.toFixed(1)} minutes, load of the machine ${load.join(" ")}`);
table(
  ["", "times", "longest without an answer, s"],
  [...struck].map(([what, { times, longestMs }]) => [
    what,
    String(times),
    (longestMs / 1_000).toFixed(2),
  ]),
);
say("");
table(
  ["", "acknowledged", "asked again", "lost", "doubled"],
  [...acknowledged].map(([kind, { answered, repeated }]) => {
    const of = (rule: string) =>
      String(findings.filter((one) => one.kind === kind && one.rule === rule).length);
    return [kind, String(answered), String(repeated), of("lost"), of("doubled")];
  }),
);
if (gaveUp > 0) {
  say(`\n${gaveUp} times its database died a third time within a minute, and the server ended.`);
}
say(`\n${findings.length} findings`);
for (const { rule, kind, detail } of findings) say(`${rule} ${kind ?? ""}: ${detail}`);
process.exitCode = findings.length === 0 ? 0 : 1;
