import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { LaterStep } from "./later-step.tsx";
import { type ReviewJourney, startReviewJourney } from "./review-journey.ts";

/** What the first step of the review page does not need; one file, loaded apart. */
export type LaterParts = { journey: ReviewJourney; LaterStep: typeof LaterStep };

/** Begins the journey, and brings the views of its later steps. */
export function beginReview(slug: string, campaign: PublicCampaign | null): LaterParts {
  return { journey: startReviewJourney(slug, campaign), LaterStep };
}
