import { Archive, Check, MessageCircle, Phone, Reply, RotateCcw } from "lucide-react";
import { BAD_RATING } from "#domain/rules/constants.ts";
import type { ReviewDetail } from "#domain/schemas/reviews.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { useMarkReview } from "../reviews.mutations.ts";
import { phoneOf } from "./phone-of.ts";
import { reviewPanelCopy as copy } from "./review-panel.copy.ts";

type ReviewActionsProps = {
  review: ReviewDetail;
  isBusy: boolean;
  onAnswer: () => void;
  onDecide: (state: "open" | "answered" | "closed") => void;
};

/** Actions on a review. */
export function ReviewActions({ review, isBusy, onAnswer, onDecide }: ReviewActionsProps) {
  const { may } = useMay();
  const mark = useMarkReview(review.id);
  const { obstacle, state, is_seen: isSeen } = review;
  const phone = phoneOf(review);
  const isOver = state === "answered" || state === "closed";
  const mayMark = may("customers.write") && review.rating <= BAD_RATING && !isOver;
  return (
    <div className="grid gap-3">
      {obstacle && <p className="text-muted">{copy.obstacles[obstacle]}</p>}
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        {!obstacle && may("customers.read") && (
          <Button variant={isOver ? "secondary" : "primary"} onClick={onAnswer}>
            <Reply aria-hidden="true" className="size-5" />
            {copy.answer}
          </Button>
        )}
        {phone && (
          <>
            <a href={`tel:${phone}`} className={buttonClass({ variant: "secondary" })}>
              <Phone aria-hidden="true" className="size-5" />
              {copy.call}
            </a>
            <a href={`sms:${phone}`} className={buttonClass({ variant: "secondary" })}>
              <MessageCircle aria-hidden="true" className="size-5" />
              {copy.text}
            </a>
          </>
        )}
        {isOver ? (
          <Button variant="secondary" busy={isBusy} onClick={() => onDecide("open")}>
            <RotateCcw aria-hidden="true" className="size-5" />
            {copy.reopen}
          </Button>
        ) : (
          <Button
            variant="secondary"
            busy={isBusy}
            data-key="e"
            title={copy.closeHint}
            onClick={() => onDecide("closed")}
          >
            <Archive aria-hidden="true" className="size-5" />
            {copy.close}
          </Button>
        )}
      </div>
      {(mayMark || !isOver) && (
        <div className="-mx-4 -my-1 flex flex-wrap items-center">
          {!isOver && (
            <Button variant="quiet" busy={isBusy} onClick={() => onDecide("answered")}>
              {copy.answeredElsewhere}
            </Button>
          )}
          {mayMark &&
            (isSeen ? (
              <>
                <span
                  role="status"
                  className="inline-flex min-h-11 items-center gap-2 px-4 font-semibold text-mint-ink"
                >
                  <Check aria-hidden="true" className="size-5" />
                  {copy.isSeen}
                </span>
                <Button variant="quiet" busy={mark.isPending} onClick={() => mark.mutate(false)}>
                  {copy.undo}
                </Button>
              </>
            ) : (
              <Button variant="quiet" busy={mark.isPending} onClick={() => mark.mutate(true)}>
                {copy.seen}
              </Button>
            ))}
        </div>
      )}
      {mark.isError && <Alert>{errorMessage(mark.error)}</Alert>}
    </div>
  );
}
