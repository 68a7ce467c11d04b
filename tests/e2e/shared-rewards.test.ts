import { expect, it } from "vitest";
import { createCampaign } from "../harness/fixtures.ts";
import { titled } from "./support/account.ts";
import { arrives, openAs } from "./support/member.ts";
import { wheelOf } from "./support/new-campaign.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A reward that several campaigns share (specification, section 2.17). */

const app = setUpTestApp();

it("a reward is put on the wheel of another campaign, whose odds are seen first", async () => {
  const shop = await createShop(app.sql, { reward: { stock: 7 } });
  await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Roue de Noël" });
  const page = await openAs(app, shop.users.member, "/rewards");
  await titled(page, "Récompenses");
  await page.getByRole("button", { name: "Actions pour Café offert" }).click();
  await page.getByRole("menuitem", { name: "Ajouter à une campagne" }).click();
  await page.getByRole("combobox", { name: "Campagne" }).selectOption({ label: "Roue de Noël" });
  await page.getByRole("link", { name: "Voir la roue" }).click();
  // A campaign that has nothing to win begins with the reward and a segment that loses.
  await page.getByText("« Café offert » est proposée à 50 %").waitFor();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await arrives(page, "/campaigns");
  await page.goto("/rewards");
  await page.getByText("Aussi dans : Roue de Noël").waitFor();
  const wheel = await wheelOf(app.sql, shop.id, "Roue de Noël");
  expect(wheel).toMatchObject([
    { prize: null, weight: 50 },
    { prize: "Café offert", weight: 50, stock: 7, own: false },
  ]);
});
