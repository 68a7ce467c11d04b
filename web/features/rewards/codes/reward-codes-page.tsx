import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { type CodeListStatus, codeListStatus } from "#domain/schemas/code-status.ts";
import type { ExportRequest } from "#domain/schemas/customers.ts";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { RewardCodes } from "#domain/schemas/rewards.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { ListTools } from "../../../ui/list-table/list-tools.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { Pager } from "../../../ui/lists/pager.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import { rewardCodesQuery } from "../rewards.queries.ts";
import { CodeItems } from "./code-items.tsx";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

/** View in the list's address. */
export type CodesView = {
  search: string;
  status?: CodeListStatus | undefined;
  sort?: string | undefined;
  page: number;
};

/** The states that the list is narrowed down to, and all of them. */
const STATUSES = ["all", ...codeListStatus.options] as const;

type RewardCodesPageProps = {
  orgId: string;
  rewardId: string;
  view: CodesView;
  onView: (view: CodesView) => void;
};

/** `/rewards/{id}/codes`: who won it, and what became of each code. */
export function RewardCodesPage({ orgId, rewardId, view, onView }: RewardCodesPageProps) {
  const { supabase } = useApp();
  const isNamed = useMay().may("customers.read");
  const codes = useKeptList(useQuery(rewardCodesQuery(supabase, { rewardId, ...view })));
  const list = codes.data;
  const title = list ? rewardCodesCopy.titleOf(list.reward.name) : rewardCodesCopy.title;
  usePageTitle(title);

  if (list === null) return <MissingPage {...rewardsCopy.notFound} to="/rewards" />;
  if (codes.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(codes.error, rewardCodesCopy.loadFailed)}
        isRetrying={codes.isFetching}
        onRetry={() => codes.refetch()}
      />
    );
  }
  const onSearch = (search: string) => onView({ ...view, search, page: 1 });
  return (
    <div className="grid gap-8">
      <PageHeader back={{ to: "/rewards", label: rewardsCopy.back }} title={title}>
        <ExportButton
          label={rewardCodesCopy.export}
          isIncluded={list?.can_export ?? true}
          order={orderOf(orgId, rewardId, view)}
          of={list?.reward.name}
        />
        <Button variant="secondary" busy={codes.isRefetching} onClick={() => codes.refetch()}>
          {!codes.isRefetching && <RefreshCw aria-hidden="true" className="size-5" />}
          {rewardCodesCopy.refresh}
        </Button>
      </PageHeader>
      <StaleNotice query={codes} sentence={rewardCodesCopy.loadFailed} />
      <CodeCounts counts={list?.counts} />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-4">
          <div className="flex grow basis-full xl:basis-0">
            <SearchField
              label={rewardCodesCopy.search}
              placeholder={
                isNamed ? rewardCodesCopy.searchPlaceholder : rewardCodesCopy.searchByStart
              }
              value={view.search}
              onSearch={onSearch}
            />
          </div>
          <Choice
            label={rewardCodesCopy.which}
            options={STATUSES.map((name) => ({ name, label: rewardCodesCopy.filters[name] }))}
            current={view.status ?? "all"}
            onChange={(name) =>
              onView({ ...view, status: name === "all" ? undefined : name, page: 1 })
            }
          />
          <ListTools />
        </div>
        {!list && <ListSkeleton />}
        {list?.items.length === 0 && (
          <CodesEmpty
            isSearching={view.search !== "" || view.status !== undefined}
            type={list.reward.type}
            onClear={() => onView({ search: "", sort: view.sort, page: 1 })}
          />
        )}
        {list && list.items.length > 0 && (
          <StaleRows isStale={codes.isStale}>
            <CodeItems
              orgId={orgId}
              list={list}
              sort={view.sort}
              onSort={(sort) => onView({ ...view, sort, page: 1 })}
            />
          </StaleRows>
        )}
        {list && (
          <Pager
            page={list.page}
            hasNext={list.has_next}
            onPage={(page) => onView({ ...view, page })}
          />
        )}
      </div>
    </div>
  );
}

/** Order of an export: all codes of the reward, or those of the search. */
function orderOf(orgId: string, rewardId: string, { search, status }: CodesView): ExportRequest {
  const filters = { reward_id: rewardId, ...(search && { search }), ...(status && { status }) };
  return { type: "redemptions", org_id: orgId, filters };
}

const STATES = ["total", "available", "used", "expired"] as const;

/** How many codes there are, by state, whatever is searched below. */
function CodeCounts({ counts }: { counts: RewardCodes["counts"] | undefined }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {STATES.map((state) => (
        <StatCard
          key={state}
          label={rewardCodesCopy.counts[state]}
          value={counts && formatNumber(counts[state])}
        />
      ))}
    </dl>
  );
}

type CodesEmptyProps = { isSearching: boolean; type: RewardType; onClear: () => void };

/** No code: none matches, none was won yet, or the reward has none. */
function CodesEmpty({ isSearching, type, onClear }: CodesEmptyProps) {
  if (isSearching) {
    return (
      <EmptyState title={rewardCodesCopy.empty.title} text={rewardCodesCopy.empty.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {rewardCodesCopy.empty.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={rewardCodesCopy.empty.title}
      text={type === "points" ? rewardCodesCopy.empty.points : rewardCodesCopy.empty.none}
    />
  );
}
