import { describe, expect, it } from "vitest";
import { spin } from "../harness/journey.ts";
import { arriveAt, goToWheel, press, rate } from "./support/customer.ts";
import { activity, createShop, useUpSpins } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** A wheel that was ready, and cannot spin any more when it is pressed. */

const app = setUpTestApp();

describe("a wheel that does not spin", () => {
  it("since the plan's spins were used up meanwhile rests, and the review is kept", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    const { page } = await app.phone({ expected: refusing(409) });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await useUpSpins(app.sql, shop.id);
    await press(page, "Lancer la roue");
    await page
      .getByRole("alert")
      .getByText("La roue se repose : tous les tours du mois ont été joués. Revenez bientôt.")
      .waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 0, codes: 0 });
  });

  it("has nothing left to draw when the last prize went meanwhile", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 1 } });
    const { page } = await app.phone({ expected: refusing(409) });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await spin(app.sql, { campaignId: shop.campaign.id });
    await press(page, "Lancer la roue");
    await page
      .getByRole("alert")
      .getByText("Aucun segment avec probabilité > 0 disponible")
      .waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });
  });
});
