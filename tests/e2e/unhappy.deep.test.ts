import { describe, expect, it } from "vitest";
import { arriveAt, field, goToWheel, press, rate, win } from "./support/customer.ts";
import { activity, createShop, storedReviews } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

const COMPLAINT = "Le café était froid et l'attente bien trop longue.";

describe("an unhappy visit", () => {
  it.each([3, 2, 1])("of %i stars leaves a private word before the wheel", async (rating) => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page, outside } = await app.phone();
    await rate(page, shop, rating);
    await arriveAt(page, "feedback");
    const message = field(page, "Votre message");
    const send = page.getByRole("button", { name: "Envoyer" });

    await page.getByText("Encore 20 caractères").waitFor();
    expect(await send.isDisabled()).toBe(true);
    const refusal = page.getByText("Le message doit contenir au moins 20 caractères");
    await message.focus();
    await message.blur();
    expect(await message.getAttribute("aria-invalid")).toBe("false");
    expect(await refusal.count()).toBe(0);
    await message.fill("   Trop long.   ");
    await page.getByText("Encore 10 caractères").waitFor();
    await message.blur();
    await refusal.waitFor();
    await message.fill(`  ${"a".repeat(19)}  `);
    await page.getByText("Encore 1 caractère", { exact: true }).waitFor();
    expect(await send.isDisabled()).toBe(true);
    const colour = () =>
      page.locator("#feedback-count").evaluate((count) => getComputedStyle(count).color);
    const missing = await colour();
    await message.fill("a".repeat(20));
    await expect.poll(() => send.isEnabled()).toBe(true);
    await expect.poll(colour).not.toBe(missing);

    await message.fill(`  ${COMPLAINT}  `);
    await press(page, "Envoyer");
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ rating, review_text: COMPLAINT }]);
    expect(await page.getByRole("link", { name: "Laisser un avis public" }).count()).toBe(0);

    await goToWheel(page);
    await redeemAtTheTill(app, shop, await win(page));
    expect(outside).toEqual([]);
    expect(await activity(app.sql, shop)).toMatchObject({
      reviews: 1,
      feedback: 1,
      clicks: 0,
      wins: 1,
    });
  });

  it("says what is missing once the field is left", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 2);
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill("Trop long.");
    await field(page, "Votre message").blur();
    const complaint = page.getByRole("alert");
    expect(await complaint.textContent()).toBe("Le message doit contenir au moins 20 caractères");
    await field(page, "Votre message").press("End");
    await page.keyboard.type(" Et froid.");
    await complaint.waitFor({ state: "detached" });
  });

  it("in compliant mode is offered the public reviews page like everybody", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 1);
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill(COMPLAINT);
    await press(page, "Envoyer");
    await arriveAt(page, "ready");
    await page.getByRole("link", { name: "Laisser un avis public" }).waitFor();
  });
});
