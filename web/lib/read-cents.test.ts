import { expect, test } from "vitest";
import { readCents } from "./read-cents.ts";

test.each([
  ["1,50", 150],
  [" 1 250,50 € ", 125_050],
  ["2€", 200],
  ["99999", 9_999_900],
  // A price as it is said, not 150 euros.
  ["1€50", null],
  ["10 %", null],
  ["1,505", null],
  ["100000", null],
  ["-1", null],
  ["", null],
])("reads %j as %j cents", (typed, cents) => {
  expect(readCents(typed)).toBe(cents);
});
