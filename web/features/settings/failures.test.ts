import { expect, it } from "vitest";
import { AppError, dataError, errorMessage } from "../../lib/app-error.ts";
import { saveFailure } from "./failures.ts";

it.each(["TV085", "TV120", "TV190", "TV191"])("says of %s what every other screen says", (code) => {
  const error = dataError({ error: { code }, status: 400 });
  expect(saveFailure(error)).toBe(errorMessage(error));
});

it("says of what it does not know that nothing was saved", () => {
  expect(saveFailure(new AppError("P0001"))).not.toBe(errorMessage(new AppError("P0001")));
});
