import { ExternalLink } from "lucide-react";
import { useId } from "react";
import type { StoreItem } from "#domain/schemas/stores.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { formatAverage } from "../../lib/figures.ts";
import { formatDate, formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { StoreMenu } from "./store-menu.tsx";
import { storesCopy } from "./stores.copy.ts";

const { facts: copy } = storesCopy;

type StoreCardProps = {
  store: StoreItem;
  /** The only one in use. */
  isLast: boolean;
};

/** Row of a store in the list. */
export function StoreCard({ store, isLast }: StoreCardProps) {
  const { figures, name } = store;
  const facts = [
    [copy.scans, formatNumber(figures.scans)],
    [copy.reviews, formatNumber(figures.reviews)],
    [
      copy.rating,
      figures.reviews > 0
        ? copy.ofFive(formatAverage(figures.rating_sum, figures.reviews))
        : copy.noReview,
    ],
    [copy.created, formatDate(new Date(store.created_at))],
    [copy.timezone, timezoneLabel(store.timezone)],
  ] as const;
  return (
    <li className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex items-start justify-between gap-4">
        <div className="grid min-w-0 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl wrap-anywhere">{name}</h2>
            <Badge tone={store.review_mode === "compliant" ? "good" : "careful"}>
              {storesCopy.modes[store.review_mode]}
            </Badge>
            {store.archived_at ? (
              <Badge>{storesCopy.archived}</Badge>
            ) : (
              <Badge tone="violet">{storesCopy.activeCampaigns(store.active_campaigns)}</Badge>
            )}
          </div>
          <p className="text-muted wrap-anywhere">{store.address}</p>
        </div>
        <StoreMenu store={store} isLast={isLast} />
      </div>
      <dl className="grid grid-cols-2 gap-x-5 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        {facts.map(([label, value]) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {!store.archived_at && <StoreEntry store={store} />}
    </li>
  );
}

/** The public review page of a store's newest running campaign; without one, why it is closed. */
function StoreEntry({ store }: { store: StoreItem }) {
  const reason = useId();
  const icon = <ExternalLink aria-hidden="true" className="size-5" />;
  if (store.slug) {
    return (
      <a
        href={`/c/${store.slug}/review`}
        target="_blank"
        rel="noreferrer"
        aria-label={storesCopy.doorOf(store.name)}
        className={`${buttonClass({ variant: "secondary" })} justify-self-start`}
      >
        {icon}
        {storesCopy.door}
      </a>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" waiting aria-describedby={reason}>
        {icon}
        {storesCopy.door}
      </Button>
      <p id={reason} className="text-muted">
        {storesCopy.closed[store.closed ?? "none_running"]}
      </p>
    </div>
  );
}
