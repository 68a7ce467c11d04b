import { Link } from "@tanstack/react-router";
import type { ReviewDetail } from "#domain/schemas/reviews.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { reviewsCopy } from "../reviews.copy.ts";
import { reviewPanelCopy } from "./review-panel.copy.ts";

const copy = reviewPanelCopy.customer;

type ReviewCustomerProps = {
  customer: NonNullable<ReviewDetail["customer"]>;
  onOpen: (reviewId: string) => void;
};

/** Author of the review, and their history. */
export function ReviewCustomer({ customer, onOpen }: ReviewCustomerProps) {
  const { review_count: count } = customer;
  const facts = [
    [
      copy.reviews,
      count > 0
        ? `${formatNumber(count)} · ${copy.mean(formatAverage(customer.rating_sum, count))}`
        : formatNumber(count),
    ],
    [copy.spins, formatNumber(customer.spin_count)],
    [copy.redemptions, formatNumber(customer.redemption_count)],
  ] as const;
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h2 className="text-xl">{copy.title}</h2>
          <p className="text-muted">
            {customer.email}
            {customer.email && customer.phone && " · "}
            {customer.phone && <span className="whitespace-nowrap">{customer.phone}</span>}
          </p>
          <p className="text-sm text-muted">
            {copy.since(formatDate(new Date(customer.created_at)))}
          </p>
        </div>
        <Link
          to="/customers/$customerId"
          params={{ customerId: customer.id }}
          className={buttonClass({ variant: "secondary" })}
        >
          {copy.page}
        </Link>
      </div>
      <dl className="grid grid-cols-3 gap-3 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="grid gap-0.5">
            <dt className="text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {customer.note && (
        <div className="grid gap-1">
          <h3 className="text-sm font-semibold text-muted">{copy.note}</h3>
          <p dir="auto" className="whitespace-pre-line">
            {customer.note}
          </p>
        </div>
      )}
      {customer.reviews.length > 0 && (
        <div className="grid gap-2">
          <h3 className="text-sm font-semibold text-muted">{copy.others}</h3>
          <ul className="grid">
            {customer.reviews.map(({ id, at, rating, text }) => (
              <li key={id} className="border-line not-first:border-t">
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="grid w-full gap-1 rounded-field px-2 py-2.5 text-left hover:bg-line/40"
                >
                  <span className="flex items-center gap-3 text-sm">
                    <StarStrip average={rating} />
                    <span className="sr-only">{reviewsCopy.row.stars(rating)}</span>
                    <time dateTime={at} className="text-muted">
                      {formatDate(new Date(at))}
                    </time>
                  </span>
                  {text && <span className="line-clamp-2 wrap-anywhere">{text}</span>}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
