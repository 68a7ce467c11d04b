import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Customers: the list, the page of one, editing, erasing, and what is nobody else's. */

const app = setUpTestApp();

async function shopWithCustomers() {
  const { sql } = app;
  const shop = await createShop(sql);
  const campaignId = shop.campaign.id;
  const first = await review(sql, {
    campaignId,
    firstName: "Anaïs",
    lastName: "Le Goff",
    email: "anais@exemple.fr",
    rating: 4,
    consent: true,
  });
  await sql`select public.record_feedback(${first.review_id}, 'Un accueil vraiment chaleureux, merci.')`;
  await spin(sql, { campaignId, reviewId: first.review_id });
  await review(sql, {
    campaignId,
    firstName: "Bruno",
    lastName: "Petit",
    email: "bruno@exemple.fr",
    rating: 2,
  });
  return shop;
}

describe("the customers", () => {
  it("are listed, searched and filtered, with the state in the address", async () => {
    const shop = await shopWithCustomers();
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
  });

  it("are counted one by one where a search finds more than a hundred", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      insert into public.customers (org_id, name, email)
      select ${shop.id}, 'Marthe ' || n, 'marthe' || n || '@exemple.fr' from generate_series(1, 103) n`;
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    await page.goto("/customers?q=marthe");
    await page.getByText("103 client(s) trouvé(s)", { exact: true }).waitFor();
  });

  it("show who somebody is, are edited, and told kindly whose an address is", async () => {
    const shop = await shopWithCustomers();
    const { page } = await app.phone();
    await enter(app, page, shop.users.owner);
    await page.goto("/customers?q=goff");
    const details = page.getByRole("link", { name: "Voir détails de Anaïs Le Goff" });
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
    // What was typed stays, and leaving asks first.
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

  it("are erased by whoever may, once what will go was named", async () => {
    const shop = await shopWithCustomers();
    const { page } = await app.desktop();
    await enter(app, page, shop.users.admin);
    await page.goto("/customers?q=anais");
    await page.getByRole("link", { name: "Voir détails de Anaïs Le Goff" }).click();
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

  it("are nobody else's, also by a typed address", async () => {
    const shop = await shopWithCustomers();
    const other = await createOrganization(app.sql);
    const [theirs] =
      await app.sql`select id from public.customers where org_id = ${shop.id} limit 1`;
    const { page } = await app.desktop({ expected: refusing(400) });
    await enter(app, page, other.users.owner);
    for (const id of [theirs?.id, "nimporte-quoi"]) {
      await page.goto(`/customers/${id}`);
      await page.getByRole("heading", { name: "Client non trouvé" }).waitFor();
      await page
        .getByText("Ce client n'existe pas ou vous n'avez pas accès à ses informations.")
        .waitFor();
    }
    await page.getByRole("link", { name: "Retour aux clients" }).click();
    await page.getByText("Aucun client enregistré").waitFor();
  });

  it("say when they cannot be loaded, what the plan lacks, and what a member may not", async () => {
    const shop = await createShop(app.sql, { plan: "basic" });
    await review(app.sql, { campaignId: shop.campaign.id, firstName: "Ana", lastName: "Roy" });
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.member);
    const mend = await breakFunction(app.sql, "customer_list");
    await page.goto("/customers");
    await page.getByText("Erreur lors du chargement des données").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    // A search that fails leaves what was found before, and says so.
    const repair = await breakFunction(app.sql, "customer_list");
    await page.getByPlaceholder("Rechercher un client...").fill("introuvable");
    const kept = page.getByRole("alert").filter({ hasText: "La liste d'avant reste affichée." });
    await kept.getByText("Erreur lors du chargement des données").waitFor();
    await page.getByRole("heading", { level: 2, name: "Ana Roy" }).waitFor();
    await repair();
    await kept.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Aucun client trouvé pour cette recherche").waitFor();
    await page.getByRole("button", { name: "Tout afficher" }).click();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    await page.getByRole("button", { name: "Exporter" }).click();
    await page.getByText("L'export CSV est inclus dans le plan Pro.").waitFor();
    await page.getByRole("link", { name: "Voir détails de Ana Roy" }).click();
    await page.getByRole("button", { name: "Modifier" }).waitFor();
    expect(await page.getByRole("button", { name: "Effacer" }).count()).toBe(0);
  });
});
