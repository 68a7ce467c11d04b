import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { ensureBuilt } from "../server/build/ensure-built.ts";
import { ROOT } from "../server/root.ts";
import { AREAS, type AreaName, areaOf, isAreaName, isMutated } from "./mutate/areas.ts";
import { identityOf, type Mutant } from "./mutate/mutant.ts";
import { readExplanations, reportOf, scoreOf, type Tried } from "./mutate/report.ts";
import { Session, TestsFail } from "./mutate/session.ts";
import { sqlMutants } from "./mutate/sql-mutants.ts";
import { typescriptMutants } from "./mutate/typescript-mutants.ts";

/**
 * `npm run mutate -- --area draw --sample 100 --seed 1`: plants small faults, one at a time, and says which of them the
 * tests notice. Without an area all of them; without a seed a new one, which is printed. `--only` takes a part of the
 * mutants' names, as the report writes them: whoever has written a test sees it notice. The reports are in `mutation/`.
 */

const REPORTS = new URL("mutation/", ROOT);
const EXPLANATIONS = new URL("scripts/mutate/explained.json", ROOT);
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
  const ofArea = schemas.flat().filter(({ where }) => functions?.test(where) ?? true);
  return { mutants: [...ofArea, ...mutants], instrumented };
}

async function tried(session: Session, mutant: Mutant): Promise<Tried> {
  const { plant } = mutant;
  const verdict =
    "id" in plant ? await session.tryNumber(plant.id) : await session.tryStatement(plant.statement);
  if (verdict === null) return { mutant, fate: "id" in plant ? "uncovered" : "invalid" };
  const { noticedBy } = verdict;
  return noticedBy === null ? { mutant, fate: "survived" } : { mutant, fate: "killed", noticedBy };
}

async function tryArea(
  area: AreaName,
  { size, seed, only }: { size: number; seed: number; only: string },
): Promise<boolean> {
  const { mutants: all, instrumented } = await mutantsOf(area);
  const mutants = all.filter((mutant) => identityOf(mutant).includes(only));
  const sample = sampleOf(mutants, size, seed);
  const touched = new Set(sample.map(({ file }) => file));
  const codes = instrumented.filter(({ file }) => touched.has(file));
  await mkdir(REPORTS, { recursive: true });
  // Without sources of its own an area's test files may share their modules, which saves half the time.
  process.env.MUTANT_SOURCES = "";
  if (codes.length > 0) {
    const sources = new URL(`${area}.sources.json`, REPORTS);
    const byFile = Object.fromEntries(codes.map(({ file, code }) => [file, code]));
    await writeFile(sources, JSON.stringify(byFile));
    process.env.MUTANT_SOURCES = fileURLToPath(sources);
  }
  say(`▸ ${area}: ${sample.length} of ${mutants.length} mutants, seed ${seed}`);
  const session = await Session.open(areaOf(area).tests);
  const explanations = await readExplanations(EXPLANATIONS);
  const outcomes: Tried[] = [];
  try {
    for (const mutant of sample) {
      const outcome = explanations.has(identityOf(mutant))
        ? { mutant, fate: "explained" as const }
        : await tried(session, mutant);
      outcomes.push(outcome);
      say(`  ${outcome.fate.padEnd(9)} ${identityOf(mutant)} (line ${mutant.line})`);
      if (outcome.noticedBy) say(`            by ${outcome.noticedBy.split("\n")[0]}`);
      const title = `Mutants of ${area}: ${outcomes.length} of ${mutants.length}, seed ${seed}`;
      await writeFile(new URL(`${area}.md`, REPORTS), reportOf(title, outcomes, explanations));
    }
  } finally {
    await session.close();
  }
  const { noticed, tried: valid, explained, rate } = scoreOf(outcomes, explanations);
  say(
    `▸ ${area}: ${noticed} of ${valid} noticed, ${explained} explained: ${(rate * 100).toFixed(1)} %`,
  );
  return rate >= ENOUGH;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      area: { type: "string" },
      only: { type: "string", default: "" },
      sample: { type: "string", default: String(SAMPLE) },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const names = values.area?.split(",") ?? Object.keys(AREAS);
  const areas = names.filter(isAreaName);
  const [size, seed] = [Number(values.sample), Number(values.seed)];
  if (areas.length < names.length || !Number.isInteger(size) || !Number.isInteger(seed)) {
    say(
      `npm run mutate -- [--area ${Object.keys(AREAS).join("|")}] [--only "part of a name"] [--sample 40] [--seed 1]`,
    );
    return false;
  }
  await ensureBuilt({ root: fileURLToPath(ROOT), onStart: () => say("▸ building") });
  let isEnough = true;
  for (const area of areas)
    isEnough = (await tryArea(area, { size, seed, only: values.only })) && isEnough;
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
