import { describe, expect, it } from "vitest";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { endInWords, momentInWords } from "./dates.ts";

const now = new Date("2026-11-21T12:00:00Z");
const PARIS = "Europe/Paris";

describe("dates in words", () => {
  it("says the day, and the year when it is another one", () => {
    expect(dayInWords(new Date("2026-12-12T09:00:00Z"), now, PARIS)).toBe("samedi 12 décembre");
    expect(dayInWords(new Date("2027-01-02T09:00:00Z"), now, PARIS)).toBe("samedi 2 janvier 2027");
    expect(dayInWords(new Date("2026-12-01T09:00:00Z"), now, PARIS)).toBe("mardi 1er décembre");
  });

  it("says the day where the store is, wherever the phone is", () => {
    expect(dayInWords(new Date("2026-12-24T23:30:00Z"), now, "Europe/Paris")).toBe(
      "vendredi 25 décembre",
    );
    // The year, too, is that of the store's time zone.
    const eve = new Date("2026-12-31T22:30:00Z");
    expect(dayInWords(new Date("2026-12-31T23:30:00Z"), eve, "Europe/Paris")).toBe(
      "vendredi 1er janvier 2027",
    );
  });

  it("says the time as people do", () => {
    expect(momentInWords(new Date("2026-11-22T13:05:00Z"), now, PARIS)).toBe(
      "dimanche 22 novembre à 14\u00a0h\u00a005",
    );
  });

  it("says the hour of an end only when it is near", () => {
    expect(endInWords(new Date("2026-12-12T08:30:00Z"), now, PARIS)).toBe("samedi 12 décembre");
    expect(endInWords(new Date("2026-11-22T08:30:00Z"), now, PARIS)).toBe(
      "dimanche 22 novembre à 9\u00a0h\u00a030",
    );
  });
});
