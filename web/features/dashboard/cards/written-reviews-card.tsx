import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { WrittenReview } from "#domain/schemas/back-office.ts";
import { formatElapsed } from "../../../lib/figures.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.reviews;

/** Latest written reviews, each leading to its place in the inbox. */
export function WrittenReviewsCard({ reviews }: { reviews: readonly WrittenReview[] }) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id={titleId} className="text-xl">
        {copy.title}
      </h2>
      {reviews.length === 0 ? (
        <p className="mt-4 text-muted">{copy.empty}</p>
      ) : (
        <ul className="mt-4 grid gap-x-10 gap-y-5 lg:grid-cols-2">
          {reviews.map((review) => (
            <WrittenReviewItem key={review.id} review={review} />
          ))}
        </ul>
      )}
      <Link
        to="/reviews"
        className={`mt-3 -mb-2 -ml-4 self-start text-violet ${buttonClass({ variant: "quiet" })}`}
      >
        {copy.all}
      </Link>
    </section>
  );
}

function WrittenReviewItem({ review }: { review: WrittenReview }) {
  const { id, at, rating, store, first_name, text } = review;
  const isNamed = useMay().may("customers.read");
  const name = first_name ?? copy.anonymous;
  return (
    <li className="flex min-w-0 flex-col items-start gap-1">
      <p className="flex flex-wrap items-center gap-x-3">
        <StarStrip average={rating} />
        <span className="sr-only">{copy.stars(rating)}</span>
        <span className="text-sm wrap-anywhere text-muted">
          {copy.where(name, store, formatElapsed(new Date(at), new Date()))}
        </span>
      </p>
      {isNamed ? (
        <blockquote className="line-clamp-4 max-w-prose text-pretty whitespace-pre-line wrap-anywhere">
          {text}
        </blockquote>
      ) : (
        <p className="text-muted">{copy.hidden}</p>
      )}
      <Link
        to="/reviews"
        search={{ review: id }}
        className="inline-flex min-h-11 items-center font-semibold underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
      >
        {copy.open}
        <span className="sr-only">{copy.of(name, rating)}</span>
      </Link>
    </li>
  );
}
