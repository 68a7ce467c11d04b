import { describe, expect, it } from "vitest";
import { arriveAt, follow, goToWheel, press, rate, win } from "./support/customer.ts";
import { activity, createShop, PUBLIC_REVIEWS } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

const OPENED = "La page d'avis public, sur g.page, s'ouvre dans un autre onglet.";

/** A page within Instagram, Facebook or LinkedIn on an iPhone: scripts open no window (`createWebViewWith` of WKUIDelegate answers nil). */
function openNoWindow() {
  window.open = () => null;
}

/** A page within an application on Android: what asks for a window takes the place of the page (`setSupportMultipleWindows(false)`). */
function openInPlace() {
  window.open = (url) => {
    location.href = String(url);
    return null;
  };
  addEventListener("click", ({ target }) => {
    if (target instanceof Element) target.closest("a")?.removeAttribute("target");
  });
}

describe("in a browser within another application", () => {
  it.each(["compliant", "gating"] as const)(
    "which opens no window for a script, five stars in %s mode leave a link that leads to the public page",
    async (reviewMode) => {
      const shop = await createShop(app.sql, { store: { reviewMode } });
      const { page, outside } = await app.phone({ answering: PUBLIC_REVIEWS });
      await page.addInitScript(openNoWindow);
      await rate(page, shop, 5);
      await arriveAt(page, "ready");
      expect(outside).toEqual([]);
      const tab = page.context().waitForEvent("page");
      await follow(page, OPENED);
      await (await tab).waitForURL(PUBLIC_REVIEWS);
      await goToWheel(page);
      expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1 });
    },
  );

  it.each([
    [5, "compliant"],
    [5, "gating"],
    [4, "gating"],
  ] as const)(
    "which has one window, %i stars in %s mode lead to the public page and back to the wheel",
    async (stars, reviewMode) => {
      const shop = await createShop(app.sql, { store: { reviewMode } });
      const { page } = await app.phone({
        answering: PUBLIC_REVIEWS,
        expected: lost("review_record"),
      });
      await page.addInitScript(openInPlace);
      await rate(page, shop, stars);
      if (stars === 4) {
        await arriveAt(page, "google");
        await follow(page, "Laisser un avis public");
      }
      await page.waitForURL(PUBLIC_REVIEWS);
      await page.goBack();
      await arriveAt(page, "ready");
      await goToWheel(page);
      await expect
        .poll(() => activity(app.sql, shop))
        .toMatchObject({ reviews: 1, clicks: 1, customers: 1 });
    },
  );
});

describe("four stars", () => {
  it("in gating mode invite to a public review, which opens in another tab", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page, outside } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "google");
    await page.getByText("Sur g.page, dans un autre onglet").waitFor();
    expect(outside).toEqual([]);
    const clicked = page.waitForResponse("**/public_review_click");
    await follow(page, "Laisser un avis public");
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
    await follow(page, "Laisser un avis public");
    await clicked;
    await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS]);
    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1, wins: 1 });
  });
});
