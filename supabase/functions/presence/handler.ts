import type { PresencePass } from "../_shared/domain/schemas/presence.ts";
import { presenceRequest } from "../_shared/domain/schemas/presence.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type PresenceRow = {
  outcome: "proven" | "not_asked" | "presence_wrong" | "too_many_attempts" | "campaign_not_found";
  pass: string | null;
  valid_until: Date | null;
  retry_at: Date | null;
};

/** `POST presence { campaign_id, proof, device_fp }`: exchanges what a store shows for a pass, which `spin_wheel` asks for. */
export const handler = serve(
  { name: "presence", method: "POST", failure: "internal_error" },
  async (request, { sql, now, keyedHash, clientAddress }) => {
    const parsed = await parseBody(request, presenceRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, proof, device_fp } = parsed.body;
    const [row] = await sql<PresenceRow[]>`
      select * from public.prove_presence(
        ${campaign_id}, ${proof}, ${keyedHash("device", device_fp)},
        ${keyedHash("address", clientAddress(request))})`;
    if (!row) return refuse("internal_error");
    switch (row.outcome) {
      case "proven":
      case "not_asked":
        return json({
          pass: row.pass,
          valid_until: row.valid_until?.toISOString() ?? null,
        } satisfies PresencePass);
      case "too_many_attempts":
        return refuse("too_many_attempts", { retryAfter: secondsUntil(row.retry_at, now()) });
      default:
        return refuse(row.outcome);
    }
  },
);
