import { describe, expect, it } from "vitest";
import { arriveAt, field, press, whenAlive, win } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

describe("taking part without a review", () => {
  it("asks for a name and a contact, and spins the same wheel", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    await page.getByRole("link", { name: "Participer sans donner d'avis" }).click();

    await arriveAt(page, "name");
    await field(page, "Votre nom").fill("Z");
    await press(page, "Continuer");
    await page.getByText("Indiquez au moins 2 caractères").waitFor();
    await field(page, "Votre nom").fill("  Zoé Lambert  ");
    await press(page, "Continuer");

    await arriveAt(page, "contact");
    await press(page, "Continuer");
    await page.getByText("Indiquez un email ou un téléphone").waitFor();
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await field(page, "Numéro de téléphone").fill("06 12 34 56 78");
    await press(page, "Continuer");

    await arriveAt(page, "wheel");
    const code = await win(page);
    expect(await activity(app.sql, shop)).toMatchObject({
      reviews: 0,
      customers: 1,
      spins: 1,
      codes: 1,
    });
    expect(
      await app.sql`
        select name, email, phone, consent_marketing from public.customers where org_id = ${shop.id}`,
    ).toMatchObject([
      {
        name: "Zoé Lambert",
        email: "zoe@exemple.fr",
        phone: "06 12 34 56 78",
        consent_marketing: false,
      },
    ]);
    const till = await redeemAtTheTill(app, shop, code);
    await till.getByText("Zoé Lambert").waitFor();
  });

  it("knows the name that was begun on the form", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    // Nothing hears what is typed and left within the milliseconds before the script.
    await whenAlive(field(page, "Prénom"));
    await field(page, "Prénom").fill("Zoé");
    await field(page, "Nom").fill("Lambert");
    await page.getByRole("link", { name: "Participer sans donner d'avis" }).click();
    await arriveAt(page, "name");
    await expect.poll(() => field(page, "Votre nom").inputValue()).toBe("Zoé Lambert");
  });
});
