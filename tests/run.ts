import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  createVitest,
  parseCLI,
  type TestModule,
  TestsNotFoundError,
  type Vitest,
} from "vitest/node";
import { ChromiumMissing, ensureChromium, findShell } from "./harness/chromium.ts";
import { startTestCluster } from "./harness/cluster.ts";
import { tellFailure } from "./harness/failure.ts";
import { needsBuild, touchedTests } from "./harness/touched.ts";

/**
 * The test command. Without arguments: lint, types, unused code, then the quick suite, cheapest first.
 * With arguments (`npm test -- database`, `npm test -- tests/e2e/win.test.ts`): those tests only; with `--changed` (since
 * the last commit) or `--changed=main` those that a change touches (`tests/harness/touched.ts`).
 * `--deep` (`npm run test:deep`) runs what the quick suite leaves out: `*.deep.test.ts`, all rounds and looks, new inputs,
 * and every database test on the oldest supported PostgreSQL.
 * The last line always reads `N passed, N failed`.
 */

type Count = { passed: number; failed: number; skipped: number };

/** The one run without a passed test that is no failure. */
const NOTHING_TOUCHED: Count = { passed: 0, failed: 0, skipped: 0 };

/** How long each file took, in milliseconds. */
const durations: { file: string; ms: number }[] = [];

/** How many of the slowest files are named at the end. */
const SLOWEST = 20;

/** Failures, repeated at the very end, where a long log is read first. */
const failures: string[] = [];

/** A step that went wrong before or beside the tests: said in one line, counted as one failure. */
class StepFailed extends Error {}

const SMALLEST_NODE = [20, 19] as const;

/** The project's folder, with a slash at its end. */
const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders that `npm test -- --changed` looks for imports in. */
const SOURCES = ["bench/", "scripts/", "server/", "supabase/", "tests/", "web/"];

/** Project of vitest.config.ts that needs a browser. */
const NEED_BROWSER = new Set(["e2e"]);

/** Oldest supported PostgreSQL, on which the deep suite runs the database tests again. */
const OLDEST_POSTGRES = { packageName: "pg15", project: "database" } as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = SMALLEST_NODE;
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new StepFailed(
      `Node ${SMALLEST_NODE.join(".")} or newer is needed; this is ${process.versions.node}.`,
    );
  }
}

/** A second checker repeats much of the first one's work: beside the other scripts it makes nothing faster. */
const MORE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  typecheck: ["--", "--checkers", "1"],
};

/** Scripts of `package.json` that were started: each runs once, however many steps need it. */
const scriptsRun = new Map<string, Promise<void>>();

function script(name: string): Promise<void> {
  const running = scriptsRun.get(name) ?? runScript(name);
  scriptsRun.set(name, running);
  return running;
}

