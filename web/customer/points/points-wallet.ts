import type * as z from "zod/mini";
import {
  type PointsReward,
  type PointsWallet,
  pointsWallet,
  type spendPointsRequest,
} from "#domain/schemas/points.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { type Answer, call } from "../api.ts";
import { provenTurns } from "../memory/points-memory.ts";
import { recall, recordKey, remember } from "../memory/storage.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";

/** Life of the last answer: it is shown without network for as long as a code is good. */
const LIFE_MS = 31 * DAY_MS;

function keyOf(campaignId: string): string {
  return recordKey(campaignId, "wallet");
}

/** The points as this phone last received them; null before. */
export function lastWallet(campaignId: string): PointsWallet | null {
  return recall("phone", keyOf(campaignId), pointsWallet);
}

async function ask(
  campaignId: string,
  name: string,
  more: Partial<z.input<typeof spendPointsRequest>> = {},
): Promise<Answer<PointsWallet>> {
  const { language: locale } = shellCopy;
  const body = { campaign_id: campaignId, proofs: provenTurns(), locale, ...more };
  const answer = await call(name, pointsWallet, body);
  if (answer.ok) remember("phone", keyOf(campaignId), answer.value, LIFE_MS);
  return answer;
}

/** Asks for the points that this phone has won, and what they buy. */
export function readWallet(campaignId: string): Promise<Answer<PointsWallet>> {
  return ask(campaignId, "points_wallet");
}

/** Spends points; the same `request_id` again spends nothing more. */
export function spend(
  campaignId: string,
  {
    reward_id,
    cost,
    request_id,
  }: Pick<z.input<typeof spendPointsRequest>, "reward_id" | "cost" | "request_id">,
): Promise<Answer<PointsWallet>> {
  return ask(campaignId, "spend_points", { reward_id, cost, request_id });
}

/**
 * Reward to look forward to, with the share of its price in percent that the balance pays: the first that costs more than the
 * balance, else the dearest of those that it pays; null where nothing is offered. Rewards are sorted by their price.
 */
export function prospect({
  balance,
  rewards,
}: PointsWallet): { reward: PointsReward; share: number } | null {
  const offered = rewards.filter(({ sold_out }) => !sold_out);
  const reward = offered.find(({ cost }) => cost > balance) ?? offered.at(-1);
  return reward === undefined
    ? null
    : { reward, share: Math.min(100, Math.round((100 * balance) / reward.cost)) };
}
