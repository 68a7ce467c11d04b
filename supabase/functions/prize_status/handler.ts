import { prizeStatusRequest } from "../_shared/domain/schemas/prize.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { verdictCopy } from "./verdict.copy.ts";

/** Answer of the SQL function: what the phone reads, and what a check led to. */
type PrizeRow = Record<string, unknown> & { verdict: "held" | "cancelled" | null };

/** `POST prize_status { campaign_id, spin_id, nonce }`: whether a prize that a phone keeps still waits. */
export const handler = serve(
  { name: "prize_status", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, prizeStatusRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, spin_id, nonce } = parsed.body;
    const [row] = await sql<{ status: PrizeRow | null }[]>`
      select public.prize_status(${campaign_id}, ${spin_id}, ${nonce}) as status`;
    if (!row?.status) return refuse("prize_not_found");
    const { verdict, ...status } = row.status;
    return json({ ...status, ...(verdict && verdictCopy[verdict]) });
  },
);
