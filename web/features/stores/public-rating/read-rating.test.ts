import { expect, it } from "vitest";
import { ratingProblem, readRating, readReviews } from "./read-rating.ts";

it("reads a rating of 0 to 5 with one decimal", () => {
  for (const [typed, rating] of [
    ["4,6", 4.6],
    [" 4.6 ", 4.6],
    ["5", 5],
    ["0", 0],
    ["5,1", null],
    ["4,65", null],
    ["-1", null],
    ["", null],
    ["quatre", null],
  ] as const) {
    expect(readRating(typed), typed).toBe(rating);
  }
});

it("reads a number of reviews, with the spaces that French writes", () => {
  for (const [typed, reviews] of [
    ["128", 128],
    ["1\u202F280", 1280],
    ["10 000 000", 10_000_000],
    ["10000001", null],
    ["12,5", null],
    ["", null],
  ] as const) {
    expect(readReviews(typed), typed).toBe(reviews);
  }
});

it("refuses what no page shows", () => {
  expect(ratingProblem(4.6, 128)).toBeNull();
  expect(ratingProblem(0, 0)).toBeNull();
  expect(ratingProblem(null, 128)).toBe("rating");
  expect(ratingProblem(4.6, null)).toBe("reviews");
  expect(ratingProblem(4.6, 0)).toBe("unrated");
  expect(ratingProblem(0.9, 3)).toBe("unrated");
});
