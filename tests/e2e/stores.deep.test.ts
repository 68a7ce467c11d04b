import { describe, expect, it } from "vitest";
import { createCampaign, createOrganization, createStore } from "../harness/fixtures.ts";
import { enter, place } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Stores that are archived, or somebody else's. */

const app = setUpTestApp();

describe("the stores", () => {
  it("with a history are archived, the last says so, and its campaigns stop", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.admin);
    await page.goto("/stores");
    await page.getByRole("button", { name: `Actions pour ${shop.storeName}` }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const dialog = page.getByRole("dialog", { name: `Archiver ${shop.storeName} ?` });
    await dialog
      .getByText("C'est votre dernier magasin : sans magasin, aucune campagne ne peut tourner.")
      .waitFor();
    await dialog.getByRole("button", { name: "Archiver" }).click();
    await dialog.waitFor({ state: "detached" });
    const [stored] = await app.sql`
      select s.archived_at is not null as archived, c.active
      from public.stores s join public.campaigns c on c.store_id = s.id where s.id = ${shop.storeId}`;
    expect(stored).toEqual({ archived: true, active: false });
    // No word of a first store: this one is there, and one press away.
    await page.getByText("Tous vos magasins sont archivés.", { exact: false }).waitFor();
    expect(await page.getByText("Commencez par là").count()).toBe(0);
    const letGo = await holdRequests(page, /rpc\/store_list/);
    await page.getByRole("button", { name: "Voir les magasins archivés" }).click();
    await page.getByText("Tous vos magasins sont archivés.", { exact: false }).waitFor({
      state: "detached",
    });
    expect(await page.getByText("Aucun magasin archivé").count()).toBe(0);
    letGo();
    await page.getByText("Archivés (1)").waitFor();
    await page.getByRole("heading", { level: 2, name: shop.storeName }).waitFor();
    await page.goto("/settings?section=stores");
    const card = page.getByRole("region", { name: "Magasins & Établissements" });
    await card.getByText("tous vos magasins sont archivés", { exact: false }).waitFor();
    await card.getByRole("link", { name: "Voir les magasins archivés" }).click();
    await page.getByRole("heading", { level: 2, name: shop.storeName }).waitFor();
    expect(place(page)).toBe("/stores?archived=true");
  });

  it("of which others remain are archived without that word, from the settings as well, with all that depends on them", async () => {
    const shop = await createShop(app.sql);
    const { id: orgId } = shop;
    const name = "L'Annexe";
    const storeId = await createStore(app.sql, { orgId, name });
    await createCampaign(app.sql, { orgId, storeId, name: "Une" });
    for (const other of ["Deux", "Trois"]) {
      await createCampaign(app.sql, { orgId, storeId, name: other, active: false });
    }
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const dialog = page.getByRole("dialog", { name: `Archiver ${name} ?` });
    const tells = async () => {
      await dialog.getByText("3 campagnes et leur historique dépendent de ce magasin").waitFor();
      await dialog.getByText("1 campagne active s'arrête aussitôt").waitFor();
      expect(await dialog.getByText("C'est votre dernier magasin").count()).toBe(0);
    };
    await page.goto("/settings?section=stores");
    await page.getByRole("button", { name: `Supprimer ${name}` }).click();
    await tells();
    await page.goto("/stores");
    await page.getByRole("button", { name: `Actions pour ${name}` }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    await tells();
  });

  it("are nobody else's, and a member deletes none", async () => {
    const shop = await createShop(app.sql);
    const other = await createOrganization(app.sql);
    const { page } = await app.desktop({ expected: refusing(400, 406) });
    await enter(app, page, other.users.member);
    for (const part of ["edit", "settings", "stats"]) {
      await page.goto(`/stores/${shop.storeId}/${part}`);
      await page.getByRole("heading", { name: "Magasin non trouvé" }).waitFor();
    }
    await page.getByRole("link", { name: "Retour aux magasins" }).click();
    await page.getByRole("button", { name: /^Actions pour/ }).click();
    await page.getByRole("menuitem", { name: "Statistiques" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Supprimer" }).count()).toBe(0);
  });
});
