import { describe, expect, it } from "vitest";
import { field, save, segment, stored } from "./support/campaign-editor.ts";
import { openAs, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** `/campaigns/{id}`: its tabs for who makes a mistake, leaves, or has little room (specification, section 2.16). */

const app = setUpTestApp();
const TABS = { name: "Pages de la campagne" };

describe("the tabs of a campaign", () => {
  it("lead to a mistake in the half of the form that is not shown, and keep what was typed", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(
      app,
      shop.users.owner,
      `/campaigns/${shop.campaign.id}/edit?part=settings`,
    );
    const tabs = page.getByRole("navigation", TABS);
    await field(page, "Nom de la campagne").fill("");
    await tabs.getByRole("link", { name: "Roue", exact: true }).click();
    await segment(page, 1).getByLabel("Texte", { exact: true }).fill("Un thé");
    await save(page);
    await page.getByText("Veuillez remplir tous les champs obligatoires").first().waitFor();
    expect(place(page)).toBe(`/campaigns/${shop.campaign.id}/edit?part=settings`);
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ name: "La roue du comptoir" });

    await tabs.getByRole("link", { name: "Vue d'ensemble" }).click();
    const question = page.getByRole("dialog");
    await question.waitFor();
    await question.getByRole("button", { name: "Annuler" }).click();
    await tabs.getByRole("link", { name: "Roue", exact: true }).click();
    expect(await segment(page, 1).getByLabel("Texte", { exact: true }).inputValue()).toBe("Un thé");
  });

  it("fit a narrow phone, and are walked by keyboard", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, `/campaigns/${shop.campaign.id}?tab=reviews`);
    await page.setViewportSize({ width: 320, height: 640 });
    const current = page.getByRole("navigation", TABS).getByRole("link", { name: "Avis" });
    await expect.poll(() => current.getAttribute("aria-current")).toBe("page");
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      ),
    ).toBe(true);
    await current.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => place(page)).toBe(`/campaigns/${shop.campaign.id}/edit?part=settings`);
  });
});
