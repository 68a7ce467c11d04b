import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FATES, type Fate, identityOf, type Mutant } from "./mutant.ts";

/** A mutant that was tried, what became of it, and the test that noticed it. */
export type Tried = { mutant: Mutant; fate: Fate; noticedBy?: string };

/**
 * Trials of an area and the code that they ran on: enough to continue with the same sample, and to
 * compare areas.
 */
const run = z.object({
  area: z.string(),
  seed: z.number(),
  /** Mutants of the area, and how many of them the sample has. */
  mutants: z.number(),
  sample: z.number(),
  commit: z.string(),
  /** How long each test file takes without a mutant, in milliseconds. */
  times: z.record(z.string(), z.number()),
  outcomes: z.array(
    z.object({
      name: z.string(),
      line: z.number(),
      fate: z.enum(FATES),
      noticedBy: z.string().optional(),
    }),
  ),
});

export type Run = z.infer<typeof run>;

/** The last run of an area; null when there is none that can be read. */
export async function readRun(file: URL): Promise<Run | null> {
  const text = await readFile(file, "utf8").catch(() => "null");
  return run.nullable().catch(null).parse(JSON.parse(text));
}

/** Survivors without a noticeable effect, or that are left on purpose: by name, and why. */
const explanations = z.record(z.string(), z.string().min(10));

export async function readExplanations(file: URL): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(explanations.parse(JSON.parse(await readFile(file, "utf8")))));
}

/** How an area did: its share of noticed mutants, the explained ones left out. */
export type Score = { tried: number; noticed: number; explained: number; rate: number };

const NOTICED: readonly Fate[] = ["killed"];

export function scoreOf(tried: readonly Tried[], why: ReadonlyMap<string, string>): Score {
  const valid = tried.filter(({ fate }) => fate !== "invalid");
  const noticed = valid.filter(({ fate }) => NOTICED.includes(fate)).length;
  const explained = valid.filter((one) => isExplained(one, why)).length;
  const counted = valid.length - explained;
  return { tried: valid.length, noticed, explained, rate: counted === 0 ? 1 : noticed / counted };
}

function isExplained({ mutant, fate }: Tried, why: ReadonlyMap<string, string>): boolean {
  return !NOTICED.includes(fate) && why.has(identityOf(mutant));
}

/** The report of an area: its share, every survivor with its place, and what noticed each of the others. */
export function reportOf(
  title: string,
  tried: readonly Tried[],
  why: ReadonlyMap<string, string>,
): string {
  const { tried: count, noticed, explained, rate } = scoreOf(tried, why);
  const survived = tried.filter(({ fate }) => !NOTICED.includes(fate) && fate !== "invalid");
  const survivors = survived.map((one) => {
    const { mutant, fate } = one;
    const reason = why.get(identityOf(mutant));
    return `- \`${identityOf(mutant)}\` (line ${mutant.line}, ${fate})${reason ? `: ${reason}` : ""}`;
  });
  const kills = tried
    .filter(({ fate }) => NOTICED.includes(fate))
    .map(
      ({ mutant, noticedBy = "" }) =>
        `- \`${identityOf(mutant)}\` (line ${mutant.line}): ${noticedBy.replace(/\s+/g, " ")}`,
    );
  return [
    `# ${title}`,
    "",
    `${noticed} of ${count} noticed, ${explained} explained: ${percent(rate)} of the others.`,
    "",
    ...(survivors.length === 0 ? ["No survivors."] : survivors),
    "",
    ...(kills.length === 0 ? [] : ["## What noticed the others", "", ...kills, ""]),
  ].join("\n");
}

const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`;

/** The last runs of all areas side by side. */
export function summaryOf(runs: readonly Run[], why: ReadonlyMap<string, string>): string {
  const rows = runs.map(({ area, seed, mutants, commit, outcomes }) => {
    const valid = outcomes.filter(({ fate }) => fate !== "invalid");
    const killed = valid.filter(({ fate }) => NOTICED.includes(fate)).length;
    const explained = valid.filter(
      ({ fate, name }) => !NOTICED.includes(fate) && why.has(name),
    ).length;
    const counted = valid.length - explained;
    const rate = counted === 0 ? 1 : killed / counted;
    const survived = counted - killed;
    const cells = [area, mutants, valid.length, killed, survived, explained, percent(rate), seed];
    return `| ${[...cells, commit].join(" | ")} |`;
  });
  return [
    "# Mutants",
    "",
    "| Area | Mutants | Tried | Killed | Survived | Explained | Rate | Seed | Commit |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
