import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { titled } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Public pages that anybody may read before having an account. */
const app = setUpTestApp();

/** Where the links of a page lead, on this site. */
function places(page: Page): Promise<string[]> {
  return page.locator("a").evaluateAll((links) =>
    links
      .map((link) => new URL(link instanceof HTMLAnchorElement ? link.href : "about:blank"))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, hash }) => pathname + hash),
  );
}

/** The files of faces that a page has fetched, by their names. */
async function faces(page: Page): Promise<string[]> {
  const files = await page.evaluate(() =>
    document.fonts.ready.then(() =>
      performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1) ?? ""),
    ),
  );
  return files
    .filter((name) => name.endsWith(".woff2"))
    .map((name) => name.replace(/(?<=-(?:french|latin|latin-ext))-(?!ext-).*/, ""))
    .sort();
}

describe("the landing page", () => {
  it("has a wheel to try, and no link that leads nowhere", async () => {
    const { page } = await app.phone();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/", { waitUntil: "commit" });
    await titled(page, "Chaque avis mérite un tour de roue.");
    // Before its script is there: it turns once it is.
    await page.getByRole("button", { name: "Tourner la roue" }).click();
    release();
    await page.getByText(/voilà ce que verrait votre client\.$/).waitFor();
    await page.getByRole("button", { name: "Tourner encore" }).waitFor();
    for (const figure of ["500k+", "94\u00a0%", "2000+"]) await page.getByText(figure).waitFor();
    expect(await page.getByText("bientôt", { exact: true }).count()).toBe(0);
    const found = new Set(await places(page));
    expect([...found].sort()).toEqual([
      "/",
      "/#etapes",
      "/#fonctionnalites",
      "/#roue-essai",
      "/auth",
      "/auth/signup",
      "/contact",
      "/contact#demo",
      "/docs/api",
      "/en-clair",
      "/legal/cookies",
      "/legal/privacy",
      "/legal/rgpd",
      "/legal/terms",
      "/pricing",
      "/statut",
    ]);
    expect(await page.locator("#fonctionnalites li").count()).toBe(6);
    expect(await page.context().cookies()).toEqual([]);
    // Two small files draw it; names from elsewhere bring the letters that these lack.
    expect(await faces(page)).toEqual(["bricolage-grotesque-french", "figtree-french"]);
    await page.evaluate(async () => {
      for (const face of ["Figtree", "Bricolage Grotesque"])
        await document.fonts.load(`1rem ${face}`, "Łñ");
    });
    expect(await faces(page)).toEqual([
      "bricolage-grotesque-french",
      "bricolage-grotesque-latin",
      "bricolage-grotesque-latin-ext",
      "figtree-french",
      "figtree-latin",
      "figtree-latin-ext",
    ]);
  });

  it("is for visitors: who is signed in goes on to the back-office, and sees nothing else meanwhile", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    // The script that leads on is held back: this is what a slow phone shows.
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(/\/assets\/landing-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    await page.getByText("Chargement...", { exact: true }).waitFor();
    expect(await page.getByText("Chaque avis mérite un tour de roue.").isVisible()).toBe(false);
    go();
    await titled(page, "Tableau de bord");
  });
});

describe("the site's menu", () => {
  it("has all entries on a phone, and closes behind the one that stays on the page", async () => {
    const { page } = await app.phone({ context: { viewport: { width: 360, height: 740 } } });
    await page.goto("/");
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    await menu.click();
    const entries = page.locator("#site-menu a");
    expect(await entries.allTextContents()).toEqual([
      "Fonctionnalités",
      "Tarifs",
      "Se connecter",
      "Essai gratuit",
    ]);
    await entries.filter({ hasText: "Fonctionnalités" }).click();
    await page.locator("#site-menu").waitFor({ state: "hidden" });
    await expect
      .poll(() =>
        page.locator("#fonctionnalites").evaluate((one) => one.getBoundingClientRect().top),
      )
      .toBeLessThan(740);
    await menu.press("Enter");
    await entries.filter({ hasText: "Tarifs" }).click();
    await titled(page, "Des prix simples, sans surprise");
    await menu.click();
    await page.keyboard.press("Escape");
    await page.locator("#site-menu").waitFor({ state: "hidden" });
  });
});

describe("without JavaScript", () => {
  it("the landing page is whole, but for the button that could do nothing", async () => {
    const { page } = await app.phone({ context: { javaScriptEnabled: false } });
    await page.goto("/");
    await titled(page, "Chaque avis mérite un tour de roue.");
    await page.getByText("Café offert", { exact: true }).first().waitFor();
    expect(await page.getByRole("heading", { level: 2 }).count()).toBeGreaterThan(8);
    // The menu needs none: the browser opens it.
    expect(await page.getByRole("button").count()).toBe(1);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.locator("#site-menu").getByText("Tarifs").waitFor();
    expect(await page.getByText("Chargement...", { exact: true }).isVisible()).toBe(false);
    await page.getByRole("link", { name: "Confidentialité" }).click();
    await titled(page, "Politique de confidentialité");
    await page.getByText(/CNIL/).first().waitFor();
    await page.getByRole("link", { name: "Conditions d'utilisation" }).click();
    await titled(page, "Conditions générales d'utilisation");
  });
});

describe("the legal pages", () => {
  it("say what the law wants, and the durations that the jobs keep", async () => {
    const { page } = await app.desktop();
    await page.goto("/legal/terms");
    await titled(page, "Conditions générales d'utilisation");
    expect(await page.locator("main section").count()).toBe(12);
    await page.getByText(/droit français.*tribunaux de Paris/).waitFor();
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
    expect(await page.context().cookies()).toEqual([]);
  });
});
