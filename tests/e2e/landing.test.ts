import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setStage } from "./support/stage.ts";

/** What anybody may read before having an account. */
const stage = setStage();

/** Where the links of a page lead, on this site. */
function places(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("a")]
      .map(({ href }) => new URL(href))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, hash }) => pathname + hash),
  );
}

describe("the landing page", () => {
  it("has a wheel to try, and no link that leads nowhere", async () => {
    const { page } = await stage.phone();
    await page.goto("/");
    await titled(page, "Chaque avis mérite un tour de roue.");
    await page.getByRole("button", { name: "Tourner la roue" }).click();
    await page.getByText(/voilà ce que verrait votre client\.$/).waitFor();
    await page.getByRole("button", { name: "Tourner encore" }).waitFor();
    await checkLightAndDark(page, "landing");
    for (const figure of ["500k+", "94\u00a0%", "2000+"]) await page.getByText(figure).waitFor();
    expect(await page.getByText("bientôt", { exact: true }).count()).toBe(9);
    const found = new Set(await places(page));
    expect([...found].sort()).toEqual([
      "/",
      "/#fonctionnalites",
      "/#roue-essai",
      "/auth",
      "/auth/signup",
      "/legal/privacy",
      "/legal/terms",
      "/pricing",
    ]);
    expect(await page.locator("#fonctionnalites li").count()).toBe(6);
    expect(await page.context().cookies()).toEqual([]);
  });

  it("is for visitors: who is signed in goes on to the back-office", async () => {
    const shop = await createShop(stage.sql);
    const { page } = await stage.desktop();
    await enter(stage, page, shop.users.owner);
    await page.goto("/");
    await titled(page, "Tableau de bord");
  });
});

describe("the legal pages", () => {
  it("say what the law wants, and the durations that the jobs keep", async () => {
    const { page } = await stage.desktop();
    await page.goto("/legal/terms");
    await titled(page, "Conditions générales d'utilisation");
    expect(await page.locator("main section").count()).toBe(12);
    await page.getByText(/droit français.*tribunaux de Paris/).waitFor();
    await checkLightAndDark(page, "terms");
    await page.getByRole("link", { name: "Confidentialité" }).click();
    await titled(page, "Politique de confidentialité");
    for (const said of [
      /3\u00a0ans après le dernier contact/,
      /13\u00a0mois/,
      /10\u00a0ans/,
      /dans les 30\u00a0jours/,
      /Union européenne/,
      /CNIL/,
    ]) {
      await page.getByText(said).first().waitFor();
    }
    await checkLightAndDark(page, "privacy");
    expect(await page.context().cookies()).toEqual([]);
  });
});
