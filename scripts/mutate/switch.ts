import { afterAll, inject } from "vitest";

/**
 * Runs before each test file while mutants are tried (vitest.config.ts): wakes the one that is meant, and tells afterwards
 * which ones the file ran past. The names are those that the instrumenter writes into the code.
 */

declare module "vitest" {
  interface ProvidedContext {
    /** Number of the mutant to wake; empty for none. */
    mutant: string;
  }
  interface TaskMeta {
    /** Numbers of the mutants that a test file ran past. */
    mutantsMet?: string[];
  }
}

declare global {
  var __stryker__:
    | {
        activeMutant?: string;
        hitCount?: number;
        hitLimit?: number;
        mutantCoverage?: { static: Record<string, number> };
      }
    | undefined;
}

/** A loop that a mutant made endless is broken after so many rounds. */
const ROUNDS = 1_000_000;

const mutant = inject("mutant");
const state = {
  ...(mutant !== "" && { activeMutant: mutant }),
  hitCount: 0,
  hitLimit: ROUNDS,
  mutantCoverage: { static: {}, perTest: {} },
};
globalThis.__stryker__ = state;

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the name of the first argument.
afterAll(({}, suite) => {
  suite.meta.mutantsMet = Object.keys(state.mutantCoverage.static);
});
