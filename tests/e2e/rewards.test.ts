import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createReward } from "../harness/fixtures.ts";
import { arrives, inPlain, openAs, place } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { choose, rewardOf } from "./support/rewards.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

/** `/rewards`: the list, its switch, its menu. */

const app = setUpTestApp();

const card = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const toggle = (page: Page, name: string) =>
  page.getByRole("switch", { name: `${name} peut être gagnée` });

describe("the list of rewards", () => {
  it("shows what each is and how it does, in the specification's words", async () => {
    const shop = await createShop(app.sql, { reward: { codeTemplate: "NOEL-{random}" } });
    const { sql } = app;
    await createReward(sql, shop.campaign, {
      name: "Dix pour cent",
      type: "coupon",
      stock: 3,
      maxPerUser: 2,
      metadata: { discountPercent: 10, validityDays: 15 },
      active: false,
    });
    await createReward(sql, shop.campaign, { name: "Cinquante points", type: "points" });
    await winCode(sql, shop);

    const page = await openAs(app, shop.users.member, "/rewards");
    await page.getByRole("heading", { level: 1, name: "Récompenses" }).waitFor();
    const coffee = card(page, "Café offert");
    for (const text of ["Cadeau", "Active", "Illimité", "La roue du comptoir", "NOEL-{random}"]) {
      await coffee.getByText(text, { exact: true }).waitFor();
    }
    const coupon = card(page, "Dix pour cent");
    for (const text of ["Coupon", "Inactive", "3 restant(s)", "15 jours", "10 %", "WIN{random}"]) {
      await coupon.getByText(text, { exact: true }).waitFor();
    }
    const points = card(page, "Cinquante points");
    await points.getByText("Points", { exact: true }).first().waitFor();
    expect(await points.getByText("Taux d'utilisation").count()).toBe(0);
    for (const [name, value] of [
      ["Récompenses", "3"],
      ["Gains", "1"],
      ["Codes utilisés", "0"],
      ["Taux de rédemption", "0 %"],
    ] as const) {
      const figure = page.locator("dl").first().locator("div").filter({ hasText: name });
      const shown = await figure.locator("dd").first().textContent();
      expect(inPlain(shown)).toBe(value);
    }

    await page.getByRole("button", { name: "Actions pour Café offert" }).click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await arrives(page, `/rewards/${shop.reward?.id}/stats`);
  });
});

describe("the table of rewards", () => {
  it("leaves a campaign's name its line, and sorts by the two figures that share a column", async () => {
    const { sql } = app;
    const shop = await createShop(sql, { campaign: { name: "La roue du comptoir" } });
    await createReward(sql, shop.campaign, {
      name: "Dix pour cent",
      type: "coupon",
      maxPerUser: 2,
      metadata: { discountPercent: 10, validityDays: 90 },
    });
    const page = await openAs(app, shop.users.owner, "/rewards");
    await page.setViewportSize({ width: 1440, height: 900 });
    const campaign = card(page, "Dix pour cent").getByText("La roue du comptoir", { exact: true });
    const lineHeight = Number.parseFloat(
      await campaign.evaluate((element) => getComputedStyle(element).lineHeight),
    );
    expect((await campaign.boundingBox())?.height).toBeLessThan(2 * lineHeight);
    await card(page, "Dix pour cent").getByText("2 par personne").waitFor();
    await card(page, "Dix pour cent").getByText("90 jours").waitFor();

    const heading = page.getByRole("columnheader").filter({ hasText: "Validité" });
    const names = () => page.getByRole("rowheader").getByRole("heading").allTextContents();
    await heading.getByRole("button", { name: "Validité" }).click();
    await expect.poll(names).toEqual(["Dix pour cent", "Café offert"]);
    expect(place(page)).toBe("/rewards?sort=-validity");
    expect(await heading.getAttribute("aria-sort")).toBe("descending");
    await heading.getByRole("button", { name: "Max par personne" }).click();
    await heading.getByRole("button", { name: "Max par personne" }).click();
    await expect.poll(() => place(page)).toBe("/rewards?sort=max");
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("button", { name: "Colonnes" }).click();
    await page.getByRole("checkbox", { name: "Max par personne et validité" }).uncheck();
    await heading.waitFor({ state: "detached" });
    expect(await page.getByRole("checkbox", { name: "Validité", exact: true }).count()).toBe(0);
  });
});

describe("the switch", () => {
  it("saves at once, and is undone visibly when that fails", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, "/rewards", {
      expected: lost("/rest/v1/rewards"),
    });
    await toggle(page, "Café offert").click({ force: true });
    await card(page, "Café offert").getByText("Inactive", { exact: true }).waitFor();
    await expect
      .poll(async () => (await rewardOf(app.sql, "Café offert", shop))?.active)
      .toBe(false);

    await loseRequest(page, "**/rest/v1/rewards?**");
    await toggle(page, "Café offert").click({ force: true });
    await page
      .getByRole("alert")
      .getByText("Non enregistré : la récompense reste inactive.")
      .waitFor();
    expect(await toggle(page, "Café offert").isChecked()).toBe(false);
    expect((await rewardOf(app.sql, "Café offert", shop))?.active).toBe(false);
  });

  it("takes with it the warning of a reward that is on no wheel", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Brioche" });
    const page = await openAs(app, shop.users.member, "/rewards");
    const warning = card(page, "Brioche").getByText(
      "Sur aucun segment de la roue : personne ne peut la gagner.",
    );
    await warning.waitFor();
    await toggle(page, "Brioche").click({ force: true });
    await warning.waitFor({ state: "detached" });
    await toggle(page, "Brioche").click({ force: true });
    await warning.waitFor();
  });
});

describe("removing", () => {
  it("deletes what nobody ever won, and archives the rest, saying so before", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Essai" });
    await winCode(app.sql, shop);
    const page = await openAs(app, shop.users.admin, "/rewards");

    await choose(page, "Essai", "Supprimer");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("n'a jamais été gagnée et n'est sur aucune roue").waitFor();
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await card(page, "Essai").waitFor({ state: "detached" });
    expect(await rewardOf(app.sql, "Essai", shop)).toBeUndefined();

    await choose(page, "Café offert", "Supprimer");
    await dialog.getByRole("heading", { name: "Archiver « Café offert » ?" }).waitFor();
    await dialog.getByText("Elle a déjà été gagnée").waitFor();
    await dialog.getByText("Elle est sur la roue de sa campagne").waitFor();
    await dialog.getByRole("button", { name: "Archiver" }).click();
    await page.getByText("Aucune récompense créée").waitFor();
    expect((await rewardOf(app.sql, "Café offert", shop))?.archived_at).toBeInstanceOf(Date);

    await page.getByText("Archivées (1)").click();
    await page.getByRole("button", { name: "Remettre en service" }).click();
    await page.getByText("Aucune récompense archivée").waitFor();
    expect((await rewardOf(app.sql, "Café offert", shop))?.archived_at).toBeNull();

    // The way back stays where nothing is archived any more.
    await page.getByText("En service", { exact: true }).click();
    await card(page, "Café offert").waitFor();
  });
});
