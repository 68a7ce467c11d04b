import { publicReviewClickRequest } from "../_shared/domain/schemas/journey.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { noContent, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/** `POST public_review_click { review_id, campaign_id }`: counts, once a visit, that the public reviews page was opened. */
export const handler = serve(
  { name: "public_review_click", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, publicReviewClickRequest);
    if (!parsed.ok) return parsed.response;
    const { review_id, campaign_id } = parsed.body;
    const [row] = await sql<{ outcome: string }[]>`
      select public.record_public_click(${review_id}, ${campaign_id}) as outcome`;
    return row?.outcome === "review_not_found" ? refuse("review_not_found") : noContent();
  },
);
