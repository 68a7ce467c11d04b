import { describe, expect, it } from "vitest";
import { arriveAt, giveDetails, goToWheel, rate, star, win } from "./support/customer.ts";
import { holdRequests } from "./support/network.ts";
import { activity, createShop, PUBLIC_REVIEWS } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

/** Notes in which event the page opens windows: browsers allow that inside a click only. */
function watchWindows() {
  const open = window.open.bind(window);
  window.open = (...parts) => {
    document.documentElement.dataset.opened = `${window.event?.type} ${parts[2]}`;
    return open(...parts);
  };
}

describe("five stars", () => {
  it.each(["compliant", "gating"] as const)(
    "in %s mode opens the public reviews page inside the click and goes on to the wheel",
    async (reviewMode) => {
      const shop = await createShop(app.sql, { store: { reviewMode } });
      const { page, outside } = await app.phone({ answering: PUBLIC_REVIEWS });
      await page.addInitScript(watchWindows);
      // The server's answer waits: the tab must not.
      const release = await holdRequests(page, "**/review_record");

      await page.goto(shop.door);
      await giveDetails(page);
      const tab = page.context().waitForEvent("page");
      await star(page, 5).click();
      const opened = await tab;
      await opened.waitForURL(PUBLIC_REVIEWS);
      expect(await page.locator("html").getAttribute("data-opened")).toBe(
        "click noopener,noreferrer",
      );
      expect(await opened.evaluate(() => window.opener)).toBeNull();
      expect(await activity(app.sql, shop)).toMatchObject({ reviews: 0, clicks: 0 });

      const clicked = page.waitForResponse("**/public_review_click");
      release();
      expect((await clicked).status()).toBe(204);
      await arriveAt(page, "ready");
      expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1 });
      expect(outside).toEqual([PUBLIC_REVIEWS]);

      // In compliant mode it is offered once more, and counted once.
      const offer = page.getByRole("link", { name: "Laisser un avis public" });
      if (reviewMode === "compliant") {
        const again = page.waitForResponse("**/public_review_click");
        await offer.click();
        await again;
        await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS, PUBLIC_REVIEWS]);
        await arriveAt(page, "ready");
      }
      expect(await offer.count()).toBe(reviewMode === "compliant" ? 1 : 0);
      expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1 });
      await goToWheel(page);
    },
  );

  it("without a public reviews page goes straight on to the wheel", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { page, outside } = await app.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    expect(await page.getByRole("link", { name: "Laisser un avis public" }).count()).toBe(0);
    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
    expect(outside).toEqual([]);
    expect(page.context().pages()).toHaveLength(1);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 0, spins: 1 });
  });
});
