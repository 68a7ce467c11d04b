import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicPlace } from "#domain/schemas/public-page.ts";
import { calendarDay } from "#domain/text/calendar-day.ts";
import { isolated } from "#domain/text/isolated.ts";
import { Action } from "../parts/action.tsx";
import { saveCalendarFile } from "./calendar-file.ts";
import { keepCopy } from "./keep.copy.ts";

const copy = keepCopy.calendar;

/** The phone reminds this many days before the end. */
const REMINDER_DAYS = 2;

type CalendarButtonProps = { result: SpinResult; store: PublicPlace };

/** Puts the last day of a prize into the phone's calendar; the file is made here, also without network. */
export function CalendarButton({ result, store }: CalendarButtonProps) {
  const { spin_id: id, reward, redemption_code: code, expires_at: end } = result;
  if (reward === null || code === null || end === null) return null;

  function save() {
    if (reward === null || code === null || end === null) return;
    saveCalendarFile(copy.file, {
      id,
      day: calendarDay(new Date(end), store.timezone),
      title: copy.title(isolated(reward.name), isolated(store.name)),
      text: copy.text(code, isolated(store.name)),
      place: store.name,
      reminderDays: REMINDER_DAYS,
    });
  }

  return (
    <Action look="secondary" onClick={save}>
      {copy.action}
    </Action>
  );
}
