import { campaignPage, forPhones } from "../_shared/domain/schemas/campaign-page.ts";
import {
  closedCampaignPage,
  closedIn,
  organizationIn,
  organizationPage,
} from "../_shared/domain/schemas/open-wheels.ts";
import { FIRST_LANGUAGE, languageSchema } from "../_shared/domain/text/languages.ts";
import { isSlug } from "../_shared/domain/text/slugify.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `GET campaign?slug=`: all that the public may know of a running campaign (design, section 4), in the language of `&lang=`,
 * else as the merchant wrote it; with `&closed`, of one that does not run. `GET campaign?organization=`: the open campaigns
 * of an organisation, by its slug.
 */
export const handler = serve(
  { name: "campaign", method: "GET", failure: "campaign_failed" },
  async (request, { sql }) => {
    const query = new URL(request.url).searchParams;
    const language = languageSchema.safeParse(query.get("lang")).data ?? FIRST_LANGUAGE;
    const organization = query.get("organization");
    if (organization !== null) {
      if (!isSlug(organization)) return refuse("not_found");
      const [row] = await sql<{ page: object | null }[]>`
        select public.organization_page(${organization}) as page`;
      if (!row?.page) return refuse("not_found");
      return json(organizationIn(organizationPage.parse(row.page), language));
    }
    const slug = query.get("slug");
    if (!slug || !isSlug(slug)) return refuse("campaign_not_found");
    const isClosed = query.has("closed");
    const [row] = isClosed
      ? await sql<{ page: object | null }[]>`select public.closed_campaign_page(${slug}) as page`
      : await sql<{ page: object | null }[]>`select public.campaign_page(${slug}) as page`;
    if (!row?.page) return refuse("campaign_not_found");
    if (isClosed) return json(closedIn(closedCampaignPage.parse(row.page), language));
    return json(forPhones(campaignPage.parse(row.page), language));
  },
);
