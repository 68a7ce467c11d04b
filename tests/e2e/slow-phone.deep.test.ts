import { describe, expect, it } from "vitest";
import {
  arriveAt,
  field,
  giveDetails,
  goToWheel,
  rate,
  somebody,
  star,
  win,
  writeDetails,
} from "./support/customer.ts";
import { holdRequests } from "./support/network.ts";
import { activity, createShop, storedReviews } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("a script that comes late", () => {
  it("finds what was typed, chosen and pressed before it", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { page } = await app.phone();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto(shop.door, { waitUntil: "commit" });
    await arriveAt(page, "form");
    await writeDetails(page, {
      firstName: "Zoé",
      lastName: "Lambert",
      phone: "06 12 34 56 78",
      consent: true,
    });
    // Too early: it waits, and nothing that was typed goes anywhere.
    await page.getByRole("button", { name: "Continuer" }).click();
    expect(new URL(page.url()).search).toBe("?source=qr");
    release();
    await arriveAt(page, "rating");
    await star(page, 4).click();
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([
      {
        customer_name: "Zoé Lambert",
        customer_phone: "06 12 34 56 78",
        customer_email: null,
        consent_marketing: true,
      },
    ]);
  });

  it("finds the name that was typed before it, and goes on", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto(`${shop.door}/play?entry=libre`, { waitUntil: "commit" });
    await field(page, "Votre nom").fill("Zoé Lambert");
    await page.getByRole("button", { name: "Continuer" }).click();
    release();
    await arriveAt(page, "contact");
  });
});

describe("a script that is lost on its way", () => {
  it("is asked for again at the next touch, which counts", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { page } = await app.phone({ expected: lost("/assets/") });
    const scripts = "**/assets/*.js";
    await page.route(scripts, (route) => route.abort("connectionreset"));
    const failed = page.waitForEvent("requestfailed");
    await page.goto(shop.door, { waitUntil: "commit" });
    await failed;
    await writeDetails(page, somebody());
    // By then the page has made its own attempts, the last when a second is over.
    await page.waitForFunction(() => performance.now() > 1_500);
    await page.unroute(scripts);
    await page.getByRole("button", { name: "Continuer" }).click();
    await arriveAt(page, "rating");
  });

  it("is asked for again when a part of it was lost", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({
      expected: (problem) =>
        lost("/assets/")(problem) ||
        (problem.kind === "exception" && problem.text.includes("dynamically imported module")),
    });
    const part = "**/assets/play-*.js";
    await page.route(part, (route) => route.abort("connectionreset"));
    const thrown = page.waitForEvent("pageerror");
    await page.goto(`${shop.door}/play?entry=libre`, { waitUntil: "commit" });
    await field(page, "Votre nom").fill("Zoé");
    await thrown;
    await page.unroute(part);
    await page.getByRole("button", { name: "Continuer" }).click();
    await arriveAt(page, "contact");
  });
});

describe("a browser that forbids storage", () => {
  it("still goes all the way, and says that the code is not kept", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: refuse });
      Object.defineProperty(window, "sessionStorage", { get: refuse });
    });
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await win(page);
    await page
      .getByText("Notez ce code ou faites une capture d'écran : ce navigateur ne garde rien.")
      .waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("is served when its storage is full", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      };
    });
    await page.goto(shop.door);
    await giveDetails(page);
    await star(page, 4).click();
    await arriveAt(page, "ready");
    await goToWheel(page);
    await win(page);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });
});

describe("a phone without JavaScript", () => {
  it("reads the first step, and what it takes to go on", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({
      context: { javaScriptEnabled: false },
      expected: lost("/assets/"),
    });
    await page.goto(shop.door);
    await arriveAt(page, "form");
    await page.getByText(shop.storeName).first().waitFor();
    await field(page, "Prénom").fill("Zoé");
    // Chromium parses the page as if scripts ran, so that these words stand there as mere text.
    expect(await page.locator("noscript").textContent()).toContain(
      "Pour continuer, activez JavaScript dans votre navigateur.",
    );
    await page.goto(`${shop.door}/play`);
    await arriveAt(page, "name");
  });
});
