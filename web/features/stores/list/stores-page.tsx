import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquareText, Plus, ScanLine, Star, Store } from "lucide-react";
import type { StoreList } from "#domain/schemas/stores.ts";
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
import { ArchiveChoice } from "../../../ui/lists/archive-choice.tsx";
import { Pager } from "../../../ui/lists/pager.tsx";
import { SearchField } from "../../../ui/lists/search-field.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { storesCopy as copy } from "../stores.copy.ts";
import { type StoresView, storeListQuery } from "../stores.queries.ts";
import { StoreItems } from "./store-items.tsx";

type StoresPageProps = { orgId: string; view: StoresView; onView: (view: StoresView) => void };

/** `/stores`: where campaigns run. */
export function StoresPage({ orgId, view, onView }: StoresPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const stores = useKeptList(useQuery(storeListQuery(supabase, orgId, view)));
  const { mayOpen } = useMay();
  const list = stores.data;

  if (stores.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(stores.error, copy.loadFailed)}
        isRetrying={stores.isFetching}
        onRetry={() => stores.refetch()}
      />
    );
  }
  const onSearch = (search: string) => onView({ ...view, search, page: 1 });
  return (
    <div className="grid gap-8">
      <PageHeader title={copy.title}>
        {mayOpen("/campaigns") && (
          <Link to="/campaigns" className={buttonClass({ variant: "secondary" })}>
            {copy.campaigns}
          </Link>
        )}
        <CreateLink />
      </PageHeader>
      <StaleNotice query={stores} sentence={copy.loadFailed} />
      <StoreCards list={list} />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={copy.search}
            placeholder={copy.searchPlaceholder}
            value={view.search}
            onSearch={onSearch}
          />
          <ArchiveChoice
            copy={copy}
            archived={list?.archived}
            isArchived={view.isArchived}
            onChange={(isArchived) => onView({ ...view, isArchived, page: 1 })}
          />
          <ListTools />
        </div>
        {!list && <ListSkeleton />}
        {list?.matches === 0 && !(view.isArchived && stores.isStale) && (
          <Empty
            view={view}
            hasArchived={list.archived > 0}
            onClear={() => onSearch("")}
            onArchived={() => onView({ ...view, isArchived: true, page: 1 })}
          />
        )}
        {list && list.matches > 0 && (
          <StaleRows isStale={stores.isStale}>
            <StoreItems
              list={list}
              sort={view.sort}
              onSort={(sort) => onView({ ...view, sort, page: 1 })}
            />
            <Pager
              page={list.page}
              pages={Math.ceil(list.matches / list.page_size)}
              hasNext={list.page * list.page_size < list.matches}
              onPage={(page) => onView({ ...view, page })}
            />
          </StaleRows>
        )}
      </div>
    </div>
  );
}

function CreateLink() {
  if (!useMay().mayOpen("/stores/new")) return null;
  return (
    <Link to="/stores/new" className={buttonClass()}>
      <Plus aria-hidden="true" className="size-5" />
      {copy.create}
    </Link>
  );
}

type EmptyProps = {
  view: StoresView;
  hasArchived: boolean;
  onClear: () => void;
  onArchived: () => void;
};

function Empty({ view, hasArchived, onClear, onArchived }: EmptyProps) {
  if (view.search) {
    return (
      <EmptyState title={copy.empty.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {copy.empty.clear}
        </Button>
      </EmptyState>
    );
  }
  if (view.isArchived) return <EmptyState title={copy.empty.archived} />;
  if (hasArchived) {
    const { title, text, action } = copy.empty.allArchived;
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={onArchived}>{action}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={copy.empty.title} text={copy.empty.text}>
      <CreateLink />
    </EmptyState>
  );
}

/** The four figures above the list, whatever is searched below. */
function StoreCards({ list }: { list: StoreList | undefined }) {
  const figures = list?.figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard
        icon={Store}
        label={copy.cards.total}
        value={list && formatNumber(list.total)}
        hint={list && copy.cards.withCampaigns(formatNumber(list.with_active_campaigns))}
      />
      <StatCard
        icon={ScanLine}
        label={copy.cards.scans}
        value={figures && formatNumber(figures.scans)}
      />
      <StatCard
        icon={MessageSquareText}
        label={copy.cards.reviews}
        value={figures && formatNumber(figures.reviews)}
        hint={
          figures !== undefined &&
          figures.scans > 0 &&
          copy.cards.rate(formatShare(figures.reviews, figures.scans))
        }
      />
      <StatCard
        icon={Star}
        label={copy.cards.rating}
        value={figures && formatAverage(figures.rating_sum, figures.reviews)}
        hint={copy.cards.ratingHint}
      />
    </dl>
  );
}
