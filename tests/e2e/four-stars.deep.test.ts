import { describe, expect, it } from "vitest";
import { arriveAt, goToWheel, press, rate, win } from "./support/customer.ts";
import { activity, createShop, PUBLIC_REVIEWS } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

const OPENED = "La page d'avis public, sur g.page, s'est ouverte dans un autre onglet.";

describe("four stars", () => {
  it("in gating mode invite to a public review, which opens in another tab", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page, outside } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "google");
    await page.getByText("Sur g.page, dans un autre onglet").waitFor();
    expect(outside).toEqual([]);
    const clicked = page.waitForResponse("**/public_review_click");
    await press(page, "Laisser un avis public");
    await clicked;
    await arriveAt(page, "ready");
    await page.getByText(OPENED).waitFor();
    await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1 });
    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
  });

  it("in gating mode may go on without a public review, with the same wheel", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page, outside } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "google");
    await press(page, "Continuer sans avis public");
    await arriveAt(page, "ready");
    expect(await page.getByText(OPENED).count()).toBe(0);
    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
    expect(outside).toEqual([]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 0, wins: 1 });
  });

  it("in gating mode without a public reviews page lead to the wheel", async () => {
    const shop = await createShop(app.sql, {
      store: { reviewMode: "gating", googleReviewUrl: null },
    });
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
  });

  it("in compliant mode lead to the wheel, with the public review as an offer", async () => {
    const shop = await createShop(app.sql);
    const { page, outside } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    await page.getByText("Sur g.page, dans un autre onglet").waitFor();
    expect(outside).toEqual([]);
    const clicked = page.waitForResponse("**/public_review_click");
    await press(page, "Laisser un avis public");
    await clicked;
    await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS]);
    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1, wins: 1 });
  });
});
