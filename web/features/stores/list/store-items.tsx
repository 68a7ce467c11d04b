import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useId, useMemo } from "react";
import type { StoreItem, StoreList } from "#domain/schemas/stores.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { storesCopy } from "../stores.copy.ts";
import { StoreMenu } from "./store-menu.tsx";

const { columns: copy, facts } = storesCopy;

function columnsOf(isLast: boolean): readonly ListColumn<StoreItem>[] {
  return [
    {
      id: "name",
      label: copy.name,
      isSortable: true,
      isFixed: true,
      cell: (store) => (
        <div className="grid min-w-44 gap-1.5">
          <h2 className="font-sans text-base tracking-normal wrap-anywhere">
            <Link
              to="/stores/$storeId/stats"
              params={{ storeId: store.id }}
              data-row-link=""
              className="hover:underline"
            >
              {store.name}
            </Link>
          </h2>
          <div className="flex flex-wrap gap-1.5">
            <StoreBadges store={store} />
          </div>
        </div>
      ),
    },
    {
      id: "address",
      label: copy.address,
      cell: ({ address }) => <span className="block max-w-60 wrap-anywhere">{address}</span>,
    },
    {
      id: "scans",
      label: facts.scans,
      kind: "figure",
      isSortable: true,
      cell: ({ figures }) => formatNumber(figures.scans),
    },
    {
      id: "reviews",
      label: facts.reviews,
      kind: "figure",
      isSortable: true,
      cell: ({ figures }) => formatNumber(figures.reviews),
    },
    { id: "rating", label: facts.rating, kind: "figure", isSortable: true, cell: ratingOf },
    {
      id: "created_at",
      label: facts.created,
      kind: "date",
      isSortable: true,
      cell: ({ created_at }) => formatDate(new Date(created_at)),
    },
    {
      id: "timezone",
      label: facts.timezone,
      cell: ({ timezone }) => timezoneLabel(timezone),
    },
    {
      id: "door",
      label: copy.door,
      cell: (store) =>
        !store.archived_at && (
          <div className="max-w-56 text-sm">
            <StoreEntry store={store} variant="quiet" />
          </div>
        ),
    },
    {
      id: "actions",
      label: copy.actions,
      kind: "actions",
      isFixed: true,
      cell: (store) => <StoreMenu store={store} isLast={isLast} />,
    },
  ];
}

type StoreItemsProps = {
  list: StoreList;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
};

/** A page of stores. */
export function StoreItems({ list, sort, onSort }: StoreItemsProps) {
  const isLast = list.total === 1;
  const columns = useMemo(() => columnsOf(isLast), [isLast]);
  return (
    <ListItems
      name="stores"
      label={storesCopy.items}
      items={list.items}
      columns={columns}
      card={(store) => <StoreCard store={store} isLast={isLast} />}
      nameOf={({ name }) => name}
      sort={sort}
      onSort={onSort}
    />
  );
}

type StoreCardProps = {
  store: StoreItem;
  /** The only one in use. */
  isLast: boolean;
};

/** Mean of the stars left there. */
function ratingOf({ figures: { rating_sum, reviews } }: StoreItem): string {
  return reviews > 0 ? facts.ofFive(formatAverage(rating_sum, reviews)) : facts.noReview;
}

/** How a store asks for reviews, and whether something runs there. */
function StoreBadges({ store }: { store: StoreItem }) {
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
function StoreCard({ store, isLast }: StoreCardProps) {
  const { figures, name } = store;
  const shown = [
    [facts.scans, formatNumber(figures.scans)],
    [facts.reviews, formatNumber(figures.reviews)],
    [facts.rating, ratingOf(store)],
    [facts.created, formatDate(new Date(store.created_at))],
    [facts.timezone, timezoneLabel(store.timezone)],
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
        {shown.map(([label, value]) => (
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
function StoreEntry({ store, variant }: StoreEntryProps) {
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
