/** One small fault, planted alone. */
export type Mutant = {
  /** File that it changes, from the repository's root. */
  file: string;
  /** Line of the file, from 1. */
  line: number;
  /** Function that it lies in; empty outside of any. */
  where: string;
  /** Kind of change. */
  mutator: string;
  original: string;
  replacement: string;
  /** How many times the same function has had the same change above, with this one; 1 without it. */
  occurrence?: number;
  /**
   * Activation of the mutant: a statement for a database that has the schema, or its number in the
   * instrumented code.
   */
  plant: { statement: string } | { id: string };
};

/**
 * Fates of a mutant: `uncovered` when no test file of its area runs its line, `explained` when it
 * need not be tried.
 */
export const FATES = ["killed", "survived", "uncovered", "explained", "invalid"] as const;

export type Fate = (typeof FATES)[number];

/**
 * Name of a mutant that stays when lines move: file, function and change. From its second occurrence on, the same change in
 * one function is counted: `… #2`.
 */
export function identityOf(mutant: Mutant): string {
  const { file, where, mutator, original, replacement, occurrence = 1 } = mutant;
  const place = where === "" ? file : `${file} ${where}`;
  const name = `${place}: ${mutator}: ${inOneLine(original)} → ${inOneLine(replacement)}`;
  return occurrence === 1 ? name : `${name} #${occurrence}`;
}

/** The mutants of a source, in its order, with names that tell all of them apart. */
export function counted(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const name = identityOf(mutant);
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return { ...mutant, occurrence };
  });
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
