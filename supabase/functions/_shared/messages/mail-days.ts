import { type Dates, dayInLanguage } from "../domain/text/day-in-words.ts";
import { DAY_MS } from "../domain/text/durations.ts";

/** A moment, and by whose clocks it is a day. */
export type MailDay = { at: string; timezone: string };

/** A day in words, without its year where the nearest such day is meant: half a year back, a year ahead. */
export function dayInMail({ at, timezone }: MailDay, now: Date, dates: Dates): string {
  const date = new Date(at);
  const days = (date.getTime() - now.getTime()) / DAY_MS;
  const isNearest = days > -180 && days < 360;
  return dayInLanguage(date, isNearest ? date : now, timezone, dates);
}

/** The first and the last day of a period, whose month is said once: « lundi 16 » and « dimanche 22 novembre ». */
export function periodInMail(
  { from, to }: { from: MailDay; to: MailDay },
  now: Date,
  dates: Dates,
): { from: string; to: string } {
  const first = dayInMail(from, now, dates);
  const last = dayInMail(to, now, dates);
  const month = (written: string) => /\s\p{L}+(\s\d{4})?$/u.exec(written)?.[0] ?? "";
  const isOneMonth = month(first) === month(last);
  return { from: isOneMonth ? first.slice(0, -month(first).length) : first, to: last };
}
