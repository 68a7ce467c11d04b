import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad, haveCustomers, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The list of campaigns where there is none, where it does not load, and its way to the test mode. */

const app = setUpTestApp();

describe("the list", () => {
  it("of an organisation without campaigns offers the first; the address's page is bounded", async () => {
    const organization = await createOrganization(app.sql);
    const page = await openAs(app, organization.users.owner, "/campaigns?page=7");
    await page.getByText("Aucune campagne créée").waitFor();
    await page.getByRole("link", { name: "Créer ma campagne" }).click();
    await titled(page, "Nouvelle campagne");
  });

  it("that does not load says so, and loads when asked again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.owner);
    const repair = await breakFunction(app.sql, "campaign_list");
    await page.goto("/campaigns");
    await page.getByRole("alert").getByText("Erreur lors du chargement des campagnes").waitFor();
    await repair();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByRole("heading", { name: "La roue du comptoir" }).waitFor();
  });

  it("shows the whole of a menu that opens above a phone's bar", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await enter(app, page, shop.users.owner);
    await page.goto("/campaigns");
    const trigger = page.getByRole("button", { name: "Actions pour La roue du comptoir" });
    await trigger.waitFor();
    // So low that the bar is over all entries but the first.
    const bottom = await trigger.evaluate((element) => element.getBoundingClientRect().bottom);
    await page.setViewportSize({ width: 390, height: Math.ceil(bottom) + 130 });
    await trigger.click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    const bar = page.getByRole("navigation", { name: "Navigation principale" }).last();
    expect(await menu.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(
      await bar.evaluate((element) => element.getBoundingClientRect().top),
    );
  });

  it("says of one that rests that it is archived, and nothing of stopping", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5] });
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    const page = await openAs(app, shop.users.owner, "/campaigns");
    await page.getByRole("button", { name: "Actions pour La roue du comptoir" }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const dialog = page.getByRole("dialog", { name: "Archiver La roue du comptoir ?" });
    await dialog.getByText("Ses chiffres, ses avis et les codes déjà gagnés restent.").waitFor();
    expect(await dialog.getByText("Elle s'arrête tout de suite").count()).toBe(0);
  });

  it("says why one that is paused or has not begun cannot be tested, and leads to its wheel", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns");
    for (const [state, words] of [
      ["active = false", "Cette campagne est inactive."],
      ["active = true, starts_at = '2090-01-01'", "Cette campagne n'a pas encore commencé."],
    ]) {
      await app.sql.unsafe(`update public.campaigns set ${state} where id = $1`, [
        shop.campaign.id,
      ]);
      await page.reload();
      await page.getByRole("button", { name: "Tester La roue du comptoir" }).click();
      await page
        .getByRole("dialog")
        .getByText(words ?? "", { exact: false })
        .waitFor();
      await checkLightAndDark(page, `no test: ${state}`);
      await page.getByRole("dialog").getByRole("button", { name: "Fermer" }).click();
    }
    await page.getByRole("button", { name: "Tester La roue du comptoir" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Voir la roue" }).click();
    await page.getByRole("button", { name: "Essayer la roue" }).waitFor();
  });

  it("opens the test mode in a new tab", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns");
    const link = page.getByRole("link", { name: "Tester La roue du comptoir (nouvel onglet)" });
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await link.getAttribute("href")).toBe(`/c/${shop.campaign.slug}/play`);
  });
});
