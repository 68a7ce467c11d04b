import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { formatRating } from "../../../lib/public-figures.ts";
import { useMay } from "../../../lib/use-may.ts";
import { googleFiguresQuery } from "./google-figures.queries.ts";
import { publicRatingCopy } from "./public-rating.copy.ts";

const copy = publicRatingCopy.google;

/** Terms that come with what Google shows. */
const TERMS = "https://www.google.com/intl/fr/help/terms_maps/";

const LINK = "inline-flex min-h-11 items-center font-semibold underline underline-offset-4";

/**
 * Figures that the store's page at Google shows at this moment, where the operator has a key for
 * it.
 */
export function GoogleFigures({ storeId }: { storeId: string }) {
  const { supabase, config } = useApp();
  const mayChange = useMay().mayOpen("/stores/$storeId/settings");
  const query = useQuery({
    ...googleFiguresQuery(supabase, storeId),
    enabled: config.public_rating,
  });
  const answer = query.data;
  const toSettings = (words: string) =>
    mayChange && (
      <Link to="/stores/$storeId/settings" params={{ storeId }} className={LINK}>
        {words}
      </Link>
    );
  switch (answer?.state) {
    case "shown":
      return (
        <Panel>
          <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
            {/* Google's own attribution: its name as it is, in a plain face, untranslated. */}
            <span translate="no" className="font-[Roboto,sans-serif] font-normal">
              Google Maps
            </span>
            {answer.reviews > 0 && (
              <strong>
                {formatRating(answer.rating)} {publicRatingCopy.outOf}
              </strong>
            )}
            <strong>{publicRatingCopy.reviews(answer.reviews)}</strong>
          </p>
          <p className="text-sm text-pretty text-muted">
            {copy.now}{" "}
            <a href={TERMS} target="_blank" rel="noopener noreferrer" className="underline">
              {copy.terms}
            </a>
          </p>
        </Panel>
      );
    case "no_place":
      return (
        mayChange && (
          <Panel>
            <p className="text-pretty text-muted">{copy.noPlace}</p>
            {toSettings(copy.addPlace)}
          </Panel>
        )
      );
    case "unknown_place":
      return (
        <Panel>
          <p className="text-pretty">{copy.unknownPlace}</p>
          {toSettings(copy.mendPlace)}
        </Panel>
      );
    case "paused":
    case "too_many":
      return (
        <Panel>
          <p className="text-pretty text-muted">{copy[answer.state]}</p>
        </Panel>
      );
  }
  return null;
}

function Panel({ children }: { children: ReactNode }) {
  return (
    <div className="mb-6 grid justify-items-start gap-1 rounded-field bg-line/50 px-4 py-3">
      {children}
    </div>
  );
}
