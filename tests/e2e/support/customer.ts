import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Actions of a customer on the phone pages, by the names that a screen reader would say. Each
 * action ends when the page shows its consequence.
 */

/** Somebody who fills in the form. */
export type Person = {
  firstName: string;
  lastName: string;
  email?: string;
  phone?: string;
  consent?: boolean;
};

let serial = 0;

/** A person whom no other test knows. */
export function somebody(): Person & { email: string } {
  serial += 1;
  return { firstName: "Zoé", lastName: "Lambert", email: `zoe.${serial}@exemple.fr` };
}

/** A field by the whole of its label. */
export function field(page: Page, label: string): Locator {
  return page.getByRole("textbox", { name: label, exact: true });
}

/** The title of a step. */
export function step(page: Page, title: string | RegExp): Locator {
  return page.getByRole("heading", { level: 1, name: title });
}

export const TITLES = {
  form: "Donnez votre avis, tournez la roue.",
  rating: "Comment s'est passée votre visite ?",
  google: "Merci. Et si vous le disiez à tous ?",
  feedback: "Qu'est-ce qui aurait pu être mieux ?",
  ready: "À vous de tourner la roue",
  name: "Comment vous appelez-vous ?",
  contact: "Où vous joindre ?",
  wheel: "La roue est à vous",
  spinning: "La roue tourne…",
  /** How it begins: « Bravo Zoé, Café offert ! ». */
  win: "Bravo",
  loss: "Pas cette fois",
  played: "Vous avez déjà joué",
} as const;

/** Waits for a step; fails with what the page shows in its place. */
export async function arriveAt(page: Page, title: keyof typeof TITLES): Promise<void> {
  await step(page, TITLES[title])
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = await page.locator("main").textContent();
      throw new Error(`« ${TITLES[title]} » is not shown, but « ${shown} »`, { cause });
    });
}

/** Writes the details into the form without sending them. */
export async function writeDetails(page: Page, person: Person): Promise<void> {
  await field(page, "Prénom").fill(person.firstName);
  await field(page, "Nom").fill(person.lastName);
  if (person.phone !== undefined) {
    await page.getByRole("radio", { name: "Téléphone" }).check({ force: true });
    await field(page, "Numéro de téléphone").fill(person.phone);
  } else {
    await field(page, "Adresse e-mail").fill(person.email ?? "");
  }
  if (person.consent) await page.getByRole("checkbox").check();
}

/**
 * Waits until the page's script has taken over a control from the server's HTML: what is
 * touched before that is not heard yet.
 */
export async function whenAlive(control: Locator): Promise<void> {
  const isAlive = () =>
    control.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__react")));
  await expect.poll(isAlive, { interval: 20 }).toBe(true);
}

/** Presses a button. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await whenAlive(button);
  await button.click();
}

/** Follows a link. */
export async function follow(page: Page, name: string): Promise<void> {
  const link = page.getByRole("link", { name, exact: true });
  await whenAlive(link);
  await link.click();
}

/** Fills in the form and goes on to the stars. */
export async function giveDetails(page: Page, person: Person = somebody()): Promise<void> {
  await writeDetails(page, person);
  await press(page, "Continuer");
  await arriveAt(page, "rating");
}

/** The star of a rating. */
export function star(page: Page, rating: number): Locator {
  return page.getByRole("button", { name: `${rating} sur 5`, exact: true });
}

/** Opens a store's review page, gives the details and touches a star. */
export async function rate(
  page: Page,
  shop: { door: string },
  rating: number,
  person: Person = somebody(),
): Promise<void> {
  await page.goto(shop.door);
  await giveDetails(page, person);
  await star(page, rating).click();
}

/** Goes from the stored review to the wheel. */
export async function goToWheel(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Tourner la roue" }).click();
  await arriveAt(page, "wheel");
}

/** Presses the wheel's button. */
export function pressSpin(page: Page): Promise<void> {
  return press(page, "Lancer la roue");
}

/** Turns the wheel until it has stopped on a win, and answers the ticket's code. */
export async function win(page: Page): Promise<string> {
  await pressSpin(page);
  await arriveAt(page, "win");
  return codeOn(page);
}

/** The code on the ticket. */
export async function codeOn(page: Page): Promise<string> {
  return ((await page.getByRole("article").getByRole("code").textContent()) ?? "").trim();
}

/** The wheel's sound switch, which comes with the first key or touch after the page's script has taken over: nothing shows when. */
export async function soundSwitch(page: Page): Promise<Locator> {
  const sound = page.getByRole("switch", { name: "Son de la roue" });
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return sound.count();
    })
    .toBe(1);
  return sound;
}
