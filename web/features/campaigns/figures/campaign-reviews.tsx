import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { useApp } from "../../../lib/app-context.ts";
import { unnamedCopy } from "../../../lib/customers.copy.ts";
import { formatStoredDate } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { useBroughtIntoView } from "../../../ui/use-brought-into-view.ts";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";
import { askedReviewQuery, type AskedReview as Review } from "./campaign-figures.queries.ts";

const copy = campaignFiguresCopy.reviews;

/** The review that the user came to read, whose customer has no page of their own. */
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
        <h2 className="font-sans text-base font-semibold tracking-normal">
          {customer_name ?? unnamedCopy.anonymous}
        </h2>
        <p className="text-sm text-muted">{formatStoredDate(created_at)}</p>
      </div>
      <p dir="auto" className="whitespace-pre-line">
        {review_text ?? copy.silent}
      </p>
    </section>
  );
}

/** The newest reviews; a known customer links to their page, which has their words. */
export function RecentReviews({ reviews }: Pick<CampaignStats, "reviews">) {
  const mayFollow = useMay().mayOpen("/customers/$customerId");
  const nameOf = useCustomerName();
  return (
    <section className="rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.title}</h2>
      {reviews.length === 0 ? (
        <p className="mt-4 text-muted">{copy.empty}</p>
      ) : (
        <ul aria-label={copy.title} className="mt-3 divide-y divide-line">
          {reviews.map(({ id, at, rating, name, customer_id }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <div className="min-w-0">
                {customer_id && mayFollow ? (
                  <Link
                    to="/customers/$customerId"
                    params={{ customerId: customer_id }}
                    className="inline-flex min-h-11 items-center font-semibold wrap-anywhere underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                  >
                    {nameOf(name)}
                  </Link>
                ) : (
                  <p className="inline-flex min-h-11 items-center font-semibold">{nameOf(name)}</p>
                )}
              </div>
              <p className="flex items-center gap-3 text-sm text-muted">
                <StarStrip average={rating} />
                <span className="sr-only">{copy.stars(rating)}</span>
                {formatStoredDate(at)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
