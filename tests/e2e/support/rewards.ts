import type { Page } from "playwright-core";
import type { Sql } from "postgres";
import type { Shop } from "./shop.ts";

/** `/rewards`. */

/** Takes an action of a reward's menu. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions pour ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Whether a reward can be won, and whether it is archived. */
export async function rewardOf(sql: Sql, name: string, shop: Shop) {
  const [row] = await sql<{ active: boolean; archived_at: Date | null }[]>`
    select active, archived_at from public.rewards where org_id = ${shop.id} and name = ${name}`;
  return row;
}
