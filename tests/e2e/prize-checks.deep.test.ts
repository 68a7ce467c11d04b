import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { checkLightAndDark } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { openAs } from "./support/member.ts";
import { statesOf, suspiciousShop } from "./support/prize-checks.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** « Gains à vérifier » on a phone, in the dark, and without a mouse. */

const app = setUpTestApp();

const reason = (page: Page) =>
  page.getByRole("heading", { name: "Un même appareil a joué sous 8 noms" });

it("fits a phone, in the light and in the dark, in each of its states", async () => {
  const { shop } = await suspiciousShop(app.sql);
  const page = await openAs(app, shop.users.owner, "/dashboard", {
    device: "phone",
    context: { viewport: { width: 390, height: 844 } },
  });
  const fits = async (state: string) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(390);
    await checkLightAndDark(page, state);
  };
  await page.getByRole("heading", { name: "Des gains sont à vérifier" }).waitFor();
  await fits("dashboard with prizes to check");
  await page.getByRole("link", { name: "Vérifier ces gains" }).tap();
  await reason(page).waitFor();
  // On the screen without a search for it.
  await expect.poll(async () => (await reason(page).boundingBox())?.y ?? 0).toBeLessThan(844);
  await page.getByText("Voir les gains").tap();
  await fits("prizes to check");
  await page.getByRole("button", { name: "Mettre en attente", exact: true }).tap();
  await page.getByText("6 gains en attente.").waitFor();
  await fits("prizes held back");
  await page.getByRole("button", { name: "Annuler les gains" }).tap();
  await page.getByRole("dialog").waitFor();
  await fits("a question before prizes are cancelled");
  await page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" }).tap();
  await page.getByText("Rien d'inhabituel en ce moment.").waitFor();
  await page.getByText("Traités", { exact: true }).tap();
  await page.getByRole("button", { name: "Rétablir les gains" }).waitFor();
  await fits("prizes that were dealt with");
  await page.getByRole("button", { name: "Menu", exact: true }).tap();
  await fits("the menu");
});

