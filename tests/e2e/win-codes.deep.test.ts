import { describe, expect, it } from "vitest";
import { arriveAt, codeOn, goToWheel, pressSpin, rate, win } from "./support/customer.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { codeField, openTill, redeemAtTheTill } from "./support/till.ts";

/** Codes of a merchant's own form, on the ticket and at the till. */

const app = setUpTestApp();

describe("a win", () => {
  it("follows the reward's template and validity", async () => {
    const shop = await createShop(app.sql, {
      reward: { codeTemplate: "CAFE-{random}", metadata: { validityDays: 1 } },
    });
    const { page } = await app.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await pressSpin(page);
    await arriveAt(page, "win");
    const code = await codeOn(page);
    expect(code).toMatch(/^CAFE-[A-HJ-NP-Z2-9]{8}$/);
    // The end is near: the hour matters.
    await page.getByText(/^Valable jusqu'au .+ à \d+\sh\s\d\d$/).waitFor();
    await redeemAtTheTill(app, shop, code);
  });

  it("shows a long code to its end on phone and till, and its random part in one piece", async () => {
    const shop = await createShop(app.sql, {
      reward: { codeTemplate: "croissant-{random}" },
    });
    const { page } = await app.phone({ context: { viewport: { width: 390, height: 844 } } });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);
    expect(code).toMatch(/^croissant-[A-HJ-NP-Z2-9]{8}$/);
    const shown = page.getByRole("article").getByRole("code");
    /** Text on each line of the code. */
    const lines = () =>
      shown.evaluate((element) => {
        const rows = new Map<number, string>();
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (texts.nextNode()) {
          const text = texts.currentNode.textContent ?? "";
          for (let at = 0; at < text.length; at++) {
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + 1);
            const top = Math.round(range.getBoundingClientRect().top);
            rows.set(top, (rows.get(top) ?? "") + text[at]);
          }
        }
        return [...rows.values()];
      });
    // The ticket is turned a little while it drops.
    await expect.poll(lines).toEqual([code]);
    await page.setViewportSize({ width: 250, height: 568 });
    await expect.poll(lines).toEqual(["croissant-", code.slice("croissant-".length)]);

    const { page: till } = await app.phone({
      context: { viewport: { width: 320, height: 568 } },
    });
    await openTill(app, till, shop.users.cashier);
    const isWhole = () =>
      codeField(till).evaluate((field) => field.scrollWidth <= field.clientWidth);
    for (const typed of ["WINABCDEFGH", "croissant-YNBE7GNQ"]) {
      await codeField(till).fill(typed);
      // The letters become smaller, and those of the brand may come, a moment after the code.
      await expect.poll(isWhole, { message: typed }).toBe(true);
    }
  });
});
