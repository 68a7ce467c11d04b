import type { Page } from "playwright-core";
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

/** Every element's look in a part of a page, those of its own script's making left out. */
function looks(page: Page, part: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const all = Array.from(document.querySelectorAll(selector), (one) => [
      one,
      ...one.querySelectorAll("*"),
    ]).flat();
    const names = ["display", "grid-template-columns", "flex-direction", "max-width", "margin"];
    const more = ["padding", "font", "color", "background-color", "border", "border-radius"];
    return all
      .filter((one) => !one.closest("[data-loop], [data-trial], noscript"))
      .map((one) => {
        const style = getComputedStyle(one);
        const values = [...names, ...more].map((name) => style.getPropertyValue(name));
        return `${one.tagName} ${one.className} ${values.join("; ")}`;
      });
  }, part);
}

it.each([390, 1280])(
  "what comes into the landing page looks as on its own page, and changes nothing around, at %i px",
  async (width) => {
    const { page } = await app.desktop({ context: { viewport: { width, height: 800 } } });
    await page.goto("/");
    await titled(page, "Chaque avis mérite un tour de roue.");
    const around = "header, main > :not([data-clear]), footer";
    const before = await looks(page, around);
    await page.getByRole("heading", { name: /Votre première campagne/ }).scrollIntoViewIfNeeded();
    await page.locator("[data-clear]").waitFor();
    expect(await looks(page, around)).toEqual(before);
    const within = await looks(page, "[data-clear] *");
    await page.goto("/en-clair");
    await titled(page, "Ce que ça rapporte, ce que dit la loi");
    expect(before.length).toBeGreaterThan(200);
    expect(within.length).toBeGreaterThan(100);
    expect(await looks(page, "[data-clear] *")).toEqual(within);
  },
);
