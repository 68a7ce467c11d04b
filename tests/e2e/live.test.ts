import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { review, scan, spin } from "../harness/journey.ts";
import { joined } from "./support/channels.ts";
import { enter, words } from "./support/member.ts";
import { decide, statesOf, suspiciousShop } from "./support/prize-checks.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { checkCode, openTill, redeem, tillSays } from "./support/till.ts";

/** Screens that stand open while something happens elsewhere. Nobody presses anything on them. */

const app = setUpTestApp();

describe("an open screen", () => {
  it("of the dashboard shows a visit at the moment it happens", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const ready = joined(page, "activity");
    await page.goto("/dashboard");
    await page.getByText("QR codes scannés").waitFor();
    await ready;
    await scan(app.sql, { slug: shop.campaign.slug, visitor: randomUUID() });
    const { review_id: reviewId } = await review(app.sql, {
      campaignId: shop.campaign.id,
      firstName: "Zoé",
      lastName: "Vidal",
      rating: 5,
    });
    await spin(app.sql, { campaignId: shop.campaign.id, reviewId });
    await page.getByText("Zoé Vidal").first().waitFor();
    await expect.poll(() => words(page)).toContain("Scans totaux 1 QR codes scannés");
  });

  it("of a reward's codes shows a code as used that a till has just taken", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const ready = joined(page, "codes");
    await page.goto(`/rewards/${shop.reward?.id}/codes`);
    await page.getByText(code).first().waitFor();
    await ready;
    const { owner } = shop.users;
    await app.sql`select public.redeem_code(${owner.id}, ${owner.id}, 'aal1', ${code}, ${shop.storeId})`;
    await page.getByText("Utilisé", { exact: true }).first().waitFor();
  });

  it("of a second till says « Déjà utilisé » before its cashier presses, and no longer once that is undone", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const [{ page: first }, { page: second }] = [await app.phone(), await app.phone()];
    const ready = joined(second, "codes");
    await openTill(app, first, shop.users.cashier);
    await openTill(app, second, shop.users.cashier);
    await ready;
    for (const till of [first, second]) {
      await checkCode(till, code);
      await tillSays(till, "Code valable");
    }
    await redeem(first);
    await tillSays(first, "C'est validé");
    await tillSays(second, "Déjà utilisé");
    await first.getByRole("button", { name: "Annuler la validation" }).click();
    await tillSays(second, "Code valable");
  });

  it("of a till says that a colleague holds the prize back, and that it is good once it is released", async () => {
    const { shop, code } = await suspiciousShop(app.sql);
    const { page } = await app.phone();
    const ready = joined(page, "codes");
    await openTill(app, page, shop.users.cashier);
    await ready;
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await decide(app, shop, "hold");
    await tillSays(page, "À vérifier");
    expect(await page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
    await decide(app, shop, "release");
    await tillSays(page, "Code valable");
    await redeem(page);
    await tillSays(page, "C'est validé");
    expect((await statesOf(app.sql, shop)).toSorted()).toEqual([
      ...Array(5).fill("available"),
      "used",
    ]);
  });
});
