import { describe, expect, it } from "vitest";
import { arriveAt, goToWheel, pressSpin, rate, somebody } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("a points reward", () => {
  it("is credited at once to the customer, without a code", async () => {
    const shop = await createShop(app.sql, {
      wheel: "points",
      reward: { metadata: { points: 80, validityDays: 30 } },
      campaign: { playIntervalDays: 30 },
    });
    const person = somebody();
    const { page } = await app.phone();
    await rate(page, shop, 5, person);
    await arriveAt(page, "ready");
    await goToWheel(page);
    // Said before the spin, without anything to unfold.
    await page
      .getByText("Les points gagnés sont à dépenser dans les 30 jours qui suivent le gain.")
      .waitFor();
    await pressSpin(page);
    await arriveAt(page, "win");
    await page.getByRole("article").getByText("50 points").waitFor();
    await page.getByText("Vos points sont crédités. Il n'y a pas de code à montrer.").waitFor();
    // No dead end: from when the wheel turns again, and who reminds of it.
    await page.getByText(/La roue vous attend de nouveau à partir du /).waitFor();
    await page.getByRole("button", { name: "Me rappeler de revenir" }).waitFor();
    expect(await page.getByRole("code").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Copier le code" }).count()).toBe(0);

    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 0 });
    expect(
      await app.sql`
        select l.points, l.reward_id, c.email
        from public.points_ledger l
        join public.customers c on c.org_id = l.org_id and c.id = l.customer_id
        where l.org_id = ${shop.id}`,
    ).toEqual([{ points: 80, reward_id: shop.reward?.id, email: person.email }]);

    // A customer who scans again meanwhile finds the points, as they would a prize.
    await page.getByRole("region", { name: "Vos points" }).getByText("80 points").first().waitFor();
    await page.goto(shop.door);
    await arriveAt(page, "played");
    await page.getByRole("region", { name: "Vos points" }).getByText("80 points").first().waitFor();
  });
});
