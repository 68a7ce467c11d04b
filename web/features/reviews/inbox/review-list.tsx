import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Printer, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ReviewInbox as InboxPage, ReviewFilters } from "#domain/schemas/reviews.ts";
import { useApp } from "../../../lib/app-context.ts";
import { campaignHome } from "../../../lib/campaign-links.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CursorPager } from "../../../ui/lists/cursor-pager.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { reviewsCopy as copy } from "../reviews.copy.ts";
import { type InboxView, inboxQuery } from "../reviews.queries.ts";
import { ReviewFiltersPanel } from "./review-filters.tsx";
import { ReviewRow } from "./review-row.tsx";

type ReviewListProps = {
  orgId: string;
  view: InboxView;
  onView: (view: InboxView) => void;
  /** The campaign whose reviews alone are shown; undefined for those of all. */
  campaignId: string | undefined;
  /** The page that is shown; undefined until it has loaded. */
  list: InboxPage | undefined;
  isStale: boolean;
  isEmpty: boolean;
  /** Identifier of the review that is read. */
  current: string | undefined;
  onOpen: (id: string) => void;
  /** Action beside the search, of an inbox without a header. */
  action: ReactNode;
};

/** Reviews that match the filters, with the filters above them. */
export function ReviewList(props: ReviewListProps) {
  const { orgId, view, onView, campaignId, list, isStale, isEmpty, current, onOpen, action } =
    props;
  const { supabase } = useApp();
  const items = list?.items ?? [];
  const { review, filters } = view;
  const active = countFilters(filters, campaignId);
  // Without its filters the inbox of a campaign is still that campaign's.
  const unfiltered = campaignId === undefined ? {} : { campaign_id: campaignId };
  const isNarrowed = filters.search !== undefined || active > 0;
  // A list that is empty without filters may have no reviews at all, which needs another message.
  const { data: all } = useQuery({
    ...inboxQuery(supabase, orgId, { filters: unfiltered }),
    enabled: isEmpty && !isNarrowed && filters.state !== undefined,
  });
  const [isFiltering, setIsFiltering] = useState(active > 0);
  const onFilters = (wanted: ReviewFilters) => onView({ filters: wanted, isAnswering: false });
  return (
    <div className={`grid min-w-0 gap-4 ${review ? "max-lg:hidden" : ""}`}>
      <div className={`grid gap-4 ${isEmpty ? "lg:max-w-100" : ""}`}>
        <StateTabs
          state={filters.state}
          onState={(state) => {
            const { state: _, ...others } = filters;
            onFilters({ ...others, ...(state && { state }) });
          }}
        />
        <div
          className={`flex gap-2 sm:gap-3 ${action ? "max-[359px]:flex-wrap max-[359px]:*:grow max-[359px]:*:first:basis-full" : ""}`}
        >
          <SearchField
            label={copy.search}
            placeholder={copy.searchPlaceholder}
            value={filters.search ?? ""}
            onSearch={(search) => {
              const { search: _, ...others } = filters;
              onFilters({ ...others, ...(search && { search }) });
            }}
          />
          <FiltersButton
            active={active}
            isOpen={isFiltering}
            onPress={() => setIsFiltering(!isFiltering)}
          />
          {action && (
            <div data-beside="search" className="grid">
              {action}
            </div>
          )}
        </div>
      </div>
      {isFiltering && list && (
        <ReviewFiltersPanel
          filters={filters}
          unfiltered={unfiltered}
          list={list}
          onFilters={onFilters}
        />
      )}
      {!list && <ListSkeleton />}
      {list && items.length === 0 && (
        <Nothing
          filters={filters}
          isNarrowed={isNarrowed}
          isFirst={filters.state === undefined || all?.items.length === 0}
          campaignId={campaignId ?? list.campaigns[0]?.id}
          onAll={() => onFilters(unfiltered)}
        />
      )}
      {list && items.length > 0 && (
        <StaleRows isStale={isStale}>
          <ul
            aria-label={copy.list}
            className="overflow-hidden rounded-card bg-surface shadow-card"
          >
            {items.map((item) => (
              <ReviewRow
                key={item.id}
                review={item}
                isCurrent={item.id === current}
                hasState={filters.state === undefined}
                onOpen={() => onOpen(item.id)}
              />
            ))}
          </ul>
          <CursorPager
            hasPrevious={list.has_previous}
            hasNext={list.has_next}
            onPrevious={() => onView({ filters, before: items[0]?.id, isAnswering: false })}
            onNext={() => onView({ filters, after: items.at(-1)?.id, isAnswering: false })}
          />
        </StaleRows>
      )}
    </div>
  );
}

