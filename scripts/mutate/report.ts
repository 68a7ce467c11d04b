import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type Fate, identityOf, type Mutant } from "./mutant.ts";

/** A mutant that was tried, what became of it, and the test that noticed it. */
export type Tried = { mutant: Mutant; fate: Fate; noticedBy?: string };

/** Survivors that change nothing anybody could notice, or that are left on purpose: by name, and why. */
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

/** The report of an area: its share, and every survivor with its place. */
export function reportOf(
  title: string,
  tried: readonly Tried[],
  why: ReadonlyMap<string, string>,
): string {
  const { tried: count, noticed, explained, rate } = scoreOf(tried, why);
  const left = tried.filter(({ fate }) => !NOTICED.includes(fate) && fate !== "invalid");
  const lines = left.map((one) => {
    const { mutant, fate } = one;
    const reason = why.get(identityOf(mutant));
    return `- \`${identityOf(mutant)}\` (line ${mutant.line}, ${fate})${reason ? `: ${reason}` : ""}`;
  });
  const share = `${(rate * 100).toFixed(1)} %`;
  return [
    `# ${title}`,
    "",
    `${noticed} of ${count} noticed, ${explained} explained: ${share} of the others.`,
    "",
    ...(lines.length === 0 ? ["No survivors."] : lines),
    "",
  ].join("\n");
}
