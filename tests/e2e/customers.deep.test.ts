import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createOrganization, createPointsReward, createStore } from "../harness/fixtures.ts";
import { review, spin, winPoints } from "../harness/journey.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad, openAs, words } from "./support/member.ts";
import { NARROW, widths } from "./support/narrow.ts";
import { createShop, shopWithCustomers } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Customers by the hundred, of somebody else, and where they cannot be loaded. */

const app = setUpTestApp();

describe("the customers", () => {
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

  it("are printed without what leads elsewhere or searches", async () => {
    const shop = await shopWithCustomers(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto("/customers");
    const rows = page.getByText(/client\(s\) trouvé\(s\)/).first();
    await rows.waitFor();
    const others = [page.getByRole("navigation").first(), page.getByRole("searchbox").first()];
    expect(await Promise.all(others.map((one) => one.isVisible()))).toEqual([true, true]);
    await page.emulateMedia({ media: "print" });
    expect(await Promise.all(others.map((one) => one.isVisible()))).toEqual([false, false]);
    expect(await rows.isVisible()).toBe(true);
  });

  it("are nobody else's, also by a typed address", async () => {
    const shop = await shopWithCustomers(app.sql);
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

  it("have the same figures on their page, in the inbox and before they are erased, and are served at the chosen store", async () => {
    const { sql } = app;
    const shop = await createShop(sql, { wheel: "points", campaign: { playIntervalDays: 0 } });
    const { id: orgId, campaign } = shop;
    const annex = await createStore(sql, { orgId, name: "L'Annexe" });
    await createPointsReward(sql, { orgId, name: "Café", cost: 30 });
    const who = { campaignId: campaign.id, email: "habituee@exemple.fr" };
    for (let n = 0; n < 20; n += 1) await review(sql, { ...who, firstName: "Maud", rating: 4 });
    for (let n = 0; n < 2; n += 1) await winPoints(sql, who);
    await sql`update public.wheel_segments set reward_id = null where campaign_id = ${campaign.id}`;
    await spin(sql, who);
    const [customer] = await sql<{ id: string }[]>`
      select id from public.customers where org_id = ${orgId}`;
    const page = await openAs(app, shop.users.owner, "/encaisser");
    await page.getByRole("combobox", { name: "Magasin" }).selectOption(shop.storeId);
    await page.goto(`/customers/${customer?.id}`);
    await page.getByText("Note moyenne").waitFor();
    const text = await words(page);
    expect(text).toContain(
      "Note moyenne 4/5 Participations 3 Récompenses gagnées 2 Points 100 Engagement",
    );
    expect(text).toContain("Total avis 20");
    // Twenty entries in all, whatever they are of.
    expect(await page.getByRole("tabpanel").getByRole("listitem").count()).toBe(20);
    await page.getByRole("button", { name: "Effacer" }).click();
    const dialog = page.getByRole("dialog");
    for (const part of ["ses 20 avis", "ses 3 participations", "ses 100 points"]) {
      await dialog.getByText(part).waitFor();
    }
    await dialog.getByRole("button", { name: "Annuler" }).click();

    await page.getByRole("button", { name: "Échanger des points" }).click();
    await dialog.getByRole("radio", { name: /Café/ }).check();
    await dialog.getByLabel("Magasin").selectOption(annex);
    await dialog.getByRole("button", { name: "Remettre le cadeau" }).click();
    await dialog.getByText("Remettez « Café » : l'échange est fait.").waitFor();
    expect(
      await sql`select used_store_id as at from public.points_spends where org_id = ${orgId}`,
    ).toEqual([{ at: annex }]);
    await page.goto("/reviews?state=all");
    await page.getByRole("list", { name: "Avis" }).getByRole("button").first().click();
    await page.getByRole("heading", { name: "Ce client" }).waitFor();
    expect(await words(page)).toContain("Avis 20 · 4/5 Participations 3 Codes utilisés 0");
  });

  it("give a customer's data to take away", async () => {
    const shop = await createShop(app.sql);
    await review(app.sql, { campaignId: shop.campaign.id, firstName: "Maud", rating: 2 });
    const [customer] = await app.sql<{ id: string }[]>`
      select id from public.customers where org_id = ${shop.id}`;
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto(`/customers/${customer?.id}`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exporter", exact: true }).click(),
    ]);
    await page.getByText("Le fichier est dans vos téléchargements").waitFor();
    expect(file.suggestedFilename()).toMatch(/^donnees-client-[\d-]+\.json$/);
    expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
      customers: [{ id: customer?.id, first_name: "Maud" }],
      pre_spin_reviews: [{ rating: 2 }],
    });
  });

  it("keep an address that is older than the rules, and may be edited all the same", async () => {
    const shop = await createShop(app.sql);
    const id = randomUUID();
    const old = { email: "é@b.test" };
    await app.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`insert into public.customers ${sql({ id, org_id: shop.id, name: "Ana Roy", ...old })}`;
    });
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto(`/customers/${id}`);
    await page.getByRole("button", { name: "Modifier" }).click();
    await page.getByLabel("Note privée").fill("Préfère le thé.");
    await page.getByLabel("E-mail").fill("è@b.test");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Format d'email invalide").waitFor();
    await page.getByLabel("E-mail").fill(old.email);
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Modifications enregistrées.").waitFor();
    expect(await app.sql`select email, note from public.customers where id = ${id}`).toMatchObject([
      { ...old, note: "Préfère le thé." },
    ]);
  });

  it("say that somebody is gone whom a colleague erased while they were edited", async () => {
    const shop = await createShop(app.sql);
    const id = randomUUID();
    await app.sql`insert into public.customers ${app.sql({ id, org_id: shop.id, name: "Ana Roy", email: "ana@b.test" })}`;
    const { page } = await app.desktop({ expected: refusing(403) });
    await enter(app, page, shop.users.owner);
    await page.goto(`/customers/${id}`);
    await page.getByRole("button", { name: "Modifier" }).click();
    await page.getByLabel("Note privée").fill("Préfère le thé.");
    await app.sql`delete from public.customers where id = ${id}`;
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page
      .getByText("Ce client n'existe plus, ou vous n'avez pas le droit de le modifier.")
      .waitFor();
    expect(await page.getByLabel("Note privée").inputValue()).toBe("Préfère le thé.");
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
    const kept = page.getByRole("alert").filter({ hasText: "La liste précédente reste affichée." });
    await kept.getByText("Erreur lors du chargement des données").waitFor();
    await page.getByRole("heading", { level: 2, name: "Ana Roy" }).waitFor();
    await repair();
    await kept.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Aucun client trouvé pour cette recherche").waitFor();
    await page.getByRole("button", { name: "Tout afficher" }).click();
    await page.getByText("1 client(s) trouvé(s)").waitFor();
    // On a phone the export has no row of its own.
    await page.setViewportSize(NARROW.viewport);
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    const button = await page.getByRole("button", { name: "Exporter" }).boundingBox();
    expect(button?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
    await page.getByRole("button", { name: "Exporter" }).click();
    await page.getByText("L'export CSV est inclus dans le plan Pro.").waitFor();
    expect(await widths(page)).toEqual([320, 320]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("link", { name: "Voir détails : Ana Roy" }).click();
    await page.getByRole("button", { name: "Modifier" }).waitFor();
    expect(await page.getByRole("button", { name: "Effacer" }).count()).toBe(0);
  });
});
