import { expect, it } from "vitest";
import { inCents } from "./in-cents.ts";

it.each([
  [12.5, 1250],
  [-9.8, -980],
  [0.1 + 0.2, 30],
  [0, 0],
  // Rest of a sum in fractions that comes to nothing.
  [0.3 - (0.1 + 0.2), 0],
])("is rounded, and nothing has no sign: %d", (euros, cents) => {
  expect(inCents(euros)).toBe(cents);
});
