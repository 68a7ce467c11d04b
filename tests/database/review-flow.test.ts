import { beforeAll, describe, expect, it } from "vitest";
import { BAD_RATING, MAX_RATING, MIN_RATING } from "#domain/rules/constants.ts";
import { afterRating } from "#domain/rules/review-flow.ts";
import { reviewMode } from "#domain/rules/review-mode.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createCampaign, createOrganization, createStore } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";

const database = setUpTestDatabase();
let orgId: string;

beforeAll(async () => {
  orgId = (await createOrganization(database.sql)).id;
});

const rows = reviewMode.options.flatMap((mode) =>
  [true, false].flatMap((hasReviewUrl) =>
    [1, 2, 3, 4, 5].map((rating) => ({ rating, reviewMode: mode, hasReviewUrl })),
  ),
);

/** The way after a rating stands twice: in the page, which moves at once, and in SQL, which answers. */
describe("record_review", () => {
  it.each(rows)(
    "answers as the domain does: $rating stars, $reviewMode, reviews page: $hasReviewUrl",
    async (context) => {
      const googleReviewUrl = context.hasReviewUrl ? "https://g.page/r/ici" : null;
      const storeId = await createStore(database.sql, {
        orgId,
        googleReviewUrl,
        reviewMode: context.reviewMode,
      });
      const campaign = await createCampaign(database.sql, { orgId, storeId });
      const answer = await review(database.sql, {
        campaignId: campaign.id,
        rating: context.rating,
      });
      expect(answer).toMatchObject({
        outcome: "created",
        next: afterRating(context).next,
        google_review_url: googleReviewUrl,
      });
    },
  );
});

describe("private.is_bad_rating", () => {
  it("draws the line where the domain does", async () => {
    const [answer] = await database.sql`
      select array_agg(stars order by stars) as bad from generate_series(${MIN_RATING}::int, ${MAX_RATING}::int) stars
      where private.is_bad_rating(stars::smallint)`;
    expect(answer?.bad).toEqual(
      Array.from({ length: BAD_RATING - MIN_RATING + 1 }, (_, at) => MIN_RATING + at),
    );
  });
});
