import { describe, expect, it } from "vitest";
import { stopClock } from "./support/clock.ts";
import { arriveAt, goToWheel, press, rate, somebody, win } from "./support/customer.ts";
import { DAY_IN_WORDS } from "./support/dates.ts";
import { readQrCode } from "./support/qr.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { checkCode, redeemAtTheTill, tillSays } from "./support/till.ts";

const app = setUpTestApp();

describe("a win", () => {
  it("is a ticket whose code is worth one prize at the till, once", async () => {
    const shop = await createShop(app.sql, { reward: { name: "Tarte du jour", stock: 3 } });
    const { page } = await app.phone();
    await rate(page, shop, 5, { ...somebody(), firstName: "Anaïs", lastName: "Le Goff" });
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);

    expect(code).toMatch(/^WIN[A-HJ-NP-Z2-9]{8}$/);
    const ticket = page.getByRole("article");
    await ticket.getByText("Tarte du jour").waitFor();
    await ticket.getByText(`${shop.storeName} : montrez ce code à la caisse.`).waitFor();
    await ticket.getByText(new RegExp(`^Valable jusqu'au ${DAY_IN_WORDS}$`, "u")).waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });
    expect(
      await app.sql`
        select r.stock, d.code, d.status from public.rewards r join public.redemptions d on d.reward_id = r.id
        where r.campaign_id = ${shop.campaign.id}`,
    ).toMatchObject([{ stock: 2, code, status: "available" }]);

    const till = await redeemAtTheTill(app, shop, code);
    await till.getByText("Anaïs Le Goff").waitFor();
    await till.getByRole("button", { name: "Code suivant" }).click();
    await checkCode(till, code);
    await tillSays(till, "Déjà utilisé");
    await till.getByText(/^Validé .+ à \d\d:\d\d par Camille Martin\.$/).waitFor();
    expect(await till.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
    expect(
      await app.sql`
        select d.status, d.used_by, d.used_store_id,
          (select count(*)::int from public.redemption_events e where e.redemption_id = d.id) as events
        from public.redemptions d where d.campaign_id = ${shop.campaign.id}`,
    ).toMatchObject([
      { status: "used", used_by: shop.users.cashier.id, used_store_id: shop.storeId, events: 1 },
    ]);
  });

  it("is stamped when its page is seen again after the till has used it", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);
    await app.sql`update public.redemptions set status = 'used', used_at = now() where code = ${code}`;
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText(/^Utilisé le /).waitFor();
    expect(await page.getByRole("img", { name: `QR code de ${code}` }).count()).toBe(0);
  });

  it("shows the code as a QR code and copies it, which it says for two seconds", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({
      context: {
        permissions: ["clipboard-read", "clipboard-write"],
        viewport: { width: 360, height: 640 },
      },
    });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);
    const qrCode = page.getByRole("img", { name: `QR code de ${code}` });
    expect(await readQrCode(qrCode)).toBe(code);

    // Nothing that the counter needs asks for scrolling, and the button is where the code is.
    await page.evaluate(() => scrollTo(0, 0));
    const ticket = page.getByRole("article");
    for (const shown of [qrCode, ticket.getByText(/^Valable jusqu'au/)]) {
      const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(640);
    }
    expect(await ticket.getByRole("button", { name: "Copier le code" }).count()).toBe(1);

    await stopClock(page);
    await press(page, "Copier le code");
    const button = page.getByRole("button", { name: "Code copié" });
    await button.waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    await page.clock.runFor(1_999);
    expect(await button.count()).toBe(1);
    await page.clock.runFor(1);
    await page.getByRole("button", { name: "Copier le code" }).waitFor();
  });
});
