import { describe, expect, it } from "vitest";
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
import { activity, createShop, useUpSpins } from "./support/shop.ts";
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

    // Another scan says so at once.
    await page.goto(shop.door);
    await step(page, "Vous avez déjà joué").waitFor();
  });

  it("rests from the first step on when the plan's spins are used up, and the review is kept", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    await useUpSpins(app.sql, shop.id);
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
});
