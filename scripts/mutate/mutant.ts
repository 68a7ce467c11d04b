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
  /** What makes it active: a statement for a database that has the schema, or its number in the instrumented code. */
  plant: { statement: string } | { id: string };
};

/** What may become of a mutant: `uncovered` when no test file of its area runs its line, `explained` when it need not be tried. */
export const FATES = ["killed", "survived", "uncovered", "explained", "invalid"] as const;

export type Fate = (typeof FATES)[number];

/** Name of a mutant that stays when lines move: file, function and change. The same change twice in one function has one name. */
export function identityOf({ file, where, mutator, original, replacement }: Mutant): string {
  const place = where === "" ? file : `${file} ${where}`;
  return `${place}: ${mutator}: ${inOneLine(original)} → ${inOneLine(replacement)}`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
