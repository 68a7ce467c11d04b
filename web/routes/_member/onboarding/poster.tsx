import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { PosterEditor } from "../../../features/campaigns/posters/poster-editor.tsx";
import { qrLink } from "../../../features/campaigns/posters/public-link.ts";
import { PosterPage } from "../../../features/onboarding/poster-page.tsx";
import { PublicRatingForm } from "../../../features/stores/public-rating/public-rating-form.tsx";
import { requireBackOffice } from "../../../lib/back-office.ts";
import { searchId } from "../../../lib/search-id.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/poster")({
  // The campaign that was just made.
  validateSearch: z.object({ campaign: searchId }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: PosterStep,
  ...waiting,
});

function PosterStep() {
  const { orgId } = Route.useRouteContext();
  return (
    <PosterPage
      orgId={orgId}
      campaignId={Route.useSearch().campaign}
      posters={(campaign, next) => <PosterEditor campaign={campaign} next={next} />}
      linkOf={qrLink}
      publicRating={(storeId) => <PublicRatingForm storeId={storeId} isWithin />}
    />
  );
}
