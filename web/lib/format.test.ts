import { expect, test } from "vitest";
import {
  formatCount,
  formatDate,
  formatDay,
  formatEuros,
  formatFileDay,
  formatLanguage,
  formatMoment,
  formatNumber,
  formatShare,
  formatSignedShare,
  formatStoredDate,
} from "./format.ts";

const now = new Date(2026, 10, 21, 15, 0);

test("a day of this year goes without its year", () => {
  expect(formatDay(new Date(2026, 11, 12), now)).toBe("samedi 12 décembre");
});

test("a day of another year has it", () => {
  expect(formatDay(new Date(2027, 0, 5), now)).toBe("mardi 5 janvier 2027");
});

test("the first of a month is the « 1er »", () => {
  expect(formatDay(new Date(2026, 11, 1), now)).toBe("mardi 1er décembre");
  expect(formatDate(new Date(2027, 7, 1))).toBe("1er août 2027");
  expect(formatDate(new Date(2026, 11, 11))).toBe("11 décembre 2026");
  expect(formatDate(new Date("2026-12-02T03:59:59Z"), "America/Martinique")).toBe(
    "1er décembre 2026",
  );
});

test("a moment of today says so", () => {
  expect(formatMoment(new Date(2026, 10, 21, 9, 5), now)).toBe("aujourd'hui à 09:05");
  expect(formatMoment(new Date(2026, 10, 20, 14, 32), now)).toBe("vendredi 20 novembre à 14:32");
});

test("numbers and shares are written the French way", () => {
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  expect(plain(formatNumber(12_480))).toBe("12 480");
  expect(plain(formatShare(1, 8))).toBe("12,5 %");
  expect(plain(formatShare(1, 3))).toBe("33,3 %");
  expect(plain(formatShare(0, 3))).toBe("0 %");
  expect(formatShare(0, 0)).toBe("–");
});

test("amounts and gains are written the French way", () => {
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  expect(plain(formatEuros(123_450))).toBe("1 234,50 €");
  expect(plain(formatSignedShare(5.4))).toBe("+540 %");
  expect(plain(formatSignedShare(-0.125))).toBe("-12,5 %");
  expect(plain(formatSignedShare(0))).toBe("0 %");
});

test("a stored moment is a day, or says that it is none", () => {
  expect(formatStoredDate("2026-11-21T10:00:00Z")).toBe("21 novembre 2026");
  expect(formatStoredDate("hier")).toBe("Date invalide");
  expect(formatStoredDate("")).toBe("Date inconnue");
  expect(formatStoredDate(null)).toBe("Date inconnue");
});

test("things are counted as French does: nothing is singular", () => {
  const gains = [0, 1, 2, 1200].map((count) => formatCount(count, "gain", "gains"));
  expect(gains).toEqual(["0 gain", "1 gain", "2 gains", `${formatNumber(1200)} gains`]);
});

test("a file is named after the day that it is here", () => {
  expect(formatFileDay(new Date(2026, 10, 22, 0, 5))).toBe("2026-11-22");
  expect(formatFileDay(new Date(2026, 0, 1, 23, 55))).toBe("2026-01-01");
});

test.each([
  ["fr", "Français"],
  ["en", "Anglais"],
  ["fr-CA", "Français canadien"],
  ["xx", "xx"],
])("a language is named: %s", (tag, name) => {
  expect(formatLanguage(tag)).toBe(name);
});
