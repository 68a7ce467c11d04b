import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import type { RewardsView } from "../../../../features/rewards/rewards.queries.ts";
import { RewardsPage } from "../../../../features/rewards/rewards-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { listSort } from "../../../../lib/lists/list-sort.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/rewards/")({
  validateSearch: z.object({
    q: z.catch(z.optional(z.string()), undefined),
    /** The reward that was just made. */
    made: searchId,
    archived: z.catch(z.optional(z.literal(true)), undefined),
    sort: listSort([
      "name",
      "stock",
      "wins",
      "redemptions",
      "rate",
      "max",
      "validity",
      "state",
      "created_at",
    ]),
    page: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Rewards,
});

function Rewards() {
  const { orgId } = Route.useRouteContext();
  const { q = "", archived = false, page = 1, sort, made } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = ({ search, isArchived, page, sort }: RewardsView) =>
    navigate({
      search: {
        q: search || undefined,
        archived: isArchived || undefined,
        page: page > 1 ? page : undefined,
        sort,
      },
      // Typing is not a journey: going back leaves the list.
      replace: search !== q,
    });
  return (
    <RewardsPage
      orgId={orgId}
      view={{ search: q, isArchived: archived, page, sort }}
      madeId={made}
      onView={onView}
    />
  );
}
