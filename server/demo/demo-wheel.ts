import type { Sql } from "postgres";
import { type PublicSegment, publicCampaign } from "#domain/schemas/public-page.ts";

/** The segments of the demo's wheel, as its own page shows them; null where the campaign is not open. */
export async function readWheel(sql: Sql, slug: string): Promise<readonly PublicSegment[] | null> {
  const [row] = await sql<{ page: unknown }[]>`select public.campaign_page(${slug}) as page`;
  const segments = publicCampaign.safeParse(row?.page).data?.segments ?? [];
  return segments.length > 0 ? segments : null;
}
