import { ExternalLink } from "lucide-react";
import { useState } from "react";
import type { StoreStats } from "#domain/schemas/stores.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { formatGain, formatRating, noonOf } from "../../../lib/public-figures.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { StarStrip } from "../../../ui/star-strip.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { GoogleFigures } from "./google-figures.tsx";
import { publicRatingCopy as copy } from "./public-rating.copy.ts";
import { useRemoveRating } from "./public-rating.mutations.ts";
import { PublicRatingForm } from "./public-rating-form.tsx";
import { PublicRatingGrowth } from "./public-rating-growth.tsx";

type PublicRatingCardProps = { storeId: string; rating: StoreStats["public_rating"] };

/**
 * Figures of the store's public page, their first day, and beside them the reviews collected here.
 */
export function PublicRatingCard({ storeId, rating }: PublicRatingCardProps) {
  const { first, points, collected, url } = rating;
  const mayWrite = useMay().may("stores.write");
  const last = points.at(-1);
  return (
    <TitledCard
      title={copy.title}
      text={mayWrite ? `${copy.text} ${copy.write}` : copy.text}
      action={
        url && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className={`-mx-4 text-violet ${buttonClass({ variant: "quiet" })}`}
          >
            <ExternalLink aria-hidden="true" className="size-5" />
            {copy.open}
          </a>
        )
      }
    >
      <GoogleFigures storeId={storeId} />
      <div
        className={`grid gap-6 *:min-w-0 lg:gap-10 ${mayWrite ? "lg:grid-cols-[1.6fr_1fr]" : ""}`}
      >
        {first && last ? (
          <div className="grid content-start gap-5">
            <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
              <div>
                <p className="flex items-baseline gap-2">
                  <span className="font-display text-4xl font-bold tabular-nums">
                    {formatRating(last.rating)}
                  </span>
                  <span className="text-muted">{copy.outOf}</span>
                </p>
                <StarStrip average={last.rating} />
                <p className="font-semibold tabular-nums">{copy.reviews(last.reviews)}</p>
                <p className="text-sm text-muted">{copy.at(formatDate(noonOf(last.day)))}</p>
              </div>
              {first.day === last.day ? (
                <p className="max-w-prose text-pretty text-muted">
                  {copy.firstOne(formatDate(noonOf(first.day)))}
                </p>
              ) : (
                <dl className="grid gap-3 tabular-nums">
                  <div>
                    <dt className="text-sm text-muted">{copy.page}</dt>
                    <dd className="font-semibold">
                      {copy.since(
                        formatGain(last.reviews - first.reviews),
                        formatDate(noonOf(first.day)),
                      )}
                      {first.rating > 0 && last.rating > 0 && last.rating !== first.rating && (
                        <> · {copy.rated(formatGain(last.rating - first.rating))}</>
                      )}
                    </dd>
                  </div>
                  <div>
                    <dt className="text-sm text-muted">{copy.collected}</dt>
                    <dd className="font-semibold">
                      {copy.since(formatNumber(collected), formatDate(noonOf(first.day)))}
                    </dd>
                  </div>
                </dl>
              )}
            </div>
            {points.length > 1 && <PublicRatingGrowth first={first} points={points} />}
          </div>
        ) : (
          <p className="text-muted">{copy.none}</p>
        )}
        {mayWrite && (
          <div className="grid content-start gap-5">
            <PublicRatingForm storeId={storeId} />
            {last && <RemoveLast storeId={storeId} last={last} />}
          </div>
        )}
      </div>
    </TitledCard>
  );
}

type RemoveLastProps = { storeId: string; last: StoreStats["public_rating"]["points"][number] };

/** Removes a wrong entry; the previous one is then the latest. */
function RemoveLast({ storeId, last }: RemoveLastProps) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemoveRating(storeId);
  return (
    <div className="-mt-2 -ml-4 print:hidden">
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        {copy.remove.action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={copy.remove.title}
          action={copy.remove.confirm}
          busy={remove.isPending}
          problem={
            remove.isError ? errorMessage(remove.error, { unknown: copy.remove.failed }) : null
          }
          onConfirm={() => remove.mutate(last.day, { onSuccess: () => setIsAsking(false) })}
          onClose={() => setIsAsking(false)}
        >
          {copy.remove.text(formatDate(noonOf(last.day)), formatRating(last.rating), last.reviews)}
        </ConfirmDialog>
      )}
    </div>
  );
}
