import { describe, expect, it } from "vitest";
import { languageOn, playInAnyLanguage } from "./support/any-language.ts";
import { field, step } from "./support/customer.ts";
import { openAs } from "./support/member.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const ENGLISH = { locale: "en-GB" };

describe("a phone in English", () => {
  it("goes from the scan to the ticket in its language, by the clocks of the store", async () => {
    const shop = await createShop(app.sql, { reward: { name: "Tarte du jour" } });
    const { page } = await app.phone({ context: ENGLISH });
    const titles: string[] = [];
    await playInAnyLanguage(page, shop, async (name) => {
      expect(await languageOn(page), name).toBe("en");
      titles.push((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
    });
    expect(titles.slice(0, 4)).toEqual([
      "Leave a review, spin the wheel.",
      "How was your visit?",
      "Your turn to spin the wheel",
      "The wheel is yours",
    ]);
    expect(titles[4]).toMatch(/^Well done Zoé, Tarte du jour!$/);
    const ticket = page.getByRole("article");
    await ticket.getByText(`Show this code at the till of ${shop.storeName}.`).waitFor();
    await ticket.getByText(/^Valid until \w+day,? \d+ \w+( \d{4})?$/).waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });

    const office = await openAs(app, shop.users.owner, "/reviews?state=all&locale=en");
    const reviews = office.getByRole("list", { name: "Avis", exact: true });
    await reviews.getByText("Anglais").waitFor();
    await office.goto("/customers?locale=en");
    await office.getByText("1 client(s) trouvé(s)").waitFor();
    await office.getByLabel("Langue").selectOption("Allemand");
    await office.getByText("Aucun client trouvé pour cette recherche").waitFor();
    expect(new URL(office.url()).searchParams.get("locale")).toBe("de");
  });
});

describe("the switch at the foot of the page", () => {
  it("changes the language by keyboard, keeps what was typed, and is remembered", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/review?source=table`);
    await field(page, "Prénom").fill("Anaïs");
    await field(page, "Adresse e-mail").fill("anais@");
    // The field's text is kept once the page's script has taken it over.
    await expect
      .poll(() => page.evaluate(() => Object.keys(sessionStorage).some((key) => /draft/.test(key))))
      .toBe(true);
    const fold = page.locator("footer summary").filter({ hasText: "Français" });
    await fold.focus();
    await page.keyboard.press("Enter");
    const link = page.getByRole("link", { name: "English" });
    const { height = 0 } = (await link.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await step(page, "Leave a review, spin the wheel.").waitFor();
    expect(page.url()).toContain("/review?source=table");
    await expect.poll(() => field(page, "First name").inputValue()).toBe("Anaïs");
    await expect.poll(() => field(page, "Email address").inputValue()).toBe("anais@");

    await page.goto(`${shop.door}/gain`);
    expect(await languageOn(page)).toBe("en");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: "lang", value: "en", httpOnly: true, sameSite: "Lax" });
  });
});

it("the rules say in the phone's language that the French text governs, and lead to it", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ context: ENGLISH });
  await page.goto(`${shop.door}/reglement`);
  await step(page, "Rules of the game").waitFor();
  await page.getByText("the French text alone governs").waitFor();
  await page.getByRole("link", { name: "Read the French text" }).click();
  await step(page, "Règlement du jeu").waitFor();
  expect(await languageOn(page)).toBe("fr");
  expect(page.url()).toMatch(/\/reglement\?version=\d+$/);
});
