import { expect, it } from "vitest";
import { checkLightAndDark, titled } from "./support/account.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Pages that only say something, on the narrowest screen, and the demo's way to the contact form. */

const app = setUpTestApp();

it("the demo is asked for by the same form", async () => {
  const { page } = await app.desktop();
  await page.goto("/");
  await page.locator("main a[href='/contact#demo']").click();
  await titled(page, "Contact");
  await expect.poll(() => page.getByLabel("À quel sujet").inputValue()).toBe("demo");
});

it.each([
  ["/legal/cookies", "Cookies et mémoire du navigateur"],
  ["/legal/rgpd", "RGPD : vos données, vos droits"],
])("%s stands, at 320 px too", async (path, title) => {
  const { page } = await app.phone();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(path);
  await titled(page, title);
  await checkLightAndDark(page, title);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
});
