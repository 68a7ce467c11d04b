import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useCsvExport } from "../../lib/use-csv-export.ts";
import { useKeptList } from "../../lib/use-kept-list.ts";
import { Button } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { OldRows } from "../../ui/old-rows.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { CustomerCards } from "./customer-cards.tsx";
import { CustomerFiltersPanel } from "./customer-filters.tsx";
import { CustomerItems } from "./customer-items.tsx";
import { customersCopy } from "./customers.copy.ts";
import { type CustomersView, customerCountQuery, customerListQuery } from "./customers.queries.ts";
import { CustomersEmpty } from "./customers-empty.tsx";

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
  const hasMore = (list?.has_more_matches ?? false) && !customers.isOld;
  const { data: counted } = useQuery(customerCountQuery(supabase, orgId, view.filters, hasMore));
  const exporting = useCsvExport(customersCopy.exportName);
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
  const onFilters = (filters: CustomersView["filters"]) => onView({ filters });
  const onSearch = (search: string) => onFilters({ ...view.filters, search: search || undefined });
  return (
    <div className="grid gap-8">
      <PageHeader title={customersCopy.title}>
        <ExportButton
          label={customersCopy.export}
          isIncluded={list?.can_export ?? true}
          notIncluded={customersCopy.exportNotIncluded}
          busy={exporting.isPending}
          problem={exporting.isError ? errorMessage(exporting.error) : null}
          onExport={() =>
            exporting.mutate({ type: "customers", org_id: orgId, filters: view.filters })
          }
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
            aria-expanded={isFiltering}
            onClick={() => setIsFiltering(!isFiltering)}
          >
            <SlidersHorizontal aria-hidden="true" className="size-5" />
            {customersCopy.filters}
            {active > 0 && (
              <span className="rounded-full bg-violet px-2 text-sm text-on-violet tabular-nums">
                <span aria-hidden="true">{active}</span>
                <span className="sr-only">{customersCopy.filter.active(active)}</span>
              </span>
            )}
          </Button>
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
          </p>
        )}
        {list?.items.length === 0 && (
          <CustomersEmpty
            isFiltered={Object.keys(view.filters).length > 0}
            onClear={() => onFilters({})}
          />
        )}
        {list && list.items.length > 0 && (
          <OldRows isOld={customers.isOld}>
            <CustomerItems
              list={list}
              onPage={(page) => onView({ filters: view.filters, ...page })}
            />
          </OldRows>
        )}
      </div>
    </div>
  );
}