async function runScript(name: string): Promise<void> {
  const started = Date.now();
  const child = spawn("npm", ["run", "--silent", name, ...(MORE_OPTIONS[name] ?? [])], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new StepFailed(`npm run ${name} failed.`);
  say(`▸ npm run ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs scripts side by side, since one after the other they leave a core idle, and ends when the last has ended. */
async function scripts(names: readonly string[]): Promise<void> {
  const ends = await Promise.allSettled(names.map(script));
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  for (const error of errors.slice(1)) failures.push(tellFailure(error));
  if (errors.length > 0) throw errors[0];
}

/** Splits `npm test -- …` into vitest's own options, projects and file filters. */
function readArguments(argv: string[]) {
  const { filter, options } = parseCLI(["vitest", "run", ...argv]);
  const names = new Set(["unit", "database", "server", "e2e"]);
  const projects = filter.filter((word) => names.has(word));
  const { changed, ...others } = options;
  return {
    filters: filter.filter((word) => !names.has(word)),
    changed,
    options: { ...others, watch: false, ...(projects.length > 0 ? { project: projects } : {}) },
  };
}

/** Text of a file of the project, null where there is none. */
function readSource(path: string): string | null {
  try {
    return readFileSync(root + path, "utf8");
  } catch {
    return null;
  }
}

/** Those of the test files that a change touches: since the last commit, or since the named one. */
async function ofChange(
  context: Vitest,
  changedSince: string | boolean,
  files: readonly string[],
): Promise<(file: string) => boolean> {
  const changed = await context.vcs.findChangedFiles({ root, changedSince });
  const sources = SOURCES.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map((name) => folder + name),
  );
  const touched = touchedTests(changed.map(nameOf), files.map(nameOf), sources, readSource);
  return (file) => touched.has(nameOf(file));
}

/** A file's name from the project's folder on. */
function nameOf(file: string): string {
  return file.startsWith(root) ? file.slice(root.length) : file;
}

function count(modules: TestModule[], unhandledErrors: readonly unknown[]): Count {
  const total = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const error of unhandledErrors) {
    failures.push(`outside any test: ${tellFailure(error)}`);
  }
  for (const module of modules) {
    durations.push({ file: module.relativeModuleId, ms: module.diagnostic().duration });
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "passed") total.passed += 1;
      else if (state === "failed") {
        failedTests += 1;
        const told = errors?.map(tellFailure).join("\n  ") ?? "";
        failures.push(`${module.relativeModuleId} > ${test.fullName}: ${told}`);
      } else total.skipped += 1;
    }
    // A file that cannot be loaded, or whose hooks fail, has no failed test to show for it.
    if (module.state() === "failed" && failedTests === 0) {
      failedTests = 1;
      failures.push(`${module.relativeModuleId}: ${tellFailure(module.errors()[0])}`);
    }
    total.failed += failedTests;
  }
  return total;
}

/** One run of vitest, of the files that the arguments name and `isChosen` agrees to. */
async function vitest(
  { filters, changed, options }: ReturnType<typeof readArguments>,
  isChosen: (file: string) => Promise<boolean> = async () => true,
): Promise<Count> {
  const context = await createVitest("test", options);
  try {
    const files = new Set<string>();
    const projects = new Set<string>();
    const specifications = await context.globTestSpecifications(filters);
    const all = specifications.map(({ moduleId }) => moduleId);
    const isTouched = changed ? await ofChange(context, changed, all) : () => true;
    for (const { moduleId, project } of specifications) {
      if (!isTouched(moduleId) || !(await isChosen(moduleId))) continue;
      files.add(moduleId);
      projects.add(project.name);
    }
    if (changed && files.size === 0) {
      say("▸ nothing to test: no test is touched by what changed");
      return NOTHING_TOUCHED;
    }
    await prepareFor([...files], projects);
    await context.start([...files]);
    return count(context.state.getTestModules(), context.state.getUnhandledErrors());
  } catch (error) {
    if (!(error instanceof TestsNotFoundError)) throw error;
    throw new StepFailed(`No test matches ${filters.join(" ")}.`);
  } finally {
    await context.close();
  }
}

async function prepareFor(files: readonly string[], projects: ReadonlySet<string>): Promise<void> {
  if ([...projects].some((name) => NEED_BROWSER.has(name))) {
    const browser = ensureChromium();
    const shell = findShell();
    process.env.CHROME_PATH = browser;
    if (shell !== undefined) process.env.CHROME_SHELL_PATH = shell;
  }
  if (files.some((file) => needsBuild(nameOf(file), readSource))) await script("build");
}

async function onOldestPostgres(options: ReturnType<typeof readArguments>): Promise<Count> {
  say("\n▸ the database tests again, on PostgreSQL 15");
  const cluster = await startTestCluster(OLDEST_POSTGRES.packageName);
  process.env.DATABASE_URL = cluster.adminUrl;
  process.env.TESTS_AGAIN = "1";
  try {
    const project = [OLDEST_POSTGRES.project];
    return await vitest({ ...options, options: { ...options.options, project } });
  } finally {
    delete process.env.DATABASE_URL;
    delete process.env.TESTS_AGAIN;
    await cluster.stop();
  }
}

/** Imports of a test that has more cases in the deep suite: its depth, generated inputs. */
const HAS_DEPTH = /harness\/depth\.ts"|from "fast-check"/;

/** Whether the deep suite has more of a test file than the quick one. */
async function hasDepth(file: string): Promise<boolean> {
  return isDeepFile(file) || HAS_DEPTH.test(await readFile(file, "utf8"));
}

function isDeepFile(file: string): boolean {
  return file.includes(".deep.test.");
}

function total(counts: readonly Count[]): Count {
  return counts.reduce((sum, run) => ({
    passed: sum.passed + run.passed,
    failed: sum.failed + run.failed,
    skipped: sum.skipped + run.skipped,
  }));
}

/** With arguments those tests alone, in all their depth. */
async function deep(argv: string[]): Promise<Count> {
  process.env.TEST_DEPTH = "deep";
  process.env.TEST_SEED ??= String(randomInt(2 ** 31));
  say(`▸ deep suite, TEST_SEED=${process.env.TEST_SEED}`);
  if (argv.length > 0) return vitest(readArguments(argv));
  const runs = [await vitest(readArguments([]), hasDepth)];
  const isGiven = (process.env.DATABASE_URL ?? "") !== "";
  if (isGiven) say("▸ no second run on PostgreSQL 15: DATABASE_URL names the server");
  else runs.push(await onOldestPostgres(readArguments([])));
  return total(runs);
}

async function main(argv: string[]): Promise<Count> {
  checkNode();
  process.env.TEST = "true";
  process.env.VITEST = "true";
  process.env.NODE_ENV ??= "test";
  if (argv[0] === "--deep") return deep(argv.slice(1));
  if (argv.some(isDeepFile)) process.env.TEST_DEPTH = "deep";
  if (argv.length === 0) await scripts(["lint", "typecheck", "knip", "build"]);
  return vitest(readArguments(argv));
}

/** One line for what a person can act on; the whole stack for what only a developer can. */
function explain(error: unknown): string {
  if (error instanceof StepFailed || error instanceof ChromiumMissing) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const result = await main(process.argv.slice(2)).catch((error: unknown): Count => {
  process.stderr.write(`\n${explain(error)}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
});
const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
if (durations.length > SLOWEST) {
  say("▸ slowest files:");
  for (const { file, ms } of slowest) say(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}
for (const failure of failures) say(`✗ ${failure}`);
const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : "";
process.stdout.write(`\n${result.passed} passed, ${result.failed} failed${skipped}\n`, () => {
  const isDone = result.passed > 0 || result === NOTHING_TOUCHED;
  process.exit(result.failed === 0 && isDone ? 0 : 1);
});
