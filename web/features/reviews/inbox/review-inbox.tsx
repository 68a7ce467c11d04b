import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Printer, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { BAD_RATING } from "#domain/rules/constants.ts";
import type { ReviewFilters } from "#domain/schemas/reviews.ts";
import { useApp } from "../../../lib/app-context.ts";
import { campaignHome } from "../../../lib/campaign-links.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CursorPager } from "../../../ui/lists/cursor-pager.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { ReviewPanel } from "../panel/review-panel.tsx";
import { reviewsCopy as copy } from "../reviews.copy.ts";
import { type InboxView, inboxQuery, reviewQuery } from "../reviews.queries.ts";
import { ReviewFiltersPanel } from "./review-filters.tsx";
import { ReviewRow } from "./review-row.tsx";
import { ShortcutHint, useShortcuts } from "./shortcuts.tsx";

type ReviewInboxProps = {
  orgId: string;
  view: InboxView;
  onView: (view: InboxView) => void;
  /** The campaign whose reviews alone are shown; those of all without. */
  campaignId?: string;
  /** Header above the list, with the page's actions; on a phone not above a review that is read. */
  header?: (actions: ReactNode) => ReactNode;
  /** Shown below a bad review that is open. */
  question?: ReactNode;
};

/** Inbox of reviews, read and dealt with one after the other. */
export function ReviewInbox(props: ReviewInboxProps) {
  const { orgId, view, onView, campaignId, header = ownRow, question } = props;
  const { supabase } = useApp();
  const mayAnswer = useMay().may("reviews.write");
  const inbox = useKeptList(useQuery(inboxQuery(supabase, orgId, view)));
  const list = inbox.data;
  const items = list?.items ?? [];
  const { review, filters } = view;
  const active = countFilters(filters, campaignId);
  // Without its filters the inbox of a campaign is still that campaign's.
  const unfiltered = campaignId === undefined ? {} : { campaign_id: campaignId };
  const isNarrowed = filters.search !== undefined || active > 0;
  const isEmpty = list !== undefined && items.length === 0 && review === undefined;
  // A list that is empty without filters may have no reviews at all, which needs another message.
  const { data: all } = useQuery({
    ...inboxQuery(supabase, orgId, { filters: unfiltered }),
    enabled: isEmpty && !isNarrowed && filters.state !== undefined,
  });
  const [isFiltering, setIsFiltering] = useState(active > 0);
  const place = useRef<HTMLDivElement>(null);
  // Answers that were begun, by review: going to another one and back loses no word.
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const leaveWarning = useLeaveWarning(Object.keys(drafts).length > 0, true);

  const open = (id: string | undefined, isAnswering = false) =>
    onView({ ...view, review: id, isAnswering });
  const onFilters = (wanted: ReviewFilters) => onView({ filters: wanted, isAnswering: false });
  // A link from elsewhere may name it by another identifier than the list.
  const { data: read } = useQuery({
    ...reviewQuery(supabase, review ?? ""),
    enabled: review !== undefined,
  });
  const current = read?.id ?? review;
  const index = items.findIndex(({ id }) => id === current);
  // Where a review has left the list, the next one has taken its place.
  const lastIndex = useRef(0);
  if (index >= 0) lastIndex.current = index;
  const step = (by: number) => {
    const at = index >= 0 ? index + by : review ? lastIndex.current + Math.min(by, 0) : 0;
    const target = items[at];
    if (target) open(target.id);
  };
  // A review that was dealt with may still stand in the list, or have left it.
  const next = items[index >= 0 ? index + 1 : lastIndex.current] ?? items[0];
  const shortcuts = useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    r: () => mayAnswer && review && open(review, true),
    e: () => place.current?.querySelector<HTMLButtonElement>("[data-key=e]")?.click(),
  });

  // The row that is read stays in sight while one goes through the list.
  useEffect(() => {
    if (current) document.getElementById(`review-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  if (inbox.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(inbox.error, copy.loadFailed)}
        isRetrying={inbox.isFetching}
        onRetry={() => inbox.refetch()}
      />
    );
  }
  return (
    <div className="grid gap-6">
      <div className={review ? "max-lg:sr-only" : ""}>
        {header(
          <div className={review ? "grid max-lg:hidden" : "grid"}>
            <ExportButton
              label={copy.export}
              isIncluded={list?.can_export ?? true}
              order={{ type: "reviews", org_id: orgId, filters }}
            />
          </div>,
        )}
      </div>
      <StaleNotice query={inbox} sentence={copy.loadFailed} />
      <div
        ref={place}
        className={`grid items-start gap-6 ${isEmpty ? "" : "lg:grid-cols-[minmax(20rem,25rem)_minmax(0,1fr)]"}`}
      >
        <div className={`grid min-w-0 gap-4 ${review ? "max-lg:hidden" : ""}`}>
          <div className={`grid gap-4 ${isEmpty ? "lg:max-w-100" : ""}`}>
            <StateTabs
              state={filters.state}
              onState={(state) => {
                const { state: _, ...others } = filters;
                onFilters({ ...others, ...(state && { state }) });
              }}
            />
            <div className="flex gap-3">
              <SearchField
                label={copy.search}
                placeholder={copy.searchPlaceholder}
                value={filters.search ?? ""}
                onSearch={(search) => {
                  const { search: _, ...others } = filters;
                  onFilters({ ...others, ...(search && { search }) });
                }}
              />
              <Button
                variant="secondary"
                aria-expanded={isFiltering}
                onClick={() => setIsFiltering(!isFiltering)}
              >
                <SlidersHorizontal aria-hidden="true" className="size-5" />
                <span className="max-sm:sr-only lg:sr-only">{copy.filters}</span>
                {active > 0 && (
                  <span className="rounded-full bg-violet px-2 text-sm text-on-violet tabular-nums">
                    <span aria-hidden="true">{active}</span>
                    <span className="sr-only">{copy.filter.active(active)}</span>
                  </span>
                )}
              </Button>
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
            <StaleRows isStale={inbox.isStale}>
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
                    onOpen={() => open(item.id)}
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
        <div
          className={`grid min-w-0 gap-4 lg:sticky lg:top-6 ${review ? "" : "max-lg:hidden"} ${isEmpty ? "hidden" : ""}`}
        >
          {review ? (
            <ReviewPanel
              key={review}
              orgId={orgId}
              reviewId={review}
              isAnswering={view.isAnswering}
              draft={drafts[review]}
              onDraft={(text) =>
                setDrafts(({ [review]: _, ...others }) =>
                  text === null ? others : { ...others, [review]: text },
                )
              }
              onAnswering={(isAnswering) => open(review, isAnswering)}
              onOpen={(id) => open(id)}
              onNext={next && next.id !== current ? () => open(next.id) : null}
              onBack={() => open(undefined)}
            />
          ) : (
            <p className="grid min-h-64 place-items-center rounded-card border-2 border-dashed border-line p-6 text-center text-muted">
              {copy.none}
            </p>
          )}
          {review && read && read.rating <= BAD_RATING && question}
          <ShortcutHint {...shortcuts} />
        </div>
      </div>
      {leaveWarning}
    </div>
  );
}

/** Actions above an inbox that has no title of its own. */
function ownRow(actions: ReactNode): ReactNode {
  return <div className="grid sm:flex sm:justify-end">{actions}</div>;
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
  /** Whether nobody has left a review yet. */
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
        {campaignId && mayOpen("/campaigns/$campaignId") && (
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
