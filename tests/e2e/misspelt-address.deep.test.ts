import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import {
  arriveAt,
  field,
  goToWheel,
  press,
  rate,
  somebody,
  win,
  writeDetails,
} from "./support/customer.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

/** Takes the address that the page proposes, and sees that the way on has the focus. */
async function correct(page: Page, meant: string, wayOn: string): Promise<void> {
  await page.getByText(`Vouliez-vous dire ${meant.split("@")[1]} ?`).waitFor();
  await press(page, "Oui, corriger");
  await page.getByText("Vouliez-vous dire").waitFor({ state: "detached" });
  expect(await field(page, "Adresse e-mail").inputValue()).toBe(meant);
  await waitForFocus(page.getByRole("button", { name: wayOn, exact: true }));
}

it("an address that looks misspelt is asked about, and corrected with one tap", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  await page.goto(shop.door);
  await writeDetails(page, { ...somebody(), email: "zoe.lambert@gmial.com" });
  await press(page, "Continuer");
  await correct(page, "zoe.lambert@gmail.com", "Continuer");
  await page.keyboard.press("Enter");
  await arriveAt(page, "rating");
});

it("one that is right is taken as it was typed, after one question", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  await page.goto(shop.door);
  await writeDetails(page, { ...somebody(), email: "zoe@hotmal.fr" });
  await press(page, "Continuer");
  await page.getByText("Vouliez-vous dire hotmail.fr ?").waitFor();
  await press(page, "Continuer");
  await arriveAt(page, "rating");
});

it("a number with a digit too many is asked about once", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  await page.goto(shop.door);
  await writeDetails(page, { ...somebody(), phone: "06 12 34 56 789" });
  await press(page, "Continuer");
  await page.getByText(/^Ce numéro a-t-il tous ses chiffres/).waitFor();
  await waitForFocus(field(page, "Numéro de téléphone"));
  await press(page, "Continuer");
  await arriveAt(page, "rating");
});

it("who plays without a review, and who has a prize sent, are asked as well", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  await page.goto(`${shop.door}/play?entry=libre`);
  await field(page, "Votre nom").fill("Zoé");
  await press(page, "Continuer");
  await arriveAt(page, "contact");
  await field(page, "Adresse e-mail").fill("zoe@yaho.fr");
  await press(page, "Continuer");
  await correct(page, "zoe@yahoo.fr", "Continuer");
  await press(page, "Continuer");
  await arriveAt(page, "wheel");

  // The server says that it knows no address of theirs.
  const { page: other } = await app.phone({ expected: refusing(409) });
  await rate(other, shop, 5, { ...somebody(), phone: "06 12 34 56 78" });
  await arriveAt(other, "ready");
  await goToWheel(other);
  await win(other);
  await press(other, "Me l'envoyer par e-mail");
  await other.getByText("À quelle adresse ?").waitFor();
  await field(other, "Adresse e-mail").fill("zoe@gmail.con");
  await press(other, "Envoyer");
  await correct(other, "zoe@gmail.com", "Envoyer");
  await press(other, "Envoyer");
  await other.getByText(/^Envoyé à /).waitFor();
  expect(await app.sql`select recipient from private.outbox where recipient like 'zoe@%'`).toEqual([
    { recipient: "zoe@gmail.com" },
  ]);
});
