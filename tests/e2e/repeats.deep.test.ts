import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { redeem } from "../harness/journey.ts";
import {
  arriveAt,
  codeOn,
  field,
  giveDetails,
  goToWheel,
  press,
  pressSpin,
  rate,
  somebody,
  star,
  step,
  win,
  writeDetails,
} from "./support/customer.ts";
import { holdRequests, keepAnswerBack } from "./support/network.ts";
import { activity, createShop, storedReviews } from "./support/shop.ts";
import { callsTo, setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

const COMPLAINT = "Le café était froid et l'attente bien trop longue.";

describe("a hasty hand", () => {
  it("that clicks a star twice, or another one after it, gives one review", async () => {
    const shop = await createShop(app.sql);
    const { page, outside } = await app.phone();
    const calls = callsTo(page, "review_record");
    await page.goto(shop.door);
    await giveDetails(page);
    const release = await holdRequests(page, "**/review_record");
    await star(page, 5).dblclick();
    // Playwright waits for controls that are off; a person does not.
    await star(page, 1).click({ force: true });
    release();
    await arriveAt(page, "ready");
    expect(calls).toHaveLength(1);
    expect(outside).toHaveLength(1);
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ rating: 5 }]);
  });

  it("that presses the wheel twice spins it once", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const calls = callsTo(page, "spin_wheel");
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const release = await holdRequests(page, "**/spin_wheel");
    await page.getByRole("button", { name: "Lancer la roue" }).dblclick();
    await page.getByRole("button", { name: "Bonne chance" }).click({ force: true });
    release();
    await arriveAt(page, "win");
    expect(calls).toHaveLength(1);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, codes: 1 });
  });

  it("that sends the message twice sends one", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 1);
    await arriveAt(page, "feedback");
    const calls = callsTo(page, "review_record");
    await field(page, "Votre message").fill(COMPLAINT);
    const release = await holdRequests(page, "**/review_record");
    await page.getByRole("button", { name: "Envoyer" }).dblclick();
    release();
    await arriveAt(page, "ready");
    expect(calls).toHaveLength(1);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, feedback: 1 });
  });
});

describe("loading the page again", () => {
  it("keeps what was typed into the form, and the chosen way of contact", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    await writeDetails(page, {
      firstName: "Zoé",
      lastName: "Lam",
      phone: "06 12",
      consent: true,
    });
    await untilKept(page, "06 12");
    await page.reload();
    await expect.poll(() => field(page, "Prénom").inputValue()).toBe("Zoé");
    expect(await field(page, "Nom").inputValue()).toBe("Lam");
    expect(await page.getByRole("radio", { name: "Téléphone" }).isChecked()).toBe(true);
    expect(await field(page, "Numéro de téléphone").inputValue()).toBe("06 12");
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  });

  it("keeps the step at the stars, at the message with its text, and before the wheel", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const person = somebody();
    await page.goto(shop.door);
    await giveDetails(page, person);
    await page.reload();
    await arriveAt(page, "rating");
    await star(page, 2).click();

    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill("Le café était froid");
    await page.reload();
    await arriveAt(page, "feedback");
    expect(await field(page, "Votre message").inputValue()).toBe("Le café était froid");
    await field(page, "Votre message").fill(COMPLAINT);
    await press(page, "Envoyer");

    await arriveAt(page, "ready");
    await page.reload();
    await arriveAt(page, "ready");
    await goToWheel(page);
    await page.reload();
    await arriveAt(page, "wheel");
    const code = await win(page);
    await page.reload();
    await arriveAt(page, "win");
    expect(await codeOn(page)).toBe(code);
    expect(await storedReviews(app.sql, shop)).toMatchObject([
      { customer_email: person.email, rating: 2, review_text: COMPLAINT },
    ]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("keeps the invitation to a public review", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "google");
    await page.reload();
    await arriveAt(page, "google");
    await press(page, "Continuer sans avis public");
    await arriveAt(page, "ready");
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 0 });
  });

  it("while the star is under way sends the same star again by itself, stored once", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { page } = await app.phone();
    await page.goto(shop.door);
    await giveDetails(page);
    const { handled } = await keepAnswerBack(page, "**/review_record");
    await star(page, 4).click();
    await handled;
    await page.reload();
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ rating: 4 }]);
  });

  it("on the way without a review keeps the name, the contact and the result", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto(`${shop.door}/play?entry=libre`, { waitUntil: "commit" });
    // Before anybody listens.
    await field(page, "Votre nom").fill("Zoé Lambert");
    release();
    await untilKept(page, "Zoé Lambert");
    await page.reload();
    await expect.poll(() => field(page, "Votre nom").inputValue()).toBe("Zoé Lambert");
    await press(page, "Continuer");
    await arriveAt(page, "contact");
    await field(page, "Adresse e-mail").fill("zoe@exem");
    await page.reload();
    await arriveAt(page, "contact");
    await expect.poll(() => field(page, "Adresse e-mail").inputValue()).toBe("zoe@exem");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    await page.reload();
    await arriveAt(page, "wheel");
    const code = await win(page);
    await page.reload();
    await arriveAt(page, "win");
    expect(await codeOn(page)).toBe(code);
    expect(await activity(app.sql, shop)).toMatchObject({ customers: 1, spins: 1, codes: 1 });
  });

  it("while the wheel spins shows what it was going to stop on", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ motion: "no-preference" });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const answered = page.waitForResponse("**/spin_wheel");
    await pressSpin(page);
    await arriveAt(page, "spinning");
    await (await answered).finished();
    await untilKept(page, "redemption_code");
    await page.reload();
    await press(page, "Copier le code");
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, codes: 1 });
  });
});

