import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { titled } from "./support/account.ts";
import {
  arriveAt,
  field,
  giveDetails,
  goToWheel,
  press,
  rate,
  star,
  win,
} from "./support/customer.ts";
import { haveCustomers, openAs } from "./support/member.ts";
import { FITS, NARROW, widths } from "./support/narrow.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import { checkCode, openTill, tillSays } from "./support/till.ts";

const app = setUpTestApp();

/** Whether a text is in sight, and nothing in front of it. */
function isSeen(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });
}

/** Where an element ends, from the top and the left of the screen. */
async function endOf(element: Locator): Promise<{ top: number; bottom: number; right: number }> {
  return element.evaluate((one) => {
    const { top, bottom, right } = one.getBoundingClientRect();
    return { top, bottom, right };
  });
}

/** Whether an element ends before another begins, both at one moment: a step that comes moves them. */
async function isAbove(upper: Locator, lower: Locator): Promise<boolean> {
  const below = await lower.elementHandle();
  return upper.evaluate(
    (one, other) =>
      other !== null && one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top,
    below,
  );
}

/** Words that end on another line than they begin; a code may. */
async function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (!text.parentElement || text.parentElement.closest(".sr-only, svg, code")) continue;
      for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[\p{L}\d]+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(lines).size > 1) broken.push(word);
      }
    }
    return broken;
  });
}

/** Names as merchants write them, too long for any phone and with nowhere to break. */
const LONG = {
  store: "BoulangeriePâtisserieChocolaterieDesTroisCloches".padEnd(80, "Saint"),
  reward: "ViennoiseriesAnticonstitutionnellementCroustillantes",
};

describe("a low screen", () => {
  it.each([
    [320, 568],
    [360, 560],
    [375, 553],
  ])(
    "of %i by %i shows the choice of consent, and how much is to be written, above the button",
    async (width, height) => {
      const shop = await createShop(app.sql);
      const { page } = await app.phone({ context: { viewport: { width, height } } });
      await page.goto(shop.door);
      await arriveAt(page, "form");
      const consent = page.locator("label", { has: page.getByRole("checkbox") });
      const button = page.getByRole("button", { name: "Continuer" });
      await expect.poll(() => isAbove(consent, button)).toBe(true);

      await giveDetails(page);
      await star(page, 2).click();
      await arriveAt(page, "feedback");
      const send = page.getByRole("button", { name: "Envoyer", exact: true });
      const hint = page.getByText("Encore 20 caractères");
      await expect.poll(() => isAbove(hint, send)).toBe(true);
    },
  );

  it.each([
    [320, 256],
    [180, 320],
  ])("gives the prize and its button the width of a window of %i by %i", async (width, height) => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ context: { viewport: { width, height } } });
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    const button = page.getByRole("button", { name: "Valider le gain" });
    expect((await endOf(button)).right).toBeLessThanOrEqual(width);
    expect(await isAbove(page.getByText("Café offert"), button)).toBe(true);
    // Nothing covers what is read before the button.
    await page.getByText("Café offert").scrollIntoViewIfNeeded();
    expect(await isSeen(page.getByText("Café offert"))).toBe(true);
  });
});

describe("a phone of 360 pixels, shown twice as large", () => {
  it("breaks no word of a customer's steps", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ context: { viewport: { width: 180, height: 320 } } });
    await page.goto(shop.door);
    await arriveAt(page, "form");
    expect(await brokenWords(page), "form").toEqual([]);
    await giveDetails(page);
    expect(await brokenWords(page), "stars").toEqual([]);
    await star(page, 4).click();
    await arriveAt(page, "ready");
    expect(await brokenWords(page), "ready").toEqual([]);
    await goToWheel(page);
    await win(page);
    expect(await brokenWords(page), "ticket").toEqual([]);
  });
});

it("a screen of 320 pixels shown a quarter larger holds lists, figures, forms and legal pages", async () => {
  const shop = await createShop(app.sql);
  await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 2] });
  const context = { viewport: { width: 256, height: 454 } };
  const page = await openAs(app, shop.users.owner, "/dashboard", { device: "phone", context });
  const campaign = `/campaigns/${shop.campaign.id}`;
  for (const [path, title] of [
    ["/campaigns", "Campagnes"],
    [campaign, "La roue du comptoir"],
    [`${campaign}/edit`, "Modifier la campagne"],
    ["/legal/privacy", "Politique de confidentialité"],
  ] as const) {
    await page.goto(path);
    await titled(page, title);
    await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
    expect((await widths(page)).slice(0, 2), path).toEqual([256, 256]);
  }
});

