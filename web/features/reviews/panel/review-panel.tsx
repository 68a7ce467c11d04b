import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ReviewDetail } from "#domain/schemas/reviews.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatMoment } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Joined } from "../../../ui/joined.tsx";
import { isFocusLost, isShown } from "../../../ui/kept-focus.ts";
import { LanguageMark } from "../../../ui/language-mark.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { AnswerForm } from "../answer/answer-form.tsx";
import { GiveCode } from "../gesture/give-code.tsx";
import { GivenCode } from "../gesture/given-code.tsx";
import { reviewsCopy } from "../reviews.copy.ts";
import { useHandleReview } from "../reviews.mutations.ts";
import { reviewQuery } from "../reviews.queries.ts";
import { StateBadge } from "../state-badge.tsx";
import { conflictWords } from "./conflict-words.ts";
import { phoneOf } from "./phone-of.ts";
import { ReviewActions } from "./review-actions.tsx";
import { ReviewCustomer } from "./review-customer.tsx";
import { ReviewFollowUp } from "./review-follow-up.tsx";
import { reviewPanelCopy as copy } from "./review-panel.copy.ts";

type ReviewPanelProps = Omit<OpenReviewProps, "review"> & {
  reviewId: string;
  onBack: () => void;
};

/** One review, beside the list or in its place. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { supabase } = useApp();
  const query = useQuery(reviewQuery(supabase, props.reviewId));
  const review = query.data;
  return (
    <section aria-label={copy.label} className="grid gap-4">
      <Button variant="quiet" className="-ml-4 justify-self-start lg:hidden" onClick={props.onBack}>
        <ArrowLeft aria-hidden="true" className="size-5" />
        {copy.back}
      </Button>
      {review ? (
        <OpenReview {...props} review={review} />
      ) : review === null ? (
        <EmptyState title={reviewsCopy.missing.title} text={reviewsCopy.missing.text}>
          <Button variant="secondary" onClick={props.onBack}>
            {copy.back}
          </Button>
        </EmptyState>
      ) : query.isError ? (
        <LoadProblem
          title={copy.label}
          text={loadFailure(query.error, copy.loadFailed)}
          isRetrying={query.isFetching}
          onRetry={() => query.refetch()}
        />
      ) : (
        <ListSkeleton />
      )}
    </section>
  );
}

type OpenReviewProps = {
  orgId: string;
  review: ReviewDetail;
  isAnswering: boolean;
  /** An answer that was begun. */
  draft: string | undefined;
  /** Keeps it; null drops it, only as it was sent where that is named. */
  onDraft: (text: string | null, sent?: string) => void;
  /** A note that was begun. */
  note: string | undefined;
  onNote: (text: string | null, sent?: string) => void;
  onAnswering: (isAnswering: boolean) => void;
  onOpen: (reviewId: string) => void;
  /** Opens the next one of the list; null where there is none. */
  onNext: (() => void) | null;
};

type Wanted = "open" | "answered" | "closed" | "none";

/** Last action, and the state from before it. */
type Done = { text: string; undo?: { state: Wanted; version: number } };

/** A review with its words, what can be done about it, what was done, and who wrote it. */
function OpenReview(props: OpenReviewProps) {
  const { review, orgId, isAnswering, draft, onDraft, note, onNote, onAnswering, onOpen, onNext } =
    props;
  const { may } = useMay();
  const nameOf = useCustomerName();
  const name = review.is_erased ? reviewsCopy.row.erased : nameOf(review.name);
  const isNamed = may("customers.read");
  const mayAct = may("reviews.write");
  const { handle, done, setDone, decide, undo } = useDecision(review);
  const place = useFocusOnArrival();
  const { given } = review.gesture;
  const refusal = handle.data?.outcome === "conflict" ? handle.data : null;
  return (
    <>
      <article
        ref={place}
        tabIndex={-1}
        className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6"
      >
        <ReviewHeader review={review} name={name} />
        <ReviewText review={review} isNamed={isNamed} />
        {review.went_public && <p className="text-sm text-muted">{copy.wentPublic}</p>}
        {isBounced(review) && <Alert>{copy.bounced}</Alert>}
        {given && <GivenCode given={given} store={review.store} phone={phoneOf(review)} />}
        {review.writer && !isAnswering && <Notice>{copy.writing(review.writer)}</Notice>}
        {refusal && <Alert>{conflictWords(refusal)}</Alert>}
        {handle.isError && <Alert>{errorMessage(handle.error)}</Alert>}
        {done && <DoneNotice text={done.text} isBusy={handle.isPending} onUndo={undo} />}
        {done && onNext && (
          <Button className="sm:justify-self-start" onClick={onNext}>
            {copy.next}
            <ArrowRight aria-hidden="true" className="size-5" />
          </Button>
        )}
        {isAnswering && mayAct && isNamed && review.obstacle === null ? (
          <AnswerForm
            orgId={orgId}
            review={review}
            draft={draft}
            onDraft={onDraft}
            onSent={() => {
              setDone({ text: copy.done.sent(name) });
              onAnswering(false);
            }}
            onClose={() => onAnswering(false)}
          />
        ) : (
          mayAct && (
            <>
              <ReviewActions
                review={review}
                isBusy={handle.isPending}
                onAnswer={() => {
                  setDone(null);
                  onAnswering(true);
                }}
                onDecide={(state) => decide(state)}
              />
              <CodeToGive review={review} onGiven={() => setDone({ text: copy.gesture.done })} />
            </>
          )
        )}
      </article>
      <ReviewFollowUp review={review} mayAct={mayAct} note={note} onNote={onNote} />
      {review.customer && <ReviewCustomer customer={review.customer} onOpen={onOpen} />}
    </>
  );
}

