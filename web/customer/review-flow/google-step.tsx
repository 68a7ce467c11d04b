import { Action } from "../parts/action.tsx";
import { Icon } from "../parts/icon.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { ThumbBar } from "../parts/thumb-bar.tsx";
import { PublicReviewPicture } from "./public-review-picture.tsx";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewEvent } from "./review-machine.ts";

const copy = reviewCopy.google;

type GoogleStepProps = {
  store: string;
  /** Where the page of public reviews is. */
  host: string | null;
  send: (event: ReviewEvent) => void;
};

/** The invitation to leave a public review, which may be declined. */
export function GoogleStep({ store, host, send }: GoogleStepProps) {
  return (
    <section className="flex grow animate-enter flex-col gap-4">
      <StepTitle takesFocus>{copy.title}</StepTitle>
      <p>{copy.intro(store)}</p>
      <PublicReviewPicture />
      <ThumbBar>
        <Action onClick={() => send({ type: "review_page_chosen" })}>
          {copy.leave}
          <Icon name="external" />
        </Action>
        {host && (
          <p className="-mt-1 text-center text-sm text-muted wrap-anywhere">{copy.where(host)}</p>
        )}
        <Action look="quiet" onClick={() => send({ type: "review_page_declined" })}>
          {copy.skip}
        </Action>
      </ThumbBar>
    </section>
  );
}