describe("a screen of 320 pixels", () => {
  it("has the two ways out of the till beside each other", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ context: NARROW });
    await openTill(app, page, shop.users.owner);
    const office = await endOf(page.getByRole("link", { name: "Tableau de bord" }));
    const leave = await endOf(page.getByRole("button", { name: "Se déconnecter" }));
    expect(leave.top).toBe(office.top);
  });

  it("shows every step of a review and a win without scrolling sideways", async () => {
    const shop = await createShop(app.sql, {
      campaign: { playIntervalDays: 30 },
      store: { reviewMode: "gating" },
      reward: { name: LONG.reward, codeTemplate: "BOULANGERIE-SAINT-GERMAIN-{random}" },
    });
    await app.sql`update public.stores set name = ${LONG.store} where id = ${shop.storeId}`;
    const { page } = await app.phone({ context: NARROW, expected: lost("review_record") });
    await page.goto(shop.door);
    await arriveAt(page, "form");
    expect(await widths(page), "form").toEqual(FITS);
    await press(page, "Continuer");
    await page.getByText("Le prénom est requis").waitFor();
    expect(await widths(page), "mistakes").toEqual(FITS);
    for (const fold of await page.locator("summary").all()) await fold.click();
    expect(await widths(page), "rules").toEqual(FITS);

    // Held sideways, what is wrong is not behind the button.
    await page.setViewportSize({ width: 568, height: 320 });
    await field(page, "Prénom").fill("Zoé");
    await field(page, "Nom").fill("Lambert");
    await press(page, "Continuer");
    await expect.poll(() => isSeen(page.getByText("L'email est requis"))).toBe(true);
    await page.setViewportSize(NARROW.viewport);

    await giveDetails(page);
    expect(await widths(page), "stars").toEqual(FITS);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await widths(page), "stars among letters twice as large").toEqual(FITS);
    expect((await endOf(star(page, 5))).right).toBeLessThanOrEqual(320);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "";
    });
    await page.route("**/review_record", (route) => route.abort(), { times: 1 });
    await star(page, 4).click();
    await page.getByRole("alert").waitFor();
    expect(await widths(page), "problem").toEqual(FITS);
    await press(page, "Réessayer");
    await arriveAt(page, "google");
    expect(await widths(page), "public review").toEqual(FITS);
    await press(page, "Continuer sans avis public");
    await arriveAt(page, "ready");
    expect(await widths(page), "ready").toEqual(FITS);
    await goToWheel(page);
    expect(await widths(page), "wheel").toEqual(FITS);
    const button = await endOf(page.getByRole("button", { name: "Lancer la roue" }));
    expect((await endOf(page.locator("[data-wheel]"))).bottom).toBeLessThanOrEqual(button.top);
    const code = await win(page);
    expect(await widths(page), "ticket").toEqual(FITS);
    await page.goto(shop.door);
    await page.getByRole("heading", { name: "Vous avez déjà joué" }).waitFor();
    await page.getByRole("article").waitFor();
    expect(await widths(page), "kept ticket").toEqual(FITS);
    await page.goto(`${shop.door}/reglement`);
    expect(await widths(page), "rules of the draw").toEqual(FITS);

    const till = await app.phone({ context: NARROW });
    await till.page.goto("/encaisser");
    await till.page.getByRole("button", { name: "Se connecter" }).waitFor();
    expect(await widths(till.page), "sign-in").toEqual(FITS);
    await openTill(app, till.page, shop.users.cashier);
    expect(await widths(till.page), "till").toEqual(FITS);
    await checkCode(till.page, code);
    await tillSays(till.page, "Code valable");
    expect(await widths(till.page), "answer").toEqual(FITS);
  });

  it("shows the other steps without scrolling sideways", async () => {
    const shop = await createShop(app.sql, { wheel: "loses" });
    const { page } = await app.phone({ context: NARROW, expected: refusing(404) });
    await rate(page, shop, 1);
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill("a".repeat(200));
    expect(await widths(page), "message").toEqual(FITS);
    await page.goto(`${shop.door}/play`);
    await arriveAt(page, "name");
    expect(await widths(page), "name").toEqual(FITS);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await arriveAt(page, "contact");
    expect(await widths(page), "contact").toEqual(FITS);
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await press(page, "Lancer la roue");
    await arriveAt(page, "loss");
    expect(await widths(page), "loss").toEqual(FITS);
    await page.goto(`/org/${shop.slug}`);
    expect(await widths(page), "organisation").toEqual(FITS);
    await page.goto("/c/rien");
    expect(await widths(page), "closed").toEqual(FITS);
    await page.goto("/rien");
    await page.getByRole("heading", { name: "Page non trouvée" }).waitFor();
    expect(await widths(page), "not found").toEqual(FITS);
    await page.goto("/");
    await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
    expect(await widths(page), "home").toEqual(FITS);
  });
});
