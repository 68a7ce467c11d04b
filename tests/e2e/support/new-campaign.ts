import type { Page } from "playwright-core";
import type { Sql } from "postgres";

/** The screen of a new campaign. */

/** The button that makes the campaign. */
export const create = (page: Page) => page.getByRole("button", { name: "Créer la campagne" });

/** Says what the campaign begins with. */
export const choose = (page: Page, origin: string) =>
  page.getByText(origin, { exact: true }).click();

/** The segments of a campaign with what they win. */
export const wheelOf = async (sql: Sql, orgId: string, name: string) => [
  ...(await sql`
    select w.label, w.weight::int, r.name as prize, r.stock, r.campaign_id = c.id as own, c.active
    from public.campaigns c join public.wheel_segments w on w.campaign_id = c.id
    left join public.rewards r on r.id = w.reward_id
    where c.org_id = ${orgId} and c.name = ${name} order by w.position`),
];
