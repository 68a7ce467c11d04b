import { afterEach, expect, it, vi } from "vitest";
import { calendarFile, saveCalendarFile } from "./calendar-file.ts";

const entry = {
  id: "0b6f6a0e-1111-4222-8333-444455556666",
  day: "2026-12-31",
  title: "Dernier jour : Tarte; café, crème",
  text: "Code WINABCD2345\nÀ la caisse de C:\\Lilas",
  place: "Café des Lilas",
  reminderDays: 2,
};
const file = calendarFile(entry, new Date("2026-11-21T09:08:07.123Z"));

it("the calendar file is an all-day event, with a reminder before it", () => {
  expect(file.split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Tournavis//FR",
    "BEGIN:VEVENT",
    "UID:0b6f6a0e-1111-4222-8333-444455556666@tournavis",
    "DTSTAMP:20261121T090807Z",
    "DTSTART;VALUE=DATE:20261231",
    "DTEND;VALUE=DATE:20270101",
    "SUMMARY:Dernier jour : Tarte\\; café\\, crème",
    "DESCRIPTION:Code WINABCD2345\\nÀ la caisse de C:\\\\Lilas",
    "LOCATION:Café des Lilas",
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Dernier jour : Tarte\\; café\\, crème",
    "TRIGGER:-P2D",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

it("folds lines at 75 bytes without cutting a character, and nothing gets lost", () => {
  const title = "é€😀".repeat(60);
  const folded = calendarFile({ ...entry, title }, new Date("2026-11-22T10:00:00Z"));
  const lines = folded.split("\r\n");
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(folded.replaceAll("\r\n ", "")).toContain(`SUMMARY:${title}\r\n`);
  expect(folded).not.toMatch(/[^\r]\n/);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("the calendar file is handed to the phone under its name, and released a minute later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const made = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:entry");
  const letGo = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const link = { href: "", download: "", click: vi.fn() };
  vi.stubGlobal("document", { createElement: () => link });
  saveCalendarFile("roue.ics", entry);
  expect(link).toMatchObject({ href: "blob:entry", download: "roue.ics" });
  expect(link.click).toHaveBeenCalledOnce();
  const blob = made.mock.lastCall?.[0];
  if (!(blob instanceof Blob)) throw new Error("no file");
  expect(blob.type).toBe("text/calendar");
  expect(await blob.text()).toContain(`UID:${entry.id}@tournavis`);
  vi.advanceTimersByTime(59_999);
  expect(letGo).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(letGo).toHaveBeenCalledWith("blob:entry");
});
