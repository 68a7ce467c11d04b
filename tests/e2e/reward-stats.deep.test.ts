import { expect, it } from "vitest";
import { redeem } from "../harness/journey.ts";
import { enter, inPlain } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

/** `/rewards/{id}/stats`: wins, uses, and the state of the codes. */

const app = setUpTestApp();
const STATS = "/rest/v1/rpc/reward_stats";

it("shows the last 30 and 90 days and the codes by state", async () => {
  const shop = await createShop(app.sql, { campaign: { playIntervalDays: 0 } });
  const { sql } = app;
  const rewardId = shop.reward?.id ?? "";
  const code = await winCode(sql, shop);
  await winCode(sql, shop);
  await redeem(sql, { userId: shop.users.cashier.id, code, storeId: shop.storeId });
  // Wins and uses of 60 days ago.
  await sql`
    insert into public.reward_daily_stats (org_id, reward_id, day, wins, redemptions)
    values (${shop.id}, ${rewardId}, current_date - 60, 8, 3)`;

  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto(`/rewards/${rewardId}/stats`);
  await page.getByRole("heading", { level: 1, name: "Statistiques : Café offert" }).waitFor();
  const cards = await page.locator("dl").first().locator("dd").allTextContents();
  expect(cards.map(inPlain)).toEqual(["2", "1", "50 % des gains", "10", "4", "40 % des gains"]);
  const picture = page.getByRole("img", { name: "Gains et utilisations par jour" });
  const describes = async (pattern: RegExp) => {
    await expect.poll(() => picture.locator("desc").textContent()).toMatch(pattern);
  };
  await describes(/^Sur 30 jours : 2 gains, 1 utilisation/);
  expect(await picture.locator("[data-series]").count()).toBe(2);
  await page.getByText("90 jours", { exact: true }).click();
  await describes(/^Sur 90 jours : 10 gains, 4 utilisations.*8 gains\.$/);
  const states = await page.locator("dl").last().locator("div").allTextContents();
  expect(states.map(inPlain)).toEqual([
    "Disponibles1 · 50 %",
    "Utilisés1 · 50 %",
    "Expirés0 · 0 %",
  ]);
});

it("says that nothing happened yet, and when it cannot be loaded", async () => {
  const shop = await createShop(app.sql, { wheel: "points" });
  const { page } = await app.desktop({ expected: lost(STATS) });
  await enter(app, page, shop.users.member);
  // Twice asked anew by itself before it gives up.
  for (let n = 0; n < 3; n += 1) await loseRequest(page, `**${STATS}`);
  await page.goto(`/rewards/${shop.reward?.id}/stats`);
  await page.getByText("Erreur lors du chargement des statistiques").waitFor();
  await page.getByRole("button", { name: "Réessayer" }).click();
  await page.getByText("Rien sur cette période").waitFor();
  await page.getByText("Les points sont crédités automatiquement, sans code.").waitFor();
});

it("keeps them for the plans that include them", async () => {
  const shop = await createShop(app.sql, { plan: "free_trial" });
  const { page } = await app.desktop();
  await enter(app, page, shop.users.owner);
  await page.goto(`/rewards/${shop.reward?.id}/stats`);
  await page.getByRole("heading", { name: "Inclus dans les plans Basic et Pro" }).waitFor();
  const plans = page.getByRole("link", { name: "Voir les plans" });
  expect(await plans.getAttribute("href")).toBe("/pricing");
  expect(await page.getByText("Gains et utilisations par jour").count()).toBe(0);
  await page.goto(`/stores/${shop.storeId}/stats`);
  await page.getByRole("heading", { name: "Inclus dans les plans Basic et Pro" }).waitFor();
  expect(await page.getByText("De la porte à la caisse", { exact: true }).count()).toBe(0);
  await page.getByText("Avis collectés").waitFor();
});
