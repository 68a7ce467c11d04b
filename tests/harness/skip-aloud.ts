import process from "node:process";

/** Skips a test, as its context lets it. */
export type Skip = (reason: string) => void;

/** Skips a test and prints why: a run that checked less than it could says so. */
export function skipAloud(skip: Skip, reason: string): void {
  process.stdout.write(`Skipped: ${reason}.\n`);
  skip(reason);
}
