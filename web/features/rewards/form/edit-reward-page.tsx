import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import { campaignChoicesQuery, rewardQuery } from "../rewards.queries.ts";
import { toValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";
import { RewardForm } from "./reward-form.tsx";

type EditRewardPageProps = { orgId: string; rewardId: string };

/** `/rewards/{id}/edit`: the same fields, campaigns in any state. */
export function EditRewardPage({ orgId, rewardId }: EditRewardPageProps) {
  usePageTitle(rewardFormCopy.editTitle);
  const { supabase } = useApp();
  const reward = useQuery(rewardQuery(supabase, rewardId));
  const choices = useQuery(campaignChoicesQuery(supabase, orgId));
  // Only what was loaded for this form, or asked for again, replaces what is in it.
  const [reloads, setReloads] = useState(0);

  const failed = [reward, choices].find(({ isError, data }) => isError && data === undefined);
  if (failed) {
    const sentence =
      failed === choices ? rewardFormCopy.campaigns.loadFailed : rewardFormCopy.rewardLoadFailed;
    return (
      <LoadProblem
        text={loadFailure(failed.error, sentence)}
        isRetrying={failed.isFetching}
        onRetry={() => failed.refetch()}
      />
    );
  }
  if (reward.data === null) return <MissingPage {...rewardsCopy.notFound} to="/rewards" />;
  const row = reward.data;
  const isReady = row !== undefined && choices.data !== undefined;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/rewards", label: rewardsCopy.back }}
        title={rewardFormCopy.editTitle}
      />
      {!isReady && <ListSkeleton />}
      {isReady && (
        <RewardForm
          key={reloads}
          orgId={orgId}
          campaigns={choices.data}
          initial={toValues(row)}
          existing={{ id: row.id, version: row.version }}
          onReload={async () => {
            await reward.refetch();
            setReloads(reloads + 1);
          }}
        />
      )}
    </div>
  );
}
