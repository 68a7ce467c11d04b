import { ExternalLink } from "lucide-react";
import { useId } from "react";
import type { StoreItem } from "#domain/schemas/stores.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { storesCopy } from "../stores.copy.ts";
import { StoreMenu } from "./store-menu.tsx";

const { facts: copy } = storesCopy;

type StoreCardProps = {
  store: StoreItem;
  /** The only one in use. */
  isLast: boolean;
};

/** Mean of the stars left there. */
export function ratingOf({ figures: { rating_sum, reviews } }: StoreItem): string {
  return reviews > 0 ? copy.ofFive(formatAverage(rating_sum, reviews)) : copy.noReview;
}

/** How a store asks for reviews, and whether something runs there. */
export function StoreBadges({ store }: { store: StoreItem }) {
  return (
    <>
      <Badge tone={store.review_mode === "compliant" ? "good" : "careful"}>
        {storesCopy.modes[store.review_mode]}
      </Badge>
      {store.archived_at ? (
        <Badge>{storesCopy.archived}</Badge>
      ) : (
        <Badge tone="violet">{storesCopy.activeCampaigns(store.active_campaigns)}</Badge>
      )}
    </>
  );
}

/** A store on a phone. */
export function StoreCard({ store, isLast }: StoreCardProps) {
  const { figures, name } = store;
  const facts = [
    [copy.scans, formatNumber(figures.scans)],
    [copy.reviews, formatNumber(figures.reviews)],
    [copy.rating, ratingOf(store)],
    [copy.created, formatDate(new Date(store.created_at))],
    [copy.timezone, timezoneLabel(store.timezone)],
  ] as const;
  return (
    <div className="grid gap-5">
      <div className="flex items-start justify-between gap-4">
        <div className="grid min-w-0 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl wrap-anywhere">{name}</h2>
            <StoreBadges store={store} />
          </div>
          <p className="text-muted wrap-anywhere">{store.address}</p>
        </div>
        <StoreMenu store={store} isLast={isLast} />
      </div>
      <dl className="grid grid-cols-2 gap-x-5 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        {facts.map(([label, value]) => (
          <div key={label} className="grid content-start gap-0.5 max-sm:last:odd:col-span-2">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {!store.archived_at && <StoreEntry store={store} variant="secondary" />}
    </div>
  );
}

type StoreEntryProps = { store: StoreItem; variant: "secondary" | "quiet" };

/** The public review page of a store's newest running campaign; without one, why it is closed. */
export function StoreEntry({ store, variant }: StoreEntryProps) {
  const reason = useId();
  const icon = <ExternalLink aria-hidden="true" className="size-5" />;
  if (store.slug) {
    return (
      <a
        href={`/c/${store.slug}/review`}
        target="_blank"
        rel="noreferrer"
        aria-label={storesCopy.doorOf(store.name)}
        className={`${buttonClass({ variant })} justify-self-start whitespace-nowrap`}
      >
        {icon}
        {storesCopy.door}
      </a>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant={variant} waiting aria-describedby={reason}>
        {icon}
        {storesCopy.door}
      </Button>
      <p id={reason} className="text-muted">
        {storesCopy.closed[store.closed ?? "none_running"]}
      </p>
    </div>
  );
}
