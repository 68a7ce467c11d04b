import { Link } from "@tanstack/react-router";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { formatDate } from "../../../lib/format.ts";
import { formatGain, formatRating, noonOf } from "../../../lib/public-figures.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.publicRatings;

type Item = Dashboard["public_ratings"]["items"][number];

/**
 * Figures of the stores' public pages, and the reviews collected here since; typed in with the
 * figures of each store.
 */
export function PublicRatingsCard({ ratings }: { ratings: Dashboard["public_ratings"] }) {
  const { may, mayOpen } = useMay();
  const { items, stores } = ratings;
  const known = items.filter(({ rating }) => rating.first !== null);
  if (items.length === 0 || !mayOpen("/stores/$storeId/stats")) return null;
  return (
    <TitledCard
      title={copy.title}
      text={known.length === 0 && may("stores.write") ? copy.none : undefined}
      folds
    >
      <ul className="divide-y divide-line">
        {(known.length === 0 ? items.slice(0, 1) : items).map((item) => (
          <PublicPage key={item.id} item={item} isAlone={stores === 1} />
        ))}
      </ul>
      {stores > items.length && (
        <Link
          to="/stores"
          className={`-mb-2 -ml-4 justify-self-start text-violet ${buttonClass({ variant: "quiet" })}`}
        >
          {copy.all(stores)}
        </Link>
      )}
    </TitledCard>
  );
}

function PublicPage({ item, isAlone }: { item: Item; isAlone: boolean }) {
  const { id, name, rating } = item;
  const { first, collected } = rating;
  const last = rating.points.at(-1);
  const mayWrite = useMay().may("stores.write");
  const write = last ? copy.update : copy.begin;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        {!isAlone && <h3 className="font-sans font-semibold tracking-normal">{name}</h3>}
        {first && last ? (
          <>
            <p className="flex flex-wrap items-center gap-x-3">
              <span className="font-display text-2xl font-bold tabular-nums">
                <span aria-hidden="true">{formatRating(last.rating)}</span>
                <span className="sr-only">{copy.stars(formatRating(last.rating))}</span>
              </span>
              <StarStrip average={last.rating} />
              <span className="font-semibold tabular-nums">{copy.reviews(last.reviews)}</span>
              <span className="text-sm text-muted">{copy.at(formatDate(noonOf(last.day)))}</span>
            </p>
            {first.day !== last.day && (
              <p className="text-sm text-muted tabular-nums">
                {copy.page(formatGain(last.reviews - first.reviews), formatDate(noonOf(first.day)))}
                {" · "}
                {copy.collected(collected)}
              </p>
            )}
          </>
        ) : (
          <p className="text-muted">{copy.unknown}</p>
        )}
      </div>
      <Link
        to="/stores/$storeId/stats"
        params={{ storeId: id }}
        className={`-mx-4 text-violet ${buttonClass({ variant: "quiet" })}`}
      >
        {mayWrite ? write : copy.see}
        <span className="sr-only">{copy.of(name)}</span>
      </Link>
    </li>
  );
}
