import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { titled } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { arrives, openAs } from "./support/member.ts";
import { wheelOf } from "./support/new-campaign.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { openTill } from "./support/till.ts";

/**
 * Flows of a merchant without a mouse; prizes to check, the inbox and the wheel have tests of their
 * own.
 */

const app = setUpTestApp();

/** Goes to a control with Tab, sees that it has the focus, and presses a key there. */
async function press(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, control);
  expect(await showsFocus(page)).toBe(true);
  await page.keyboard.press(key);
}

/** Leaves the header behind, as whoever opens a page would. */
async function skipHeader(page: Page): Promise<void> {
  await press(page, page.getByRole("link", { name: "Aller au contenu" }));
  await waitForFocus(page.locator("#content"));
}

describe("by the keyboard alone", () => {
  it("a campaign is made from another one", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 7 } });
    const page = await openAs(app, shop.users.member, "/campaigns");
    await titled(page, "Campagnes");
    await skipHeader(page);
    await press(page, page.getByRole("link", { name: "Nouvelle campagne" }));
    await titled(page, "Nouvelle campagne");
    await tabTo(page, page.getByLabel("Nom de la campagne"));
    await page.keyboard.type("La roue de Noël");
    await tabTo(page, page.getByRole("radio", { name: /^Zéro/ }));
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByLabel("Campagne à copier").waitFor();
    await press(page, page.getByRole("button", { name: "Créer la campagne" }));
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "La roue de Noël" }).waitFor();
    expect(await wheelOf(app.sql, shop.id, "La roue de Noël")).toEqual(
      await wheelOf(app.sql, shop.id, "La roue du comptoir"),
    );
  });

  it("settings are changed, from one section to the next", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/settings?section=organization");
    const name = page.getByLabel("Nom de l'organisation");
    await name.waitFor();
    await skipHeader(page);
    await tabTo(page, name);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Maison Roy");
    await page.keyboard.press("Enter");
    await page.getByText("Enregistré.").waitFor();
    await tabTo(page, page.getByRole("link", { name: "Notifications" }), "Shift+Tab");
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("Enter");
    const told = page.getByRole("region", { name: "Notifications" });
    const monthly = told.getByRole("switch", { name: "Rapport mensuel par e-mail" });
    await press(page, monthly, "Space");
    await press(page, told.getByRole("button", { name: "Enregistrer" }));
    const stored = () => app.sql`
      select o.name, n.monthly_report from public.notification_preferences n
      join public.organizations o on o.id = n.org_id where n.user_id = ${shop.users.owner.id}`;
    await expect.poll(stored).toEqual([{ name: "Maison Roy", monthly_report: true }]);
  });

  it("proof of presence is asked for, and the code shown at the till", async () => {
    const shop = await createShop(app.sql);
    const path = `/campaigns/${shop.campaign.id}/edit?part=settings`;
    const page = await openAs(app, shop.users.owner, path);
    await page.getByLabel("Nom de la campagne").waitFor();
    await skipHeader(page);
    await press(page, page.getByRole("link", { name: "Preuve de présence et gains suspects" }));
    const presence = page.getByLabel("Preuve de présence");
    await tabTo(page, presence);
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.type("Mot");
    await press(page, page.getByRole("button", { name: "Enregistrer", exact: true }));
    await page.getByText("Réglages enregistrés.").waitFor();
    const [asked] = await app.sql`
      select presence from private.check_settings where campaign_id = ${shop.campaign.id}`;
    expect(asked).toEqual({ presence: "word" });

    const { page: till } = await app.desktop();
    await openTill(app, till, shop.users.cashier);
    const show = till.getByRole("button", { name: "Code à afficher" });
    await press(till, show);
    await till.getByRole("dialog").waitFor();
    await press(till, till.getByRole("dialog").getByRole("button", { name: "Fermer" }));
    await waitForFocus(show);
  });
});
