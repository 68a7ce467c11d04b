import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApp } from "../../lib/app-context.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { EMPTY_REWARD } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";
import { RewardForm } from "./reward-form.tsx";
import { RewardPageHeader } from "./reward-page-header.tsx";
import { campaignChoicesQuery } from "./rewards.queries.ts";

const copy = rewardFormCopy.campaigns;

/** `/rewards/new`: a reward is won in a campaign that is active. */
export function NewRewardPage({ orgId }: { orgId: string }) {
  usePageTitle(rewardFormCopy.newTitle);
  const { supabase } = useApp();
  const choices = useQuery(campaignChoicesQuery(supabase, orgId));
  const campaigns = choices.data?.filter(({ active }) => active);

  if (choices.isError && !campaigns) {
    return (
      <LoadProblem
        text={loadFailure(choices.error, copy.loadFailed)}
        isRetrying={choices.isFetching}
        onRetry={() => choices.refetch()}
      />
    );
  }
  return (
    <div className="grid gap-8">
      <RewardPageHeader title={rewardFormCopy.newTitle} />
      {!campaigns && <ListSkeleton />}
      {campaigns?.length === 0 && (
        <EmptyState title={copy.none} text={copy.noneText}>
          <Link to="/campaigns/new" className={buttonClass()}>
            {copy.create}
          </Link>
        </EmptyState>
      )}
      {campaigns?.[0] && (
        <RewardForm
          orgId={orgId}
          campaigns={campaigns}
          // One campaign is no choice.
          initial={{ ...EMPTY_REWARD, campaignId: campaigns.length === 1 ? campaigns[0].id : "" }}
        />
      )}
    </div>
  );
}
