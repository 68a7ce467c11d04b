import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import { campaignChoicesQuery } from "../rewards.queries.ts";
import { EMPTY_REWARD } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";
import { RewardForm } from "./reward-form.tsx";

const copy = rewardFormCopy.campaigns;

type NewRewardPageProps = {
  orgId: string;
  /** The campaign that one came from. */
  campaignId: string | undefined;
};

/** `/rewards/new`: a reward is won in a campaign that is active. */
export function NewRewardPage({ orgId, campaignId }: NewRewardPageProps) {
  usePageTitle(rewardFormCopy.newTitle);
  const { supabase } = useApp();
  const mayMakeOne = useMay().mayOpen("/campaigns/new");
  const choices = useQuery(campaignChoicesQuery(supabase, orgId));
  const campaigns = choices.data?.filter(({ active }) => active);

  // The one that was meant, where it is active; a single campaign is no choice.
  const chosen =
    campaigns?.find(({ id }) => id === campaignId) ??
    (campaigns?.length === 1 ? campaigns[0] : undefined);

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
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/rewards", label: rewardsCopy.back }}
        title={rewardFormCopy.newTitle}
      />
      {!campaigns && <ListSkeleton />}
      {campaigns?.length === 0 && (
        <EmptyState title={copy.none} text={copy.noneText}>
          {mayMakeOne && (
            <Link to="/campaigns/new" className={buttonClass()}>
              {copy.create}
            </Link>
          )}
        </EmptyState>
      )}
      {campaigns && campaigns.length > 0 && (
        <RewardForm
          orgId={orgId}
          campaigns={campaigns}
          initial={{ ...EMPTY_REWARD, campaignId: chosen?.id ?? "" }}
        />
      )}
    </div>
  );
}
