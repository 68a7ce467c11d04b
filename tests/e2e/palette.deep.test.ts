import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, failingToLoad, haveCustomers, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The search through everything: opened by keys or thumb, worked by keyboard alone. */

const app = setUpTestApp();

const ANY = "Rechercher un client, un code, une campagne, une récompense, un magasin ou une page";

describe("the search through everything", () => {
  it("leads by keyboard alone to customers, codes, campaigns, rewards, stores and pages", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5] });
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.member);
    await page.goto("/stores");
    const opener = page.getByRole("button", { name: "Chercher" });
    await opener.waitFor();
    const dialog = page.getByRole("dialog", { name: "Aller à" });
    const field = dialog.getByRole("combobox", { name: ANY });
    const chosen = dialog.getByRole("option", { selected: true });
    const openFound = async (text: string, title: string) => {
      await page.keyboard.press("Control+k");
      await field.fill(text);
      await dialog.getByRole("option", { name: title }).first().waitFor();
      await expect.poll(() => chosen.textContent()).toContain(title);
      // Screen readers announce the option that is shown.
      const announces = async () =>
        (await field.getAttribute("aria-activedescendant")) === (await chosen.getAttribute("id"));
      await expect.poll(announces).toBe(true);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    };

    await openFound("anais le goff", "Anaïs Le Goff 1");
    const [customer] = await app.sql`select id from public.customers where org_id = ${shop.id}`;
    await arrives(page, `/customers/${customer?.id}`);
    const [won] = await app.sql<{ code: string; reward_id: string }[]>`
      select code, reward_id from public.redemptions where org_id = ${shop.id}`;
    await openFound(won?.code.toLowerCase() ?? "", won?.code ?? "");
    await arrives(page, `/rewards/${won?.reward_id}/codes`);
    expect(place(page)).toContain(`q=${won?.code}`);
    await openFound(shop.storeName, shop.storeName);
    await arrives(page, `/stores/${shop.storeId}/stats`);
    await openFound("mes donnees", "Mes données et mon compte");
    await arrives(page, "/settings/account");
    await openFound("collègues", "Équipe");
    await arrives(page, "/settings");
    expect(place(page)).toContain("section=team");
    await openFound("parametr", "Paramètres");
    await arrives(page, "/settings");

    // Opened by hand, it shows where one was, and gives the focus back.
    await opener.click();
    const recent = dialog.getByRole("group", { name: "Récemment ouverts" });
    await expect.poll(() => recent.getByRole("option").count()).toBe(3);
    await expect.poll(() => chosen.textContent()).toContain(shop.storeName);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => chosen.textContent()).toContain(won?.code);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => chosen.textContent()).toContain("Abonnement");
    await field.fill("introuvable");
    await dialog.getByText("Aucun résultat pour « introuvable »").first().waitFor();

    const mend = await breakFunction(app.sql, "find_anything");
    await field.fill("anaïs");
    await dialog.getByRole("alert").getByText("La recherche n'a pas abouti.").waitFor();
    await mend();
    await dialog.getByRole("button", { name: "Réessayer" }).click();
    await dialog.getByRole("option", { name: "Anaïs Le Goff 1" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await waitForFocus(opener);
  });

  it("is at the thumb on a phone, and shows nothing of another organisation", async () => {
    const shop = await createShop(app.sql);
    const other = await createOrganization(app.sql);
    const { page } = await app.phone();
    await enter(app, page, other.users.owner);
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    await page.goto("/settings");
    const opener = page.getByRole("button", { name: "Chercher" });
    await opener.waitFor();
    // Nothing of it is loaded before it is wanted.
    expect(scripts.filter((url) => url.includes("palette"))).toEqual([]);
    const box = await opener.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.y).toBeGreaterThan((page.viewportSize()?.height ?? 0) / 2);
    await opener.click();
    const field = page.getByRole("combobox", { name: ANY });
    await field.fill(shop.storeName);
    await page.getByText(`Aucun résultat pour « ${shop.storeName} »`).first().waitFor();
    await field.fill("nouveau mag");
    await page.getByRole("option", { name: "Nouveau magasin" }).click();
    await arrives(page, "/stores/new");
    await page.getByRole("heading", { level: 1, name: "Nouveau magasin" }).waitFor();
  });
});
