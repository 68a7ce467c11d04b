import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { ensureBuilt } from "../server/build/ensure-built.ts";
import { ROOT } from "../server/root.ts";
import { readChoices, refuseChoices } from "./choices.ts";
import { AREAS, type AreaName, areaOf, isAreaName, isMutated } from "./mutate/areas.ts";
import { knownFiles } from "./mutate/known-files.ts";
import { counted, identityOf, type Mutant } from "./mutate/mutant.ts";
import { ensureMutantPages } from "./mutate/pages.ts";
import {
  type Run,
  readExplanations,
  readRun,
  reportOf,
  scoreOf,
  summaryOf,
  type Tried,
} from "./mutate/report.ts";
import { type Memory, Session, TestsFail } from "./mutate/session.ts";
import { sqlMutants } from "./mutate/sql-mutants.ts";
import { typescriptMutants } from "./mutate/typescript-mutants.ts";

/**
 * `npm run mutate -- --area draw --sample 100 --seed 1`: plants small faults, one at a time, and says which of them the
 * tests notice. Without an area all of them; without a seed a new one, which is printed. `--only` takes a part of the
 * mutants' names, as the report writes them: whoever has written a test sees it notice. `--again` goes on with the last
 * run of an area: the same sample, without those that have been noticed. `--tests` tries some test files alone, by the
 * beginnings of their names: what they notice the whole area notices. The reports are in `mutation/`.
 */

const REPORTS = new URL("mutation/", ROOT);
/**
 * Records of the test files: together for those that a change of the schema may concern, by area
 * for the others.
 */
const FILES = "files.json";
const EXPLANATIONS = new URL("scripts/mutate/explained.json", ROOT);
/** Whether the run was interrupted: the mutant that is being tried is the last. */
let isEnding = false;
process.once("SIGINT", () => (isEnding = true));
process.once("SIGTERM", () => (isEnding = true));

/** Depth of the tests that was asked for (`TEST_DEPTH`). */
const depth = process.env.TEST_DEPTH ?? "";

/** Share of an area's mutants that its tests have to notice. */
const ENOUGH = 0.9;
const SAMPLE = 40;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Sources of an area, from the repository's root. */
async function sourcesOf(area: AreaName): Promise<string[]> {
  const { sources, files } = areaOf(area);
  const found = await Promise.all(
    sources.map(async (source) => {
      if (!source.endsWith("/")) return [source];
      const names = await readdir(new URL(source, ROOT), { recursive: true });
      return names.map((name) => source + name);
    }),
  );
  return found
    .flat()
    .filter((file) => isMutated(file) && (files?.test(file) ?? true))
    .sort();
}

/** A sample that is the same for the same seed and sources. */
function sampleOf(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  const length = Math.min(size, mutants.length);
  const some = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}

async function mutantsOf(area: AreaName) {
  const sources = await sourcesOf(area);
  const { functions } = areaOf(area);
  const schemas = await Promise.all(
    sources
      .filter((file) => file.endsWith(".sql"))
      .map(async (file) => sqlMutants(file, await readFile(new URL(file, ROOT), "utf8"))),
  );
  const { mutants, instrumented } = await typescriptMutants(
    ROOT,
    sources.filter((file) => !file.endsWith(".sql")),
  );
  const ofArea = counted(schemas.flat()).filter(({ where }) => functions?.test(where) ?? true);
  return { mutants: [...ofArea, ...counted(mutants)], instrumented };
}

async function tried(session: Session, mutant: Mutant): Promise<Tried> {
  const { plant, where } = mutant;
  const verdict =
    "id" in plant
      ? await session.tryNumber(plant.id, where)
      : await session.tryStatement(plant.statement, where);
  if (verdict === null) return { mutant, fate: "id" in plant ? "uncovered" : "invalid" };
  const { noticedBy } = verdict;
  return noticedBy === null ? { mutant, fate: "survived" } : { mutant, fate: "killed", noticedBy };
}

/** The commit whose tests are tried, with a plus where something has changed since. */
async function commitNow(): Promise<string> {
  const git = async (...words: string[]) =>
    (await promisify(execFile)("git", words, { cwd: fileURLToPath(ROOT) })).stdout.trim();
  const isChanged = (await git("status", "--porcelain", "--untracked-files=no")) !== "";
  return (await git("rev-parse", "--short", "HEAD")) + (isChanged ? "+" : "");
}

const runFile = (area: string) => new URL(`${area}.json`, REPORTS);

/** Writes the report of an area, and the table of all areas. */
async function writeReports(run: Omit<Run, "outcomes">, tried: readonly Tried[]): Promise<void> {
  const explanations = await readExplanations(EXPLANATIONS);
  const { area, mutants, seed, commit } = run;
  const title = `Mutants of ${area}: ${tried.length} of ${mutants}, seed ${seed}, commit ${commit}`;
  await writeFile(new URL(`${area}.md`, REPORTS), reportOf(title, tried, explanations));
  const outcomes = tried.map(({ mutant, fate, noticedBy }) => ({
    ...{ name: identityOf(mutant), line: mutant.line, fate },
    ...(noticedBy && { noticedBy }),
  }));
  await writeFile(runFile(area), `${JSON.stringify({ ...run, outcomes }, null, 1)}\n`);
  const runs = await Promise.all(Object.keys(AREAS).map(runFile).map(readRun));
  const known = runs.filter((one) => one !== null);
  await writeFile(new URL("README.md", REPORTS), summaryOf(known, explanations));
}

