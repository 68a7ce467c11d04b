import { describe, expect, it } from "vitest";
import { arriveAt, field, press, pressSpin } from "./support/customer.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Requests that the test mode sends, and its view where there is no wheel yet. */

const app = setUpTestApp();

describe("the test mode", () => {
  it("says nothing about who tries", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play`);
    await field(page, "Votre nom").fill("Zoé Lambert");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    const sent = page.waitForRequest("**/spin_wheel");
    await pressSpin(page);
    expect(Object.keys((await sent).postDataJSON()).sort()).toEqual([
      "campaign_id",
      "device_fp",
      "test",
    ]);
    await arriveAt(page, "win");
  });

  it("shows the example's wheel where the merchant has drawn none yet", async () => {
    const shop = await createShop(app.sql);
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    await app.sql`delete from public.rewards where campaign_id = ${shop.campaign.id}`;
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play`);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await page
      .getByText("Sur la roue : Café offert, Réduction 10%, Dessert offert, Pas de chance")
      .waitFor({ state: "attached" });
    await pressSpin(page);
    await page.getByRole("button", { name: "Tester à nouveau" }).waitFor();
  });
});
