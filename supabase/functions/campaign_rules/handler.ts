import { readRulesVersion } from "../_shared/domain/schemas/campaign-rules.ts";
import { isSlug } from "../_shared/domain/text/slugify.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `GET campaign_rules?slug=&version=`: the rules of a campaign's draw, in force or as they were in a version;
 * not found for a campaign that neither runs nor was ever played.
 */
export const handler = serve(
  { name: "campaign_rules", method: "GET", failure: "campaign_failed" },
  async (request, { sql }) => {
    const { searchParams } = new URL(request.url);
    const slug = searchParams.get("slug") ?? "";
    const asked = searchParams.get("version");
    const version = asked === null ? null : readRulesVersion(asked);
    if (!isSlug(slug) || (asked !== null && version === null)) return refuse("campaign_not_found");
    const [row] = await sql<{ page: object | null }[]>`
      select public.campaign_rules_page(${slug}, ${version}) as page`;
    return row?.page ? json(row.page) : refuse("campaign_not_found");
  },
);
