import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkLightAndDark } from "./support/account.ts";
import { arrives, haveCustomers, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Bad reviews on the dashboard whose customer was erased. */

const app = setUpTestApp();

const line = (page: Page, name: string) =>
  page.getByRole("list", { name: "Avis à voir" }).getByRole("listitem").filter({ hasText: name });

it("open where their customer was erased", async () => {
  const shop = await createShop(app.sql);
  const { cashier, owner } = shop.users;
  await haveCustomers(app.sql, shop.campaign, { cashier, ratings: [2] });
  await app.sql`delete from public.customers where org_id = ${shop.id}`;
  await app.sql`
    update public.pre_spin_reviews set customer_name = null, customer_email = null where org_id = ${shop.id}`;
  const page = await openAs(app, owner, "/dashboard");
  await line(page, "Client anonyme").getByRole("link", { name: "Lire l'avis" }).click();
  await arrives(page, "/reviews");
  const review = page.getByRole("region", { name: "Avis choisi" });
  await review.getByText("Impossible de lui répondre : ce client a été effacé.").waitFor();
  expect(await review.getByRole("button", { name: "Répondre" }).count()).toBe(0);
  await checkLightAndDark(page, "the review of nobody");
});
