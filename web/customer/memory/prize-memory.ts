import * as z from "zod/mini";
import { type SpinResult, spinResult } from "#domain/schemas/journey.ts";
import { type PrizeStatus, prizeStatus } from "#domain/schemas/prize.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { forget, recall, recordKey, remember } from "./storage.ts";

/** A reward without an end is kept this long. */
export const ENDLESS_LIFE_MS = 90 * DAY_MS;

/** Time that an expired prize is still listed: a week. */
export const AFTERLIFE_MS = 7 * DAY_MS;

/** More than one prize of one wheel is rare; more than this is not a customer. */
const MAX_KEPT = 5;

const keptPrize = z.object({
  reviewId: z.nullable(z.string()),
  result: spinResult,
  /** Last status from the till's side: without network nothing better is known. */
  told: z.optional(prizeStatus),
});
export type KeptPrize = z.infer<typeof keptPrize>;

function keyOf(campaignId: string): string {
  return recordKey(campaignId, "prizes");
}

function isValid({ result: { expires_at } }: KeptPrize): boolean {
  return expires_at === null || Date.parse(expires_at) > Date.now();
}

/** Prizes of this wheel that this phone knows, also those whose time is over; the newest first. */
export function rememberedPrizes(campaignId: string): KeptPrize[] {
  return recall("phone", keyOf(campaignId), z.array(keptPrize)) ?? [];
}

/** Prizes of this wheel that wait on this phone, the newest first. */
export function keptPrizes(campaignId: string): KeptPrize[] {
  return rememberedPrizes(campaignId).filter(isValid);
}

function store(campaignId: string, prizes: KeptPrize[]): boolean {
  if (prizes.length === 0) {
    forget("phone", keyOf(campaignId));
    return true;
  }
  const ends = prizes.map(({ result: { expires_at } }) =>
    expires_at === null ? Date.now() + ENDLESS_LIFE_MS : Date.parse(expires_at),
  );
  return remember(
    "phone",
    keyOf(campaignId),
    prizes,
    Math.max(...ends) + AFTERLIFE_MS - Date.now(),
  );
}

/** Stores a prize until it expires; returns whether the phone could store it. */
export function keepPrize(campaignId: string, prize: KeptPrize): boolean {
  const others = keptPrizes(campaignId).filter(
    ({ result }) => result.spin_id !== prize.result.spin_id,
  );
  return store(campaignId, [prize, ...others].slice(0, MAX_KEPT));
}

/** Last status of a prize from the till's side; null while there is none. */
export function lastStatusOf(campaignId: string, { spin_id }: SpinResult): PrizeStatus | null {
  const prize = rememberedPrizes(campaignId).find(({ result }) => result.spin_id === spin_id);
  return prize?.told ?? null;
}

/** Keeps what the till's side says of a prize, if the phone keeps that prize. */
export function rememberStatus(
  campaignId: string,
  { spin_id }: SpinResult,
  told: PrizeStatus,
): void {
  const prizes = rememberedPrizes(campaignId);
  store(
    campaignId,
    prizes.map((prize) => (prize.result.spin_id === spin_id ? { ...prize, told } : prize)),
  );
}

/** Forgets a prize that was used. */
export function dropPrize(campaignId: string, result: SpinResult): void {
  const others = rememberedPrizes(campaignId).filter(
    (kept) => kept.result.spin_id !== result.spin_id,
  );
  store(campaignId, others);
}
