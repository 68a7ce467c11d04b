import { spinRequest } from "../_shared/domain/schemas/journey.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { rawJson, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type SpinRow = {
  outcome:
    | "spun"
    | "repeated"
    | "campaign_not_found"
    | "review_not_found"
    | "presence_missing"
    | "already_played"
    | "too_many_attempts"
    | "spins_used_up"
    | "nothing_to_draw";
  body: string | null;
  retry_at: Date | null;
};

/**
 * `POST spin_wheel`: one spin, exactly once for a review or a `play_id`; a repeated
 * call answers the same bytes. With `test: true` a draw without consequence (design, section 4).
 */
export const handler = serve(
  { name: "spin_wheel", method: "POST", failure: "draw_failed" },
  async (request, { sql, now, keyedHash, clientAddress }) => {
    const parsed = await parseBody(request, spinRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, review_id, play_id, contact, test, presence, device_fp, locale } =
      parsed.body;
    const address = keyedHash("address", clientAddress(request));

    const [row] = test
      ? await sql<SpinRow[]>`select * from public.test_spin(${campaign_id}, ${address})`
      : await sql<SpinRow[]>`
          select * from public.spin_wheel(
            ${campaign_id}, ${review_id ?? null}, ${play_id ?? null}, ${contact?.name ?? null},
            ${contact?.email ?? null}, ${contact?.phone ?? null}, ${keyedHash("device", device_fp)},
            ${address}, ${presence ?? null}, ${locale ?? null})`;
    if (!row) return refuse("draw_failed");

    switch (row.outcome) {
      case "spun":
      case "repeated":
        return row.body === null ? refuse("record_failed") : rawJson(row.body);
      case "already_played":
        return refuse("already_played", {
          ...(row.retry_at && { details: { next_play_at: row.retry_at.toISOString() } }),
        });
      case "too_many_attempts":
        return refuse("too_many_attempts", { retryAfter: secondsUntil(row.retry_at, now()) });
      default:
        return refuse(row.outcome);
    }
  },
);