/** Which test files have noticed something of a function. */
function noticedIn(outcomes: readonly Tried[]): Memory["noticed"] {
  return outcomes.flatMap(({ mutant: { where }, noticedBy }) => {
    const [file] = noticedBy?.replace(/^\(twice\) /, "").split(" > ") ?? [];
    return file === undefined ? [] : [{ where, file }];
  });
}

type Choice = {
  tests?: string[] | undefined;
  size: number;
  seed: number;
  only: string;
  isAgain: boolean;
};

async function tryArea(area: AreaName, choice: Choice): Promise<boolean> {
  const { mutants: all, instrumented } = await mutantsOf(area);
  const mutants = all.filter((mutant) => identityOf(mutant).includes(choice.only));
  await mkdir(REPORTS, { recursive: true });
  const last = choice.isAgain ? await readRun(runFile(area)) : null;
  const { seed, sample: size } = last ?? { seed: choice.seed, sample: choice.size };
  const sample = sampleOf(mutants, size, seed);
  // Without sources of its own an area's test files may share their modules, which saves half the time.
  process.env.MUTANT_SOURCES = "";
  process.env.MUTANT_PAGES = "";
  process.env.TEST_DEPTH = areaOf(area).isInPages ? "deep" : depth;
  if (instrumented.length > 0) {
    const sources = new URL(`${area}.sources.json`, REPORTS);
    const byFile = Object.fromEntries(instrumented.map(({ file, code }) => [file, code]));
    await writeFile(sources, JSON.stringify(byFile));
    process.env.MUTANT_SOURCES = fileURLToPath(sources);
    if (areaOf(area).isInPages) {
      const folder = fileURLToPath(new URL(`${area}.pages`, REPORTS));
      await ensureMutantPages({
        ...{ root: fileURLToPath(ROOT), sources: fileURLToPath(sources), folder },
        onStart: () => say("▸ building pages that hold the mutants"),
      });
      process.env.MUTANT_PAGES = folder;
    }
  }
  say(`▸ ${area}: ${sample.length} of ${mutants.length} mutants, seed ${seed}`);
  const before = new Map(last?.outcomes.map((one) => [one.name, one]));
  const outcomes = new Map<Mutant, Tried>();
  for (const mutant of sample) {
    const { fate, noticedBy } = before.get(identityOf(mutant)) ?? {};
    if (fate) outcomes.set(mutant, { mutant, fate, ...(noticedBy && { noticedBy }) });
  }
  const store = instrumented.length === 0 ? FILES : `${area}.${FILES}`;
  const { known, learn } = knownFiles(new URL(store, REPORTS), instrumented);
  const noticed = noticedIn([...outcomes.values()]);
  const tests = choice.tests ?? areaOf(area).tests;
  const session = await Session.open(tests, { files: known, noticed }, learn);
  const explanations = await readExplanations(EXPLANATIONS);
  const commit = await commitNow();
  const report = () =>
    writeReports(
      { area, seed, sample: size, mutants: mutants.length, commit, times: session.times() },
      [...outcomes.values()],
    );
  try {
    for (const mutant of sample) {
      const name = identityOf(mutant);
      const { fate: settled } = outcomes.get(mutant) ?? {};
      if (isEnding || settled === "killed" || settled === "invalid") continue;
      const outcome: Tried = explanations.has(name)
        ? { mutant, fate: "explained" }
        : await tried(session, mutant);
      outcomes.set(mutant, outcome);
      say(`  ${outcome.fate.padEnd(9)} ${name} (line ${mutant.line})`);
      if (outcome.noticedBy) say(`            by ${outcome.noticedBy.split("\n")[0]}`);
      if (choice.only === "") await report();
    }
  } finally {
    await session.close();
  }
  if (choice.only === "") await report();
  const score = scoreOf([...outcomes.values()], explanations);
  say(
    `▸ ${area}: ${score.noticed} of ${score.tried} noticed, ${score.explained} explained: ${(score.rate * 100).toFixed(1)} %`,
  );
  return score.rate >= ENOUGH;
}

const USAGE = `npm run mutate -- [--area ${Object.keys(AREAS).join("|")}] [--only "part of a name"] [--tests server/auth/,…] [--again] [--sample 40] [--seed 1]`;

async function main(): Promise<boolean> {
  const { values } = readChoices(USAGE, {
    area: { type: "string" },
    again: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    sample: { type: "string", default: String(SAMPLE) },
    tests: { type: "string" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  });
  const names = values.area?.split(",") ?? Object.keys(AREAS);
  const areas = names.filter(isAreaName);
  const [size, seed] = [Number(values.sample), Number(values.seed)];
  if (areas.length < names.length || !Number.isInteger(size) || !Number.isInteger(seed)) {
    refuseChoices(USAGE);
  }
  await ensureBuilt({ root: fileURLToPath(ROOT), onStart: () => say("▸ building") });
  let isEnough = true;
  const choice = {
    size,
    seed,
    only: values.only,
    isAgain: values.again,
    tests: values.tests?.split(","),
  };
  for (const area of areas) isEnough = (await tryArea(area, choice)) && isEnough;
  return isEnough;
}

process.env.TEST = "true";
process.env.VITEST = "true";
process.env.NODE_ENV ??= "test";
process.exitCode = await main()
  .then((isEnough) => (isEnough ? 0 : 1))
  .catch((error: unknown) => {
    if (!(error instanceof TestsFail)) throw error;
    say(error.message);
    return 1;
  });
