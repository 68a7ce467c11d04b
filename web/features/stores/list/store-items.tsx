import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { StoreItem, StoreList } from "#domain/schemas/stores.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { storesCopy } from "../stores.copy.ts";
import { ratingOf, StoreBadges, StoreCard, StoreEntry } from "./store-card.tsx";
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
