import type { ReviewItem } from "#domain/schemas/reviews.ts";
import { formatElapsed } from "../../../lib/figures.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { Joined } from "../../../ui/joined.tsx";
import { LanguageMark } from "../../../ui/language-mark.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { reviewsCopy } from "../reviews.copy.ts";
import { StateBadge } from "../state-badge.tsx";

const copy = reviewsCopy.row;

type ReviewRowProps = {
  review: ReviewItem;
  isCurrent: boolean;
  /** The list holds reviews of every state. */
  hasState: boolean;
  onOpen: () => void;
};

/** One review of the list, with all its words. */
export function ReviewRow({ review, isCurrent, hasState, onOpen }: ReviewRowProps) {
  const { id, rating, text, at, store, campaign, state, writer, assignee } = review;
  const nameOf = useCustomerName();
  const name = review.is_erased ? copy.erased : nameOf(review.name);
  const isUnread = state === "open" && !review.is_seen;
  const follower = review.is_mine ? copy.mine : assignee && copy.assigned(assignee);
  return (
    <li id={`review-${id}`} className="border-line not-first:border-t">
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={onOpen}
        className="grid w-full gap-1.5 border-l-4 border-transparent px-4 py-3.5 text-left transition-colors duration-150 hover:bg-line/40 aria-[current]:border-violet aria-[current]:bg-violet-soft"
      >
        <span className="flex items-center gap-2">
          <StarStrip average={rating} />
          <span className="sr-only">{copy.stars(rating)}</span>
          <LanguageMark locale={review.locale} />
          {isUnread && (
            <span className="size-2.5 rounded-full bg-coral">
              <span className="sr-only">{copy.unread}</span>
            </span>
          )}
          <time dateTime={at} className="ml-auto text-sm whitespace-nowrap text-muted">
            {formatElapsed(new Date(at), new Date())}
          </time>
        </span>
        <span className={`wrap-anywhere ${isUnread ? "font-bold" : "font-semibold"}`}>{name}</span>
        {text === null ? (
          !review.is_erased && <span className="text-muted">{copy.silent}</span>
        ) : (
          <span dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          {hasState && <StateBadge state={state} />}
          <span className="line-clamp-2 wrap-anywhere">
            <Joined facts={copy.place(store, campaign)} />
          </span>
        </span>
        {(writer || follower) && (
          <span className="text-sm font-semibold text-violet">
            {writer ? copy.writing(writer) : follower}
          </span>
        )}
      </button>
    </li>
  );
}
