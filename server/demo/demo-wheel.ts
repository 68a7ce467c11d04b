import type { Sql } from "postgres";
import { campaignPage } from "#domain/schemas/campaign-page.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";

/** The segments of the demo's wheel without pictures, which the landing page has no room for; null where the campaign is not open. */
export async function readWheel(sql: Sql, slug: string): Promise<readonly PublicSegment[] | null> {
  const [row] = await sql<{ page: unknown }[]>`select public.campaign_page(${slug}) as page`;
  const page = campaignPage.safeParse(row?.page).data;
  return page && page.segments.length > 0
    ? page.segments.map(({ picture: _, ...segment }) => segment)
    : null;
}
