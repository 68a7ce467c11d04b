import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { review, scan } from "../harness/journey.ts";
import { titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { arrives, enter, failingToLoad, haveCustomers, words } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** `/campaigns/{id}`: what a campaign has led to and what it brings in (specification, section 2.16). */

const app = setUpTestApp();
const TREND = "Scans, avis et participations des 30 derniers jours";

const basket = (page: Page) => page.getByLabel("Panier moyen, en euros");
const save = (page: Page) => page.getByRole("button", { name: "Enregistrer" });

describe("the statistics of a campaign", () => {
  it("hold its figures, pictures, reviews and rewards, in one request", async () => {
    const shop = await createShop(app.sql);
    const { sql } = app;
    const ratings = [5, 5, 3, 4];
    await haveCustomers(sql, shop.campaign, { cashier: shop.users.cashier, ratings });
    // More scans than spins: no figure is told apart from one that happens to be equal.
    for (let n = 0; n < 4; n += 1) await scan(sql, { slug: shop.campaign.slug });
    const { review_id: nobody } = await review(sql, { campaignId: shop.campaign.id, rating: 1 });
    await sql`
      update public.pre_spin_reviews set customer_name = null, customer_email = null, customer_id = null
      where id = ${nobody}`;
    await sql`update public.campaigns set created_at = '2026-09-02T10:00Z' where id = ${shop.campaign.id}`;
    await sql`update public.rewards set value = 1.5 where id = ${shop.reward?.id ?? ""}`;
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    const calls: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/rest/v1/")) calls.push(pathname.slice("/rest/v1/".length));
    });
    await page.goto(`/campaigns/${shop.campaign.id}`);
    await titled(page, "La roue du comptoir");
    expect(calls).toEqual(["rpc/my_workspace", "rpc/campaign_stats"]);
    const text = await words(page);
    for (const part of [
      "La roue du comptoir Actif Le Comptoir des Halles Créée le 2 septembre 2026",
      "Total scans 8",
      "Avis collectés 5 62,5 % de conversion",
      "Participations 4 Tours de roue",
      "Rédemptions 1 25 % des gains utilisés",
      "Note moyenne 3,6 sur 5 5 avis",
      "5 étoiles 2 · 40 %",
      "1 étoile 1 · 20 %",
      "Avis récents Client anonyme",
      "Anaïs Le Goff 4",
      "Récompenses les plus utilisées Café offert 1 utilisation",
      "Indiquez votre panier moyen pour savoir ce que cette campagne rapporte.",
    ]) {
      expect(text).toContain(part);
    }
    expect(await page.locator("[data-stars]").first().getAttribute("data-stars")).toBe("3");

    // The days are told to whoever points, types or reads.
    const picture = page.getByRole("img", { name: TREND });
    await expect.poll(() => picture.locator("[data-series]").count()).toBe(3);
    await page.getByRole("slider", { name: "Jour affiché" }).focus();
    const slider = page.getByRole("slider", { name: "Jour affiché" });
    const told = () => slider.getAttribute("aria-valuetext");
    await expect.poll(told).toMatch(/ : Scans : 8, Avis : 5, Participations : 4$/);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(told).toMatch(/ : Scans : 0, Avis : 0, Participations : 0$/);
    await page.locator("[data-tooltip]").getByText("Scans").waitFor();
    await picture.hover({ position: { x: 2, y: 40 } });
    await expect.poll(() => slider.inputValue()).toBe("0");
    await page.getByText("Voir les chiffres").click();
    await expect
      .poll(() => page.getByRole("table", { name: TREND }).getByRole("row").count())
      .toBe(31);

    // Value of the visits: 1 visit at 24,50 €, for a reward of 1,50 €.
    await basket(page).fill("rien");
    await save(page).click();
    await page.getByText("Un montant en euros, par exemple 24,50.").waitFor();
    await basket(page).fill("24,5");
    await save(page).click();
    await page.getByText("Panier moyen enregistré.").waitFor();
    await expect.poll(() => words(page)).toContain("Bénéfice estimé 23 €");
    const worth = await words(page);
    for (const part of [
      "Retour sur investissement : +1 533,3 %",
      "Rapporté 24,50 €",
      "Coût des récompenses 1,50 €",
      "Visites de retour 1",
    ]) {
      expect(worth).toContain(part);
    }
    expect(await basket(page).inputValue()).toBe("24,50");
  });

  it("let nobody's basket be overwritten unseen, and keep what was typed", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(400) });
    await enter(app, page, shop.users.member);
    await page.goto(`/campaigns/${shop.campaign.id}`);
    await basket(page).fill("30");
    await app.sql`update public.stores set average_basket = 18 where id = ${shop.storeId}`;
    await save(page).click();
    await page.getByRole("alert").getByText("Rien n'a été écrasé").waitFor();
    expect(await basket(page).inputValue()).toBe("30");
    const kept = () =>
      app.sql<{ basket: number }[]>`
        select average_basket::float as basket from public.stores where id = ${shop.storeId}`.then(
        ([row]) => row?.basket,
      );
    expect(await kept()).toBe(18);
    // Leaving is warned of while it is not saved.
    await page.getByRole("link", { name: "Retour aux campagnes" }).click();
    await page.getByRole("button", { name: "Annuler" }).click();
    await save(page).click();
    await page.getByText("Panier moyen enregistré.").waitFor();
    expect(await kept()).toBe(30);
  });

  it("of a campaign that nobody has seen yet say so; the trial sees what it lacks", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial", campaign: { active: false } });
    const { page } = await app.phone({ expected: failingToLoad });
    await enter(app, page, shop.users.owner);
    const repair = await breakFunction(app.sql, "campaign_stats");
    await page.goto(`/campaigns/${shop.campaign.id}`);
    await page.getByText("Erreur lors du chargement des statistiques").waitFor();
    await repair();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Inactif", { exact: true }).waitFor();
    await page.getByText("Aucun avis pour le moment").waitFor();
    await page.getByText("Aucune rédemption pour le moment").waitFor();
    await page.getByRole("heading", { name: "Inclus dans les plans Basic et Pro" }).waitFor();
    for (const picture of ["De la porte à la caisse", "Retour sur investissement"]) {
      expect(await page.getByRole("heading", { name: picture }).count()).toBe(0);
    }
    await page.getByRole("link", { name: "Voir les plans" }).click();
    await arrives(page, "/pricing");
  });

  it("are nobody else's", async () => {
    const shop = await createShop(app.sql);
    const other = await createOrganization(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, other.users.owner);
    for (const id of [shop.campaign.id, "n-importe-quoi"]) {
      await page.goto(`/campaigns/${id}`);
      await titled(page, "Campagne non trouvée");
    }
    await page.getByRole("link", { name: "Retour aux campagnes" }).click();
    await arrives(page, "/campaigns");
    const { page: till } = await app.desktop();
    await enter(app, till, shop.users.cashier);
    await till.goto(`/campaigns/${shop.campaign.id}`);
    await arrives(till, "/encaisser");
  });
});
