import { errorCopy } from "#domain/errors/errors.copy.ts";
import { PublicReviewLink } from "../endings/public-review-link.tsx";
import { ReturnReminder } from "../endings/return-reminder.tsx";
import { Action } from "../parts/action.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { ClosedStep } from "../unavailable/closed-step.tsx";
import { ErrorStep } from "../unavailable/error-step.tsx";
import { ContactStep } from "./contact-step.tsx";
import { followingStepCopy } from "./following-step.copy.ts";
import type { PlayJourney } from "./play-journey.ts";
import type { PlayState } from "./play-state.ts";
import { ResultStep } from "./result-step.tsx";
import { wheelCopy } from "./wheel.copy.ts";
import type { WinScene } from "./win-scene.ts";

type FollowingStepProps = {
  slug: string;
  state: PlayState;
  journey: PlayJourney;
  reviewHref: string;
  /** The wheel has turned on this very page. */
  isFresh: boolean;
  /** Scene of a win that was just drawn; null for any other result. */
  scene: WinScene | null;
};

function reviewIdOf({ search }: Location): string | null {
  return new URLSearchParams(search).get("review_id");
}

/** Steps that need neither a name nor a wheel: the contact, the result, an error. */
export function FollowingStep({
  slug,
  state,
  journey,
  reviewHref,
  isFresh,
  scene,
}: FollowingStepProps) {
  const { step, mode, campaign, contact, result, failure } = state;
  if (step === "error") {
    if (isRefusal(failure, "campaign_not_found")) {
      return <ClosedStep slug={campaign?.slug ?? slug} closed={null} isAsked takesFocus />;
    }
    const isLost = failure === null || isRefusal(failure, "invalid_request");
    return (
      <ErrorStep
        {...(isLost
          ? { title: errorCopy.invalid_request, hint: errorCopy.review_not_found }
          : describeFailure(failure, "campaign_failed"))}
        {...((isLost || isRefusal(failure, "review_not_found")) && { startHref: reviewHref })}
        takesFocus
      />
    );
  }
  if (step === "contact") {
    return (
      <ContactStep
        draft={contact ?? journey.draft()}
        onDraft={journey.keepDraft}
        onSubmit={(valid) => journey.send({ type: "contact_submitted", contact: valid })}
      />
    );
  }
  if (step !== "result" || campaign === null || result === null) return null;
  const hasLost = result.reward === null;
  // A prize to redeem is reason enough to come back.
  const hasCode = result.redemption_code !== null;
  return (
    <ResultStep
      result={result}
      campaign={campaign}
      isTest={mode === "test"}
      isKept={journey.isKept()}
      isFresh={isFresh}
      firstName={journey.firstName()}
      scene={scene}
    >
      <div className="mt-auto grid gap-3 pt-2">
        {mode === "test" && (
          <Action onClick={() => journey.send({ type: "test_again" })}>
            {followingStepCopy.testAgain}
          </Action>
        )}
        {mode !== "test" && (
          <PublicReviewLink
            campaign={campaign}
            look={hasLost ? "primary" : "secondary"}
            reviewId={mode === "review" ? reviewIdOf(location) : null}
          />
        )}
        {mode !== "test" && !hasCode && <ReturnReminder campaign={campaign} />}
        <Action look="quiet" href={reviewHref}>
          {wheelCopy.backToReview}
        </Action>
      </div>
    </ResultStep>
  );
}
