import { type EditorReward, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { total } from "./share-out.ts";

/** Why a reward cannot be won now; null when it can. */
export function rewardState({ is_archived, active, stock }: EditorReward) {
  if (is_archived) return "archived";
  if (!active) return "inactive";
  return stock === 0 ? "empty" : null;
}

/** Odds of a wheel for a customer who has won nothing yet. */
export type WheelOdds = {
  /** Probability of a win, 0 to 1; null where nothing can be drawn, and the wheel stays closed. */
  win: number | null;
  /** Cost of a turn in cents, if every prize is collected, without the prizes whose cost is unknown. */
  cost: number;
  /** Prizes that can be won and have a cost. */
  hasCosts: boolean;
  /** Prizes that can be won and have none. */
  unpriced: EditorReward[];
};

type Slice = { rewardId: string; weight: number };

/**
 * Odds of a wheel whose weights sum to 100, as the platform draws (`private.draw_segment`): a reward that cannot be won
 * leaves its weight to the losing segments, else to the other rewards.
 */
export function oddsOf(segments: readonly Slice[], rewards: readonly EditorReward[]): WheelOdds {
  const weightOf = (isMeant: (slice: Slice) => boolean) =>
    total(segments.filter(isMeant).map(({ weight }) => weight));
  const winnable = rewards
    .filter((reward) => rewardState(reward) === null)
    .map((reward) => ({ reward, weight: weightOf(({ rewardId }) => rewardId === reward.id) }))
    .filter(({ weight }) => weight > 0);
  const winning = total(winnable.map(({ weight }) => weight));
  const drawn = weightOf(({ rewardId }) => rewardId === "") > 0 ? WHEEL_TOTAL : winning;
  const costs = winnable.map(({ reward, weight }) => weight * (reward.value ?? 0) * 100);
  return {
    win: drawn > 0 ? winning / drawn : null,
    cost: drawn > 0 ? total(costs) / drawn : 0,
    hasCosts: winnable.some(({ reward }) => reward.value !== null),
    unpriced: winnable.flatMap(({ reward }) => (reward.value === null ? [reward] : [])),
  };
}

/** So many out of so many. */
export type Chance = { some: number; all: number };

/** Farthest that a chance in words lies from the true one, as a part of those who win or of those who do not. */
const TOLERANCE = 0.1;

/** Largest whole of which all but one are said: « 4 clients sur 5 ». */
const LARGEST_ALL_BUT_ONE = 10;

/**
 * A probability strictly between 0 and 1 in whole persons, as one says it: one out of so many, all but one, or so many out
 * of 10, whatever comes nearest; out of 100 where none is near.
 */
export function chanceOf(probability: number): Chance {
  const inverse = Math.max(2, Math.round(1 / probability));
  const complement = Math.max(2, Math.round(1 / (1 - probability)));
  const ways: Chance[] = [
    { some: 1, all: inverse },
    ...(complement <= LARGEST_ALL_BUT_ONE ? [{ some: complement - 1, all: complement }] : []),
    { some: Math.round(probability * 10), all: 10 },
  ];
  const smaller = Math.min(probability, 1 - probability);
  const distance = ({ some, all }: Chance) => Math.abs(some / all - probability);
  const [nearest] = ways
    .filter(({ some, all }) => some > 0 && some < all)
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest && distance(nearest) <= TOLERANCE * smaller
    ? nearest
    : { some: Math.round(probability * 100), all: 100 };
}
