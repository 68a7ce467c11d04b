import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign } from "../harness/fixtures.ts";
import { newAddress, titled } from "./support/account.ts";
import { field, save } from "./support/campaign-editor.ts";
import { enter, haveCustomers } from "./support/member.ts";
import { silenceChannels } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/**
 * Screens that were looked at before a change on another one: reached by the navigation, they show it, without a reload and
 * without the channels of live changes.
 */

const app = setUpTestApp();

/** Opens an entry of the navigation. */
async function goTo(page: Page, label: string): Promise<void> {
  const navigation = page.getByRole("navigation", { name: "Navigation principale" });
  await navigation.getByRole("link", { name: label }).click();
}

/** A page of an owner, without live changes. */
async function ownersPage(owner: { email: string }, path: string): Promise<Page> {
  const { page } = await app.desktop();
  await enter(app, page, owner);
  await silenceChannels(page);
  await page.goto(path);
  return page;
}

it("a stock that was filled up and a reward that was switched off are so on the dashboard", async () => {
  const shop = await createShop(app.sql);
  await app.sql`update public.rewards set stock = 2 where id = ${shop.reward?.id ?? ""}`;
  const page = await ownersPage(shop.users.owner, "/dashboard");
  await page.getByText("« Café offert » : plus que 2 en stock").waitFor();
  await page.getByRole("link", { name: "Compléter le stock" }).click();
  await page.getByLabel("Stock", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByRole("heading", { level: 1, name: "Récompenses" }).waitFor();
  await goTo(page, "Dashboard");
  await page.getByText("Scans totaux").waitFor();
  await expect.poll(() => page.getByText("en stock").count()).toBe(0);

  await goTo(page, "Récompenses");
  await page.getByRole("switch", { name: "Café offert peut être gagnée" }).click({ force: true });
  await page.getByText("Inactive", { exact: true }).waitFor();
  await goTo(page, "Dashboard");
  await page.getByText("Ajoutez une première récompense").waitFor();
});

it("a first reward is one on the home of its campaign", async () => {
  const shop = await createShop(app.sql);
  const { id: orgId, storeId } = shop;
  await createCampaign(app.sql, { orgId, storeId, name: "Neuve" });
  const page = await ownersPage(shop.users.owner, "/campaigns");
  await page.getByRole("link", { name: "Neuve", exact: true }).click();
  const list = page.getByRole("region", { name: "Prête pour vos clients ?" });
  await list.getByText("Ajoutez une première récompense").waitFor();
  await list.getByRole("link", { name: "Ajouter", exact: true }).click();
  await page.getByLabel("Nom", { exact: true }).fill("Thé offert");
  await page.getByRole("button", { name: "Créer la récompense" }).click();
  await page.getByText("« Thé offert » est enregistrée.").waitFor();
  await goTo(page, "Campagnes");
  await page.getByRole("link", { name: "Neuve", exact: true }).click();
  await list.waitFor();
  await expect.poll(() => list.getByText("Ajoutez une première récompense").count()).toBe(0);
});

it("a store that was created is one that the customers can be narrowed down to", async () => {
  const shop = await createShop(app.sql);
  const page = await ownersPage(shop.users.owner, "/customers");
  await page.getByRole("button", { name: "Filtres" }).click();
  const filter = page.getByLabel("Magasin", { exact: true });
  await filter.getByRole("option", { name: shop.storeName }).waitFor({ state: "attached" });
  await goTo(page, "Magasins");
  await page.getByRole("link", { name: "Nouveau magasin" }).click();
  await page.getByLabel("Nom du magasin").fill("L'Annexe");
  await page.getByText("Cet identifiant est libre.").waitFor();
  await page.getByLabel("Adresse", { exact: true }).fill("2 rue de la Paix, 75002 Paris");
  await page.getByRole("button", { name: "Créer le magasin" }).click();
  await page.getByRole("heading", { level: 2, name: "L'Annexe" }).waitFor();
  await goTo(page, "Clients");
  await page.getByRole("button", { name: "Filtres" }).click();
  await filter.getByRole("option", { name: "L'Annexe" }).waitFor({ state: "attached" });
  await page.getByRole("banner").getByRole("link", { name: "Caisse" }).click();
  const till = page.getByRole("combobox", { name: "Magasin" });
  await till.getByRole("option", { name: "L'Annexe" }).waitFor({ state: "attached" });
});

it("a review that was closed waits on the dashboard no more", async () => {
  const shop = await createShop(app.sql);
  await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [2] });
  const page = await ownersPage(shop.users.owner, "/dashboard");
  await page.getByRole("heading", { name: "Un avis à 2 étoiles vous attend" }).waitFor();
  await goTo(page, "Avis");
  await page.getByRole("list", { name: "Avis" }).getByRole("button").click();
  const review = page.getByRole("region", { name: "Avis choisi" });
  await review.getByRole("button", { name: "Clos" }).click();
  await page.getByText("Avis clos.").waitFor();
  await goTo(page, "Dashboard");
  await page.getByText("Scans totaux").waitFor();
  await expect.poll(() => page.getByText("Un avis à 2 étoiles vous attend").count()).toBe(0);
});

