import { describe, expect, it } from "vitest";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import { accessibilityProblems } from "../harness/browser.ts";
import { arriveAt, goToWheel, rate, win } from "./support/customer.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const COFFEE = `path[d="${PRIZE_DRAWINGS.coffee.solid}"]`;

describe("a prize's picture", () => {
  it("stands on the wheel, on the ticket and with the prizes that are kept, for the eyes alone", async () => {
    const shop = await createShop(app.sql, { reward: { picture: "coffee" } });
    const { page } = await app.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    // Twice on this wheel, upright, and on no segment that loses.
    const onWheel = page.locator(`[data-wheel] ${COFFEE}`);
    expect(await onWheel.count()).toBe(2);
    const turns = await onWheel.evaluateAll((paths) =>
      paths.map((path) => {
        const { b = 1, c = 1 } = (path as SVGPathElement).getCTM() ?? {};
        return Math.abs(b) < 1e-3 && Math.abs(c) < 1e-3;
      }),
    );
    expect(turns).toEqual([true, true]);
    await win(page);
    const ticket = page.getByRole("article");
    expect(await ticket.locator(`svg[aria-hidden=true] ${COFFEE}`).count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.goto(`${shop.door}/gain`);
    await page.getByRole("article").locator(COFFEE).waitFor();
  });

  it("is chosen with the reward, and shown in the list", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    await page.goto(`/rewards/${shop.reward?.id}/edit`);
    const pictures = page.getByRole("group", { name: "Image" });
    // An earlier reward has no picture, until somebody wants one.
    expect(await pictures.getByRole("radio", { name: "Sans image" }).isChecked()).toBe(true);
    await pictures.getByText("Café").click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByRole("heading", { level: 1, name: "Récompenses" }).waitFor();
    await page.locator(`main svg[aria-hidden=true] ${COFFEE}`).waitFor();
    const rows = await app.sql`
      select picture from public.rewards where campaign_id = ${shop.campaign.id}`;
    expect([...rows]).toEqual([{ picture: "coffee" }]);
  });
});
