import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";
import { storeChoicesQuery } from "./campaigns.queries.ts";
import { NewCampaignForm } from "./new-campaign-form.tsx";

const copy = campaignsCopy.create;

/** `/campaigns/new` (specification, section 2.14). */
export function NewCampaignPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const stores = useQuery(storeChoicesQuery(supabase, orgId));
  return (
    <div className="mx-auto grid max-w-2xl gap-6">
      <div>
        <Link to="/campaigns" className={`-mt-3 -ml-4 ${buttonClass({ variant: "quiet" })}`}>
          <ArrowLeft aria-hidden="true" className="size-5" />
          {copy.back}
        </Link>
        <PageHeader title={copy.title} />
        <p className="mt-1 text-lg text-pretty text-muted">{copy.text}</p>
      </div>
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
        <EmptyState title={copy.noStore.title} text={copy.noStore.text}>
          <Link to="/onboarding/store" className={buttonClass()}>
            {copy.noStore.action}
          </Link>
        </EmptyState>
      )}
      {stores.data && stores.data.length > 0 && (
        <NewCampaignForm orgId={orgId} stores={stores.data} />
      )}
    </div>
  );
}
