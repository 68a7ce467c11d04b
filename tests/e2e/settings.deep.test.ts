import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { breakFunction } from "./support/faults.ts";
import { arrives, enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** `/settings`: the ways that lead on, and a plan that is over (specification, section 2.19). */

const app = setUpTestApp();

describe("the settings", () => {
  it("lead to stores, plans and security, and say what the organisation is", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      update public.subscriptions set status = 'past_due', past_due_since = '2090-12-16T12:00:00Z',
        stripe_customer_id = 'cus_settings_e2e'
      where org_id = ${shop.id}`;
    const { page } = await app.phone({ expected: refusing(502) });
    await enter(app, page, shop.users.admin);
    // On a phone the door of the settings is the list of their sections, each two presses away from any other.
    await page.goto("/settings");
    const menu = page.getByRole("navigation", { name: "Sections des paramètres" });
    await menu.waitFor();
    expect(await page.getByRole("region").count()).toBe(0);
    const open = async (name: string) => {
      if (!(await menu.isVisible())) {
        await page.getByRole("link", { name: "Tous les paramètres" }).click();
      }
      await menu.getByRole("link", { name, exact: true }).click();
      await menu.waitFor({ state: "hidden" });
    };
    const hrefs = async (name: string) =>
      page.getByRole("link", { name, exact: true }).getAttribute("href");
    expect(await hrefs("Mot de passe")).toBe("/settings/password");
    expect(await hrefs("Double authentification")).toBe("/settings/2fa");
    expect(await hrefs("Appareils connectés")).toBe("/settings/sessions");
    expect(await hrefs("Écrire à Tournavis")).toBe("/contact");
    expect(await menu.getByRole("link", { name: "Vos données" }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await open("Magasins & Établissements");
    const stores = page.getByRole("region", { name: "Magasins & Établissements" });
    await stores.getByText("Mode conforme").waitFor();
    expect(await hrefs("Ajouter")).toBe("/stores/new");
    expect(await hrefs(`Modifier ${shop.storeName}`)).toBe(`/stores/${shop.storeId}/edit`);
    expect(await hrefs(`Page d'avis : ${shop.storeName}`)).toBe("https://g.page/r/magasin");
    await open("Abonnement");
    expect(await hrefs("Changer de plan")).toBe("/pricing");
    const plan = page.getByRole("region", { name: "Abonnement" });
    await plan.getByText("past_due").waitFor();
    await plan.getByText("24 décembre 2090").waitFor();
    const mend = await breakFunction(app.sql, "begin_billing");
    await plan.getByRole("button", { name: "Portail de facturation" }).click();
    await plan.getByText("Erreur lors de l'ouverture du portail de facturation.").waitFor();
    await mend();
    await open("Organisation");
    await page.getByRole("region", { name: "Informations" }).getByText(shop.id).waitFor();
    await page.goto("/settings?section=data");
    await page.getByRole("region", { name: "Informations" }).waitFor();
    // The region of the owner alone is not shown to others.
    expect(await page.getByRole("region", { name: "Vos données" }).count()).toBe(0);
    await open("Magasins & Établissements");
    await page.getByRole("button", { name: `Supprimer ${shop.storeName}` }).click();
    const dialog = page.getByRole("dialog", { name: `Archiver ${shop.storeName} ?` });
    await dialog.getByRole("button", { name: "Archiver" }).click();
    await stores.getByText("Aucun magasin en service : tous vos magasins sont archivés.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await app.sql`
      update public.subscriptions set status = 'active', cancel_at_period_end = true,
        current_period_end = '2090-12-24T12:00:00Z' where org_id = ${shop.id}`;
    const { page: member } = await app.desktop();
    await enter(app, member, shop.users.member);
    await member.goto("/settings?section=subscription");
    await member.getByText("Fin de l'abonnement").waitFor();
    expect(await member.getByText("Prochaine facturation").count()).toBe(0);
    expect(await member.getByRole("link", { name: "Changer de plan" }).count()).toBe(0);
    // An address with another section, and what one left there, lead to the first.
    await member.goto("/settings?section=autre");
    await member
      .getByText("Seuls le propriétaire et les administrateurs peuvent modifier ces informations.")
      .waitFor();
    await app.sql`delete from public.subscriptions where org_id = ${shop.id}`;
    await member.goto("/settings");
    await member.getByText("Aucun abonnement actif. Veuillez choisir un plan.").waitFor();
    await member.getByRole("button", { name: "Choisir un plan" }).click();
    await arrives(member, "/pricing");
  });
});
