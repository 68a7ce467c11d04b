import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { LETTER_TEXTS } from "#domain/text/letter-texts.ts";
import { titled } from "./support/account.ts";
import { field, press, step, TITLES } from "./support/customer.ts";
import { enter } from "./support/member.ts";
import { createShop, shopWithCustomers } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/**
 * Typography of the texts on the main screens, set as French is: spaces that end no line, and the
 * typographic apostrophe.
 */

const app = setUpTestApp();

/** Texts of a page as it stands, with the names that only assistive programs read, hints in fields, and its title. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!(node instanceof Element) || node.closest("script, style, code, pre, [lang]:not(html)"))
        continue;
      for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        texts.push(node.getAttribute(name) ?? "");
      }
      // Texts that React writes side by side are one sentence.
      node.normalize();
      for (const { nodeType, nodeValue } of node.childNodes) {
        if (nodeType === Node.TEXT_NODE) texts.push(nodeValue ?? "");
      }
    }
    return texts;
  });
}

// Written as codes: a test's own letters are set as the pages' are.
const ORDINARY_SPACE = /\S\u0020[?!;:%\u00bb](?:\s|$)|\u00ab\u0020/u;
const NARROW_BEFORE_COLON = /\u202f[:\u20ac]/u;
const STRAIGHT = /\p{L}\u0027\p{L}/u;

/** Texts that are set wrongly on a page, by the place. */
async function wrongOn(page: Page, place: string): Promise<string[]> {
  const texts = await textsOn(page);
  expect(texts.join("").length, place).toBeGreaterThan(200);
  const isLetter = (text: string) => LETTER_TEXTS.some((letter) => text.includes(letter));
  return texts
    .filter(
      (text) =>
        ORDINARY_SPACE.test(text) ||
        NARROW_BEFORE_COLON.test(text) ||
        (STRAIGHT.test(text) && !isLetter(text)),
    )
    .map((text) => `${place}: ${text}`);
}

it("the public pages are set as French is", async () => {
  const { page } = await app.desktop();
  const wrong: string[] = [];
  for (const path of [
    "/",
    "/pricing",
    "/en-clair",
    "/contact",
    "/statut",
    "/legal/terms",
    "/legal/privacy",
  ]) {
    await page.goto(path);
    wrong.push(...(await wrongOn(page, path)));
  }
  for (const [path, title] of [
    ["/auth", "Connexion"],
    ["/auth?mode=signup", "Créer un compte"],
    ["/auth/forgot-password", "Mot de passe oublié"],
  ] as const) {
    await page.goto(path);
    await titled(page, title);
    wrong.push(...(await wrongOn(page, path)));
  }
  expect(wrong).toEqual([]);
});

it("a customer's pages are set as French is, and say the specification's words to the letter", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  const wrong: string[] = [];
  await page.goto(shop.door);
  await step(page, TITLES.form).waitFor();
  wrong.push(...(await wrongOn(page, "form")));
  await press(page, "Continuer");
  await page.getByText("Le prénom est requis", { exact: true }).waitFor();
  expect((await textsOn(page)).filter((text) => text === "L\u0027email est requis")).toHaveLength(
    1,
  );
  await page.goto(`${shop.door}/play`);
  await field(page, "Votre nom").fill("Zoé");
  wrong.push(...(await wrongOn(page, "name")));
  await press(page, "Continuer");
  await field(page, "Adresse e-mail").waitFor();
  wrong.push(...(await wrongOn(page, "contact")));
  expect(await textsOn(page)).toContain("Retour à l\u0027avis");
  expect(wrong).toEqual([]);
});

it("the screens of the back-office are set as French is", async () => {
  const shop = await shopWithCustomers(app.sql);
  const { page } = await app.desktop();
  await enter(app, page, shop.users.owner);
  await page.goto("/dashboard");
  const wrong: string[] = [];
  for (const [path, title] of [
    ["/dashboard", "Tableau de bord"],
    ["/customers", "Clients"],
    ["/reviews", "Avis"],
    ["/campaigns", "Campagnes"],
    ["/campaigns/new", "Nouvelle campagne"],
    [`/campaigns/${shop.campaign.id}/edit`, "Modifier la campagne"],
    ["/rewards", "Récompenses"],
    ["/rewards/new", "Nouvelle récompense"],
    ["/stores", "Magasins"],
    ["/stores/new", "Nouveau magasin"],
    ["/settings", "Paramètres"],
    ["/settings/team", "Équipe"],
  ] as const) {
    await page.evaluate((to) => history.pushState({}, "", to), path);
    await titled(page, title);
    await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
    wrong.push(...(await wrongOn(page, path)));
  }
  expect(wrong).toEqual([]);
});
