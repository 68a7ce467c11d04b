import { expect } from "vitest";

/**
 * Pearson's chi-square test at α = 0.001. Critical values: upper tail of the distribution, as in
 * the NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.4 (the last two computed).
 */
const CRITICAL: ReadonlyMap<number, number> = new Map([
  [1, 10.828],
  [2, 13.816],
  [3, 16.266],
  [4, 18.467],
  [5, 20.515],
  [6, 22.458],
  [8, 26.124],
  [9, 27.877],
  [31, 61.098],
  [99, 148.23],
  [1023, 1168.497],
]);

/** Fewest expected observations of a category: with fewer the distribution is not chi-square. */
const MIN_EXPECTED = 5;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether a sum of squared deviations is one that chance gives less than once in a thousand times. */
function isRejected(statistic: number, degreesOfFreedom: number): boolean {
  const critical = CRITICAL.get(degreesOfFreedom);
  if (critical === undefined) throw new Error(`No critical value for ${degreesOfFreedom}.`);
  return statistic > critical;
}

function squaredDeviations(observed: readonly number[], expected: readonly number[]): number {
  return sum(
    observed.map((count, index) => {
      const wanted = expected[index] ?? 0;
      if (wanted < MIN_EXPECTED) throw new Error("The sample is too small for the test.");
      return (count - wanted) ** 2 / wanted;
    }),
  );
}

/**
 * Whether counts deviate from what shares (of any sum) promise. A category whose share is 0
 * must not occur at all: no statistics there.
 */
export function deviates(observed: readonly number[], shares: readonly number[]): boolean {
  expect(observed).toHaveLength(shares.length);
  expect(observed.filter((_, index) => shares[index] === 0)).toEqual(
    shares.filter((share) => share === 0),
  );
  const possible = shares.filter((share) => share > 0);
  if (possible.length === 1) return false;
  const scale = sum(observed) / sum(possible);
  const statistic = squaredDeviations(
    observed.filter((_, index) => (shares[index] ?? 0) > 0),
    possible.map((share) => share * scale),
  );
  return isRejected(statistic, possible.length - 1);
}

/** Whether groups (rows of counts) differ in their shares of the categories (columns). */
export function groupsDiffer(groups: readonly (readonly number[])[]): boolean {
  const columns =
    groups[0]?.map((_, column) => sum(groups.map((group) => group[column] ?? 0))) ?? [];
  const total = sum(columns);
  const statistic = sum(
    groups.map((group) =>
      squaredDeviations(
        group,
        columns.map((column) => (column * sum(group)) / total),
      ),
    ),
  );
  return isRejected(statistic, (groups.length - 1) * (columns.length - 1));
}

/**
 * The test for a generator that has no seed. Chance alone rejects one sample in a thousand;
 * with some thirty of them a run, a sound generator would fail every thirtieth run. So the test has
 * two stages: it fails when a first sample and a second one, drawn only then, are both
 * rejected. That happens to a sound generator once in a million, and a biased one is rejected
 * every time. (This is the plan of the test, fixed beforehand; no test is run again.)
 */
export async function expectTwiceNot(rejects: () => Promise<boolean>): Promise<void> {
  expect((await rejects()) && (await rejects())).toBe(false);
}
