import { daysAfter } from "#domain/text/calendar-day.ts";

/** An all-day entry of a calendar. */
export type CalendarEntry = {
  /** Of the entry, the same whenever it is made: a second one replaces the first. */
  id: string;
  /** As in « 2026-12-31 ». */
  day: string;
  title: string;
  text: string;
  place: string;
  /** Days ahead on which the phone reminds. */
  reminderDays: number;
};

/** Longest line that the format allows, in bytes, without its end. */
const LINE_BYTES = 75;

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, "\\$&").replaceAll(/\r\n|\r|\n/g, "\\n");
}

/** Breaks a line after 75 bytes, never within a character; what follows begins with a space. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_BYTES) {
      lines.push(current);
      current = " ";
      bytes = 1;
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}

function date(day: string): string {
  return day.replaceAll("-", "");
}

/** The file that every calendar reads (RFC 5545). */
export function calendarFile(entry: CalendarEntry, now: Date): string {
  const { id, day, title, text, place, reminderDays } = entry;
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Tournavis//FR",
    "BEGIN:VEVENT",
    `UID:${id}@tournavis`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${date(day)}`,
    `DTEND;VALUE=DATE:${date(daysAfter(day, 1))}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    `LOCATION:${escapeText(place)}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escapeText(title)}`,
    `TRIGGER:-P${reminderDays}D`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** Hands an entry to the phone's calendar; the file is made here, also without network. */
export function saveCalendarFile(name: string, entry: CalendarEntry): void {
  const file = new Blob([calendarFile(entry, new Date())], { type: "text/calendar" });
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers only begin to read it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
