import type { Page } from "playwright-core";
import { somebody, whenAlive } from "./customer.ts";

/**
 * The way of a customer by what controls are, not by what they are called, so that it is the same in every language.
 * `look` is called at each step.
 */
export async function playInAnyLanguage(
  page: Page,
  shop: { door: string },
  look: (step: string) => Promise<void>,
): Promise<string> {
  await page.goto(shop.door);
  const submit = page.locator("main button[type=submit]");
  const person = somebody();
  await page.locator("input[name=first_name]").fill(person.firstName);
  await page.locator("input[name=last_name]").fill(person.lastName);
  await page.locator("input[name=email]").fill(person.email);
  await look("form");
  await whenAlive(submit);
  await submit.click();

  const stars = page.getByRole("group").getByRole("button");
  await stars.nth(4).waitFor();
  await look("stars");
  await stars.nth(4).click();

  const toWheel = page.locator('main a[href*="/play?"]:not([tabindex])');
  await toWheel.waitFor();
  await look("ready");
  await toWheel.click();

  const spin = page.locator("main:has([data-wheel]) button:not([role=switch])");
  await spin.first().waitFor();
  await look("wheel");
  await whenAlive(spin.first());
  await spin.first().click();

  const code = page.getByRole("article").getByRole("code");
  await code.waitFor();
  await look("ticket");
  return ((await code.textContent()) ?? "").trim();
}

/** The language that the page says it is in. */
export function languageOn(page: Page): Promise<string> {
  return page.evaluate(() => document.documentElement.lang);
}
