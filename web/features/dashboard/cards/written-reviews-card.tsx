import { Link } from "@tanstack/react-router";
import type { WrittenReview } from "#domain/schemas/back-office.ts";
import { formatElapsed } from "../../../lib/figures.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { Joined } from "../../../ui/joined.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.reviews;

/** Latest written reviews, each leading to its place in the inbox. */
export function WrittenReviewsCard({ reviews }: { reviews: readonly WrittenReview[] }) {
  return (
    <TitledCard title={copy.title} folds>
      {reviews.length === 0 ? (
        <p className="text-muted">{copy.empty}</p>
      ) : (
        <ul className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
          {reviews.map((review) => (
            <WrittenReviewItem key={review.id} review={review} />
          ))}
        </ul>
      )}
      <Link
        to="/reviews"
        className={`-mt-2 -mb-2 -ml-4 justify-self-start text-violet ${buttonClass({ variant: "quiet" })}`}
      >
        {copy.all}
      </Link>
    </TitledCard>
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
          <Joined facts={[name, store, copy.ago(formatElapsed(new Date(at), new Date()))]} />
        </span>
      </p>
      {isNamed ? (
        <blockquote
          dir="auto"
          className="line-clamp-4 max-w-prose text-pretty whitespace-pre-line wrap-anywhere"
        >
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
