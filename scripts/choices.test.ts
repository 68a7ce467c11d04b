import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "../server/root.ts";

function run(script: string, ...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", script, ...argv],
    { cwd: fileURLToPath(ROOT), encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

const BENCH = "npm run bench -- [weight] [pages] [spins] [flood] [data]\n";

it("prints how a command is called, and does nothing else", () => {
  expect(run("bench/run.ts", "--help")).toEqual({ status: 0, stdout: BENCH, stderr: "" });
});

it.each(["--sead=1", "spin"])("refuses %s before anything starts", (argument) => {
  expect(run("bench/run.ts", argument)).toEqual({ status: 2, stdout: "", stderr: BENCH });
});

it("refuses a number that is none", () => {
  const usage = "npm run fuzz -- [--seed=<whole number>] [--count=<whole number>]\n";
  expect(run("scripts/fuzz.ts", "--count=many")).toEqual({ status: 2, stdout: "", stderr: usage });
});
