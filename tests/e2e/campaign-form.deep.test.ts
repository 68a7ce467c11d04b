import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization, createStore } from "../harness/fixtures.ts";
import { alerts, titled } from "./support/account.ts";
import { breakReading, breakWriting } from "./support/faults.ts";
import { arrives, enter, failingToLoad, openAs } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** The form of a new campaign (specification, sections 2.14, 5 and 8). */

const app = setUpTestApp();

const create = (page: Page) => page.getByRole("button", { name: "Créer la campagne" });

describe("a new campaign", () => {
  it("gets what was typed, on the days of its store, and is listed", async () => {
    const shop = await createOrganization(app.sql);
    const annex = await createStore(app.sql, { orgId: shop.id, name: "Annexe" });
    // Its days begin before those of the merchant's browser.
    await app.sql`update public.stores set timezone = 'Indian/Reunion' where id = ${annex}`;
    const page = await openAs(app, shop.users.member, "/campaigns/new");
    await titled(page, "Nouvelle campagne");
    await expect.poll(() => create(page).getAttribute("aria-disabled")).toBe("true");
    await create(page).press("Enter");
    await page.getByText("Donnez un nom à la campagne.").waitFor();
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    await expect.poll(() => create(page).getAttribute("aria-disabled")).toBe("true");
    await page
      .getByLabel("Magasin")
      .selectOption({ label: "Annexe · 1 rue de la Paix, 75002 Paris" });
    await page.getByLabel("Description").fill("Pour l'équipe");
    await page.getByLabel("Début").fill("2026-12-01");
    await page.getByLabel("Fin").fill("2026-11-30");
    await page.getByRole("switch", { name: "Campagne active" }).uncheck({ force: true });
    await create(page).click();
    await page.getByText("La fin doit venir après le début.").waitFor();
    await page.getByLabel("Fin").fill("2026-12-24");
    await create(page).dblclick();
    await arrives(page, "/campaigns");
    await page.getByText("Du 1er déc. 2026 au 24 déc. 2026").waitFor();
    const rows = await app.sql`
      select name, store_id, description, active, starts_at, ends_at from public.campaigns
      where org_id = ${shop.id}`;
    expect([...rows]).toEqual([
      {
        name: "Rentrée",
        store_id: annex,
        description: "Pour l'équipe",
        active: false,
        starts_at: new Date("2026-12-01T00:00:00+04:00"),
        ends_at: new Date("2026-12-24T23:59:59+04:00"),
      },
    ]);
  });

  it("whose name the organisation has already is refused, and nothing typed is lost", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new", { expected: refusing(409) });
    await page.getByLabel("Nom de la campagne").fill("la roue du comptoir");
    await page.getByLabel("Description").fill("Encore");
    await create(page).click();
    await alerts(page, "Une campagne avec ce nom existe déjà");
    expect(await page.getByLabel("Description").inputValue()).toBe("Encore");
  });

  it("beyond the plan's limit is refused kindly, and accepted when inactive", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '9 days'
      where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/campaigns/new", { expected: refusing(400) });
    await page.getByLabel("Nom de la campagne").fill("De trop");
    await create(page).click();
    await page
      .getByRole("alert")
      .getByText("Votre plan ne permet pas plus de campagnes actives")
      .waitFor();
    await page.getByRole("alert").getByRole("link", { name: "Voir les plans" }).waitFor();
    await page.getByRole("switch", { name: "Campagne active" }).uncheck({ force: true });
    await create(page).click();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "De trop" }).waitFor();
  });

  it("that is refused keeps what was typed, also where the way to the plans did not load", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '9 days'
      where org_id = ${shop.id}`;
    const { page } = await app.desktop({
      expected: (problem) =>
        [refusing(400), lost("/rest/v1/campaigns"), lost("/assets/")].some((is) => is(problem)) ||
        problem.kind === "console",
    });
    await enter(app, page, shop.users.owner);
    await page.route("**/assets/way-to-plans*.js", (route) => route.abort());
    await page.goto("/campaigns/new");
    const typed = page.getByLabel("Description");
    await page.getByLabel("Nom de la campagne").fill("De trop");
    await typed.fill("Encore");
    await loseRequest(page, "**/rest/v1/campaigns*");
    await create(page).click();
    await alerts(page, "Pas de connexion. Vérifiez le réseau, puis réessayez.");
    expect(await typed.inputValue()).toBe("Encore");
    await create(page).click();
    await page
      .getByRole("alert")
      .getByText("Votre plan ne permet pas plus de campagnes actives")
      .waitFor();
    expect(await typed.inputValue()).toBe("Encore");
  });

  it("from a template keeps what was typed where the part that adjusts its wheel did not load", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new", {
      expected: (problem) => lost("/assets/")(problem) || problem.kind === "console",
    });
    await page.route("**/assets/starter-editor*.js", (route) => route.abort());
    const typed = page.getByLabel("Description");
    await page.getByLabel("Nom de la campagne").fill("De la carte");
    await typed.fill("Au comptoir");
    await page.getByRole("radio", { name: "Un modèle" }).check({ force: true });
    await page.getByText("Ajuster les gains et la roue").click();
    await page.getByText("Ces réglages ne se chargent pas.").waitFor();
    expect(await typed.inputValue()).toBe("Au comptoir");
    await create(page).click();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "De la carte" }).waitFor();
  });

  it("that fails says so, and succeeds when tried again", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new", {
      expected: (problem) => refusing(500)(problem) || lost("/rest/v1/campaigns")(problem),
    });
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    const mend = await breakWriting(app.sql, "public.campaigns", "insert");
    await create(page).click();
    await alerts(page, "Erreur lors de la création de la campagne");
    await mend();
    await loseRequest(page, "**/rest/v1/campaigns*");
    await create(page).click();
    await alerts(page, "Pas de connexion. Vérifiez le réseau, puis réessayez.");
    await create(page).click();
    await arrives(page, "/campaigns");
  });

  it("needs a store: without one, leads to where it is made", async () => {
    const shop = await createOrganization(app.sql);
    await app.sql`update public.stores set archived_at = now() where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/campaigns/new");
    await page.getByText("Aucun établissement trouvé").waitFor();
    await page.getByRole("link", { name: "Voir les magasins archivés" }).click();
    await arrives(page, "/stores");
    await app.sql`delete from public.stores where org_id = ${shop.id}`;
    await page.goto("/campaigns/new");
    await page.getByText("Aucun établissement trouvé").waitFor();
    await page.getByRole("link", { name: "Créer un magasin" }).click();
    await arrives(page, "/onboarding/store");
  });

  it("whose stores do not load says so, and loads them when asked again", async () => {
    const shop = await createOrganization(app.sql);
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.owner);
    const repair = await breakReading(app.sql, "public.stores");
    await page.goto("/campaigns/new");
    await page
      .getByRole("alert")
      .getByText("Erreur lors du chargement des établissements")
      .waitFor();
    await repair();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByLabel("Nom de la campagne").waitFor();
  });

  it("is not lost by a careless click", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new");
    await page.getByLabel("Nom de la campagne").fill("Commencée");
    await page.getByRole("link", { name: "Annuler" }).click();
    const question = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
    await question.getByRole("button", { name: "Annuler" }).click();
    expect(await page.getByLabel("Nom de la campagne").inputValue()).toBe("Commencée");
    await page.getByRole("link", { name: "Retour aux campagnes" }).click();
    await question.getByRole("button", { name: "Quitter" }).click();
    await arrives(page, "/campaigns");
    const rows = await app.sql`select 1 from public.campaigns where org_id = ${shop.id}`;
    expect(rows.length).toBe(0);
  });

  it("shows that its list is loading", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const release = await holdRequests(page, "**/rpc/campaign_list");
    await page.goto("/campaigns");
    await page.getByRole("status").getByText("Chargement...").waitFor();
    release();
    await page.getByRole("heading", { name: "La roue du comptoir" }).waitFor();
  });
});
