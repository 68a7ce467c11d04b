import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Coins, Gift, Percent, Plus, TicketCheck, Trophy } from "lucide-react";
import { type ComponentType, lazy, Suspense } from "react";
import type { RewardList } from "#domain/schemas/rewards.ts";
import { useApp } from "../../lib/app-context.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { useKeptList } from "../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ListTools } from "../../ui/list-table/list-tools.tsx";
import { ArchiveChoice } from "../../ui/lists/archive-choice.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../ui/states/stale-rows.tsx";
import { RewardItems } from "./reward-items.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { type RewardsView, rewardListQuery } from "./rewards.queries.ts";

/** Beside the list, which does not wait for it, and is there without it. */
const PrizeChecks = lazy<ComponentType<{ orgId: string }>>(() =>
  import("./checks/prize-checks.tsx").then(
    ({ PrizeChecks }) => ({ default: PrizeChecks }),
    () => ({ default: () => null }),
  ),
);

type RewardsPageProps = {
  orgId: string;
  view: RewardsView;
  /** The reward that was just made. */
  madeId: string | undefined;
  onView: (view: RewardsView) => void;
};

/** `/rewards`: what can be won, and how it does. */
export function RewardsPage({ orgId, view, madeId, onView }: RewardsPageProps) {
  usePageTitle(rewardsCopy.title);
  const { supabase } = useApp();
  const rewards = useKeptList(useQuery(rewardListQuery(supabase, { orgId, ...view })));
  const list = rewards.data;
  const made = list?.items.find(({ id }) => id === madeId);
  const { may, mayOpen } = useMay();
  const mayCreate = mayOpen("/rewards/new");

  if (rewards.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(rewards.error, rewardsCopy.loadFailed)}
        isRetrying={rewards.isFetching}
        onRetry={() => rewards.refetch()}
      />
    );
  }

  const onSearch = (search: string) => onView({ ...view, search, page: 1 });
  return (
    <div className="group/list grid gap-8">
      <PageHeader title={rewardsCopy.title} text={rewardsCopy.intro}>
        <Link to="/rewards/points" className={buttonClass({ variant: "secondary" })}>
          <Coins aria-hidden="true" className="size-5" />
          {rewardsCopy.points}
        </Link>
        {mayCreate && (
          <Link to="/rewards/new" className={buttonClass()}>
            <Plus aria-hidden="true" className="size-5" />
            {rewardsCopy.create}
          </Link>
        )}
      </PageHeader>
      {made && (
        <Notice tone="done">
          <p>{rewardsCopy.made(made.name)}</p>
          {made.is_off_wheel && <p className="font-normal">{rewardsCopy.madeOffWheel}</p>}
        </Notice>
      )}
      <StaleNotice query={rewards} sentence={rewardsCopy.loadFailed} />
      <RewardCards list={list} />
      {may("codes.read") && (
        <Suspense>
          <PrizeChecks orgId={orgId} />
        </Suspense>
      )}
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={rewardsCopy.search}
            placeholder={rewardsCopy.searchPlaceholder}
            value={view.search}
            onSearch={onSearch}
          />
          <ArchiveChoice
            copy={rewardsCopy}
            archived={list?.archived}
            isArchived={view.isArchived}
            onChange={(isArchived) => onView({ ...view, isArchived, page: 1 })}
          />
          <ListTools />
        </div>
        {!list && <ListSkeleton />}
        {list?.matches === 0 && (
          <RewardsEmpty view={view} isFirst={list.archived === 0} onClear={() => onSearch("")} />
        )}
        {list && list.matches > 0 && (
          <StaleRows isStale={rewards.isStale}>
            <RewardItems
              orgId={orgId}
              rewards={list.items}
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

/** The four figures above the list, whatever is searched below. */
function RewardCards({ list }: { list: RewardList | undefined }) {
  const figures = list?.figures;
  return (
    <dl className="grid grid-cols-2 gap-3 max-sm:group-has-data-first/list:hidden sm:gap-4 lg:grid-cols-4">
      <StatCard
        icon={Gift}
        label={rewardsCopy.cards.total}
        value={list && formatNumber(list.total)}
      />
      <StatCard
        icon={Trophy}
        label={rewardsCopy.cards.wins}
        value={figures && formatNumber(figures.wins)}
      />
      <StatCard
        icon={TicketCheck}
        label={rewardsCopy.cards.redemptions}
        value={figures && formatNumber(figures.redemptions)}
      />
      <StatCard
        icon={Percent}
        label={rewardsCopy.cards.rate}
        value={figures && formatShare(figures.redemptions, figures.wins)}
        hint={
          figures && figures.codes > 0 && figures.codes < figures.wins
            ? rewardsCopy.cards.rateWithoutPoints(formatShare(figures.redemptions, figures.codes))
            : rewardsCopy.cards.rateHint
        }
      />
    </dl>
  );
}

type RewardsEmptyProps = { view: RewardsView; isFirst: boolean; onClear: () => void };

/** A list without rewards: none match, none were archived, or there are none yet. */
function RewardsEmpty({ view, isFirst, onClear }: RewardsEmptyProps) {
  const mayCreate = useMay().mayOpen("/rewards/new");
  if (view.search) {
    return (
      <EmptyState title={rewardsCopy.empty.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {rewardsCopy.empty.clear}
        </Button>
      </EmptyState>
    );
  }
  if (view.isArchived)
    return <EmptyState title={rewardsCopy.empty.archived} text={rewardsCopy.empty.archivedText} />;
  return (
    <EmptyState isFirst={isFirst} title={rewardsCopy.empty.title} text={rewardsCopy.empty.text}>
      {mayCreate && (
        <Link to="/rewards/new" className={buttonClass()}>
          {rewardsCopy.create}
        </Link>
      )}
    </EmptyState>
  );
}
