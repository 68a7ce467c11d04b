import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.list;

type Dates = Pick<CampaignItem, "starts_at" | "ends_at" | "created_at" | "timezone">;

/**
 * When a campaign runs, in words, as its store counts the days: without a start it began when it was made; without an
 * end it goes on.
 */
export function campaignDates(
  { starts_at, ends_at, created_at, timezone }: Dates,
  now: Date,
): string {
  const format = new Intl.DateTimeFormat("fr-FR", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: timezone ?? undefined,
  });
  const day = (date: Date) => firstOfMonth(format.format(date));
  const start = new Date(starts_at ?? created_at);
  const from = day(start);
  if (ends_at) return copy.between(from, day(new Date(ends_at)));
  return start > now ? copy.startsOn(from) : copy.from(from);
}
