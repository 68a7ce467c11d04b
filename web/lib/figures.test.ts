import { describe, expect, it } from "vitest";
import { formatAverage, formatChange, formatElapsed } from "./figures.ts";

/** Intl separates with narrow and with unbreakable spaces; readers see spaces. */
const plain = (text: string | null) => text?.replaceAll(/\s/g, " ");

describe("figures", () => {
  it("are rounded to one decimal", () => {
    expect(formatAverage(13, 3)).toBe("4,3");
    expect(formatAverage(9, 2)).toBe("4,5");
  });

  it("are no figure where nobody has rated", () => {
    expect(formatAverage(0, 0)).toBe("–");
  });

  it("tell a change only from something", () => {
    expect(plain(formatChange(12, 10))).toBe("+20 %");
    expect(plain(formatChange(5, 10))).toBe("-50 %");
    expect(plain(formatChange(10, 10))).toBe("0 %");
    expect(formatChange(3, 0)).toBeNull();
  });
});

it.each([
  [0, "< 1 min"],
  [59_999, "< 1 min"],
  [60_000, "1 min"],
  [59 * 60_000 + 59_999, "59 min"],
  [60 * 60_000, "1 h"],
  [24 * 3_600_000 - 1, "23 h"],
  [24 * 3_600_000, "1 j"],
  [40 * 24 * 3_600_000, "40 j"],
  // Clocks disagree: what lies a little ahead has just happened.
  [-5_000, "< 1 min"],
])("calls %i ms ago « %s »", (elapsed, text) => {
  const now = new Date("2026-11-21T10:00:00Z");
  expect(formatElapsed(new Date(now.getTime() - elapsed), now)).toBe(text);
});
