import type { CampaignItem } from "#domain/back-office.ts";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.list;

const DAY = new Intl.DateTimeFormat("fr-FR", { day: "numeric", month: "short", year: "numeric" });

/** When a campaign runs, in words: without a start it began when it was made; without an end it goes on. */
export function campaignDates(
  { starts_at, ends_at, created_at }: Pick<CampaignItem, "starts_at" | "ends_at" | "created_at">,
  now: Date,
): string {
  const start = new Date(starts_at ?? created_at);
  const from = DAY.format(start);
  if (ends_at) return copy.between(from, DAY.format(new Date(ends_at)));
  return start > now ? copy.startsOn(from) : copy.from(from);
}
