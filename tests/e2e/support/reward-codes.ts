import type { Page } from "playwright-core";
import type { Sql } from "postgres";
import type { User } from "../../harness/fixtures.ts";
import { type DesktopOptions, enter } from "./member.ts";
import type { Shop } from "./shop.ts";
import type { TestApp } from "./test-app.ts";

/** `/rewards/{id}/codes`. */

/** Opens the codes of a shop's reward; answers the page. */
export async function open(
  app: TestApp,
  shop: Shop,
  user: User = shop.users.member,
  options: DesktopOptions = {},
) {
  const { page } = await app.desktop(options);
  await openCodes(app, page, shop, user);
  return page;
}

/** Opens them on a page that is there. */
export async function openCodes(app: TestApp, page: Page, shop: Shop, user: User): Promise<void> {
  await enter(app, page, user);
  await page.goto(`/rewards/${shop.reward?.id}/codes`);
  await page.getByRole("heading", { level: 1, name: `Codes : ${shop.reward?.name}` }).waitFor();
}

/** The line of a code. */
export const row = (page: Page, code: string) => page.getByRole("row").filter({ hasText: code });

/** The figures above the list. */
export async function countsOn(page: Page): Promise<string[]> {
  const figures = await page.locator("dl").first().locator("dd").allTextContents();
  return figures.map((figure) => figure.trim());
}

/** Stored state of a code. */
export async function statusOf(sql: Sql, code: string) {
  const [stored] = await sql<{ status: string }[]>`
    select status from public.redemptions where code = ${code}`;
  return stored?.status;
}
