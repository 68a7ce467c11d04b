import type { ReviewStep } from "#domain/rules/review-flow.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import type { CustomerDetails } from "./details.ts";

/** State of a customer on the review page. */
export type ReviewState = {
  step: ReviewStep;
  /** Null while it loads, and when it could not be loaded. */
  campaign: PublicCampaign | null;
  /** Valid details, from the form until the review is stored. */
  details: CustomerDetails | null;
  /** The star that was clicked. */
  rating: number | null;
  /** Null until the server has stored the review. */
  reviewId: string | null;
  /** A request of this step is under way. */
  sending: boolean;
  /** Why the last request did not succeed. */
  failure: Failure | null;
  /** The public reviews page was opened by the click on the fifth star. */
  reviewPageOpened: boolean;
};

/** The page before anything happened: the form when the server sent the campaign along. */
export function startReview(campaign: PublicCampaign | null): ReviewState {
  return {
    step: campaign === null ? "loading" : "form",
    campaign,
    details: null,
    rating: null,
    reviewId: null,
    sending: false,
    failure: null,
    reviewPageOpened: false,
  };
}
