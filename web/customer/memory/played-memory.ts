import * as z from "zod/mini";
import { PLAY_INTERVAL_MAX_DAYS } from "#domain/rules/constants.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { calendarDay, daysAfter } from "#domain/text/calendar-day.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { recall, recordKey, remember } from "./storage.ts";

/** How long the day of the last turn is kept, in milliseconds. */
export const PLAYED_LIFE_MS = (PLAY_INTERVAL_MAX_DAYS + 1) * DAY_MS;

const playedRecord = z.object({ day: z.string() });

function keyOf({ id }: PublicCampaign): string {
  return recordKey(id, "played");
}

/** The calendar day of a moment by the store's clocks. */
function dayOf(moment: Date, { store }: PublicCampaign): string {
  return calendarDay(moment, store.timezone);
}

function keep(campaign: PublicCampaign, day: string): void {
  remember("phone", keyOf(campaign), { day }, PLAYED_LIFE_MS);
}

/** Records that this phone was used to play now; nothing about the player. */
export function rememberPlayed(campaign: PublicCampaign, now: Date): void {
  keep(campaign, dayOf(now, campaign));
}

/** Stores the same, from the time of the next game that a refusal states. */
export function rememberRefused(campaign: PublicCampaign, again: Date): void {
  keep(campaign, daysAfter(dayOf(again, campaign), -campaign.play_interval_days));
}

/**
 * The calendar day from which this phone may be used to play again; null when that is today already, when there
 * is no interval, or when it was not used to play. By the campaign's interval as it is now.
 */
export function playAgainDay(campaign: PublicCampaign, now: Date): string | null {
  const played = recall("phone", keyOf(campaign), playedRecord);
  if (played === null || campaign.play_interval_days === 0) return null;
  const day = daysAfter(played.day, campaign.play_interval_days);
  return day > dayOf(now, campaign) ? day : null;
}

/** Whether a day comes after the campaign's last one. */
export function isAfterEnd(campaign: PublicCampaign, day: string): boolean {
  return campaign.ends_at !== null && dayOf(new Date(campaign.ends_at), campaign) < day;
}

/** Whether a calendar day is tomorrow where the store is. */
export function isTomorrow(campaign: PublicCampaign, day: string, now: Date): boolean {
  return day === daysAfter(dayOf(now, campaign), 1);
}