type FiltersButtonProps = {
  /** How many filters are set. */
  active: number;
  isOpen: boolean;
  onPress: () => void;
};

function FiltersButton({ active, isOpen, onPress }: FiltersButtonProps) {
  return (
    <Button variant="secondary" aria-expanded={isOpen} onClick={onPress}>
      <SlidersHorizontal aria-hidden="true" className="size-5" />
      <span className="max-sm:sr-only lg:sr-only">{copy.filters}</span>
      {active > 0 && (
        <span className="rounded-full bg-violet px-2 text-sm text-on-violet tabular-nums">
          <span aria-hidden="true">{active}</span>
          <span className="sr-only">{copy.filter.active(active)}</span>
        </span>
      )}
    </Button>
  );
}

/** How many filters are set beside the search, the state and the campaign that the inbox is of. */
function countFilters(
  { search: _, state: __, campaign_id, ...filters }: ReviewFilters,
  campaignId: string | undefined,
): number {
  const others = Object.values(filters).filter((value) => value !== undefined).length;
  return campaign_id === campaignId ? others : others + 1;
}

type NothingProps = {
  filters: ReviewFilters;
  isNarrowed: boolean;
  /** Whether there are no reviews at all yet. */
  isFirst: boolean;
  /** Campaign whose poster brings the first one. */
  campaignId: string | undefined;
  onAll: () => void;
};

/** A list without reviews: none match, none is left to deal with, or there are none yet. */
function Nothing({ filters, isNarrowed, isFirst, campaignId, onAll }: NothingProps) {
  const { mayOpen } = useMay();
  const { empty } = copy;
  if (isNarrowed) {
    return (
      <EmptyState title={empty.noMatch} text={empty.noMatchText}>
        <Button variant="secondary" onClick={onAll}>
          {empty.clear}
        </Button>
      </EmptyState>
    );
  }
  if (isFirst) {
    return (
      <EmptyState title={empty.none} text={empty.noneText}>
        {campaignId && mayOpen("/campaigns") && (
          <Link {...campaignHome(campaignId, "posters")} className={buttonClass()}>
            <Printer aria-hidden="true" className="size-5" />
            {empty.posters}
          </Link>
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={filters.state === "open" ? empty.title : empty.noMatch}
      text={filters.state === "open" ? empty.text : undefined}
    >
      <Button variant="secondary" onClick={onAll}>
        {empty.all}
      </Button>
    </EmptyState>
  );
}

const STATES = ["open", "answered", "closed", undefined] as const;

type StateTabsProps = {
  state: ReviewFilters["state"];
  onState: (state: ReviewFilters["state"]) => void;
};

/** Tabs for the state of the reviews in the list. */
function StateTabs({ state, onState }: StateTabsProps) {
  return (
    <fieldset className="grid grid-cols-4 gap-1 rounded-card bg-line/60 p-1">
      <legend className="sr-only">{copy.states.label}</legend>
      {STATES.map((value) => (
        <button
          key={value ?? "all"}
          type="button"
          aria-pressed={value === state}
          onClick={() => onState(value)}
          className="min-h-11 rounded-field px-1 text-sm font-semibold text-muted transition-colors duration-150 hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card dark:aria-pressed:bg-field/50 min-[390px]:text-base lg:text-sm"
        >
          {copy.states[value ?? "all"]}
        </button>
      ))}
    </fieldset>
  );
}
