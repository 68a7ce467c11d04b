import { describe, expect, it } from "vitest";
import { rounds } from "../harness/depth.ts";
import { review } from "../harness/journey.ts";
import { arriveAt, goToWheel, press, pressSpin, rate } from "./support/customer.ts";
import { DAY_IN_WORDS } from "./support/dates.ts";
import { activity, createShop, PUBLIC_REVIEWS } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("a loss", () => {
  it("is kind and short, and leads to no code", async () => {
    const shop = await createShop(app.sql, { wheel: "loses", campaign: { playIntervalDays: 30 } });
    const { page } = await app.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await pressSpin(page);
    await arriveAt(page, "loss");
    await page
      .getByRole("main")
      .getByText(/^La roue s'est arrêtée sur «\s(Pas de chance|La prochaine fois)\s»\.$/)
      .waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 0, codes: 0 });

    await page
      .getByText(
        new RegExp(
          `^Merci d'avoir joué\\. La roue vous attend de nouveau à partir du ${DAY_IN_WORDS}\\.$`,
          "u",
        ),
      )
      .waitFor();
    // One turn a page: nothing here turns the wheel again.
    const file = page.waitForEvent("download");
    await press(page, "Me rappeler de revenir");
    expect((await file).suggestedFilename()).toBe("roue.ics");
    expect(await page.getByRole("button").count()).toBe(1);
    await page.getByRole("link", { name: "Retour à l'avis" }).click();
    await page.waitForURL(`**${shop.door}/review`);
  });

  it.each(
    (
      [
        { wheel: "loses", rating: 1 },
        { wheel: "loses", rating: 5 },
        { wheel: "wins", rating: 1 },
      ] as const
    ).slice(0, rounds({ quick: 1, deep: 3 })),
  )("and a win offer the public reviews to everybody alike: $wheel after $rating", async (row) => {
    const shop = await createShop(app.sql, { wheel: row.wheel });
    const { review_id } = await review(app.sql, {
      campaignId: shop.campaign.id,
      rating: row.rating,
    });
    const { page, outside } = await app.phone();
    await page.goto(`${shop.door}/play?review_id=${review_id}`);
    await pressSpin(page);
    const link = page.getByRole("link", { name: "Laisser un avis public" });
    await link.waitFor();
    await link.click();
    await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS]);
    await expect.poll(async () => (await activity(app.sql, shop)).clicks).toBe(1);
  });

  it("offers no public reviews where the mode lets the stars decide", async () => {
    const shop = await createShop(app.sql, { wheel: "loses", store: { reviewMode: "gating" } });
    const { review_id } = await review(app.sql, { campaignId: shop.campaign.id, rating: 5 });
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play?review_id=${review_id}`);
    await pressSpin(page);
    await arriveAt(page, "loss");
    expect(await page.getByRole("link", { name: "Laisser un avis public" }).count()).toBe(0);
  });
});
