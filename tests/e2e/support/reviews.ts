import type { Page } from "playwright-core";
import type { Sql } from "postgres";
import type { User } from "../../harness/fixtures.ts";
import { review } from "../../harness/journey.ts";
import { enter } from "./member.ts";
import { createShop, type Shop } from "./shop.ts";
import type { TestApp } from "./test-app.ts";

/** The inbox of reviews. */

/** Reviews of a shop, the last one newest. */
export async function shopWithReviews(
  sql: Sql,
  reviews: readonly (Partial<Parameters<typeof review>[1]> & { words?: string })[],
): Promise<Shop & { reviewIds: string[] }> {
  const shop = await createShop(sql);
  const reviewIds: string[] = [];
  for (const { words, ...parts } of reviews) {
    const { review_id: id } = await review(sql, {
      campaignId: shop.campaign.id,
      rating: 2,
      ...parts,
    });
    if (words) await sql`select public.record_feedback(${id}, ${words})`;
    reviewIds.push(id ?? "");
  }
  return { ...shop, reviewIds };
}

/** Four reviews, of which the last two have words. */
export const FOUR = [
  { firstName: "Denis", rating: 5 },
  { firstName: "Chloé", rating: 3 },
  { firstName: "Bruno", rating: 1, words: "Personne à l'accueil pendant dix minutes." },
  { firstName: "Anaïs", rating: 2, words: "Le café était froid, et le service très lent." },
];

/** The review that is open. */
export const panel = (page: Page) => page.getByRole("region", { name: "Avis choisi" });

/** The lines of the list. */
export const rows = (page: Page) => page.getByRole("list", { name: "Avis" }).getByRole("listitem");

/** Opens the inbox, or what a path says of it. */
export async function openReviews(
  app: TestApp,
  device: "phone" | "desktop",
  user: User,
  path = "/reviews",
  expected = {},
) {
  const { page } = await app[device](expected);
  await enter(app, page, user);
  await page.goto(path);
  return page;
}
