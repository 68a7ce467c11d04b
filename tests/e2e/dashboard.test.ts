import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, failingToLoad, haveCustomers, openAs, words } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The layout of the back-office and its first screen (specification, sections 2.9, 2.10 and 4.4). */

const app = setUpTestApp();

const card = (page: Page, label: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: label, exact: true }) });

describe("the layout", () => {
  it("leads everywhere there is, and says where one is", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard");
    await titled(page, "Tableau de bord");
    const navigation = page.getByRole("navigation", { name: "Navigation principale" });
    const entries = await navigation.getByRole("link").all();
    expect(entries.length).toBeGreaterThan(2);
    const labels = [
      "Dashboard",
      "Clients",
      "Avis",
      "Campagnes",
      "Récompenses",
      "Magasins",
      "Paramètres",
    ];
    for (const entry of entries) {
      const label = ((await entry.textContent()) ?? "").trim();
      expect(labels).toContain(label);
      const path = (await entry.getAttribute("href")) ?? "";
      await entry.click();
      await page.waitForURL((url) => url.pathname.startsWith(path));
      // The address changes before the page does.
      await expect
        .poll(() => navigation.locator("[aria-current=page]").allInnerTexts())
        .toEqual([label]);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect(await page.getByRole("heading", { name: "Page non trouvée" }).count()).toBe(0);
    }
    // Below an entry's path the entry stays the current one.
    await page.goto("/campaigns/new");
    await titled(page, "Nouvelle campagne");
    expect(await navigation.locator("[aria-current=page]").allInnerTexts()).toEqual(["Campagnes"]);
    await page.getByRole("link", { name: "Accueil de Tournavis" }).click();
    await arrives(page, "/dashboard");
  });

  it("on a phone has the till at the thumb, which opens at the camera", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard", { device: "phone" });
    await titled(page, "Tableau de bord");
    const bar = page.getByRole("navigation", { name: "Navigation principale" });
    await expect
      .poll(() => bar.getByRole("link").allInnerTexts())
      .toEqual(["Dashboard", "Avis", "Caisse"]);
    await bar.getByRole("link", { name: "Caisse" }).click();
    const camera = page.getByRole("dialog", { name: "Scanner le QR code" });
    await camera.getByRole("button", { name: "Taper le code" }).click();
    await waitForFocus(page.getByRole("textbox", { name: "Code du client" }));
    // Back, and in by the menu: the same.
    await page.goBack();
    await titled(page, "Tableau de bord");
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Caisse" }).click();
    await camera.getByRole("button", { name: "Taper le code" }).click();
    // And out again, for whoever has more to do than the till.
    await page.getByRole("link", { name: "Tableau de bord" }).click();
    await titled(page, "Tableau de bord");
  });
});

