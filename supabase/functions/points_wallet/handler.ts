import { type PointsWallet, pointsWalletRequest } from "../_shared/domain/schemas/points.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type WalletRow = {
  outcome: "shown" | "campaign_not_found" | "too_many_attempts";
  body: PointsWallet | null;
  retry_at: Date | null;
};

/** `POST points_wallet { campaign_id, proofs, locale? }`: the points that a phone can prove, and what they buy. */
export const handler = serve(
  { name: "points_wallet", method: "POST", failure: "internal_error" },
  async (request, { sql, now, keyedHash, clientAddress }) => {
    const parsed = await parseBody(request, pointsWalletRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, proofs, locale } = parsed.body;
    const address = keyedHash("address", clientAddress(request));
    const [row] = await sql<WalletRow[]>`
      select * from public.points_wallet(${campaign_id}, ${sql.json(proofs)}, ${address}, ${locale ?? null})`;
    switch (row?.outcome) {
      case "shown":
        return json(row.body);
      case "too_many_attempts":
        return refuse(row.outcome, { retryAfter: secondsUntil(row.retry_at, now()) });
      default:
        return refuse(row?.outcome ?? "internal_error");
    }
  },
);
