import { createFileRoute } from "@tanstack/react-router";
import {
  type InboxSearch,
  isSameStep,
  readInbox,
  writeInbox,
} from "../../../../features/reviews/inbox-search.ts";
import { ReviewsPage } from "../../../../features/reviews/reviews-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/reviews/")({
  // Read by the screen, which comes later: its rules weigh nothing before.
  validateSearch: (search): InboxSearch => search,
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Reviews,
});

function Reviews() {
  const { orgId } = Route.useRouteContext();
  const view = readInbox(Route.useSearch());
  const navigate = Route.useNavigate();
  return (
    <ReviewsPage
      orgId={orgId}
      view={view}
      onView={(wanted) =>
        navigate({ search: writeInbox(wanted), replace: isSameStep(view, wanted) })
      }
    />
  );
}
