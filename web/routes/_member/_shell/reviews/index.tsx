import { createFileRoute } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import {
  type InboxSearch,
  isSameStep,
  readInbox,
  writeInbox,
} from "../../../../features/reviews/inbox/inbox-search.ts";
import { ReviewsPage } from "../../../../features/reviews/reviews-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/reviews/")({
  // Read by the screen, which comes later: its rules weigh nothing before.
  validateSearch: (search): InboxSearch => search,
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Reviews,
});

/** Put once in the life of an account: in its place nothing, where it does not load. */
const PushQuestion = lazy<(props: { orgId: string }) => ReactNode>(() =>
  import("../../../../features/push/push-question.tsx").then(
    ({ PushQuestion }) => ({ default: PushQuestion }),
    () => ({ default: () => null }),
  ),
);

function Reviews() {
  const { orgId } = Route.useRouteContext();
  const view = readInbox(Route.useSearch());
  const navigate = Route.useNavigate();
  return (
    <ReviewsPage
      orgId={orgId}
      view={view}
      question={
        <Suspense>
          <PushQuestion orgId={orgId} />
        </Suspense>
      }
      onView={(wanted) =>
        navigate({ search: writeInbox(wanted), replace: isSameStep(view, wanted) })
      }
    />
  );
}
