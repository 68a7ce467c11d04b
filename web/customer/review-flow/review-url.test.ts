import { expect, it } from "vitest";
import { makeCampaign } from "../testing/campaign.ts";
import { reviewHostOf, reviewUrlOf } from "./review-url.ts";

it.each([
  [null, null, null],
  ["javascript:alert(1)", null, null],
  ["ahttps://avis.example", null, null],
  ["https:avis.example", null, null],
  ["https://www.avis.example/www.r", "https://www.avis.example/www.r", "avis.example"],
  ["HTTP://avis.www.example", "HTTP://avis.www.example", "avis.www.example"],
  ["https://[", "https://[", null],
])("the public reviews page at %s is opened at %s, and called %s", (given, url, host) => {
  const campaign = makeCampaign({ google_review_url: given });
  expect(reviewUrlOf(campaign)).toBe(url);
  expect(reviewHostOf(campaign)).toBe(host);
});
