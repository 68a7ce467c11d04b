import { expect, test } from "vitest";
import { formatAgo } from "./format-ago.ts";

const now = new Date(2026, 10, 21, 15, 0);

test.each([
  [-30, "à l'instant"],
  [59, "à l'instant"],
  [60, "il y a 1 minute"],
  [7_199, "il y a 1 heure"],
  [86_400, "hier"],
  [8 * 86_400, "la semaine dernière"],
  [400 * 86_400, "l’année dernière"],
])("%i seconds back is « %s »", (seconds, words) => {
  expect(formatAgo(new Date(now.getTime() - seconds * 1000), now)).toBe(words);
});

test.each([
  ["avant-hier", new Date(2026, 10, 21, 1, 0), new Date(2026, 10, 19, 23, 0)],
  ["hier", new Date(2026, 10, 21, 23, 30), new Date(2026, 10, 20, 0, 30)],
  ["il y a 7 jours", new Date(2026, 10, 21, 1, 0), new Date(2026, 10, 14, 2, 0)],
  // A Monday, and the Sunday of the week before the last.
  ["il y a 1 semaine", new Date(2026, 10, 23, 12, 0), new Date(2026, 10, 15, 12, 0)],
  ["la semaine dernière", new Date(2026, 10, 22, 12, 0), new Date(2026, 10, 9, 12, 0)],
  ["le mois dernier", new Date(2026, 10, 21, 12, 0), new Date(2026, 9, 10, 12, 0)],
  ["il y a 1 mois", new Date(2026, 2, 1, 12, 0), new Date(2026, 0, 5, 12, 0)],
  ["il y a 1 mois", new Date(2026, 2, 31, 12, 0), new Date(2026, 2, 1, 12, 0)],
  ["il y a 1 an", new Date(2026, 0, 5, 12, 0), new Date(2024, 11, 20, 12, 0)],
  ["l’année dernière", new Date(2026, 0, 5, 12, 0), new Date(2025, 0, 5, 12, 0)],
])("a day, a week, a month or a year of before is the calendar's: « %s »", (words, read, date) => {
  expect(formatAgo(date, read)).toBe(words);
});
