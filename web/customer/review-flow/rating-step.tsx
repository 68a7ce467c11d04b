import { useState } from "react";
import { MAX_RATING } from "#domain/rules/constants.ts";
import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { Notice } from "../parts/notice.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { describeFailure, isDefinite } from "../refusals/failures.ts";
import { formCopy } from "./form-step.copy.ts";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewEvent } from "./review-machine.ts";
import type { ReviewState } from "./review-state.ts";
import { STAR } from "./star.ts";

const copy = reviewCopy.rating;

/** One star after the other springs up, from the first to the chosen one. */
const DELAYS = [
  "",
  "[animation-delay:40ms]",
  "[animation-delay:80ms]",
  "[animation-delay:120ms]",
  "[animation-delay:160ms]",
];

type RatingStepProps = { state: ReviewState; send: (event: ReviewEvent) => void };

/** Five stars; one tap stores the review. */
export function RatingStep({ state, send }: RatingStepProps) {
  const [pointed, setPointed] = useState(0);
  const { rating, sending, failure } = state;
  const lit = rating ?? pointed;
  return (
    <section className="flex grow animate-enter flex-col gap-6">
      <div className="grid gap-2">
        <StepTitle takesFocus>{copy.title}</StepTitle>
        <p>{copy.hint}</p>
      </div>
      {/* Half-way down, where a thumb is. */}
      <div className="mx-auto my-auto w-full max-w-80 tall:py-6">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as a form to fill in. */}
        <div
          role="group"
          aria-label={copy.group}
          className="grid grid-cols-5"
          onPointerLeave={() => setPointed(0)}
        >
          {Array.from({ length: MAX_RATING }, (_, index) => index + 1).map((star) => (
            <button
              key={star}
              type="button"
              aria-label={formCopy.star(star)}
              aria-pressed={rating === star}
              aria-disabled={rating !== null}
              onPointerEnter={() => setPointed(star)}
              onFocus={() => setPointed(star)}
              onBlur={() => setPointed(0)}
              onClick={() => send({ type: "star_clicked", rating: star })}
              className="grid aspect-square cursor-pointer place-items-center rounded-field aria-disabled:cursor-default"
            >
              <svg
                viewBox="0 0 24 24"
                aria-hidden="true"
                className={`size-7/8 transition-colors duration-150 ${
                  star <= lit ? "fill-sun stroke-sun-ink" : "fill-surface stroke-muted"
                } ${rating !== null && star <= rating ? `animate-pop ${DELAYS[star - 1]}` : ""}`}
                strokeWidth="1.5"
                strokeLinejoin="round"
              >
                <path d={STAR} />
              </svg>
            </button>
          ))}
        </div>
        <p
          className="mt-1 flex justify-between px-2 text-base max-[15rem]:px-0 max-[15rem]:text-sm text-muted"
          aria-hidden="true"
        >
          <span>{copy.lowest}</span>
          {/* A screen of 240 px has no room for it: all three would be broken within their words. */}
          <span className="font-bold text-ink max-[15rem]:hidden">
            {lit > 0 && formCopy.star(lit)}
          </span>
          <span>{copy.highest}</span>
        </p>
      </div>
      {sending && <p className="text-center">{copy.sending}</p>}
      {failure !== null && rating !== null && <Problem state={{ failure, rating }} send={send} />}
    </section>
  );
}

type ProblemProps = {
  state: { failure: NonNullable<ReviewState["failure"]>; rating: number };
  send: (event: ReviewEvent) => void;
};

function Problem({ state: { failure, rating }, send }: ProblemProps) {
  const { title, hint } = describeFailure(failure, "review_failed");
  return (
    <div className="grid gap-3">
      <Notice look="problem" title={title}>
        <p>{hint}</p>
        <p>{copy.kept(rating)}</p>
      </Notice>
      <Action onClick={() => send({ type: "rating_retried" })}>{customerCopy.retry}</Action>
      {isDefinite(failure) && (
        <Action look="quiet" onClick={() => send({ type: "form_reopened" })}>
          {copy.editDetails}
        </Action>
      )}
    </div>
  );
}
