import { expect, it } from "vitest";
import { usageOf } from "./usage.ts";

it.each([
  [0, 100, 0, "fine"],
  [79, 100, 79, "fine"],
  [80, 100, 80, "near"],
  [99, 100, 99, "near"],
  [100, 100, 100, "reached"],
  [150, 100, 100, "reached"],
  [1, 2, 50, "fine"],
  [4, 5, 80, "near"],
  [0, 0, 100, "reached"],
  [9000, -1, null, "unlimited"],
])("%i of %i is %s percent, %s", (used, limit, percent, state) => {
  expect(usageOf(used, limit)).toEqual({ percent, state });
});
