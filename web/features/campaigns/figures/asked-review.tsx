import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { unnamedCopy } from "../../../lib/customers.copy.ts";
import { formatStoredDate } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { Alert } from "../../../ui/alert.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { useBroughtIntoView } from "../../../ui/use-brought-into-view.ts";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";
import { askedReviewQuery, type AskedReview as Review } from "./campaign-figures.queries.ts";

const copy = campaignFiguresCopy.reviews;

/** The review that somebody comes to read, whose customer has no page of their own. */
export function AskedReview({ campaignId, id }: { campaignId: string; id: string }) {
  const { supabase } = useApp();
  const query = useQuery(askedReviewQuery(supabase, campaignId, id));
  if (query.isError) return <Alert>{loadFailure(query.error, copy.askedFailed)}</Alert>;
  if (query.data === undefined) return null;
  if (query.data === null) return <Alert>{copy.askedMissing}</Alert>;
  return <Words review={query.data} />;
}

function Words({ review }: { review: Review }) {
  const place = useBroughtIntoView<HTMLElement>(true);
  const { rating, review_text, created_at, customer_name } = review;
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={copy.asked}
      className="grid gap-2 rounded-card bg-violet-soft p-5 sm:p-6"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StarStrip average={rating} />
        <span className="sr-only">{copy.stars(rating)}</span>
        <h2 className="font-sans text-base font-semibold tracking-normal wrap-anywhere">
          {customer_name ?? unnamedCopy.anonymous}
        </h2>
        <p className="text-sm text-muted">{formatStoredDate(created_at)}</p>
      </div>
      <p className="whitespace-pre-line wrap-anywhere">{review_text ?? copy.silent}</p>
    </section>
  );
}
