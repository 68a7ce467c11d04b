import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { FollowingStep } from "./following-step.tsx";
import { type ReviewJourney, startReviewJourney } from "./review-journey.ts";

/** Parts that the first step of the review page does not need; one file, loaded apart. */
export type LazyParts = { journey: ReviewJourney; FollowingStep: typeof FollowingStep };

/** Begins the journey, and brings the views of its later steps. */
export function beginReview(slug: string, campaign: PublicCampaign | null): LazyParts {
  return { journey: startReviewJourney(slug, campaign), FollowingStep };
}
