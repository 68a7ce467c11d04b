/**
 * Two suites (CONTRIBUTING.md): `npm test` is the same in every run and answers in minutes; `npm run test:deep` adds every
 * round, every look and inputs that differ from run to run.
 */

/** Whether this is the deep suite. */
export const isDeep = process.env.TEST_DEPTH === "deep";

/** How often something is tried: a few times in the quick suite, as often as it takes to trust it in the deep one. */
export function rounds({ quick, deep }: { quick: number; deep: number }): number {
  return isDeep ? deep : quick;
}

/** Seed of generated inputs: fixed in the quick suite; drawn anew, and printed, by each deep one (`tests/run.ts`). */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_122);
