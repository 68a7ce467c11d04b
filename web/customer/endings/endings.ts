import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { isAfterEnd, isTomorrow, playAgainDay } from "../memory/played-memory.ts";
import { endingsCopy as copy } from "./endings.copy.ts";

/** When the wheel may be turned again with this phone, in a sentence; nothing is promised after the campaign's last day. */
export function whenAgain(campaign: PublicCampaign, now: Date): string {
  const day = playAgainDay(campaign, now);
  if (day === null) return copy.nextVisit;
  if (isAfterEnd(campaign, day)) return copy.last;
  // A day of the calendar has no hour: in UTC it is the same one in words.
  const words = dayInWords(new Date(day), now, "UTC");
  return isTomorrow(campaign, day, now) ? copy.againTomorrow(words) : copy.again(words);
}
