import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { ClosedStep } from "../unavailable/closed-step.tsx";
import { ErrorStep } from "../unavailable/error-step.tsx";
import { FeedbackStep } from "./feedback-step.tsx";
import { RatingStep } from "./rating-step.tsx";
import { ReadyStep } from "./ready-step.tsx";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewJourney } from "./review-journey.ts";
import type { ReviewEvent } from "./review-machine.ts";
import type { ReviewState } from "./review-state.ts";
import { reviewHostOf, reviewUrlOf } from "./review-url.ts";
import { STAR } from "./star.ts";

type FollowingStepProps = { slug: string; state: ReviewState; journey: ReviewJourney };

/** Every step after the form; loaded apart, while the form is being filled in. */
export function FollowingStep({ slug, state, journey }: FollowingStepProps) {
  const { step, campaign, failure, reviewId } = state;
  const { send } = journey;
  if (step === "error" && isRefusal(failure, "campaign_not_found")) {
    return <ClosedStep slug={campaign?.slug ?? slug} closed={null} isAsked takesFocus />;
  }
  if (step === "error" && failure !== null) {
    return (
      <ErrorStep
        {...describeFailure(failure, "campaign_failed")}
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
      {step === "google" && <GoogleStep campaign={campaign} send={send} />}
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

type GoogleStepProps = { campaign: PublicCampaign; send: (event: ReviewEvent) => void };

/** The invitation to leave a public review, which may be declined. */
function GoogleStep({ campaign, send }: GoogleStepProps) {
  const host = reviewHostOf(campaign);
  return (
    <section className="flex grow animate-enter flex-col gap-4">
      <StepTitle takesFocus>{reviewCopy.google.title}</StepTitle>
      <p>{reviewCopy.google.intro(campaign.store.name)}</p>
      <PublicReviewPicture />
      <BottomBar>
        <Action
          href={reviewUrlOf(campaign) ?? ""}
          target="_blank"
          onClick={() => send({ type: "review_page_chosen" })}
        >
          {reviewCopy.google.leave}
          <Icon name="external" />
        </Action>
        {host && (
          <p className="-mt-1 text-center text-sm text-muted wrap-anywhere">
            {reviewCopy.google.where(host)}
          </p>
        )}
        <Action look="quiet" onClick={() => send({ type: "review_page_declined" })}>
          {reviewCopy.google.skip}
        </Action>
      </BottomBar>
    </section>
  );
}

/** A public review as a small ticket: a wheel for a face, five stars, two lines. */
function PublicReviewPicture() {
  return (
    <svg viewBox="0 0 280 132" className="mx-auto my-3 w-full max-w-80" aria-hidden="true">
      <rect x="14" y="16" width="252" height="104" rx="14" className="fill-violet-soft" />
      <rect
        x="6"
        y="8"
        width="252"
        height="104"
        rx="14"
        className="fill-surface stroke-line"
        strokeWidth="2"
      />
      <circle cx="44" cy="46" r="20" className="fill-violet" />
      <path d="M44 46V26a20 20 0 0 1 17.3 30Z" className="fill-sun" />
      <path d="M44 46 61.3 56a20 20 0 0 1-34.6 0Z" className="fill-mint" />
      <circle cx="44" cy="46" r="6" className="fill-surface" />
      {[0, 1, 2, 3, 4].map((star) => (
        <path
          key={star}
          d={STAR}
          transform={`translate(${76 + star * 30} 32) scale(1.15)`}
          className="fill-sun stroke-sun-ink"
          strokeWidth="1.1"
          strokeLinejoin="round"
        />
      ))}
      <rect x="24" y="78" width="206" height="8" rx="4" className="fill-line" />
      <rect x="24" y="94" width="140" height="8" rx="4" className="fill-line" />
    </svg>
  );
}
