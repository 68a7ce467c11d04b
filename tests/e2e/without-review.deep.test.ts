import { describe, expect, it } from "vitest";
import { arriveAt, field, press, win } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The shorter ways of taking part without a review. */

const app = setUpTestApp();

describe("taking part without a review", () => {
  it.each([
    { only: "an e-mail", label: "Adresse e-mail", value: "zoe@exemple.fr" },
    { only: "a phone", label: "Numéro de téléphone", value: "+33 (0)6 12-34-56-78" },
  ])("needs $only, no more", async ({ label, value }) => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, label).fill(value);
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    await win(page);
    expect(await activity(app.sql, shop)).toMatchObject({ customers: 1, codes: 1 });
  });

  it("leads back to the review", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play?entry=libre`);
    await page.getByRole("link", { name: "Retour à l'avis" }).click();
    await page.waitForURL(`**${shop.door}/review`);
    await arriveAt(page, "form");
  });
});
