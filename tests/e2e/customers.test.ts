import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { enter, place } from "./support/member.ts";
import { shopWithCustomers } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Customers: the list, the page of one, editing, erasing. */

const app = setUpTestApp();

describe("the customers", () => {
  it("are listed, searched and filtered, with the state in the address", async () => {
    const shop = await shopWithCustomers(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto("/customers");
    await page.getByRole("heading", { level: 1, name: "Clients", exact: true }).waitFor();
    await page.getByText("2 client(s) trouvé(s)").waitFor();
    for (const text of [
      "Total clients",
      "Consentement marketing",
      "Sur 5 étoiles",
      "Taux de participation",
      "Clients actifs",
      "Marketing OK",
      "4/5 (1 avis)",
    ]) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByPlaceholder("Rechercher un client...").fill("anais le");
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("anais le");
    await page.getByPlaceholder("Rechercher un client...").fill("personne");
    await page.getByText("Aucun client trouvé pour cette recherche").waitFor();
    await page.getByRole("button", { name: "Tout afficher" }).click();
    await page.getByText("2 client(s) trouvé(s)").waitFor();
    await page.getByRole("button", { name: "Filtres" }).click();
    await page.getByLabel("Consentement", { exact: true }).selectOption("Marketing autorisé");
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    await page.reload();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exporter" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^clients-.*\.csv$/);
    const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("Anaïs");
  });

  it("show who somebody is, are edited, and name the other customer of an address", async () => {
    const shop = await shopWithCustomers(app.sql);
    const { page } = await app.phone();
    await enter(app, page, shop.users.owner);
    await page.goto("/customers?q=goff");
    const details = page.getByRole("link", { name: "Voir détails : Anaïs Le Goff" });
    await details.waitFor();
    const depth = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return scrollY;
    });
    expect(depth).toBeGreaterThan(0);
    await details.click();
    await page.getByRole("heading", { level: 1, name: "Anaïs Le Goff" }).waitFor();
    for (const text of [
      "Détails du client",
      "Marketing autorisé",
      "Informations de contact",
      "Français",
      "Statistiques",
      "Récompenses gagnées",
      "Engagement",
      "Client depuis",
      "Dernière activité",
      "Total avis",
      "Historique d'activité",
      "Avis laissé - 4/5",
      "Participation à la roue",
      "Un accueil vraiment chaleureux, merci.",
      `« J'accepte de recevoir les offres de ${shop.name} (facultatif). »`,
    ]) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByRole("tab", { name: "Récompenses" }).click();
    await page.getByText("Aucune activité pour cette catégorie").waitFor();

    await page.getByRole("button", { name: "Modifier" }).click();
    await page.getByLabel("E-mail").fill("bruno@exemple.fr");
    await page.getByLabel("Note privée").fill("Préfère le thé.");
    await page.getByLabel("Prénom").fill("");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Le prénom est requis").waitFor();
    await page.getByLabel("Prénom").fill("Anne");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Bruno Petit utilise déjà cet e-mail.").waitFor();
    // Typed text stays, and leaving asks first.
    expect(await page.getByLabel("Note privée").inputValue()).toBe("Préfère le thé.");
    await page.getByRole("link", { name: "Voir sa fiche" }).click();
    await page.getByRole("dialog", { name: "Quitter sans enregistrer ?" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
    await page.getByLabel("E-mail").fill("anne@exemple.fr");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Modifications enregistrées.").waitFor();
    await page.getByRole("heading", { level: 1, name: "Anne Le Goff" }).waitFor();
    await page.getByText("Préfère le thé.").waitFor();
    // The way up leads back to the list as it was left.
    await page.getByRole("main").getByRole("link", { name: "Clients" }).click();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    expect(place(page)).toBe("/customers?q=goff");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(depth);
  });

  it("have their corrected name on the dashboard at once", async () => {
    const shop = await shopWithCustomers(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto("/dashboard");
    await page.getByText("Anaïs Le Goff").first().waitFor();
    const menu = page.getByRole("navigation");
    await menu.getByRole("link", { name: "Clients", exact: true }).click();
    await page.getByRole("link", { name: "Voir détails : Anaïs Le Goff" }).click();
    await page.getByRole("button", { name: "Modifier" }).click();
    await page.getByLabel("Prénom").fill("Anne");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Modifications enregistrées.").waitFor();
    await menu.getByRole("link", { name: "Dashboard", exact: true }).click();
    await page
      .getByText(/^Anne\b/)
      .first()
      .waitFor();
  });

  it("are erased by whoever may, once what will go was named", async () => {
    const shop = await shopWithCustomers(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.admin);
    await page.goto("/customers?q=anais");
    await page.getByRole("link", { name: "Voir détails : Anaïs Le Goff" }).click();
    // The list has buttons of that name as well.
    await page.getByRole("heading", { level: 1, name: "Anaïs Le Goff" }).waitFor();
    await page.getByRole("button", { name: "Effacer" }).click();
    const dialog = page.getByRole("dialog", { name: "Effacer Anaïs Le Goff ?" });
    await dialog
      .getByText("son nom, ses coordonnées, son consentement et votre note privée")
      .waitFor();
    await dialog.getByRole("button", { name: "Effacer définitivement" }).click();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    const left = await app.sql`select name from public.customers where org_id = ${shop.id}`;
    expect(left.map(({ name }) => name)).toEqual(["Bruno Petit"]);
  });
});
