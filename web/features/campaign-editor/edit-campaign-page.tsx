import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { CampaignTabs } from "../../ui/campaign/campaign-tabs.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { MissingPage } from "../../ui/states/missing-page.tsx";
import { editorCopy as copy } from "./editor.copy.ts";
import { useRestoreCampaign } from "./editor.mutations.ts";
import { campaignEditorQuery } from "./editor.queries.ts";
import { EditorForm } from "./editor-form.tsx";
import type { EditorPart } from "./editor-part.ts";

type EditCampaignPageProps = {
  campaignId: string;
  /** A reward that is to be put on the wheel. */
  rewardId: string | undefined;
  /** The tab of the campaign's home that is open; the whole form without. */
  part: EditorPart | undefined;
};

/** `/campaigns/{id}/edit` (specification, section 2.15): the campaign and its wheel. */
export function EditCampaignPage({ campaignId, rewardId, part }: EditCampaignPageProps) {
  const { supabase } = useApp();
  const query = useQuery(campaignEditorQuery(supabase, campaignId));
  // Only what was loaded for this form, or asked for again, replaces what is in it.
  const [reloads, setReloads] = useState(0);
  usePageTitle(query.data === null ? copy.notFound.title : copy.title);
  const { campaign, stores } = query.data ?? {};
  const name = campaign?.name;
  const reload = () => void query.refetch().then(() => setReloads(reloads + 1));

  if (query.data === null) {
    return <MissingPage {...copy.notFound} back={copy.back} to="/campaigns" />;
  }
  if (query.isError && !query.data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return (
    <div className="grid gap-6 sm:gap-8">
      <PageHeader
        back={{ to: "/campaigns", label: copy.back }}
        title={(part && name) ?? copy.title}
        text={part ? stores?.find(({ id }) => id === campaign?.store_id)?.name : name}
      />
      {part && <CampaignTabs campaignId={campaignId} current={part} />}
      {!query.data && <ListSkeleton />}
      {query.data?.campaign.archived_at && (
        <ArchivedCampaign id={query.data.campaign.id} onRestored={reload} />
      )}
      {query.data && !query.data.campaign.archived_at && (
        <EditorForm
          key={reloads}
          initial={query.data}
          rewardId={rewardId}
          part={part}
          onReload={reload}
        />
      )}
    </div>
  );
}

/** Notice of an archived campaign: it is read-only until restored. */
function ArchivedCampaign({ id, onRestored }: { id: string; onRestored: () => void }) {
  const restore = useRestoreCampaign(id);
  return (
    <EmptyState title={copy.archived.title} text={copy.archived.text}>
      {restore.isError && <Alert>{copy.failures.restore}</Alert>}
      <Button
        busy={restore.isPending}
        onClick={() => restore.mutate(undefined, { onSuccess: onRestored })}
      >
        {copy.archived.restore}
      </Button>
    </EmptyState>
  );
}
