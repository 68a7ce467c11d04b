import { describe, expect, it } from "vitest";
import { spin } from "../harness/journey.ts";
import {
  arriveAt,
  codeOn,
  giveDetails,
  goToWheel,
  press,
  rate,
  somebody,
  star,
  step,
  win,
} from "./support/customer.ts";
import { DAY_IN_WORDS } from "./support/dates.ts";
import { activity, createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

/** A day begins at midnight where the store is: it needs no hour. */
const AGAIN = new RegExp(`^La roue vous attend de nouveau à partir du ${DAY_IN_WORDS}\\.$`, "u");

describe("a wheel that does not spin", () => {
  it("for who has already played says from when it will by the store's clocks, and shows what was won", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 7 } });
    const person = somebody();
    const { page } = await app.phone({
      expected: refusing(409),
      context: { timezoneId: "America/Martinique" },
    });
    await rate(page, shop, 4, person);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);

    await page.goto(shop.door);
    await step(page, "Vous avez déjà joué").waitFor();
    await press(page, "Quelqu'un d'autre joue");
    await giveDetails(page, person);
    await star(page, 5).click();
    await arriveAt(page, "ready");
    await goToWheel(page);
    await press(page, "Lancer la roue");
    await step(page, "Vous avez déjà joué").waitFor();
    await page.getByText(AGAIN).waitFor();
    expect(await codeOn(page)).toBe(code);
    // Nothing is red, and nothing offers what cannot succeed.
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Réessayer" }).count()).toBe(0);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 2, spins: 1, codes: 1 });
  });

  it("since the plan's spins were used up meanwhile rests, and the review is kept", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    const { page } = await app.phone({ expected: refusing(409) });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await useUpSpins(shop.id);
    await press(page, "Lancer la roue");
    await page
      .getByRole("alert")
      .getByText(
        "La roue se repose : toutes les participations du mois ont été jouées. Revenez bientôt.",
      )
      .waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 0, codes: 0 });
  });

  it("rests from the first step on when the plan's spins are used up, and the review is kept", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    await useUpSpins(shop.id);
    const { page } = await app.phone({ expected: refusing(409) });
    await page.goto(shop.door);
    await step(page, "Donnez votre avis.").waitFor();
    await page.getByText("La roue se repose en ce moment").waitFor();
    expect(await page.getByRole("link", { name: "Participer sans donner d'avis" }).count()).toBe(0);
    await rate(page, shop, 4);
    await step(page, "Merci pour votre avis").waitFor();
    await page.getByText("La roue se repose en ce moment").waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 0 });

    await page.goto(`${shop.door}/play?entry=libre`);
    await step(page, "La roue se repose en ce moment").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
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

/** Fills the month of an organisation on the free trial: a hundred spins. */
async function useUpSpins(orgId: string): Promise<void> {
  await app.sql`select private.count_event(c.org_id, c.id, c.store_id, private.now_in('Europe/Paris')::date, p_spins => 100)
    from public.campaigns c where c.org_id = ${orgId}`;
}
