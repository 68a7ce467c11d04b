import { type FormEvent, useState } from "react";
import { FEEDBACK_MAX_LENGTH } from "#domain/rules/constants.ts";
import { contactCopy } from "#domain/rules/contact.copy.ts";
import { feedbackMissing } from "#domain/rules/contact.ts";
import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewEvent } from "./review-machine.ts";
import type { ReviewState } from "./review-state.ts";

const copy = reviewCopy.feedback;

type FeedbackStepProps = {
  state: ReviewState;
  store: string;
  /** Text as it was written before the page was left. */
  draft: string;
  onDraft: (text: string) => void;
  send: (event: ReviewEvent) => void;
};

/** Private feedback of an unhappy customer. */
export function FeedbackStep({ state, store, draft, onDraft, send }: FeedbackStepProps) {
  const [text, setText] = useState(draft);
  const [isLeft, setIsLeft] = useState(false);
  const missing = feedbackMissing(text);
  const isTooShort = isLeft && missing > 0 && text.trim() !== "";
  const failure = state.failure && describeFailure(state.failure, "feedback_failed");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (missing === 0) send({ type: "feedback_submitted", feedback: text.trim() });
  }

  return (
    <form className="flex grow animate-enter flex-col gap-4" noValidate onSubmit={submit}>
      <StepTitle takesFocus>{copy.title}</StepTitle>
      <p>{copy.intro(store)}</p>
      <div>
        <label htmlFor="feedback" className="mb-1.5 block font-bold">
          {copy.label}
        </label>
        <textarea
          id="feedback"
          name="feedback"
          rows={5}
          maxLength={FEEDBACK_MAX_LENGTH}
          value={text}
          aria-invalid={isTooShort}
          aria-describedby="feedback-count"
          onBlur={() => setIsLeft(true)}
          onChange={({ target }) => {
            setText(target.value);
            setIsLeft(false);
            onDraft(target.value);
          }}
          className="block w-full rounded-field border-2 border-field bg-surface px-3.5 py-3 text-lg transition-colors duration-150 hover:border-ink focus-visible:border-violet focus-visible:outline-offset-0 aria-invalid:border-coral-ink"
        />
        <p
          id="feedback-count"
          className={`mt-1.5 flex items-center gap-1.5 text-base ${missing === 0 ? "text-mint-ink" : "text-muted"}`}
        >
          {missing === 0 && <Icon name="check" className="size-4.5" />}
          {missing === 0 ? copy.enough : copy.missing(missing)}
        </p>
        {isTooShort ? (
          <p role="alert" className="mt-1 flex gap-1.5 text-base text-coral-ink">
            <Icon name="alert" className="mt-0.5 size-4.5" />
            {contactCopy.feedbackTooShort}
          </p>
        ) : (
          // Room for the mistake, so that nothing moves under the finger whose tap leaves the field.
          <p
            aria-hidden="true"
            data-room={contactCopy.feedbackTooShort}
            className="invisible mt-1 pl-6 text-base before:content-[attr(data-room)]"
          />
        )}
      </div>
      {failure && (
        <Notice look="problem" title={failure.title}>
          <p>{failure.hint}</p>
        </Notice>
      )}
      <BottomBar>
        <Action type="submit" isDisabled={missing > 0} isBusy={state.sending}>
          {state.sending ? customerCopy.sending : copy.submit}
        </Action>
      </BottomBar>
    </form>
  );
}
