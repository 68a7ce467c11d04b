import { WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";

/** Weight of a segment, in percent, and whether it stays as it is when others change. */
export type Share = { weight: number; isLocked: boolean };

/** Sum of weights. */
export function total(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** Weights that sum to 100 in the proportions of those given (see `shareOut`). */
export function balance(weights: readonly number[]): number[] {
  return shareOut(WHEEL_TOTAL, weights);
}

/**
 * Weights that sum to 100 once one is set by its slider: those that are not locked give or take the difference in
 * proportion. It goes no farther than the locked ones leave room. Unchanged where these alone exceed 100.
 */
export function slide(shares: readonly Share[], place: number, wanted: number): number[] {
  const isFixed = (index: number, { isLocked }: Share) => isLocked && index !== place;
  const fixed = shares.map((share, index) => (isFixed(index, share) ? share.weight : 0));
  const room = WHEEL_TOTAL - total(fixed);
  if (room < 0) return shares.map(({ weight }) => weight);
  const givesWay = shares.map((share, index) => index !== place && !share.isLocked);
  const set = givesWay.includes(true) ? Math.min(room, Math.max(0, wanted)) : room;
  const given = shareOut(
    room - set,
    shares.filter((_, index) => givesWay[index]).map(({ weight }) => weight),
  );
  return shares.map(({ weight }, index) => {
    if (index === place) return set;
    return givesWay[index] ? (given.shift() ?? 0) : weight;
  });
}

/** Weights that sum to 100 without a change of the locked ones; null where these leave no way to it. */
export function balanceUnlocked(shares: readonly Share[]): number[] | null {
  const free = shares.filter(({ isLocked }) => !isLocked).map(({ weight }) => weight);
  const room = WHEEL_TOTAL - total(shares.map(({ weight, isLocked }) => (isLocked ? weight : 0)));
  if (room < 0 || (free.length === 0 && room > 0)) return null;
  const given = shareOut(room, free);
  return shares.map(({ weight, isLocked }) => (isLocked ? weight : (given.shift() ?? 0)));
}

/**
 * Weights that sum to `whole` in the proportions of those given (whole numbers, from 0): what is 0 stays 0, what is not
 * keeps 1 while there is enough for all of these, and none overtakes another. All zeros become equal shares.
 */
function shareOut(whole: number, weights: readonly number[]): number[] {
  const wanted = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  const sum = total(wanted);
  const quotas = wanted.map((weight) => (weight * whole) / sum);
  const least = wanted.filter((weight) => weight > 0).length <= whole ? 1 : 0;
  const shares = quotas.map((quota) => (quota > 0 ? Math.max(least, Math.floor(quota)) : 0));
  for (let missing = whole - total(shares); missing !== 0; missing -= Math.sign(missing)) {
    const step = Math.sign(missing);
    const place = farthest(quotas, shares, step, least);
    if (place < 0) break;
    shares[place] = (shares[place] ?? 0) + step;
  }
  return shares;
}

/** The share that lies farthest from its quota in the direction of a step, and can take that step. */
function farthest(
  quotas: readonly number[],
  shares: readonly number[],
  step: number,
  least: number,
): number {
  let best = -1;
  let distance = Number.NEGATIVE_INFINITY;
  for (const [place, quota] of quotas.entries()) {
    const share = shares[place] ?? 0;
    const lack = step * (quota - share);
    if (quota > 0 && share + step >= least && lack > distance) {
      best = place;
      distance = lack;
    }
  }
  return best;
}
