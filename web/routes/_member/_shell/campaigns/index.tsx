import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { campaignListQuery } from "../../../../features/campaigns/campaigns.queries.ts";
import { CampaignsPage } from "../../../../features/campaigns/list/campaigns-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { listSort } from "../../../../lib/lists/list-sort.ts";
import { mayOpen } from "../../../../lib/screens.ts";

const search = z.object({
  q: z.catch(z.optional(z.string()), undefined),
  archived: z.catch(z.optional(z.literal(true)), undefined),
  page: z.catch(z.optional(z.number().check(z.int(), z.positive())), undefined),
  sort: listSort(["name", "store", "scans", "reviews", "spins", "redemptions", "created_at"]),
});

/** View in the address, with its defaults. */
function wanted({ q = "", archived, page = 1, sort }: z.infer<typeof search>) {
  return { q, isArchived: archived === true, page, sort };
}

export const Route = createFileRoute("/_member/_shell/campaigns/")({
  validateSearch: search,
  beforeLoad: ({ context }) => requireBackOffice(context),
  loaderDeps: ({ search }) => wanted(search),
  // Begun here, awaited by the page, which shows its skeleton meanwhile.
  loader: ({ context: { queryClient, supabase, orgId, permissions }, deps }) => {
    if (!mayOpen(permissions, "/campaigns")) return;
    void queryClient.prefetchQuery(campaignListQuery(supabase, orgId, deps));
  },
  component: Campaigns,
});

function Campaigns() {
  const navigate = Route.useNavigate();
  return (
    <CampaignsPage
      orgId={Route.useRouteContext().orgId}
      search={wanted(Route.useSearch())}
      onSearch={({ q, isArchived, page, sort }) =>
        void navigate({
          search: {
            q: q || undefined,
            archived: isArchived || undefined,
            page: page === 1 ? undefined : page,
            sort,
          },
          replace: true,
        })
      }
    />
  );
}
