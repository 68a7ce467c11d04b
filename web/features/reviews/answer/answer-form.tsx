import { useEffect, useEffectEvent, useRef, useState } from "react";
import { REVIEW_CLAIM_MINUTES, TEAM_TEXT_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { ReviewDetail } from "#domain/schemas/reviews.ts";
import { newId } from "#domain/text/new-id.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useHasUnsaved, useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { GestureField } from "../gesture/gesture-field.tsx";
import { conflictWords, refusalWords } from "../panel/conflict-words.ts";
import { reviewPanelCopy } from "../panel/review-panel.copy.ts";
import { useAnswerReview, useClaimReview } from "../reviews.mutations.ts";
import { fillTemplate, templateFor, templatesOf } from "./fill-template.ts";
import { TEMPLATES, TemplatesDialog } from "./templates-dialog.tsx";

const copy = reviewPanelCopy.composer;

/** Interval at which the claim is renewed while the form is open: one renewal may be lost. */
const RENEW_MS = REVIEW_CLAIM_MINUTES * 0.4 * 60_000;

type AnswerFormProps = {
  orgId: string;
  review: ReviewDetail;
  /** An answer that was begun. */
  draft: string | undefined;
  onDraft: (text: string | null, sent?: string) => void;
  onSent: () => void;
  onClose: () => void;
};

/** Writes to a customer by e-mail. What was typed stays when sending is refused. */
export function AnswerForm({ orgId, review, draft, onDraft, onSent, onClose }: AnswerFormProps) {
  const [given] = useState(() => fillTemplate(templateFor(review), review));
  const body = draft ?? given;
  const [isAsked, setIsAsked] = useState(false);
  const [chosen, setChosen] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const rewards = review.gesture.rewards ?? [];
  // A reward that is no longer available is no longer chosen: the refusal says so.
  const rewardId = rewards.some(({ id }) => id === chosen) ? chosen : "";
  const { answer, sendOnce } = useSending(review, { onSent, onDraft });
  const { colleague, takeOver } = useClaim(review);
  const writer = colleague ?? (answer.data?.outcome === "claimed" ? answer.data.by : null);
  const error = mistakeIn(body);

  const found = useUnsavedInput({
    name: `answer ${review.id}`,
    isUnsaved: body !== given,
    saved: () => ({ body: given }),
    typed: () => ({ body }),
    put: (values) => onDraft(values.body),
    drop: () => onDraft(null),
  });
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);

  const send = () => {
    if (answer.isPending) return;
    setIsAsked(true);
    if (error) field.current?.focus();
    else sendOnce(body, rewardId);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      }}
      className="grid gap-4 border-t border-line pt-5"
    >
      {found}
      <Field label={copy.label} error={isAsked ? error : undefined}>
        {(control) => (
          <TextArea
            {...control}
            ref={field}
            value={body}
            className="min-h-40"
            onChange={(event) => onDraft(event.target.value)}
          />
        )}
      </Field>
      {rewards.length > 0 && (
        <GestureField
          label={reviewPanelCopy.gesture.label}
          none={reviewPanelCopy.gesture.none}
          rewards={rewards}
          value={rewardId}
          onChange={setChosen}
          hint={reviewPanelCopy.gesture.byMail}
        />
      )}
      {writer && (
        <WriterNotice
          writer={writer}
          onTakeOver={() => {
            takeOver();
            answer.reset();
          }}
        />
      )}
      {answer.data && answer.data.outcome !== "saved" && <Refusal answer={answer.data} />}
      {answer.isError && (
        <Alert>
          {errorMessage(answer.error, { forbidden: copy.forbidden, unknown: copy.failed })}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button type="submit" busy={answer.isPending}>
          {copy.send}
        </Button>
        <Button variant="secondary" waiting={answer.isPending} onClick={onClose}>
          {copy.cancel}
        </Button>
      </div>
      <p className="text-sm text-muted wrap-anywhere">
        {copy.to(review.customer?.email ?? "")} · {copy.from(review.store)}
        {review.answers_to && ` · ${copy.answers(review.answers_to)}`}
      </p>
      <Templates
        orgId={orgId}
        review={review}
        onChoose={(text) => {
          onDraft(text);
          field.current?.focus();
        }}
      />
    </form>
  );
}