it("fits a tablet held upright, with both counts in the navigation", async () => {
  const { shop } = await suspiciousShop(app.sql);
  await review(app.sql, { campaignId: shop.campaign.id, rating: 1 });
  const page = await openAs(app, shop.users.owner, "/customers", {
    context: { viewport: { width: 768, height: 1024 } },
  });
  const navigation = page.getByRole("navigation", { name: "Navigation principale" });
  await navigation.getByRole("link", { name: "Avis 1" }).waitFor();
  await navigation.getByRole("link", { name: "Récompenses 1 à vérifier" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
});

it("a group of prizes is decided on by the keyboard alone: held back, undone, cancelled", async () => {
  const { shop } = await suspiciousShop(app.sql);
  const page = await openAs(app, shop.users.owner, "/dashboard");
  const { keyboard } = page;
  const press = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true });
    await tabTo(page, button);
    expect(await showsFocus(page)).toBe(true);
    await keyboard.press("Enter");
  };
  await tabTo(page, page.getByRole("link", { name: "Vérifier ces gains" }));
  expect(await showsFocus(page)).toBe(true);
  await keyboard.press("Enter");
  await reason(page).waitFor();
  await press("Mettre en attente");
  await page.getByText("6 gains en attente.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("held"));
  await press("Rétablir les gains");
  await page.getByText("6 gains de nouveau valables.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("available"));

  // Escape says no, and the focus is where it was.
  await press("Annuler les gains");
  await page.getByRole("dialog").waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await waitForFocus(page.getByRole("button", { name: "Annuler les gains", exact: true }));
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("available"));
  await keyboard.press("Enter");
  const yes = page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" });
  await tabTo(page, yes);
  expect(await showsFocus(page)).toBe(true);
  await keyboard.press("Enter");
  await page.getByText("Rien d'inhabituel en ce moment.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("cancelled"));
  // The group is gone, with all that could be pressed: its section is where one goes on.
  await waitForFocus(page.getByRole("heading", { name: "Gains à vérifier" }));
  expect(await showsFocus(page)).toBe(true);
});

it("asks about those alone that can still be cancelled, and takes no limit beyond its bounds", async () => {
  const { shop, code } = await suspiciousShop(app.sql);
  await app.sql`
    update public.redemptions set status = 'used', used_at = now() where code = ${code}`;
  const page = await openAs(app, shop.users.owner, "/rewards#a-verifier");
  await reason(page).waitFor();
  await page.getByRole("button", { name: "Annuler les gains", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("5 gains ne pourront plus être utilisés").waitFor();
  await dialog.getByRole("button", { name: "Annuler", exact: true }).click();

  await page.goto(`/rewards#a-verifier-${shop.campaign.id}`);
  await page.reload();
  const names = page.getByLabel("Noms sur un même appareil, en un jour");
  const save = page.getByRole("button", { name: "Enregistrer" });
  const wrong = page.getByRole("alert").filter({ hasText: /500/ });
  for (const value of ["501", "1"]) {
    await names.fill(value);
    await save.click();
    await wrong.waitFor();
  }
  await names.fill("500");
  await save.click();
  await wrong.waitFor({ state: "detached" });
  await expect
    .poll(
      () => app.sql`
      select device_names from private.check_settings where campaign_id = ${shop.campaign.id}`,
    )
    .toEqual([{ device_names: 500 }]);
});

it("keeps the settings that were begun while another campaign is looked at, and asks before they are lost", async () => {
  const { shop } = await suspiciousShop(app.sql);
  const other = await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId });
  const page = await openAs(app, shop.users.owner, `/rewards#a-verifier-${shop.campaign.id}`);
  const names = page.getByLabel("Noms sur un même appareil, en un jour");
  const campaign = page.getByLabel("Campagne", { exact: true });
  await names.fill("12");
  await campaign.selectOption(other.id);
  await expect.poll(() => names.inputValue()).toBe("6");
  await campaign.selectOption(shop.campaign.id);
  await expect.poll(() => names.inputValue()).toBe("12");
  await page.getByText("Traités", { exact: true }).click();
  await page.getByText("Réglages", { exact: true }).click();
  await expect.poll(() => names.inputValue()).toBe("12");

  const dialog = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
  const away = page.getByRole("link", { name: "Magasins", exact: true });
  await away.click();
  await dialog.getByRole("button", { name: "Annuler", exact: true }).click();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Réglages enregistrés.").waitFor();
  await away.click();
  await page.waitForURL("**/stores**");
});

it("tells a second tab that somebody else has decided, and takes back « Rien d'anormal » in its place", async () => {
  const { shop } = await suspiciousShop(app.sql);
  const page = await openAs(app, shop.users.owner, "/rewards#a-verifier");
  await reason(page).waitFor();
  const second = await page.context().newPage();
  await second.goto("/rewards#a-verifier");
  await reason(second).waitFor();
  await page.getByRole("button", { name: "Annuler les gains", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" }).click();
  await page.getByText("6 gains annulés et remis en stock.").waitFor();

  await second.getByRole("button", { name: "Mettre en attente", exact: true }).click();
  await second.getByText("Rien n'a changé : quelqu'un d'autre a déjà décidé.").waitFor();
  await second.getByText("Rien d'inhabituel en ce moment.").waitFor();
  expect(await second.getByRole("button", { name: "Rétablir les gains" }).count()).toBe(0);
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("cancelled"));

  await page.getByRole("button", { name: "Rétablir les gains" }).click();
  await page.getByText("6 gains de nouveau valables.").waitFor();
  await page.getByRole("button", { name: "Rien d'anormal" }).click();
  await page.getByText("Classé : plus rien n'est en attente.").waitFor();
  await page.getByRole("button", { name: "Reprendre" }).click();
  await page.getByText("De nouveau à vérifier.").waitFor();
  await page.getByText("1 groupe de gains sort de l'ordinaire.").waitFor();
});

it("shows a cashier no way to what they cannot decide", async () => {
  const { shop, code } = await suspiciousShop(app.sql);
  await app.sql`update public.redemptions set verdict = 'held' where code = ${code}`;
  const page = await openAs(app, shop.users.cashier, "/encaisser");
  await page.getByRole("textbox", { name: "Code du client" }).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
  await page.getByRole("heading", { name: "À vérifier" }).waitFor();
  expect(await page.getByRole("link", { name: "Voir les gains à vérifier" }).count()).toBe(0);
});
