import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { whenAgain } from "../endings/endings.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeCampaign } from "../testing/campaign.ts";
import { playAgainDay, rememberPlayed, rememberRefused } from "./played-memory.ts";
import { forget, recordKey } from "./storage.ts";

const week = makeCampaign({ play_interval_days: 7 });

/** Monday in Paris, still Sunday in UTC. */
const PLAYED = new Date("2026-11-22T23:30:00Z");

beforeEach(() => {
  stubBrowser();
  forget("phone", recordKey(week.id, "played"));
});

afterEach(() => vi.unstubAllGlobals());

describe("the day from which one may play again", () => {
  it("is counted in calendar days of the store, to the end of the last one", () => {
    rememberPlayed(week, PLAYED);
    expect(playAgainDay(week, PLAYED)).toBe("2026-11-30");
    expect(playAgainDay(week, new Date("2026-11-29T22:59:59Z"))).toBe("2026-11-30");
    expect(playAgainDay(week, new Date("2026-11-29T23:00:00Z"))).toBeNull();
  });

  it("is known for the longest interval that there is", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: PLAYED });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const year = { ...week, play_interval_days: 365 };
    rememberPlayed(year, PLAYED);
    const lastMoment = new Date("2027-11-22T22:59:59Z");
    vi.setSystemTime(lastMoment);
    expect(playAgainDay(year, lastMoment)).toBe("2027-11-23");
  });

  it("follows the interval that the merchant sets since, and is none without", () => {
    rememberPlayed(week, PLAYED);
    expect(playAgainDay({ ...week, play_interval_days: 2 }, PLAYED)).toBe("2026-11-25");
    expect(playAgainDay({ ...week, play_interval_days: 0 }, PLAYED)).toBeNull();
  });

  it("is none on a phone that has not played this wheel", () => {
    expect(playAgainDay(week, PLAYED)).toBeNull();
    rememberPlayed(week, PLAYED);
    expect(
      playAgainDay(makeCampaign({ id: crypto.randomUUID(), play_interval_days: 7 }), PLAYED),
    ).toBeNull();
  });

  it("is the one that a refusal named, also over the night on which the clocks change", () => {
    const again = new Date("2026-10-27T23:00:00Z");
    rememberRefused(week, again);
    expect(playAgainDay(week, new Date("2026-10-24T12:00:00Z"))).toBe("2026-10-28");
  });
});

describe("when one may play again, in words", () => {
  it.each([
    [7, "La roue vous attend de nouveau à partir du lundi 30 novembre."],
    [1, "La roue vous attend de nouveau dès demain, mardi 24 novembre."],
    [60, "La roue vous attend de nouveau à partir du vendredi 22 janvier 2027."],
    [0, "La roue vous attend à votre prochaine visite."],
  ])("names the day: %i days", (play_interval_days, words) => {
    rememberPlayed(week, PLAYED);
    expect(whenAgain({ ...week, play_interval_days }, PLAYED)).toBe(words);
  });

  it("promises nothing after the campaign's last day", () => {
    rememberPlayed(week, PLAYED);
    const last = (ends_at: string) => whenAgain({ ...week, ends_at }, PLAYED);
    expect(last("2026-11-29T22:59:59Z")).toBe(
      "Cette roue s'arrête bientôt. À très vite pour la suivante.",
    );
    expect(last("2026-11-30T22:59:59Z")).toContain("lundi 30 novembre");
  });
});
