import type { Locator, Page } from "playwright-core";
import { PASSWORD, type User } from "../../harness/fixtures.ts";
import { enter } from "./member.ts";
import type { TestApp } from "./test-app.ts";

/** Actions of a cashier at the till. */

/** Fills in the sign-in form and sends it. */
export async function signIn(page: Page, { email }: Pick<User, "email">, password = PASSWORD) {
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
  await page.getByLabel("Mot de passe", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Se connecter" }).click();
}

/** The till's one field. */
export function codeField(page: Page): Locator {
  return page.getByRole("textbox", { name: "Code du client" });
}

/** Comes to the till, signed in. */
export async function openTill(app: TestApp, page: Page, user: Pick<User, "email">): Promise<void> {
  await enter(app, page, user);
  await page.goto("/encaisser");
  await codeField(page).waitFor();
}

/** Types a code and asks what it is. */
export async function checkCode(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
}

/** The answer that fills the screen. */
function answer(page: Page, reason: string): Locator {
  return page.getByRole("heading", { level: 1, name: reason, exact: true });
}

/** Waits for the till's answer. */
export async function tillSays(page: Page, reason: string): Promise<void> {
  await answer(page, reason).waitFor();
}

/** Waits until the till says that it got no answer. */
export async function tillGetsNoAnswer(page: Page): Promise<void> {
  await page
    .getByRole("alert")
    .getByText(/^Pas de réponse\./)
    .waitFor();
}

/** Uses the code that the till has just found valuable. */
export async function redeem(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Valider le gain" }).click();
}

/** The end of a journey that wins: the shop's cashier signs in, checks the code and hands over the prize. */
export async function redeemAtTheTill(
  app: TestApp,
  shop: { users: { cashier: User }; reward: { name: string } | null },
  code: string,
): Promise<Page> {
  const { page } = await app.phone();
  await openTill(app, page, shop.users.cashier);
  await checkCode(page, code);
  await tillSays(page, "Code valable");
  await page.getByText(shop.reward?.name ?? "", { exact: true }).waitFor();
  await redeem(page);
  await tillSays(page, "C'est validé");
  return page;
}