it("a bad review whose customer was erased waits neither on the dashboard nor in the navigation", async () => {
  const shop = await createShop(app.sql);
  await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [2] });
  const page = await ownersPage(shop.users.owner, "/dashboard");
  const waiting = page.getByRole("heading", { name: "Un avis à 2 étoiles vous attend" });
  const count = page.getByRole("link", { name: "1 avis à lire" });
  await waiting.waitFor();
  await count.waitFor();
  await goTo(page, "Clients");
  await page.getByRole("link", { name: "Voir détails" }).click();
  await page.getByRole("button", { name: "Effacer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Effacer définitivement" }).click();
  await titled(page, "Clients");
  await expect.poll(() => count.count()).toBe(0);
  await goTo(page, "Dashboard");
  await page.getByText("Scans totaux").waitFor();
  await expect.poll(() => waiting.count()).toBe(0);
});

it("a colleague who was invited has a seat on the dashboard, and the last one says so where one more is wanted", async () => {
  const shop = await createShop(app.sql, { plan: "basic" });
  const page = await ownersPage(shop.users.owner, "/dashboard");
  await page.getByText("4 / 5", { exact: true }).waitFor();
  await goTo(page, "Paramètres");
  await page.getByRole("link", { name: "Équipe" }).click();
  await page.getByRole("link", { name: "Inviter un membre" }).click();
  const invited = newAddress();
  await page.getByLabel("Adresse e-mail").fill(invited);
  await page.getByRole("radio", { name: "Caisse" }).check();
  await page.getByLabel("Caisse", { exact: true }).last().selectOption({ label: shop.storeName });
  await page.getByRole("button", { name: "Envoyer l'invitation" }).click();
  await page.getByText(`L'invitation est envoyée à ${invited}.`).waitFor();
  const [invitation] =
    await app.sql`select store_id from private.invitations where email = ${invited}`;
  expect(invitation).toEqual({ store_id: shop.storeId });
  const full = page.getByText("Votre plan comprend 5 utilisateurs");
  await full.waitFor();
  await page.getByRole("link", { name: "Retour à l'équipe" }).click();
  await page.getByText("5 places prises sur 5").waitFor();
  await full.waitFor();
  await goTo(page, "Dashboard");
  await page.getByText("5 / 5", { exact: true }).waitFor();
  await page.getByText("5 utilisateurs sur 5 : Pro n'a pas de limite").waitFor();
});

it("a campaign that was renamed has the new name among the rewards", async () => {
  const shop = await createShop(app.sql);
  const page = await ownersPage(shop.users.owner, "/rewards");
  await page.getByRole("row").getByText("La roue du comptoir").waitFor();
  await goTo(page, "Campagnes");
  await page.getByRole("link", { name: "La roue du comptoir", exact: true }).click();
  await page.getByRole("link", { name: "Réglages" }).click();
  await field(page, "Nom de la campagne").fill("La roue du midi");
  await save(page);
  await page.getByText("Campagne mise à jour avec succès").waitFor();
  await goTo(page, "Récompenses");
  await page.getByRole("row").getByText("La roue du midi").waitFor();
});
