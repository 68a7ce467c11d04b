import { expect, it } from "vitest";
import { countAt } from "./use-count-up.ts";

it("counts from what was known to what it has become, whole, never back and never beyond", () => {
  const shown = Array.from({ length: 101 }, (_, step) => countAt(30, 110, step / 100));
  expect(shown[0]).toBe(30);
  expect(shown.at(-1)).toBe(110);
  for (const [at, number] of shown.entries()) {
    expect(Number.isInteger(number)).toBe(true);
    expect(number).toBeGreaterThanOrEqual(shown[at - 1] ?? 30);
    expect(number).toBeLessThanOrEqual(110);
  }
});
