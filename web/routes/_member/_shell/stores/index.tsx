import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { StoresPage } from "../../../../features/stores/list/stores-page.tsx";
import type { StoresView } from "../../../../features/stores/stores.queries.ts";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { listSort } from "../../../../lib/lists/list-sort.ts";

export const Route = createFileRoute("/_member/_shell/stores/")({
  validateSearch: z.object({
    q: z.catch(z.optional(z.string()), undefined),
    archived: z.catch(z.optional(z.literal(true)), undefined),
    sort: listSort(["name", "scans", "reviews", "rating", "created_at"]),
    page: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Stores,
});

function Stores() {
  const { orgId } = Route.useRouteContext();
  const { q = "", archived = false, page = 1, sort } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = ({ search, isArchived, page, sort }: StoresView) =>
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
    <StoresPage
      orgId={orgId}
      view={{ search: q, isArchived: archived, page, sort }}
      onView={onView}
    />
  );
}
