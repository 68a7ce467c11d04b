import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleDot, Mail, SlidersHorizontal, Star, Users } from "lucide-react";
import { useState } from "react";
import type { CustomerList } from "#domain/schemas/customers.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListTools } from "../../../ui/list-table/list-tools.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { type CustomersView, customerCountQuery, customerListQuery } from "../customers.queries.ts";
import { CustomerFiltersPanel } from "./customer-filters-panel.tsx";
import { CustomerItems } from "./customer-items.tsx";
import { customersCopy } from "./customers.copy.ts";

type CustomersPageProps = {
  orgId: string;
  view: CustomersView;
  onView: (view: CustomersView) => void;
};

/** How many filters are set beside the search. */
function countFilters({ search: _, ...filters }: CustomersView["filters"]): number {
  return Object.values(filters).filter((value) => value !== undefined).length;
}

/** `/customers`: who took part, and how to find them. */
export function CustomersPage({ orgId, view, onView }: CustomersPageProps) {
  usePageTitle(customersCopy.title);
  const { supabase } = useApp();
  const customers = useKeptList(useQuery(customerListQuery(supabase, orgId, view)));
  const list = customers.data;
  const hasMore = (list?.has_more_matches ?? false) && !customers.isStale;
  const { data: counted } = useQuery(customerCountQuery(supabase, orgId, view.filters, hasMore));
  const active = countFilters(view.filters);
  const [isFiltering, setIsFiltering] = useState(active > 0);

  if (customers.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(customers.error, customersCopy.loadFailed)}
        isRetrying={customers.isFetching}
        onRetry={() => customers.refetch()}
      />
    );
  }
  const onFilters = (filters: CustomersView["filters"]) => onView({ filters, sort: view.sort });
  const onSearch = (search: string) => onFilters({ ...view.filters, search: search || undefined });
  return (
    <div className="group/list grid gap-8">
      <PageHeader title={customersCopy.title} isAside>
        <ExportButton
          label={customersCopy.export}
          isIncluded={list?.can_export ?? true}
          order={{ type: "customers", org_id: orgId, filters: view.filters }}
        />
      </PageHeader>
      <StaleNotice query={customers} sentence={customersCopy.loadFailed} />
      <CustomerCards list={list} />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={customersCopy.search}
            placeholder={customersCopy.searchPlaceholder}
            value={view.filters.search ?? ""}
            onSearch={onSearch}
          />
          <Button
            variant="secondary"
            className="min-h-12"
            aria-expanded={isFiltering}
            onClick={() => setIsFiltering(!isFiltering)}
          >
            <SlidersHorizontal aria-hidden="true" className="size-5 max-sm:hidden" />
            {customersCopy.filters}
            {active > 0 && (
              <span className="rounded-full bg-violet px-2 text-sm text-on-violet tabular-nums">
                <span aria-hidden="true">{active}</span>
                <span className="sr-only">{customersCopy.filter.active(active)}</span>
              </span>
            )}
          </Button>
          <ListTools />
        </div>
        {isFiltering && (
          <CustomerFiltersPanel
            filters={view.filters}
            stores={list?.stores ?? []}
            onFilters={onFilters}
          />
        )}
        {!list && <ListSkeleton />}
        {list && (
          <p role="status" className="text-muted tabular-nums">
            {hasMore && counted
              ? customersCopy.found(counted.matches, counted.is_estimate ? "about" : "exactly")
              : customersCopy.found(list.matches, list.has_more_matches ? "more" : "exactly")}
            {view.sort?.endsWith("activity") && ` · ${customersCopy.byDay}`}
          </p>
        )}
        {list?.items.length === 0 && (
          <CustomersEmpty
            isFiltered={Object.keys(view.filters).length > 0}
            onClear={() => onFilters({})}
          />
        )}
        {list && list.items.length > 0 && (
          <StaleRows isStale={customers.isStale}>
            <CustomerItems
              orgId={orgId}
              list={list}
              sort={view.sort}
              onSort={(sort) => onView({ filters: view.filters, sort })}
              onPage={(page) => onView({ filters: view.filters, sort: view.sort, ...page })}
            />
          </StaleRows>
        )}
      </div>
    </div>
  );
}

/** The four figures above the list, whatever is searched below. */
function CustomerCards({ list }: { list: CustomerList | undefined }) {
  const totals = list?.totals;
  return (
    <dl className="grid grid-cols-2 gap-3 max-sm:group-has-data-first/list:hidden sm:gap-4 lg:grid-cols-4">
      <StatCard
        icon={Users}
        label={customersCopy.cards.total}
        value={totals && formatNumber(totals.customers)}
      />
      <StatCard
        icon={Mail}
        label={customersCopy.cards.consent}
        value={totals && formatShare(totals.consents, totals.customers)}
        hint={totals && customersCopy.cards.consentHint(totals.consents)}
      />
      <StatCard
        icon={Star}
        label={customersCopy.cards.rating}
        value={totals && formatAverage(totals.rating_sum, totals.reviews)}
        hint={customersCopy.cards.ratingHint}
      />
      <StatCard
        icon={CircleDot}
        label={customersCopy.cards.participation}
        value={totals && formatShare(totals.participants, totals.customers)}
        hint={customersCopy.cards.participationHint}
      />
    </dl>
  );
}

/** A list without customers: none match, or there are none yet. */
function CustomersEmpty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const mayFollow = useMay().mayOpen("/campaigns");
  if (isFiltered) {
    return (
      <EmptyState title={customersCopy.empty.noMatch} text={customersCopy.empty.noMatchText}>
        <Button variant="secondary" onClick={onClear}>
          {customersCopy.empty.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState isFirst title={customersCopy.empty.title} text={customersCopy.empty.text}>
      {mayFollow && (
        <Link to="/campaigns" className={buttonClass()}>
          {customersCopy.empty.campaigns}
        </Link>
      )}
    </EmptyState>
  );
}
