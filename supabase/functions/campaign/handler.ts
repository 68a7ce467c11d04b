import { isSlug } from "../_shared/domain/text/slugify.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `GET campaign?slug=`: all that the public may know of a running campaign (design, section 4); with `&closed`, of one that
 * does not run.
 */
export const handler = serve(
  { name: "campaign", method: "GET", failure: "campaign_failed" },
  async (request, { sql }) => {
    const query = new URL(request.url).searchParams;
    const slug = query.get("slug");
    if (!slug || !isSlug(slug)) return refuse("campaign_not_found");
    const [row] = query.has("closed")
      ? await sql<{ page: object | null }[]>`select public.closed_campaign_page(${slug}) as page`
      : await sql<{ page: object | null }[]>`select public.campaign_page(${slug}) as page`;
    return row?.page ? json(row.page) : refuse("campaign_not_found");
  },
);
