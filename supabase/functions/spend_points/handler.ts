import { type PointsWallet, spendPointsRequest } from "../_shared/domain/schemas/points.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type SpendRow = {
  outcome:
    | "spent"
    | "campaign_not_found"
    | "points_reward_gone"
    | "points_cost_changed"
    | "points_missing"
    | "points_sold_out"
    | "points_request_reused"
    | "too_many_attempts";
  body: PointsWallet | null;
  retry_at: Date | null;
};

/**
 * `POST spend_points { campaign_id, proofs, reward_id, cost, request_id, locale? }`: spends points that a phone can prove on
 * a reward of the catalogue, once a request. Answers what is left, and the code for the till.
 */
export const handler = serve(
  { name: "spend_points", method: "POST", failure: "internal_error" },
  async (request, { sql, now, keyedHash, clientAddress }) => {
    const parsed = await parseBody(request, spendPointsRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, proofs, reward_id, cost, request_id, locale } = parsed.body;
    const address = keyedHash("address", clientAddress(request));
    const [row] = await sql<SpendRow[]>`
      select * from public.spend_points(
        ${campaign_id}, ${sql.json(proofs)}, ${reward_id}, ${cost}, ${request_id}, ${address}, ${locale ?? null})`;
    switch (row?.outcome) {
      case "spent":
        return json(row.body);
      case "too_many_attempts":
        return refuse(row.outcome, { retryAfter: secondsUntil(row.retry_at, now()) });
      default:
        return refuse(row?.outcome ?? "internal_error");
    }
  },
);