/** Setting the state of a review, with its outcome, and back. */
function useDecision(review: ReviewDetail) {
  const handle = useHandleReview();
  const [done, setDone] = useState<Done | null>(null);
  const decide = (state: Wanted, version = review.version) => {
    if (handle.isPending) return;
    const before = review.state ?? "none";
    handle.mutate(
      { id: review.id, version, state },
      {
        onSuccess: ({ outcome }) => {
          if (outcome !== "saved") return;
          const isOver = state === "answered" || state === "closed";
          setDone({
            text: copy.done[isOver ? state : "reopened"],
            ...(isOver && { undo: { state: before, version: version + 1 } }),
          });
        },
      },
    );
  };
  const last = done?.undo;
  const undo = last ? () => decide(last.state, last.version) : null;
  return { handle, done, setDone, decide, undo };
}

/** Takes the focus of readers who come from elsewhere or from a list that closed; within the list it stays there. */
function useFocusOnArrival() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { activeElement: focused } = document;
      if (isFocusLost() || focused === null || !isShown(focused)) place.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return place;
}

/** Whether the last answer did not arrive. */
function isBounced({ actions }: ReviewDetail): boolean {
  return actions.findLast(({ kind }) => kind === "answer")?.delivery === "failed";
}

function ReviewHeader({ review, name }: { review: ReviewDetail; name: string }) {
  return (
    <header className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StarStrip average={review.rating} />
        <span className="sr-only">{reviewsCopy.row.stars(review.rating)}</span>
        <StateBadge state={review.state} />
        <LanguageMark locale={review.locale} />
        <time dateTime={review.at} className="text-sm text-muted sm:ml-auto">
          {formatMoment(new Date(review.at), new Date())}
        </time>
      </div>
      <h2 className="text-xl">{name}</h2>
      <p className="text-muted">
        <Joined facts={reviewsCopy.row.place(review.store, review.campaign.name)} />
      </p>
    </header>
  );
}

/** Words of the customer, or why there are none. */
function ReviewText({ review, isNamed }: { review: ReviewDetail; isNamed: boolean }) {
  if (review.text === null) {
    return (
      <p className="text-muted">
        {review.is_erased ? copy.erased : isNamed ? copy.silent : copy.hidden}
      </p>
    );
  }
  return (
    <blockquote dir="auto" className="max-w-prose text-lg whitespace-pre-line wrap-anywhere">
      {review.text}
    </blockquote>
  );
}

type DoneNoticeProps = {
  text: string;
  isBusy: boolean;
  /** Goes back to the state from before; null where that is not possible. */
  onUndo: (() => void) | null;
};

function DoneNotice({ text, isBusy, onUndo }: DoneNoticeProps) {
  return (
    <Notice tone="done">
      <span className="flex flex-wrap items-center gap-x-4">
        {text}
        {onUndo && (
          <Button variant="quiet" className="-my-2.5" busy={isBusy} onClick={onUndo}>
            {copy.undo}
          </Button>
        )}
      </span>
    </Notice>
  );
}

/** Way to give a code without an answer, which would carry it where a mail arrives. */
function CodeToGive({ review, onGiven }: { review: ReviewDetail; onGiven: () => void }) {
  const { rewards } = review.gesture;
  const isReached = review.obstacle === null && !isBounced(review);
  if (isReached || !rewards || rewards.length === 0) return null;
  return <GiveCode review={review} rewards={rewards} onGiven={onGiven} />;
}
