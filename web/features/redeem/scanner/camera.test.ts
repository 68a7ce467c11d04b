import { expect, test } from "vitest";
import { cameraFailure } from "./camera.ts";

test.each([
  ["NotAllowedError", "denied"],
  ["NotFoundError", "missing"],
  ["OverconstrainedError", "missing"],
  ["NotReadableError", "busy"],
  ["UnknownError", "failed"],
])("%s of the browser means %s", (name, failure) => {
  expect(cameraFailure(new DOMException("", name))).toBe(failure);
});

test("anything else is a failure too", () => {
  expect(cameraFailure("toString")).toBe("failed");
  expect(cameraFailure(Object.assign(new Error(), { name: "constructor" }))).toBe("failed");
});
