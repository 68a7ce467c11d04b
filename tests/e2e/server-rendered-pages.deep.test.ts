import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { isSignedIn, titled } from "./support/account.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, place } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Pages that stand before their script does, and live once it is there. */
const app = setUpTestApp();

const SCRIPTS = "**/assets/*.js";

/** Moves of the layout since the page began, as browsers score them. */
function shifts(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += "value" in entry ? Number(entry.value) : 0;
        });
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

describe("the sign-in page", () => {
  it("has the application's styles before the application shows something else", async () => {
    const { page } = await app.phone();
    const go = await holdRequests(page, "**/assets/*.css");
    const isAsked = page.waitForRequest("**/assets/*.css");
    await page.goto("/auth", { waitUntil: "commit" });
    await titled(page, "Connexion");
    const styles = () =>
      page
        .locator("link[rel=stylesheet]")
        .evaluateAll((links) =>
          links.map((link) => link instanceof HTMLLinkElement && link.sheet !== null),
        );
    expect(await styles()).not.toContain(true);
    await page.getByRole("tab", { name: "Inscription" }).click();
    await isAsked;
    await page.locator("#root[data-prerendered]").waitFor();
    go();
    await titled(page, "Créer un compte");
    expect(await styles()).toEqual([true]);
  });

  it("takes what was typed and sent before its script was there", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/auth", { waitUntil: "commit" });
    await titled(page, "Connexion");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(user.email);
    await page.getByLabel("Mot de passe", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Mot de passe", { exact: true }).press("Enter");
    go();
    await isSignedIn(page);
  });

  it("keeps fields, focus and layout when its script comes", async () => {
    const { page } = await app.phone();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/auth?mode=signup", { waitUntil: "commit" });
    await titled(page, "Créer un compte");
    await page.getByLabel("Nom complet").fill("Nadia Roy");
    const address = page.getByRole("textbox", { name: "Adresse e-mail" });
    await address.fill("nadia@exemple.fr");
    const field = await address.elementHandle();
    // A typeface that comes late may move a line; the script may not.
    await page.evaluate(() => document.fonts.ready);
    const before = await shifts(page);
    go();
    await page.locator("#root:not([data-prerendered])").waitFor();
    await expect.poll(() => field?.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Nadia Roy");
    // The form knows it, too: it only misses the password.
    await page.getByRole("tab", { name: "Connexion" }).click();
    await titled(page, "Connexion");
    expect(await address.inputValue()).toBe("nadia@exemple.fr");
    expect(await shifts(page)).toBe(before);
  });
});

describe("a sign-in page that must show something else", () => {
  it("keeps what was typed, and where one was", async () => {
    const { page } = await app.phone();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/auth?confirmed=true", { waitUntil: "commit" });
    const address = page.getByRole("textbox", { name: "Adresse e-mail" });
    await address.fill("nadia@exemple.fr");
    go();
    await page.locator("#root:not([data-prerendered])").waitFor();
    expect(await address.inputValue()).toBe("nadia@exemple.fr");
    await waitForFocus(address);
  });

  it("shows the tab that was chosen by keyboard", async () => {
    const { page } = await app.phone();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/auth?confirmed=true", { waitUntil: "commit" });
    await page.getByRole("tab", { name: "Connexion" }).press("ArrowRight");
    go();
    await titled(page, "Créer un compte");
  });
});

describe("the prices", () => {
  it("keep the period that was chosen before their script was there, and lead to a purchase", async () => {
    const { page } = await app.desktop();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/pricing", { waitUntil: "commit" });
    await page.getByText("Annuel", { exact: true }).click();
    await page.getByText("Facturé chaque mois, sans engagement").first().waitFor();
    go();
    await page.getByText("Vous économisez 120 €").waitFor();
    const link = page.getByRole("link", { name: "Choisir Basic" });
    expect(await link.getAttribute("href")).toBe("/checkout?plan=basic&billing=yearly");
    expect(await page.getByRole("contentinfo").getByRole("link").count()).toBe(12);
  });

  it("lead to the period that was chosen, where the plan was chosen before their script was there, too", async () => {
    const { page } = await app.phone();
    const go = await holdRequests(page, SCRIPTS);
    await page.goto("/pricing", { waitUntil: "commit" });
    await page.getByText("Annuel", { exact: true }).click();
    await page.getByRole("link", { name: "Choisir Pro" }).click();
    go();
    await arrives(page, "/auth");
    expect(place(page)).toBe("/auth?redirect=%2Fcheckout%3Fplan%3Dpro%26billing%3Dyearly");
  });
});
