import { expect } from "vitest";

/**
 * Pearson's chi-square test at α = 0.0001. Critical values: upper tail of the distribution, computed with
 * SciPy (`chi2.isf(1e-4, df)`).
 */
const CRITICAL: ReadonlyMap<number, number> = new Map([
  [1, 15.137],
  [2, 18.421],
  [3, 21.108],
  [4, 23.513],
  [5, 25.745],
  [6, 27.856],
  [8, 31.828],
  [9, 33.72],
  [31, 69.106],
  [99, 160.056],
  [1023, 1199.835],
]);

/** Fewest expected observations of a category: with fewer the distribution is not chi-square. */
const MIN_EXPECTED = 5;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether a sum of squared deviations is one that chance gives less than once in ten thousand times. */
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
 * The test for a generator that has no seed, in two stages: it fails when a first sample and a second one, drawn only
 * then, are both rejected. A stage rests on at most four statistics, so that chance rejects it at most four times in
 * ten thousand. It rejects both at most once in six million (once in a hundred million where a stage rests on one
 * statistic). With some 25 of them, run on two databases, a sound generator fails less than one run in a million; a
 * biased one is rejected every time. (This is the plan of the test, fixed beforehand; no test is run again.)
 */
export async function expectTwiceNot(rejects: () => Promise<boolean>): Promise<void> {
  expect((await rejects()) && (await rejects())).toBe(false);
}
