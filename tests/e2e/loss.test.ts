import { describe, expect, it } from "vitest";
import { arriveAt, goToWheel, pressSpin, rate } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("a loss", () => {
  it("is kind and short, and leads to no code", async () => {
    const shop = await createShop(app.sql, { wheel: "loses" });
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

    // One turn a page: nothing here turns the wheel again.
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Retour à l'avis" }).click();
    await page.waitForURL(`**${shop.door}/review`);
  });
});
