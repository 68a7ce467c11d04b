import { Link } from "@tanstack/react-router";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { formatStoredDate } from "../../../lib/format.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { useMay } from "../../../lib/use-may.ts";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.reviews;

/** The newest reviews; whoever is known leads to their page, where their words are. */
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
                  <p className="inline-flex min-h-11 items-center font-semibold wrap-anywhere">
                    {nameOf(name)}
                  </p>
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
