import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { isolated } from "#domain/text/isolated.ts";
import { saveCalendarFile } from "../keep/calendar-file.ts";
import { isAfterEnd, isTomorrow, playAgainDay } from "../memory/played-memory.ts";
import { Action } from "../parts/action.tsx";
import { endingsCopy } from "./endings.copy.ts";

const copy = endingsCopy.calendar;

/** Puts the day from which one may play again into the phone's calendar, unless that is tomorrow or never. */
export function ReturnReminder({ campaign }: { campaign: PublicCampaign }) {
  const now = new Date();
  const day = playAgainDay(campaign, now);
  if (day === null || isTomorrow(campaign, day, now) || isAfterEnd(campaign, day)) return null;
  const { id, slug, store } = campaign;
  const entry = {
    id: `${id}-${day}`,
    day,
    title: copy.title(isolated(store.name)),
    text: copy.text(`${location.origin}/c/${slug}/review`),
    place: store.name,
    reminderDays: 0,
  };
  return (
    <Action look="secondary" onClick={() => saveCalendarFile(copy.file, entry)}>
      {copy.action}
    </Action>
  );
}
