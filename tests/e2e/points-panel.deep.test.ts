import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createPointsReward, createStore } from "../harness/fixtures.ts";
import { redeem } from "../harness/journey.ts";
import { arriveAt, goToWheel, pressSpin, rate, somebody } from "./support/customer.ts";
import { loseAnswer, loseRequest } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const OFFLINE = "Sans connexion : voici vos points tels qu'ils étaient la dernière fois.";
const CHANGED = "Le nombre de points demandé a changé. Vos points sont intacts.";
const FAILED = "Vos points ne s'affichent pas pour l'instant. Ils restent acquis.";

/** A shop whose wheel gives 80 points, and a coffee that costs 50 of them. */
async function createPointsShop() {
  const shop = await createShop(app.sql, {
    wheel: "points",
    reward: { metadata: { points: 80 } },
    campaign: { playIntervalDays: 30 },
  });
  const coffee = await createPointsReward(app.sql, { orgId: shop.id, name: "Café", cost: 50 });
  return { ...shop, coffee };
}

const panel = (page: Page) => page.getByRole("region", { name: "Vos points" });
const balance = (page: Page, words: string) =>
  panel(page).locator("[aria-hidden]").getByText(words, { exact: true }).waitFor();

async function winPoints(page: Page, shop: Shop): Promise<void> {
  await rate(page, shop, 5, somebody());
  await arriveAt(page, "ready");
  await goToWheel(page);
  await pressSpin(page);
  await arriveAt(page, "win");
}

/** Whether an element stands within the screen, as far as it is scrolled. */
function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