describe("the dashboard", () => {
  it("of a new organisation says what to do first, and that nothing has happened", async () => {
    const organization = await createOrganization(app.sql);
    const page = await openAs(app, organization.users.owner, "/dashboard");
    await titled(page, "Tableau de bord");
    await page.getByRole("heading", { name: "Créez votre première campagne" }).waitFor();
    await page.getByText("Aucune activité récente").waitFor();
    await page.getByText("Aucune campagne active").waitFor();
    const text = await words(page);
    for (const zero of ["Scans totaux 0", "Satisfaction –", "Moyenne –/5", "0 sur 0 gain"]) {
      expect(text).toContain(zero);
    }
    await checkLightAndDark(page, "empty dashboard");
    await page.getByRole("link", { name: "Créer ma campagne" }).click();
    await arrives(page, "/onboarding/wheel");
  });

  it("adds up what customers did", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, {
      cashier: shop.users.cashier,
      ratings: [5, 5, 3],
    });
    await app.sql`update public.rewards set stock = 2 where id = ${shop.reward?.id ?? ""}`;
    const page = await openAs(app, shop.users.owner, "/dashboard", { expected: failingToLoad });
    await page.getByText("QR codes scannés").waitFor();
    const text = await words(page);
    for (const figure of [
      "Scans totaux 3 QR codes scannés",
      "Avis collectés 3 2 avis 5 étoiles (66,7 %)",
      "Satisfaction 66,7 % Moyenne 4,3/5",
      "Taux de rédemption 33,3 % 1 sur 3 gains",
      "Campagnes actives La roue du comptoir 3 scans Actif Voir toutes les campagnes",
      "Café offert : récompense utilisée Anaïs Le Goff 1 • Il y a < 1 min",
      "Avis 3 étoiles Anaïs Le Goff 3 • Il y a < 1 min",
      "À faire maintenant Un avis à 3 étoiles vous attend 3 sur 5 Anaïs Le Goff 3 Le Comptoir des Halles, il y a < 1 min",
      "« Café offert » : plus que 2 en stock À zéro, la roue ne s'arrête plus dessus. Compléter le stock",
      "Les 30 derniers jours Scans (3) Avis (3) Participations (3)",
      "Gains 3 · 100 % de l'étape précédente Rédemptions 1 · 33,3 % de l'étape précédente",
    ]) {
      expect(text).toContain(figure);
    }
    expect(await page.locator("dl [data-stars]").getAttribute("data-stars")).toBe("4");
    expect(await page.locator("[data-kind]").count()).toBe(4);
    for (const label of ["Campagnes actives", "Spins mensuels", "Utilisateurs"]) {
      await card(page, label).getByText("Illimité").waitFor();
    }
    await page.getByRole("link", { name: "Voir toutes les campagnes" }).click();
    await arrives(page, "/campaigns");
    await page.goBack();
    await page.getByRole("link", { name: "Lire l'avis" }).click();
    await page.getByRole("heading", { name: "Anaïs Le Goff 3" }).waitFor();
    await page.goBack();
    await page.getByText("Anaïs Le Goff 3", { exact: true }).waitFor();

    // Once it was seen it makes room; figures that cannot be brought up to date stay, and say so.
    const repair = await breakFunction(app.sql, "dashboard");
    await page.getByRole("button", { name: "Marquer comme vu" }).click();
    const stale = page.getByRole("alert");
    await stale.getByText("La mise à jour a échoué. Ces données datent peut-être.").waitFor();
    await page.getByText("Plus aucun avis à voir").waitFor();
    await repair();
    await stale.getByRole("button", { name: "Réessayer" }).click();
    await stale.waitFor({ state: "detached" });
    await page.reload();
    // At night the code that was used at the till is to be checked first.
    await page.getByRole("heading", { name: "« Café offert » : plus que 2 en stock" }).waitFor();
    expect(await page.getByText("Un avis à 3 étoiles vous attend").count()).toBe(0);
    await page.getByRole("link", { name: "La roue du comptoir" }).click();
    await arrives(page, `/campaigns/${shop.campaign.id}`);
  });

  it("shows other days, kept in the address, and what they brought after a basket is typed in", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 3] });
    await app.sql`update public.rewards set value = 2 where org_id = ${shop.id}`;
    await app.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans)
      values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, '2026-03-04', 0, 41)`;
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const figures = page.getByRole("region", { name: "Vos chiffres" });
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    await earned.getByText("Indiquez votre panier moyen").waitFor();
    // Visits and costs stand there before any basket is known.
    expect(await words(page, earned)).toContain("Visites de retour 1 Ce qu'elles valent À estimer");
    expect(await words(page, earned)).toContain("Récompenses -2,00 €");
    await earned.getByLabel("Panier moyen, en euros").fill("24,50");
    await earned.getByRole("button", { name: "Enregistrer" }).click();
    await earned.getByText("22,50 €").waitFor();
    expect(await words(page, earned)).toContain(
      "Visites de retour 24,50 € 1 visite, au panier moyen",
    );
    expect(await words(page, earned)).toContain("Récompenses -2,00 €");
    expect(await earned.getByRole("link", { name: "Changer de plan" }).getAttribute("href")).toBe(
      "/pricing",
    );
    await earned.getByLabel("Vrais retours, en %").fill("50");
    await earned.getByRole("button", { name: "Enregistrer" }).last().click();
    await earned.getByText("10,25 €").waitFor();
    expect(await words(page, earned)).toContain("50 % de 1 visite, au panier moyen");
    await earned.getByRole("button", { name: "Coût des récompenses" }).click();
    await earned.getByText("1 utilisation · 2,00 €").waitFor();
    await earned.getByLabel("Coût d'une récompense, en euros").fill("3,10");
    await earned.getByRole("button", { name: "Enregistrer" }).last().click();
    await earned.getByText("9,15 €").waitFor();
    expect(await words(page, earned)).toContain("Récompenses -3,10 €");
    await checkLightAndDark(page, "what it brings, with its assumptions");

    await figures.getByText("7 jours").click();
    await page.getByRole("heading", { name: "Les 7 derniers jours" }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?period=7d");
    await figures.getByText("Dates", { exact: true }).click();
    await figures.getByLabel("Du", { exact: true }).fill("2026-03-05");
    await figures.getByLabel("Au", { exact: true }).fill("2026-03-04");
    await figures.getByRole("button", { name: "Afficher" }).click();
    await figures.getByText("Le premier jour doit venir avant le dernier.").waitFor();
    await figures.getByLabel("Du", { exact: true }).fill("2026-03-04");
    await figures.getByRole("button", { name: "Afficher" }).click();
    await page.getByRole("status").getByText("Du 4 mars 2026 au 4 mars 2026").waitFor();
    await earned.getByText("Aucun code utilisé sur cette période.").waitFor();
    expect(await words(page, figures)).toContain("Scans 41 Aucun chiffre avant");
    await checkLightAndDark(page, "dashboard of dates");
    // The address opens the same days; going back shows the ones before.
    await page.reload();
    await figures.getByText("41", { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Les 7 derniers jours" }).waitFor();
  });

  it("that does not load says so, and loads when asked again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.owner);
    const repair = await breakFunction(app.sql, "dashboard");
    await page.goto("/dashboard");
    await page.getByRole("alert").getByText("Cette page ne se charge pas").waitFor();
    await repair();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, "Tableau de bord");
  });

  it("asks the database twice in all: who this is, and what to show", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const calls: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/rest/v1/")) calls.push(pathname.slice("/rest/v1/".length));
    });
    await page.goto("/dashboard");
    await page.getByText("Scans totaux").waitFor();
    expect(calls).toEqual(["rpc/my_workspace", "rpc/dashboard"]);
  });
});
