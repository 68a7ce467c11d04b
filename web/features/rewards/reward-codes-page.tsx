import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Button } from "../../ui/button.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { CodeCounts } from "./code-counts.tsx";
import { CodeRow } from "./code-row.tsx";
import { CodesEmpty } from "./codes-empty.tsx";
import { loadFailure } from "./load-failure.ts";
import { rewardCodesCopy } from "./reward-codes.copy.ts";
import { RewardMissing } from "./reward-missing.tsx";
import { RewardPageHeader } from "./reward-page-header.tsx";
import { rewardCodesQuery } from "./rewards.queries.ts";

/** What the address says of the list. */
export type CodesView = { search: string; page: number };

type RewardCodesPageProps = {
  rewardId: string;
  view: CodesView;
  onView: (view: CodesView) => void;
};

/** `/rewards/{id}/codes`: who won it, and what became of each code. */
export function RewardCodesPage({ rewardId, view, onView }: RewardCodesPageProps) {
  const { supabase } = useApp();
  const codes = useQuery(rewardCodesQuery(supabase, { rewardId, ...view }));
  const list = codes.data;
  const title = list ? rewardCodesCopy.titleOf(list.reward.name) : rewardCodesCopy.title;
  usePageTitle(title);

  if (list === null) return <RewardMissing />;
  if (codes.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(codes.error, rewardCodesCopy.loadFailed)}
        isRetrying={codes.isFetching}
        onRetry={() => codes.refetch()}
      />
    );
  }
  const onSearch = (search: string) => onView({ search, page: 1 });
  return (
    <div className="grid gap-8">
      <RewardPageHeader title={title}>
        <Button variant="secondary" busy={codes.isRefetching} onClick={() => codes.refetch()}>
          {!codes.isRefetching && <RefreshCw aria-hidden="true" className="size-5" />}
          {rewardCodesCopy.refresh}
        </Button>
      </RewardPageHeader>
      <CodeCounts counts={list?.counts} />
      <div className="grid gap-4">
        <SearchField
          label={rewardCodesCopy.search}
          placeholder={rewardCodesCopy.searchPlaceholder}
          value={view.search}
          onSearch={onSearch}
        />
        {!list && <ListSkeleton />}
        {list?.items.length === 0 && (
          <CodesEmpty
            isSearching={view.search !== ""}
            type={list.reward.type}
            onClear={() => onSearch("")}
          />
        )}
        {list && list.items.length > 0 && (
          <ul aria-busy={codes.isPlaceholderData} className="grid gap-3">
            {list.items.map((item) => (
              <CodeRow key={item.id} item={item} />
            ))}
          </ul>
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
