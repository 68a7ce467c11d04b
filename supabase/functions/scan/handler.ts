import { scanRequest } from "../_shared/domain/schemas/journey.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { recordScan } from "../_shared/http/record-scan.ts";
import { noContent, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/** `POST scan { slug, source }`: counts a visit through a printed code or a link, once in half an hour. */
export const handler = serve(
  { name: "scan", method: "POST", failure: "campaign_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, scanRequest);
    if (!parsed.ok) return parsed.response;
    const outcome = await recordScan(deps, request, parsed.body.slug, parsed.body.source);
    return outcome === "campaign_not_found" ? refuse("campaign_not_found") : noContent();
  },
);
