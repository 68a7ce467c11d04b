import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { storeChoicesQuery } from "../campaigns.queries.ts";
import type { TemplateKit } from "./new-campaign-form.tsx";
import { NewCampaignForm } from "./new-campaign-form.tsx";

const copy = campaignsCopy.create;

type NewCampaignPageProps<Wheel> = { orgId: string; kit: TemplateKit<Wheel> };

/** `/campaigns/new` (specification, section 2.14). */
export function NewCampaignPage<Wheel>({ orgId, kit }: NewCampaignPageProps<Wheel>) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const { mayOpen } = useMay();
  const hasArchived = useWorkspace()?.has_archived_store ?? false;
  const stores = useQuery(storeChoicesQuery(supabase, orgId));
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/campaigns", label: copy.back }}
        title={copy.title}
        text={copy.text}
      />
      {stores.isPending && <ListSkeleton />}
      {stores.isError && (
        <LoadProblem
          title={copy.storesFailed}
          text={errorMessage(stores.error)}
          onRetry={() => stores.refetch()}
          isRetrying={stores.isFetching}
        />
      )}
      {stores.data?.length === 0 && (
        <EmptyState
          title={copy.noStore.title}
          text={hasArchived ? copy.noStore.archived : copy.noStore.text}
        >
          {mayOpen("/stores/new") &&
            (hasArchived ? (
              <Link to="/stores" search={{ archived: true }} className={buttonClass()}>
                {copy.noStore.toArchived}
              </Link>
            ) : (
              <Link to="/onboarding/store" className={buttonClass()}>
                {copy.noStore.action}
              </Link>
            ))}
        </EmptyState>
      )}
      {stores.data && stores.data.length > 0 && (
        <NewCampaignForm orgId={orgId} stores={stores.data} kit={kit} />
      )}
    </div>
  );
}
