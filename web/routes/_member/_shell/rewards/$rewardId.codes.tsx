import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { codeListStatus } from "#domain/schemas/code-status.ts";
import {
  type CodesView,
  RewardCodesPage,
} from "../../../../features/rewards/codes/reward-codes-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { listSort } from "../../../../lib/lists/list-sort.ts";

export const Route = createFileRoute("/_member/_shell/rewards/$rewardId/codes")({
  validateSearch: z.object({
    q: z.catch(z.optional(z.string()), undefined),
    status: z.catch(z.optional(codeListStatus), undefined),
    sort: listSort(["created_at", "expires_at"]),
    page: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Codes,
});

function Codes() {
  const { orgId } = Route.useRouteContext();
  const { rewardId } = Route.useParams();
  const { q = "", status, sort, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = ({ search, status, sort, page }: CodesView) =>
    navigate({
      search: { q: search || undefined, status, sort, page: page > 1 ? page : undefined },
      replace: search !== q,
    });
  return (
    <RewardCodesPage
      key={rewardId}
      orgId={orgId}
      rewardId={rewardId}
      view={{ search: q, status, sort, page }}
      onView={onView}
    />
  );
}
