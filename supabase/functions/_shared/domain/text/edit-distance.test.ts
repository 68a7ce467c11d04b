import { expect, it } from "vitest";
import { editDistance } from "./edit-distance.ts";

it.each([
  ["gmail", "gmail", 0],
  ["gmial", "gmail", 1],
  ["gmai", "gmail", 1],
  ["gmaill", "gmail", 1],
  ["gnail", "gmail", 1],
  ["mgail", "gmail", 1],
  ["gamli", "gmail", 2],
  ["", "gmail", 5],
  ["gmail", "", 5],
])("counts from %j to %j %i edits", (one, other, edits) => {
  expect(editDistance(one, other)).toBe(edits);
  expect(editDistance(other, one)).toBe(edits);
});
