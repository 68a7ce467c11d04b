import { describe, expect, it } from "vitest";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { createPointsReward } from "../harness/fixtures.ts";
import { languageOn, playInAnyLanguage } from "./support/any-language.ts";
import { field, press, somebody, step, whenAlive } from "./support/customer.ts";
import { words } from "./support/member.ts";
import { FITS, NARROW, widths } from "./support/narrow.ts";
import { activity, createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const OTHERS = LANGUAGES.filter((language) => language !== FIRST_LANGUAGE);

/** Words of ours that are French and nothing else; names of the tests' shops have none. */
const FRENCH =
  /\b(?:vous|votre|vos|avis|gain|gains|lot|lots|magasin|règlement|roue (?:tourne|se)|jusqu'au|à la caisse)\b/i;

describe.each(OTHERS)("a phone in %s, 320 pixels wide", (language) => {
  const context = { ...NARROW, locale: language };

  it("goes from the scan to the ticket, and finds the prize again", async () => {
    const shop = await createShop(app.sql, {
      campaign: { playIntervalDays: 30, name: "Roulette" },
      store: { name: "Comptoir" },
      reward: { name: "Espresso" },
    });
    const { page } = await app.phone({ context });
    const look = async (step: string) => {
      expect(await languageOn(page), step).toBe(language);
      expect(await widths(page), step).toEqual(FITS);
      expect(await words(page, page.locator("body")), step).not.toMatch(FRENCH);
    };
    const code = await playInAnyLanguage(page, shop, look);
    expect(code).toMatch(/^WIN/);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });
    await page.goto(shop.door);
    await page.getByRole("article").waitFor();
    await look("already played");
    await page.goto(`${shop.door}/gain`);
    await page.getByRole("article").waitFor();
    await look("prizes");
  });

  it("shows the other pages whole: mistakes, rules, free entry, a loss, what is not there", async () => {
    const shop = await createShop(app.sql, {
      wheel: "loses",
      campaign: { name: "Roulette" },
      store: { name: "Comptoir" },
    });
    const { page } = await app.phone({ context, expected: refusing(404) });
    await page.goto(shop.door);
    const submit = page.locator("main button[type=submit]");
    await whenAlive(submit);
    await submit.click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    for (const fold of await page.locator("summary").all()) await fold.click();
    expect(await widths(page), "mistakes").toEqual(FITS);
    await page.goto(`${shop.door}/reglement`);
    expect(await widths(page), "rules").toEqual(FITS);

    await page.goto(`${shop.door}/play?entry=libre`);
    await page.locator("input[name=name]").fill("Zoé");
    expect(await widths(page), "name").toEqual(FITS);
    await whenAlive(submit);
    await submit.click();
    await page.locator("input[name=email]").fill("zoe@exemple.fr");
    expect(await widths(page), "contact").toEqual(FITS);
    await submit.click();
    const spin = page.locator("main:has([data-wheel]) button:not([role=switch])").first();
    await whenAlive(spin);
    await spin.click();
    await page.locator("main:not(:has([data-wheel])) h1").waitFor();
    expect(await widths(page), "loss").toEqual(FITS);
    for (const path of [`/org/${shop.slug}`, "/c/rien", "/c/rien/du/tout"]) {
      await page.goto(path);
      expect(await languageOn(page), path).toBe(language);
      expect(await widths(page), path).toEqual(FITS);
      expect(await words(page, page.locator("body")), path).not.toMatch(FRENCH);
    }
  });
});