describe("going back", () => {
  it("from the stars leads to the form as it was, and forth again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    await giveDetails(page, { firstName: "Zoé", lastName: "Lambert", email: "zoe@exemple.fr" });
    await page.goBack();
    await arriveAt(page, "form");
    expect(await field(page, "Prénom").inputValue()).toBe("Zoé");
    await field(page, "Prénom").fill("Zoë");
    await press(page, "Continuer");
    await arriveAt(page, "rating");
    await star(page, 4).click();
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ customer_name: "Zoë Lambert" }]);
  });

  it("from the step before the wheel, where the review is stored, never doubles it", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    await page.goBack();
    await arriveAt(page, "ready");
    await goToWheel(page);
    await page.goBack();
    await arriveAt(page, "ready");
    await goToWheel(page);
    await win(page);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("from the contact leads to the name, and from the wheel to the contact", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    await page.goBack();
    await arriveAt(page, "contact");
    expect(await field(page, "Adresse e-mail").inputValue()).toBe("zoe@exemple.fr");
    await page.goBack();
    await arriveAt(page, "name");
    expect(await field(page, "Votre nom").inputValue()).toBe("Zoé");
    await page.goForward();
    await arriveAt(page, "contact");
    await page.goForward();
    await arriveAt(page, "wheel");
    await win(page);
    expect(await activity(app.sql, shop)).toMatchObject({ customers: 1, spins: 1 });
  });

  it("from the result never spins again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    const code = await win(page);
    await page.goBack();
    await arriveAt(page, "win");
    expect(await codeOn(page)).toBe(code);
    expect(await page.getByRole("button", { name: "Lancer la roue" }).count()).toBe(0);
  });
});

describe("a closed tab", () => {
  it("is taken up again where the review was stored", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    const context = page.context();
    await page.close();
    const again = await context.newPage();
    await again.goto(shop.door);
    await arriveAt(again, "ready");
    await goToWheel(again);
    await redeemAtTheTill(app, shop, await win(again));
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("leaves a next customer on the same phone the way to begin anew", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    const again = await page.context().newPage();
    await page.close();
    await again.goto(shop.door);
    await arriveAt(again, "ready");
    await press(again, "Nouvelle visite ? Recommencer");
    await arriveAt(again, "form");
    expect(await field(again, "Prénom").inputValue()).toBe("");
    await giveDetails(again);
    await star(again, 4).click();
    await arriveAt(again, "ready");
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 2, customers: 2 });
  });

  it("keeps the ticket on the phone until it is used", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 30 } });
    const { page } = await app.phone();
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);
    const address = page.url();
    const again = await page.context().newPage();
    await page.close();

    await again.goto(address);
    await arriveAt(again, "win");
    expect(await codeOn(again)).toBe(code);

    await again.goto(shop.door);
    await step(again, "Vous avez déjà joué").waitFor();
    await again.getByText("Votre gain vous attend").waitFor();
    await expect.poll(() => codeOn(again)).toBe(code);
    await redeem(app.sql, { userId: shop.users.cashier.id, code, storeId: shop.storeId });
    // The page asks the till when it opens: a prize that was used waits no more.
    await again.reload();
    await again
      .getByRole("article")
      .getByText(/^Utilisé le /)
      .waitFor();
    expect(await again.getByText("Votre gain vous attend").count()).toBe(0);
    await press(again, "Effacer de ce téléphone");
    await again.getByRole("article").waitFor({ state: "detached" });
    await again.reload();
    await step(again, "Vous avez déjà joué").waitFor();
    await press(again, "Quelqu'un d'autre joue");
    await arriveAt(again, "form");
    expect(await again.getByText("Votre gain vous attend").count()).toBe(0);
  });
});

describe("two tabs", () => {
  it("of one visit give one review, one spin and one code", async () => {
    const shop = await createShop(app.sql);
    const { page: first } = await app.phone();
    const person = somebody();
    await first.goto(shop.door);
    await giveDetails(first, person);
    const second = await first.context().newPage();
    await second.goto(shop.door);
    await giveDetails(second, person);

    await star(first, 4).click();
    await arriveAt(first, "ready");
    await star(second, 4).click();
    await arriveAt(second, "ready");
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, customers: 1 });

    await goToWheel(first);
    await goToWheel(second);
    const code = await win(first);
    expect(await win(second)).toBe(code);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, codes: 1 });
  });
});

/** Waits until the tab remembers a text: what keeps it is loaded with the first touch. */
async function untilKept(page: Page, text: string): Promise<void> {
  const kept = () => page.evaluate(() => Object.values(sessionStorage).join());
  await expect.poll(kept).toContain(text);
}
