import { describe, expect, it } from "vitest";
import {
  inChange,
  inCount,
  inDay,
  inEuros,
  inGain,
  inMean,
  inMonth,
  inRating,
  inShare,
} from "./report-words.ts";

/** The figures of a report as French writes them, with an ordinary space for each of its kinds. */

const words = (text: string | null) => text?.replaceAll(/\s/gu, " ") ?? null;

describe("a figure", () => {
  it.each<[string, string | null, string | null]>([
    ["a count", inCount(1280), "1 280"],
    ["a count of none", inCount(0), "0"],
    ["a mean", inMean(13, 3), "4,3"],
    ["a whole mean", inMean(8, 2), "4"],
    ["a mean of nothing", inMean(0, 0), "–"],
    ["a rating", inRating(4.26), "4,3"],
    ["a whole rating", inRating(4), "4,0"],
    ["a page without reviews", inRating(0), "–"],
    ["a share", inShare(2, 3), "66,7 %"],
    ["a share of none", inShare(0, 3), "0 %"],
    ["a share of nothing", inShare(0, 0), "–"],
    ["more", inChange(6, 5), "+20 %"],
    ["less", inChange(2, 3), "-33 %"],
    ["the same", inChange(5, 5), "0 %"],
    ["nothing now", inChange(0, 5), "-100 %"],
    ["nothing before", inChange(5, 0), null],
    ["a gain", inGain(0.24), "+0,2"],
    ["a loss", inGain(-3), "-3"],
    ["no gain", inGain(0), "0"],
    ["money", inEuros(1234.5), "1 234,50 €"],
    ["money that is owed", inEuros(-412.256), "-412,26 €"],
    ["hardly any money", inEuros(0.004), "0,00 €"],
    ["hardly any debt", inEuros(-0.004), "0,00 €"],
    ["a month", inMonth("2026-10-01"), "octobre 2026"],
    ["a day", inDay("2026-10-03"), "3 octobre 2026"],
    ["the first of a month", inDay("2026-10-01"), "1er octobre 2026"],
    ["a day that begins so", inDay("2026-10-11"), "11 octobre 2026"],
  ])("of %s", (_, written, expected) => {
    expect(words(written)).toBe(expected);
  });
});
