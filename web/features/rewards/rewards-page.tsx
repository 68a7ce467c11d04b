import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { formatNumber } from "../../lib/format.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useKeptList } from "../../lib/use-kept-list.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Choice } from "../../ui/choice.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OldRows } from "../../ui/old-rows.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { RewardCard } from "./reward-card.tsx";
import { RewardCards } from "./reward-cards.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { type RewardsView, rewardListQuery } from "./rewards.queries.ts";
import { RewardsEmpty } from "./rewards-empty.tsx";

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
  const mayCreate = useMay().mayOpen("/rewards/new");

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
    <div className="grid gap-8">
      <PageHeader title={rewardsCopy.title} text={rewardsCopy.intro}>
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
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={rewardsCopy.search}
            placeholder={rewardsCopy.searchPlaceholder}
            value={view.search}
            onSearch={onSearch}
          />
          {list && (list.archived > 0 || view.isArchived) && (
            <Choice
              label={rewardsCopy.which}
              options={[
                { name: "in-use", label: rewardsCopy.inUse },
                { name: "archived", label: rewardsCopy.putAway(formatNumber(list.archived)) },
              ]}
              current={view.isArchived ? "archived" : "in-use"}
              onChange={(name) => onView({ ...view, isArchived: name === "archived", page: 1 })}
            />
          )}
        </div>
        {!list && <ListSkeleton />}
        {list?.matches === 0 && <RewardsEmpty view={view} onClear={() => onSearch("")} />}
        {list && list.matches > 0 && (
          <OldRows isOld={rewards.isOld}>
            <ul className="grid gap-4">
              {list.items.map((reward) => (
                <RewardCard key={reward.id} reward={reward} />
              ))}
            </ul>
            <Pager
              page={list.page}
              pages={Math.ceil(list.matches / list.page_size)}
              hasNext={list.page * list.page_size < list.matches}
              onPage={(page) => onView({ ...view, page })}
            />
          </OldRows>
        )}
      </div>
    </div>
  );
}
