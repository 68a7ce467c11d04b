import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PASSWORD } from "../harness/fixtures.ts";
import { arriveAt, codeOn, field, star, step, TITLES, whenAlive } from "./support/customer.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { activity, createShop, storedReviews } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { codeField, tillSays } from "./support/till.ts";

const app = setUpTestApp();

/** Presses a button at the very moment that it appears, as no test from outside could. */
async function pressOnSight(page: Page, name: string): Promise<void> {
  await page.evaluate((words) => {
    new MutationObserver((_, observer) => {
      const button = [...document.querySelectorAll("button")].find(
        ({ textContent }) => textContent.trim() === words,
      );
      if (!button) return;
      observer.disconnect();
      button.click();
      document.body.dataset.hurried = "";
    }).observe(document.body, { childList: true, subtree: true });
  }, name);
}

describe("without a mouse", () => {
  it("a customer goes from the form to the ticket", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page } = await app.desktop();
    const { keyboard } = page;
    await page.goto(shop.door);
    await arriveAt(page, "form");
    await whenAlive(page.getByRole("button", { name: "Continuer" }));

    // A mistake takes the focus to its field, which says what is wrong.
    await tabTo(page, page.getByRole("button", { name: "Continuer" }));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.press("Enter");
    await waitForFocus(field(page, "Prénom"));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.type("Zoé");
    await tabTo(page, field(page, "Nom"));
    await keyboard.type("Lambert");
    await tabTo(page, page.getByRole("radio", { name: "E-mail" }));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.press("ArrowRight");
    await tabTo(page, field(page, "Numéro de téléphone"));
    await keyboard.type("06 12 34 56 78");
    await tabTo(page, page.getByRole("checkbox"));
    await keyboard.press("Space");
    await tabTo(page, page.getByRole("button", { name: "Continuer" }));
    await keyboard.press("Enter");

    await waitForFocus(step(page, TITLES.rating));
    await tabTo(page, star(page, 4));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.press("Space");
    await waitForFocus(step(page, TITLES.google));
    await tabTo(page, page.getByRole("button", { name: "Continuer sans avis public" }));
    await keyboard.press("Enter");
    await waitForFocus(step(page, TITLES.ready));
    await tabTo(page, page.getByRole("link", { name: "Tourner la roue" }));
    await keyboard.press("Enter");

    await arriveAt(page, "wheel");
    await whenAlive(page.getByRole("button", { name: "Lancer la roue" }));
    await tabTo(page, page.getByRole("button", { name: "Lancer la roue" }));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.press("Enter");
    await waitForFocus(step(page, TITLES.win));
    await tabTo(page, page.getByRole("button", { name: "Copier le code" }));
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Code copié" }).waitFor();

    expect(await storedReviews(app.sql, shop)).toMatchObject([
      {
        customer_name: "Zoé Lambert",
        customer_phone: "06 12 34 56 78",
        consent_marketing: true,
        rating: 4,
      },
    ]);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, codes: 1 });

    const code = await codeOn(page);
    const till = await app.desktop();
    await till.page.goto("/encaisser");
    await tabTo(till.page, till.page.getByRole("textbox", { name: "Adresse e-mail" }));
    await till.page.keyboard.type(shop.users.cashier.email);
    await tabTo(till.page, till.page.getByLabel("Mot de passe", { exact: true }));
    await till.page.keyboard.type(PASSWORD);
    await till.page.keyboard.press("Enter");
    await waitForFocus(codeField(till.page));
    await pressOnSight(till.page, "Valider le gain");
    await till.page.keyboard.type(code);
    await till.page.keyboard.press("Enter");
    await tillSays(till.page, "Code valable");
    const confirm = till.page.getByRole("button", { name: "Valider le gain" });
    await waitForFocus(confirm);
    // A scanner's second Enter comes at once, a person's after a moment: only that one counts.
    await expect.poll(() => till.page.locator("[data-hurried]").count()).toBe(1);
    await tillSays(till.page, "Code valable");
    await expect.poll(() => confirm.isEnabled()).toBe(true);
    await till.page.keyboard.press("Enter");
    await tillSays(till.page, "C'est validé");

    // The next code may be typed straight away.
    const next = till.page.getByRole("button", { name: "Code suivant" });
    await waitForFocus(next);
    await till.page.keyboard.type("abc");
    await waitForFocus(codeField(till.page));
    expect(await codeField(till.page).inputValue()).toBe("abc");
  });
});
