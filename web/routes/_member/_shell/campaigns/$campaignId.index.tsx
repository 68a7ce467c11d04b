import { createFileRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Suspense } from "react";
import * as z from "zod/mini";
import { campaignStatsQuery } from "../../../../features/campaigns/figures/campaign-figures.queries.ts";
import { CampaignFiguresPage } from "../../../../features/campaigns/figures/campaign-figures-page.tsx";
import {
  type InboxSearch,
  isSameStep,
  readInbox,
  writeInbox,
} from "../../../../features/reviews/inbox/inbox-search.ts";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";
import { useMay } from "../../../../lib/use-may.ts";
import { ListSkeleton } from "../../../../ui/states/list-skeleton.tsx";

const Inbox = lazyRouteComponent(
  () => import("../../../../features/reviews/inbox/review-inbox.tsx"),
  "ReviewInbox",
);

/** Tab beside the campaign's name. */
const tab = z.catch(z.optional(z.enum(["posters", "reviews"])), undefined);

/** Screen whose permission a tab asks, beside that of the campaign's home. */
const SCREEN_OF_TAB = { posters: "/campaigns", reviews: "/reviews" } as const;

type CampaignSearch = Omit<InboxSearch, "review" | "campaign"> & {
  tab?: z.infer<typeof tab>;
  /** The review that the user came to read. */
  review?: string | undefined;
};

export const Route = createFileRoute("/_member/_shell/campaigns/$campaignId/")({
  // Parameters of the inbox are read by the inbox.
  validateSearch: (search): CampaignSearch => ({
    ...search,
    tab: tab.parse(search.tab),
    review: searchId.parse(search.review),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  // Begun here, awaited by the page, which shows its skeleton meanwhile.
  loader: ({ context: { queryClient, supabase }, params }) => {
    void queryClient.prefetchQuery(campaignStatsQuery(supabase, params.campaignId));
  },
  component: Figures,
});

function Figures() {
  const { campaignId } = Route.useParams();
  const { tab, review } = Route.useSearch();
  const { mayOpen } = useMay();
  const isOpen = tab && mayOpen(SCREEN_OF_TAB[tab]);
  return (
    <CampaignFiguresPage
      key={campaignId}
      campaignId={campaignId}
      tab={isOpen ? tab : "overview"}
      reviewId={review}
      inbox={
        <Suspense fallback={<ListSkeleton />}>
          <CampaignInbox campaignId={campaignId} />
        </Suspense>
      }
    />
  );
}

/** The inbox of one campaign. */
function CampaignInbox({ campaignId }: { campaignId: string }) {
  const { orgId } = Route.useRouteContext();
  const view = readInbox({ ...Route.useSearch(), campaign: campaignId });
  const navigate = Route.useNavigate();
  return (
    <Inbox
      orgId={orgId}
      view={view}
      campaignId={campaignId}
      onView={(wanted) => {
        const { campaign: _, ...search } = writeInbox(wanted);
        return navigate({
          search: { ...search, tab: "reviews" },
          replace: isSameStep(view, wanted),
        });
      }}
    />
  );
}
