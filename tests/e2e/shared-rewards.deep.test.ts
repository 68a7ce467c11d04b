import { expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createCampaign, drawWheel } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, openAs } from "./support/member.ts";
import { choose, create, wheelOf } from "./support/new-campaign.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Other ways to share a reward, and what is said of one that is shared (decision 099). */

const app = setUpTestApp();

it("a new campaign shares the rewards of another one with its stock", async () => {
  const shop = await createShop(app.sql, { reward: { stock: 7 } });
  const page = await openAs(app, shop.users.member, "/campaigns/new");
  await choose(page, "Une autre campagne");
  await page
    .getByRole("combobox", { name: "Stock des récompenses" })
    .selectOption({ label: "Partagé avec l'autre campagne" });
  await page.getByText("avec un seul stock et les mêmes réglages").waitFor();
  await checkLightAndDark(page, "shared copy");
  await page.getByLabel("Nom de la campagne").fill("La roue de Noël");
  await create(page).click();
  await arrives(page, "/campaigns");
  const wheel = await wheelOf(app.sql, shop.id, "La roue de Noël");
  expect(wheel[0]).toMatchObject({ prize: "Café offert", stock: 7, own: false, active: true });
});

it("a campaign without a prize begins with one of another campaign, chosen in its editor", async () => {
  const shop = await createShop(app.sql, { reward: { stock: 7 } });
  const { id } = await createCampaign(app.sql, {
    orgId: shop.id,
    storeId: shop.storeId,
    name: "Roue de Noël",
  });
  const page = await openAs(app, shop.users.member, `/campaigns/${id}/edit`);
  await titled(page, "Modifier la campagne");
  await page
    .getByRole("combobox", { name: "Depuis une autre campagne" })
    .selectOption({ label: "Café offert" });
  await page.getByText("Total : 100 %").waitFor();
  expect(
    await page.locator('optgroup[label="Depuis La roue du comptoir, stock partagé"]').count(),
  ).toBeGreaterThan(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Campagne mise à jour avec succès").waitFor();
  expect(await wheelOf(app.sql, shop.id, "Roue de Noël")).toMatchObject([
    { prize: null, weight: 50 },
    { prize: "Café offert", weight: 50, own: false },
  ]);
});

it("the rules say that the number is shared, and the list where else a reward is won", async () => {
  const shop = await createShop(app.sql, { reward: { stock: 7 } });
  const other = await createCampaign(app.sql, {
    orgId: shop.id,
    storeId: shop.storeId,
    name: "Roue de Noël",
  });
  await drawWheel(app.sql, other, [{ weight: 100, rewardId: String(shop.reward?.id) }]);
  const page = await openAs(app, shop.users.owner, "/rewards");
  await page.getByText("Aussi dans : Roue de Noël").waitFor();
  const menu = () => page.getByRole("button", { name: "Actions pour Café offert" }).click();
  await menu();
  await page.getByRole("menuitem", { name: "Ajouter à une campagne" }).click();
  await page.getByText("Toutes vos campagnes en service ont déjà cette récompense.").waitFor();
  await checkLightAndDark(page, "nothing left to share with");
  await page.getByRole("button", { name: "Annuler" }).click();
  await menu();
  await page.getByRole("menuitem", { name: "Supprimer" }).click();
  await page.getByText("toutes la perdront. Aussi dans : Roue de Noël.").waitFor();
  await page.goto(`/c/${other.slug}/reglement`);
  await page
    .getByText("Le nombre indiqué vaut pour ce jeu et d’autres du même organisateur.")
    .waitFor();
});
