import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { giveRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { haveCustomers, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Bad reviews on the dashboard: one at a time, each at its line. */

const app = setUpTestApp();

const list = (page: Page) => page.getByRole("list", { name: "Avis à voir" });
const line = (page: Page, name: string) =>
  list(page).getByRole("listitem").filter({ hasText: name });

it("bad reviews are listed with their words, marked as seen one by one, and put back", async () => {
  const shop = await createShop(app.sql);
  const { cashier, owner } = shop.users;
  await haveCustomers(app.sql, shop.campaign, { cashier, ratings: [1, 2, 3, 2, 5] });
  await app.sql`
    update public.pre_spin_reviews set review_text = 'Le café était froid, et le service très lent.'
    where org_id = ${shop.id} and customer_name = 'Anaïs Le Goff 3'`;
  const unseen = async () => {
    const rows = await app.sql`
      select customer_name as name from public.pre_spin_reviews
      where org_id = ${shop.id} and rating <= 3 and seen_at is null order by customer_name`;
    return rows.map(({ name }) => name);
  };
  const page = await openAs(app, owner, "/dashboard");
  await page
    .getByRole("heading", { name: "4 avis de 3 étoiles ou moins vous attendent" })
    .waitFor();
  expect(await list(page).getByRole("listitem").count()).toBe(3);
  await line(page, "Anaïs Le Goff 3").getByText("Le café était froid").waitFor();
  // The number beside the inbox is the same, and all of them are one click away.
  const inbox = page.getByRole("link", { name: "Voir tous les avis à traiter" });
  expect(await inbox.getAttribute("href")).toBe("/reviews");
  await page.getByRole("link", { name: /^Avis\s*4/ }).waitFor();
  await checkLightAndDark(page, "bad reviews");

  const button = (name: string, action: string) =>
    line(page, name).getByRole("button", { name: action });
  await button("Anaïs Le Goff 4", "Marquer comme vu").click();
  await button("Anaïs Le Goff 4", "Annuler").waitFor();
  await expect.poll(unseen).toEqual(["Anaïs Le Goff 1", "Anaïs Le Goff 2", "Anaïs Le Goff 3"]);
  await page.getByRole("link", { name: /^Avis\s*3/ }).waitFor();
  // The next one comes, the others stay; whoever works by keyboard stays with the line.
  await line(page, "Anaïs Le Goff 1").waitFor();
  await expect.poll(() => list(page).getByRole("listitem").count()).toBe(4);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain("Annuler");
  await checkLightAndDark(page, "a review that was seen");
  await button("Anaïs Le Goff 4", "Annuler").click();
  await button("Anaïs Le Goff 4", "Marquer comme vu").waitFor();
  await expect.poll(unseen).toHaveLength(4);

  await line(page, "Anaïs Le Goff 3").getByRole("link", { name: "Lire l'avis" }).click();
  await titled(page, "Avis");
  const text = page
    .getByRole("region", { name: "Avis choisi" })
    .getByText("Le café était froid, et le service très lent.");
  await expect
    .poll(() => text.evaluate((words) => words.closest("article") === document.activeElement))
    .toBe(true);
  const { y = 0 } = (await text.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(800);
  await checkLightAndDark(page, "the review of a customer");

  // A member whose role was made without the inbox reads it on the customer's page.
  await giveRole(app.sql, shop.users.member, {
    orgId: shop.id,
    permissions: ["activity.read", "customers.read", "codes.read"],
  });
  const other = await openAs(app, shop.users.member, "/dashboard");
  await line(other, "Anaïs Le Goff 3").getByRole("link", { name: "Lire l'avis" }).click();
  await titled(other, "Anaïs Le Goff 3");
  const entry = other.getByText("Le café était froid, et le service très lent.");
  await expect
    .poll(() => entry.evaluate((words) => words.closest("li") === document.activeElement))
    .toBe(true);
});
