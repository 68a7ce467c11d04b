import { afterRating } from "#domain/rules/review-flow.ts";
import type { ReviewResponse } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import type { SavedReview } from "../memory/visit-memory.ts";
import { isDefinite } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import type { CustomerDetails } from "./details.ts";
import type { ReviewState } from "./review-state.ts";
import { reviewUrlOf } from "./review-url.ts";

/** Events of the page. */
export type ReviewEvent =
  | { type: "campaign_loaded"; campaign: PublicCampaign }
  | { type: "campaign_failed"; failure: Failure }
  | { type: "details_submitted"; details: CustomerDetails }
  | { type: "form_reopened" }
  | { type: "star_clicked"; rating: number }
  | { type: "rating_retried" }
  | { type: "review_saved"; response: ReviewResponse }
  | { type: "review_failed"; failure: Failure }
  /** The link to the public page was followed. */
  | { type: "review_page_chosen" }
  | { type: "review_page_declined" }
  | { type: "feedback_submitted"; feedback: string }
  | { type: "feedback_saved" }
  | { type: "feedback_failed"; failure: Failure }
  | { type: "resumed"; saved: SavedReview };

/** Effects that an event demands of the page; run within the event, so that a tab may open. */
export type ReviewCommand =
  | { type: "open_review_page"; url: string }
  | { type: "save_review"; details: CustomerDetails; rating: number }
  | { type: "record_click"; reviewId: string }
  | { type: "save_feedback"; reviewId: string; feedback: string };

type Transition = { state: ReviewState; commands: ReviewCommand[] };

function stay(state: ReviewState): Transition {
  return { state, commands: [] };
}

function go(state: ReviewState, change: Partial<ReviewState>, ...commands: ReviewCommand[]) {
  return { state: { ...state, failure: null, ...change }, commands };
}

/** Sends a rating: `opens` where it is the tap itself, in which a tab may open. */
function send(
  state: ReviewState,
  campaign: PublicCampaign,
  { details, rating, opens }: { details: CustomerDetails; rating: number; opens: boolean },
): Transition {
  const url = reviewUrlOf(campaign);
  const { opensReviewPage } = afterRating({
    rating,
    reviewMode: campaign.review_mode,
    hasReviewUrl: url !== null,
  });
  const opening: ReviewCommand[] =
    opens && opensReviewPage && url !== null ? [{ type: "open_review_page", url }] : [];
  return go(
    state,
    { step: "rating", details, rating, sending: true, reviewPageOpened: opensReviewPage },
    ...opening,
    { type: "save_review", details, rating },
  );
}

function saved(state: ReviewState, campaign: PublicCampaign, response: ReviewResponse): Transition {
  const { review_id: reviewId, next } = response;
  const click: ReviewCommand[] = state.reviewPageOpened ? [{ type: "record_click", reviewId }] : [];
  // Without a page to send people to, the google step would be a dead end.
  const step = next === "google" && reviewUrlOf(campaign) === null ? "ready" : next;
  return go(state, { step, reviewId, sending: false, details: null }, ...click);
}

function resume(state: ReviewState, campaign: PublicCampaign, saved: SavedReview): Transition {
  if (state.step !== "form") return stay(state);
  if (saved.step !== "rating") return go(state, { step: saved.step, reviewId: saved.reviewId });
  const { details, rating } = saved;
  // Whether the star reached the server is unknown: the same one is sent again. Browsers within other applications
  // show the public page in the place of this one, and lead back to it.
  return rating === null
    ? go(state, { step: "rating", details })
    : send(state, campaign, { details, rating, opens: false });
}

/**
 * The state machine of the review page (specification, section 4.2). Events that make no
 * sense in a step change nothing, so that double clicks and late answers are harmless.
 */
export function reviewTransition(state: ReviewState, event: ReviewEvent): Transition {
  const { campaign, step } = state;
  if (campaign === null) {
    if (step !== "loading") return stay(state);
    if (event.type === "campaign_loaded") {
      return go(state, { step: "form", campaign: event.campaign });
    }
    if (event.type === "campaign_failed") {
      return go(state, { step: "error", failure: event.failure });
    }
    return stay(state);
  }
  switch (event.type) {
    case "details_submitted":
      return step === "form" ? go(state, { step: "rating", details: event.details }) : stay(state);
    case "form_reopened":
      return step === "rating" &&
        !state.sending &&
        (state.rating === null || (state.failure !== null && isDefinite(state.failure)))
        ? go(state, { step: "form", details: null, rating: null, reviewPageOpened: false })
        : stay(state);
    case "star_clicked":
      return step === "rating" && state.rating === null && state.details !== null
        ? send(state, campaign, { details: state.details, rating: event.rating, opens: true })
        : stay(state);
    case "rating_retried":
      return step === "rating" && !state.sending && state.rating !== null && state.details !== null
        ? go(
            state,
            { sending: true },
            { type: "save_review", details: state.details, rating: state.rating },
          )
        : stay(state);
    case "review_saved":
      return step === "rating" && state.sending
        ? saved(state, campaign, event.response)
        : stay(state);
    case "review_failed":
      if (step !== "rating" || !state.sending) return stay(state);
      return isRefusal(event.failure, "campaign_not_found")
        ? go(state, { step: "error", sending: false, failure: event.failure })
        : go(state, { sending: false, failure: event.failure });
    case "review_page_chosen":
      if ((step !== "google" && step !== "ready") || state.reviewId === null) return stay(state);
      return go(
        state,
        { step: "ready", reviewPageOpened: true },
        { type: "record_click", reviewId: state.reviewId },
      );
    case "review_page_declined":
      return step === "google" ? go(state, { step: "ready" }) : stay(state);
    case "feedback_submitted":
      return step === "feedback" && !state.sending && state.reviewId !== null
        ? go(
            state,
            { sending: true },
            { type: "save_feedback", reviewId: state.reviewId, feedback: event.feedback },
          )
        : stay(state);
    case "feedback_saved":
      return step === "feedback" && state.sending
        ? go(state, { step: "ready", sending: false })
        : stay(state);
    case "feedback_failed":
      if (step !== "feedback" || !state.sending) return stay(state);
      // The first request arrived: only its answer was lost.
      if (isRefusal(event.failure, "feedback_exists")) {
        return go(state, { step: "ready", sending: false });
      }
      return isRefusal(event.failure, "review_not_found")
        ? go(state, { step: "error", sending: false, failure: event.failure })
        : go(state, { sending: false, failure: event.failure });
    case "resumed":
      return resume(state, campaign, event.saved);
    default:
      return stay(state);
  }
}
