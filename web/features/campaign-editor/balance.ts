import { WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";

/**
 * Weights that sum to 100 in the proportions of those given (whole, from 0): what is 0 stays 0, what is not keeps 1 at
 * least, and none overtakes another. All zeros become equal shares.
 */
export function balance(weights: readonly number[]): number[] {
  const wanted = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  const sum = total(wanted);
  const quotas = wanted.map((weight) => (weight * WHEEL_TOTAL) / sum);
  const shares = quotas.map((quota) => (quota > 0 ? Math.max(1, Math.floor(quota)) : 0));
  for (let missing = WHEEL_TOTAL - total(shares); missing !== 0; missing -= Math.sign(missing)) {
    const step = Math.sign(missing);
    const place = farthest(quotas, shares, step);
    if (place < 0) break;
    shares[place] = (shares[place] ?? 0) + step;
  }
  return shares;
}

/** Sum of weights. */
export function total(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** The share that lies farthest from its quota in the direction of a step, and can take that step. */
function farthest(quotas: readonly number[], shares: readonly number[], step: number): number {
  let best = -1;
  let distance = Number.NEGATIVE_INFINITY;
  for (const [place, quota] of quotas.entries()) {
    const share = shares[place] ?? 0;
    const lack = step * (quota - share);
    if (quota > 0 && share + step >= 1 && lack > distance) {
      best = place;
      distance = lack;
    }
  }
  return best;
}