describe.each(OTHERS)("what few customers meet, in %s, 320 pixels wide", (language) => {
  const context = { ...NARROW, locale: language };

  /** Opens a phone, and judges what it shows at a step. */
  async function phone(...statuses: number[]) {
    const { page } = await app.phone({ context, expected: refusing(...statuses) });
    const look = async (what: string) => {
      expect(await languageOn(page), what).toBe(language);
      expect(await widths(page), what).toEqual(FITS);
      expect(await words(page, page.locator("body")), what).not.toMatch(FRENCH);
    };
    /** From the form to a star. */
    const rateBy = async (door: string, stars: number) => {
      await page.goto(door);
      const { firstName, lastName, email } = somebody();
      await page.locator("input[name=first_name]").fill(firstName);
      await page.locator("input[name=last_name]").fill(lastName);
      await page.locator("input[name=email]").fill(email);
      const submit = page.locator("main button[type=submit]");
      await whenAlive(submit);
      await submit.click();
      const star = page
        .getByRole("group")
        .getByRole("button")
        .nth(stars - 1);
      await star.waitFor();
      await star.click();
    };
    const spin = async () => {
      await page.locator('main a[href*="/play?"]:not([tabindex])').click();
      const button = page.locator("main:has([data-wheel]) button:not([role=switch])").first();
      await whenAlive(button);
      await button.click();
    };
    return { page, look, rateBy, spin };
  }

  it("shows a message to the shop, the way to public reviews, and both when they are sent", async () => {
    const shop = await createShop(app.sql, {
      campaign: { name: "Roulette" },
      store: { name: "Comptoir", reviewMode: "gating" },
    });
    const pleased = await phone();
    await pleased.rateBy(shop.door, 4);
    await pleased.page.getByText("g.page").waitFor();
    await pleased.look("public review");
    const { page, look, rateBy } = await phone();
    await rateBy(shop.door, 1);
    await page.locator("main textarea").fill("Mmmm, cold latte, slow team.");
    await look("message");
    await page.locator("main button[type=submit]").click();
    await page.locator('main a[href*="/play?"]:not([tabindex])').waitFor();
    await look("thanks for the message");
  });

  it("shows points, what they are worth, and a code for them", async () => {
    const shop = await createShop(app.sql, {
      wheel: "points",
      reward: { name: "80 points", metadata: { points: 80 } },
      campaign: { name: "Roulette", playIntervalDays: 30 },
      store: { name: "Comptoir" },
    });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Espresso", cost: 50 });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Tiramisu", cost: 120 });
    const { page, look, rateBy, spin } = await phone();
    await rateBy(shop.door, 5);
    await spin();
    const points = page.getByRole("region").filter({ hasText: "Espresso" });
    await points.getByRole("button").first().waitFor();
    await look("points");
    await points.getByRole("button").first().click();
    await look("exchange");
    await points.getByRole("button").first().click();
    await points.locator("article code").waitFor();
    await look("code for points");
    await page.goto(`${shop.door}/gain`);
    await points.locator("article code").waitFor();
    await look("kept points");
  });

  it("shows what stops a spin: presence, a wheel that rests, a campaign that is over", async () => {
    const shop = await createShop(app.sql, {
      campaign: { name: "Roulette", playIntervalDays: 7 },
      store: { name: "Comptoir" },
      reward: { name: "Espresso" },
    });
    await app.sql`
      insert into private.check_settings (org_id, campaign_id, presence)
      values (${shop.id}, ${shop.campaign.id}, 'word')`;
    const { page, look, rateBy, spin } = await phone(404, 422);
    await rateBy(shop.door, 5);
    await spin();
    const proof = page.locator("main form input");
    await proof.fill("x");
    await look("presence");
    await page.locator("main form button[type=submit]").click();
    await page.locator("[aria-invalid=true]").waitFor();
    await look("presence refused");

    await app.sql`delete from private.check_settings where campaign_id = ${shop.campaign.id}`;
    const winner = await phone();
    await winner.rateBy(shop.door, 5);
    await winner.spin();
    await winner.page.getByRole("article").getByRole("code").waitFor();

    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    await app.sql`update public.rewards set active = false where org_id = ${shop.id}`;
    const other = await phone();
    await other.page.goto(shop.door);
    await other.page.locator("main input[name=first_name]").waitFor();
    await other.look("resting wheel");

    await app.sql`
      update public.campaigns set ends_at = now() - interval '2 days', starts_at = now() - interval '9 days'
      where id = ${shop.campaign.id}`;
    // Pages are kept for less than a second.
    const status = async () => (await page.goto(`${shop.door}/review?again`))?.status();
    await expect.poll(status).toBe(404);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await look("over");
  });
});

const ENGLISH = { locale: "en-GB" };

describe("a phone in English", () => {
  it("words a refusal by its code, and mistakes of the form", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 0 }, wheel: "wins" });
    const { page } = await app.phone({ context: ENGLISH, expected: refusing(404, 429) });
    await page.goto(shop.door);
    await press(page, "Continue");
    await page.getByText("Enter your first name").waitFor();
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await field(page, "First name").fill("Zoé");
    await field(page, "Last name").fill("Lambert");
    await field(page, "Email address").fill("zoe@exemple.fr");
    await press(page, "Continue");
    await page.getByRole("button", { name: "5 out of 5" }).click();
    await step(page, "Wheel not found or not active").waitFor();
  });

  it("shows a win again in the other language", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const code = await playInAnyLanguage(page, shop, async () => {});
    await page.locator("footer summary").filter({ hasText: "Français" }).click();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByText("Copy the code").waitFor();
    expect(await page.getByRole("article").getByRole("code").textContent()).toContain(code);
    expect(await languageOn(page)).toBe("en");
  });
});
