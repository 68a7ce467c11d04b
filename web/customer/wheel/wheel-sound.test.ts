import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { createWheelSound } from "./wheel-sound.ts";

beforeEach(() => stubBrowser());
afterEach(() => vi.unstubAllGlobals());

it("is off until somebody wants it, and is asked for once a phone", () => {
  expect(createWheelSound().isOn()).toBe(false);
  createWheelSound().turn(true);
  expect(createWheelSound().isOn()).toBe(true);
  createWheelSound().turn(false);
  expect(createWheelSound().isOn()).toBe(false);
});
