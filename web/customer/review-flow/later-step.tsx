import { ErrorStep } from "../error-step.tsx";
import { describeFailure } from "../failures.ts";
import { Action } from "../parts/action.tsx";
import { isRefusal } from "../parts/refusal.ts";
import { reviewHostOf } from "../review-url.ts";
import { FeedbackStep } from "./feedback-step.tsx";
import { GoogleStep } from "./google-step.tsx";
import { RatingStep } from "./rating-step.tsx";
import { ReadyStep } from "./ready-step.tsx";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewJourney } from "./review-journey.ts";
import type { ReviewState } from "./review-state.ts";

type LaterStepProps = { slug: string; state: ReviewState; journey: ReviewJourney };

/** Every step after the form; loaded apart, while the form is being filled in. */
export function LaterStep({ slug, state, journey }: LaterStepProps) {
  const { step, campaign, failure, reviewId } = state;
  const { send } = journey;
  if (step === "error" && failure !== null) {
    return (
      <ErrorStep
        {...describeFailure(failure, "campaign_failed", new Date(), null)}
        {...(isRefusal(failure, "review_not_found") && { startHref: `/c/${slug}/review` })}
        takesFocus
      />
    );
  }
  if (campaign === null) return null;
  const store = campaign.store.name;
  return (
    <>
      {step === "rating" && <RatingStep state={state} send={send} />}
      {step === "google" && <GoogleStep store={store} host={reviewHostOf(campaign)} send={send} />}
      {step === "feedback" && (
        <FeedbackStep
          state={state}
          store={store}
          draft={journey.feedbackDraft()}
          onDraft={journey.keepFeedbackDraft}
          send={send}
        />
      )}
      {step === "ready" && (
        <ReadyStep
          state={state}
          campaign={campaign}
          playHref={`/c/${campaign.slug}/play?review_id=${reviewId}`}
          send={send}
        />
      )}
      {journey.isResumed && (
        <Action look="quiet" onClick={journey.restart}>
          {reviewCopy.restart}
        </Action>
      )}
    </>
  );
}
