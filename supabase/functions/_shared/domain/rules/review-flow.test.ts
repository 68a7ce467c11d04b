import { expect, it } from "vitest";
import { offersReviewPage } from "./review-flow.ts";

it("the last step leads to the public page in compliant mode alone, and where there is one", () => {
  expect(offersReviewPage("compliant", true)).toBe(true);
  expect(offersReviewPage("compliant", false)).toBe(false);
  expect(offersReviewPage("gating", true)).toBe(false);
  expect(offersReviewPage("gating", false)).toBe(false);
});
