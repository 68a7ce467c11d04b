import { expect, it } from "vitest";
import { inPoints } from "./in-points.ts";

it.each([
  [[2, 3], [1, 2], "+16,7 pts"],
  [[1, 4], [1, 2], "-25 pts"],
  [[1, 2], [2, 4], "0 pt"],
  [[51, 100], [50, 100], "+1 pt"],
  [[49, 100], [50, 100], "-1 pt"],
  [[5194, 10_000], [50, 100], "+1,9 pt"],
  // Two, once it is rounded.
  [[5196, 10_000], [50, 100], "+2 pts"],
  [[48, 100], [50, 100], "-2 pts"],
  [[0, 0], [1, 2], null],
  [[1, 2], [0, 0], null],
] as const)("tells in points how a share has moved: %j after %j", (now, before, text) => {
  // The unit stays on the figure's line.
  expect(inPoints(now, before)).toBe(text?.replace(" ", "\u00A0") ?? null);
});
