import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Megaphone, Plus, QrCode, Star, TrendingUp } from "lucide-react";
import type { CampaignList } from "#domain/schemas/back-office.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatNumber, formatShare } from "../../../lib/format.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { ListTools } from "../../../ui/list-table/list-tools.tsx";
import { ArchiveChoice } from "../../../ui/lists/archive-choice.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { type CampaignSearch, campaignListQuery } from "../campaigns.queries.ts";
import { CampaignItems } from "./campaign-items.tsx";

const copy = campaignsCopy.list;

type CampaignsPageProps = {
  orgId: string;
  search: CampaignSearch;
  onSearch: (search: CampaignSearch) => void;
};

/** `/campaigns` (specification, section 2.13). The search is part of the address. */
export function CampaignsPage({ orgId, search, onSearch }: CampaignsPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const list = useKeptList(useQuery(campaignListQuery(supabase, orgId, search)));
  const mayCreate = useMay().mayOpen("/campaigns/new");
  const isEmpty = list.data?.total === 0 && list.data.archived === 0;
  const create = mayCreate && (
    <Link to="/campaigns/new" className={buttonClass()}>
      <Plus aria-hidden="true" className="size-5" />
      {copy.create}
    </Link>
  );

  return (
    <div className="group/list grid gap-6">
      <PageHeader title={copy.title}>
        {!isEmpty && (
          <ExportButton
            label={copy.export}
            isIncluded={list.data?.can_export ?? true}
            order={{
              type: "campaigns",
              org_id: orgId,
              filters: { ...(search.q && { search: search.q }), is_archived: search.isArchived },
            }}
          />
        )}
        {create}
      </PageHeader>
      {list.isError && !list.data ? (
        <LoadProblem
          title={copy.loadFailed}
          text={errorMessage(list.error)}
          onRetry={() => list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : (
        <>
          <StaleNotice query={list} sentence={copy.loadFailed} />
          <CampaignStats list={list.data} />
          <div className="flex flex-wrap items-center gap-3">
            {!isEmpty && (
              <SearchField
                label={copy.search}
                placeholder={copy.search}
                value={search.q}
                onSearch={(q) => onSearch({ ...search, q, page: 1 })}
              />
            )}
            <ArchiveChoice
              copy={copy}
              archived={list.data?.archived}
              isArchived={search.isArchived}
              onChange={(isArchived) => onSearch({ ...search, isArchived, page: 1 })}
            />
            <ListTools />
          </div>
          {list.data ? (
            <StaleRows isStale={list.isStale}>
              <CampaignItems
                orgId={orgId}
                list={list.data}
                search={search}
                mayCreate={mayCreate}
                onPage={(page) => onSearch({ ...search, page })}
                onSort={(sort) => onSearch({ ...search, sort, page: 1 })}
                onClear={() => onSearch({ ...search, q: "", page: 1 })}
              />
            </StaleRows>
          ) : (
            <ListSkeleton />
          )}
        </>
      )}
    </div>
  );
}

/** The four figures above the list; they wait with it. */
function CampaignStats({ list }: { list: CampaignList | undefined }) {
  const figures = list?.figures;
  return (
    <dl
      aria-label={campaignsCopy.list.stats.title}
      className="grid grid-cols-1 gap-3 max-sm:group-has-data-first/list:hidden min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
    >
      <StatCard
        icon={Megaphone}
        label={campaignsCopy.list.stats.active}
        value={list && formatNumber(list.active)}
        hint={list && campaignsCopy.list.stats.ofTotal(formatNumber(list.total))}
      />
      <StatCard
        icon={QrCode}
        label={campaignsCopy.list.stats.scans}
        value={figures && formatNumber(figures.scans)}
      />
      <StatCard
        icon={TrendingUp}
        label={campaignsCopy.list.stats.reviews}
        value={figures && formatNumber(figures.reviews)}
        hint={
          figures &&
          campaignsCopy.list.stats.conversion(formatShare(figures.reviews, figures.scans))
        }
      />
      <StatCard
        icon={Star}
        label={campaignsCopy.list.stats.rating}
        value={figures && formatAverage(figures.rating_sum, figures.reviews)}
        hint={campaignsCopy.list.stats.outOf}
      />
    </dl>
  );
}
