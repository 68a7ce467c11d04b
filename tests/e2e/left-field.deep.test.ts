import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { titled } from "./support/account.ts";
import { arriveAt, field, rate } from "./support/customer.ts";
import { haveCustomers, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A press that leaves a field with a mistake hits what it was aimed at. */

const app = setUpTestApp();

/** Tall, so that a form fits: a page at its end would be scrolled along with what grows above. */
const context = { viewport: { width: 1280, height: 1800 } };

/** Distance that an element moves, in pixels, while the pointer is pressed on it. */
async function movesBy(pressed: Locator): Promise<number> {
  await pressed.click({ trial: true });
  const page = pressed.page();
  const top = () => pressed.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  const { x = 0, y = 0, width = 0, height = 0 } = (await pressed.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.evaluate(() => document.documentElement.animate([], { duration: 1 }).finished);
  const after = await top();
  await page.mouse.up();
  return after - before;
}

describe.each([320, 390, 1280])("a phone page of %i pixels", (width) => {
  it("keeps its foot in its place when too short a message is left", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ context: { viewport: { width, height: 844 } } });
    await rate(page, shop, 2);
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill("Trop long.");
    const languages = page.locator("footer summary").filter({ hasText: "Français" });
    expect(await movesBy(languages)).toBe(0);
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "English" }).waitFor();
  });
});

describe("« Annuler » is heard at the first press", () => {
  it("beside a customer's address that is wrong", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5] });
    const [customer] = await app.sql<{ id: string }[]>`
      select id from public.customers where org_id = ${shop.id}`;
    const path = `/customers/${customer?.id}?edit=true`;
    const page = await openAs(app, shop.users.owner, path, { context });
    await field(page, "E-mail").fill("zoe@");
    expect(await movesBy(page.getByRole("button", { name: "Annuler" }))).toBe(0);
    await page.getByRole("dialog").waitFor();
  });

  it("in a new gift and in a new reward, whose names are empty", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/rewards/points", { context });
    await page.getByRole("button", { name: "Nouveau cadeau" }).click();
    expect(await movesBy(page.getByRole("button", { name: "Annuler" }))).toBe(0);
    await page.getByRole("button", { name: "Annuler" }).waitFor({ state: "detached" });
    await page.goto("/rewards/new");
    await field(page, "Nom").focus();
    expect(await movesBy(page.getByRole("link", { name: "Annuler" }))).toBe(0);
    await titled(page, "Récompenses");
  });
});