describe("a phone's points", () => {
  it("count up to what was won, stay without network, and come anew when asked again", async () => {
    const shop = await createPointsShop();
    const { page } = await app.phone({
      motion: "no-preference",
      expected: (problem) => lost("/points_wallet")(problem) || refusing(500)(problem),
    });
    await loseRequest(page, "**/functions/v1/points_wallet");
    await winPoints(page, shop);
    // Nothing is known yet: what is said once is said in place of the points.
    await panel(page).getByText(FAILED).waitFor();
    expect(await panel(page).getByText(FAILED).count()).toBe(1);
    await panel(page).getByRole("button", { name: "Réessayer" }).click();
    await balance(page, "80 points");
    await panel(page).getByText(FAILED).waitFor({ state: "detached" });

    await page.goto(`${shop.door}/gain`);
    await balance(page, "80 points");
    await loseRequest(page, "**/functions/v1/points_wallet");
    await page.reload();
    await panel(page).getByText(OFFLINE).waitFor();
    await balance(page, "80 points");
    expect(await panel(page).getByText(FAILED).count()).toBe(0);
    await panel(page).getByRole("button", { name: "Réessayer" }).click();
    await panel(page).getByText(OFFLINE).waitFor({ state: "detached" });
    expect(await panel(page).getByRole("button", { name: "Réessayer" }).count()).toBe(0);
  });

  it("are exchanged once where the answer was lost, and never at another price than the one shown", async () => {
    const shop = await createPointsShop();
    const { page } = await app.phone({
      expected: (problem) => lost("/spend_points")(problem) || refusing(409)(problem),
    });
    await winPoints(page, shop);
    const ask = panel(page).getByRole("button", { name: "Échanger contre Café" });
    const yes = panel(page).getByRole("button", { name: "Oui, échanger" });
    const spends = () => app.sql`select status from public.points_spends where org_id = ${shop.id}`;

    // The price that is shown is the one of before.
    await ask.waitFor();
    await app.sql`update public.points_rewards set cost = 60 where id = ${shop.coffee.id}`;
    await ask.click();
    await panel(page).getByText("Échanger 50 points contre « Café » ?").waitFor();
    await yes.click();
    await panel(page).getByText(CHANGED).waitFor();
    expect(await yes.count()).toBe(0);
    expect([...(await spends())]).toEqual([]);
    // Asked again, at the new price.
    await ask.click();
    await panel(page).getByText(CHANGED).waitFor({ state: "detached" });
    await panel(page).getByText("Échanger 60 points contre « Café » ?").waitFor();
    await loseAnswer(page, "**/functions/v1/spend_points");
    await yes.click();
    await panel(page)
      .getByText("La réponse n'est pas arrivée. Réessayez\u00a0: l'échange ne se fait qu'une fois.")
      .waitFor();
    await yes.click();
    await balance(page, "20 points");
    await panel(page).getByText("Encore 40 points", { exact: true }).waitFor();
    expect([...(await spends())]).toEqual([{ status: "available" }]);
    expect(await yes.count()).toBe(0);
  });

  it("show what codes have become: a day of use, or points that came back", async () => {
    const shop = await createPointsShop();
    const { page } = await app.phone();
    await winPoints(page, shop);
    const exchange = async () => {
      await panel(page).getByRole("button", { name: "Échanger contre Café" }).click();
      await panel(page).getByRole("button", { name: "Oui, échanger" }).click();
      return (await panel(page).locator("article code").textContent()) ?? "";
    };
    const code = await exchange();
    expect(await panel(page).getByRole("heading", { name: "Vos échanges" }).count()).toBe(0);
    const who = { userId: shop.users.owner.id, storeId: shop.storeId };
    expect(await redeem(app.sql, { ...who, code })).toBe("redeemed");
    await app.sql`update public.points_rewards set cost = 10 where id = ${shop.coffee.id}`;
    await page.goto(`${shop.door}/gain`);
    await panel(page).getByText("Café · 50 points · Utilisé le").waitFor();
    expect(await panel(page).locator("article").count()).toBe(0);

    // Any store takes it, also where the campaign's own has closed.
    const gare = await createStore(app.sql, { orgId: shop.id, name: "Bertille Gare" });
    await createStore(app.sql, { orgId: shop.id });
    const other = await exchange();
    await panel(page)
      .getByText(/, dans tous ses magasins : montrez ce code à la caisse\.$/)
      .waitFor();
    await app.sql`
      update public.stores set archived_at = now() where org_id = ${shop.id} and id <> ${gare}`;
    await page.reload();
    await panel(page).getByText("Bertille Gare : montrez ce code à la caisse.").waitFor();
    // No store takes it any more, nor another one.
    await app.sql`update public.stores set archived_at = now() where id = ${gare}`;
    await page.reload();
    await panel(page).locator("article").getByText("Magasin fermé", { exact: true }).waitFor();
    expect(await panel(page).getByText("montrez ce code à la caisse").count()).toBe(0);
    expect(
      await panel(page)
        .getByRole("button", { name: /^Échanger contre/ })
        .count(),
    ).toBe(0);
    await app.sql`update public.stores set archived_at = null where id = ${gare}`;
    expect(other).not.toBe(code);
    await app.sql`
      update public.points_spends set expires_at = now() - interval '1 day' where code = ${other}`;
    await page.reload();
    await panel(page)
      .getByText("Café · 10 points · Expiré, points rendus", { exact: true })
      .waitFor();
    await panel(page).getByText("Café · 50 points · Utilisé le").waitFor();
  });

  it("show a code in sight once it was bought, and beside its reward why one was not", async () => {
    const shop = await createPointsShop();
    for (const cost of [11, 12, 13, 14, 15]) {
      await createPointsReward(app.sql, { orgId: shop.id, name: `Gâteau ${cost}`, cost });
    }
    const { page } = await app.phone({
      expected: lost("/spend_points"),
      context: { viewport: { width: 320, height: 568 } },
    });
    await winPoints(page, shop);
    const ask = panel(page).getByRole("button", { name: "Échanger contre Café" });
    const yes = panel(page).getByRole("button", { name: "Oui, échanger" });
    const NO_ANSWER =
      "La réponse n'est pas arrivée. Réessayez\u00a0: l'échange ne se fait qu'une fois.";
    await ask.click();
    await loseAnswer(page, "**/functions/v1/spend_points");
    await yes.click();
    await panel(page).getByText(NO_ANSWER).waitFor();
    await expect.poll(() => isInSight(panel(page).getByText(NO_ANSWER))).toBe(true);

    // Given up and asked for again: the first request had arrived, and counts once.
    await panel(page).getByRole("button", { name: "Annuler" }).click();
    await ask.click();
    await yes.click();
    const code = panel(page).locator("article code");
    await code.waitFor();
    await expect.poll(() => isInSight(code)).toBe(true);
    expect([
      ...(await app.sql`select points from public.points_spends where org_id = ${shop.id}`),
    ]).toEqual([{ points: 50 }]);
  });
});
