import type { Locator, Page } from "playwright-core";
import type { Sql } from "postgres";
import type { Shop } from "./shop.ts";

/** The editor of a campaign and its wheel, as a test finds them on the screen. */

export const editPath = (shop: Shop) => `/campaigns/${shop.campaign.id}/edit`;
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const segment = (page: Page, place: number) =>
  page.getByRole("group", { name: `Segment ${place}` });
export const weight = (page: Page, place: number) =>
  segment(page, place).getByLabel("Probabilité en %");
export const save = (page: Page) =>
  page.getByRole("button", { name: "Enregistrer", exact: true }).click();
export const total = (page: Page, percent: number) =>
  page.getByText(`Total : ${percent} %`).waitFor();

/** Whether an element is in sight, and nothing in front of it. */
export function isSeen(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

/** Label, colour, weight and whether it wins of each segment of a campaign, in order. */
export async function wheel(sql: Sql, id: string) {
  const rows = await sql`
    select label, color, weight, reward_id is not null as wins from public.wheel_segments
    where campaign_id = ${id} order by position`;
  return rows.map(({ label, color, weight, wins }) => [label, color, weight, wins]);
}

/** Stored fields of a campaign, without its wheel. */
export async function stored(sql: Sql, id: string) {
  const [row] = await sql`
    select name, slug, store_id, active, starts_at, ends_at, description, play_interval_days
    from public.campaigns where id = ${id}`;
  return row;
}