/** Sentence about what is wrong with an answer; undefined for nothing. */
function mistakeIn(body: string): string | undefined {
  if (!body.trim()) return copy.required;
  return body.length > TEAM_TEXT_MAX_LENGTH ? copy.tooLong : undefined;
}

/** Sending with an idempotency key. */
function useSending(
  review: ReviewDetail,
  { onSent, onDraft }: Pick<AnswerFormProps, "onSent" | "onDraft">,
) {
  const answer = useAnswerReview(review.id);
  const request = useRef({ body: "", rewardId: "", id: "" });
  return {
    answer,
    sendOnce: (body: string, rewardId: string) => {
      // The same text again is the same request: a lost answer sends nothing twice.
      if (request.current.body !== body || request.current.rewardId !== rewardId) {
        request.current = { body, rewardId, id: newId() };
      }
      const order = {
        requestId: request.current.id,
        version: review.version,
        body,
        rewardId: rewardId === "" ? null : rewardId,
      };
      // The draft goes also where another review was opened meanwhile; the rest is for who stayed.
      answer
        .mutateAsync(order, { onSuccess: ({ outcome }) => outcome === "saved" && onSent() })
        .then(
          ({ outcome }) => outcome === "saved" && onDraft(null, body),
          () => {},
        );
    },
  };
}

/** Says that a colleague is writing to this customer. */
function WriterNotice({ writer, onTakeOver }: { writer: string; onTakeOver: () => void }) {
  return (
    <Notice>
      <span className="flex flex-wrap items-center gap-x-4">
        <span>{reviewPanelCopy.writing(writer)}</span>
        <Button variant="quiet" onClick={onTakeOver}>
          {reviewPanelCopy.takeOver}
        </Button>
      </span>
    </Notice>
  );
}

type TemplatesProps = {
  orgId: string;
  review: ReviewDetail;
  onChoose: (text: string) => void;
};

/** Templates of the organisation, each filled in for this review when it is chosen. */
function Templates({ orgId, review, onChoose }: TemplatesProps) {
  const templates = templatesOf(review);
  const hasUnsaved = useHasUnsaved();
  const [isEditing, setIsEditing] = useState(() => hasUnsaved(TEMPLATES));
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold text-muted">{copy.templates}</legend>
        <div className="flex flex-wrap gap-2">
          {templates.map((template) => (
            <button
              key={template.name}
              type="button"
              onClick={() => onChoose(fillTemplate(template, review))}
              className="min-h-11 rounded-full border-[1.5px] border-line px-4 text-sm font-semibold wrap-anywhere hover:border-field"
            >
              {template.name}
            </button>
          ))}
          <Button variant="quiet" onClick={() => setIsEditing(true)}>
            {copy.editTemplates}
          </Button>
        </div>
      </fieldset>
      <p className="text-sm text-muted">{copy.rule}</p>
      {isEditing && (
        <TemplatesDialog orgId={orgId} templates={templates} onClose={() => setIsEditing(false)} />
      )}
    </>
  );
}

type RefusalProps = {
  answer: Exclude<NonNullable<ReturnType<typeof useAnswerReview>["data"]>, { outcome: "saved" }>;
};

/** Why nothing was sent. */
function Refusal({ answer }: RefusalProps) {
  if (answer.outcome === "conflict") {
    return (
      <Alert>
        {conflictWords(answer)} {reviewPanelCopy.conflict.kept}
      </Alert>
    );
  }
  if (answer.outcome === "claimed") return null;
  return <Alert>{refusalWords(answer.outcome)}</Alert>;
}

/** Claims the review for this person while the form is open; returns the colleague who had claimed it before. */
function useClaim(review: ReviewDetail) {
  const { mutate, data } = useClaimReview(review);
  const claim = useEffectEvent(mutate);
  useEffect(() => {
    claim("take");
    const timer = setInterval(() => claim("take"), RENEW_MS);
    return () => {
      clearInterval(timer);
      claim("release");
    };
  }, []);
  const isTaken = data?.outcome === "claimed";
  return { colleague: isTaken ? data.by : null, takeOver: () => mutate("force") };
}
