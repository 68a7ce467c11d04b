import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import type { UnseenReview } from "#domain/schemas/back-office.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatElapsed } from "../../../lib/figures.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { useMay } from "../../../lib/use-may.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { useMarkReview } from "../dashboard.mutations.ts";

const copy = dashboardCopy.next.badReview;

type ReviewLineProps = {
  review: UnseenReview;
  isSeen: boolean;
  onSeen: (isSeen: boolean) => void;
};

/** One bad review: who wrote what, where and when, the way to it, and « Marquer comme vu ». */
export function ReviewLine({ review, isSeen, onSeen }: ReviewLineProps) {
  const { rating, store, at, text } = review;
  const { may } = useMay();
  const nameOf = useCustomerName();
  const isNamed = may("customers.read");
  const name = nameOf(review.name);
  return (
    <li className="grid content-start gap-2 border-line py-4 not-first:border-t first:pt-0 last:pb-0 max-sm:gap-1.5 max-sm:py-3 lg:grid-rows-[auto_1fr_auto] lg:py-0 lg:not-first:border-t-0 lg:not-first:border-l lg:not-first:pl-8">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center gap-2">
          <StarStrip average={rating} />
          <span className="sr-only">{copy.stars(rating)}</span>
        </span>
        <h3 className="min-w-0 font-sans text-base font-semibold tracking-normal">{name}</h3>
        <p className="text-sm text-muted">
          {copy.where(store, formatElapsed(new Date(at), new Date()))}
        </p>
      </div>
      {text === null ? (
        isNamed && <p className="text-muted">{copy.silent}</p>
      ) : (
        <p dir="auto" className="line-clamp-4 max-w-prose max-sm:line-clamp-2 whitespace-pre-line">
          {text}
        </p>
      )}
      <div className="-mx-4 -my-1 flex flex-wrap items-center">
        <Way review={review} isNamed={isNamed} about={copy.of(name, rating)} />
        {may("customers.write") && (
          <Seen id={review.id} isSeen={isSeen} about={copy.of(name, rating)} onSeen={onSeen} />
        )}
      </div>
    </li>
  );
}

type WayProps = { review: UnseenReview; isNamed: boolean; about: string };

/** Link to the review; to its campaign for a member who may not see customers. */
function Way({ review: { id, customer_id, campaign_id }, isNamed, about }: WayProps) {
  const { mayOpen } = useMay();
  const className = `text-violet ${buttonClass({ variant: "quiet" })}`;
  const words = (
    <>
      {isNamed ? copy.action : copy.campaign}
      <span className="sr-only">{about}</span>
    </>
  );
  if (isNamed && mayOpen("/reviews")) {
    return (
      <Link to="/reviews" search={{ review: id }} className={className}>
        {words}
      </Link>
    );
  }
  return customer_id && isNamed ? (
    <Link
      to="/customers/$customerId"
      params={{ customerId: customer_id }}
      search={{ review: id }}
      className={className}
    >
      {words}
    </Link>
  ) : (
    <Link
      to="/campaigns/$campaignId"
      params={{ campaignId: campaign_id }}
      search={isNamed ? { review: id } : {}}
      className={className}
    >
      {words}
    </Link>
  );
}

type SeenProps = Pick<ReviewLineProps, "isSeen" | "onSeen"> & { id: string; about: string };

/** Takes the review off the list, and back: what was pressed stays in its place, so that a second click undoes nothing. */
function Seen({ id, isSeen, about, onSeen }: SeenProps) {
  const orgId = useWorkspace()?.organization?.id ?? "";
  const place: RefObject<HTMLSpanElement | null> = useRef(null);
  const hasChanged = useRef(false);
  const mark = useMarkReview(orgId, id, (next) => {
    hasChanged.current = true;
    onSeen(next);
  });
  // The keyboard stays with the line: its button has given way to the other one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the other one is rendered.
  useEffect(() => {
    if (hasChanged.current) place.current?.querySelector("button")?.focus();
  }, [isSeen]);
  return (
    <>
      <span ref={place} className="contents">
        {isSeen ? (
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
              <span className="sr-only">{about}</span>
            </Button>
          </>
        ) : (
          <Button variant="quiet" busy={mark.isPending} onClick={() => mark.mutate(true)}>
            {!mark.isPending && <Check aria-hidden="true" className="size-5" />}
            {copy.seen}
            <span className="sr-only">{about}</span>
          </Button>
        )}
      </span>
      {mark.isError && (
        <div className="basis-full px-4">
          <Alert>{errorMessage(mark.error, { forbidden: copy.seenFailed })}</Alert>
        </div>
      )}
    </>
  );
}
