import { describe, expect, it } from "vitest";
import {
  arriveAt,
  codeOn,
  goToWheel,
  press,
  pressSpin,
  rate,
  somebody,
  win,
} from "./support/customer.ts";
import { DAY_IN_WORDS } from "./support/dates.ts";
import { readQrCode } from "./support/qr.ts";
import { activity, createShop } from "./support/shop.ts";
import { setStage } from "./support/stage.ts";
import { checkCode, redeemAtTheTill, tillSays } from "./support/till.ts";

const stage = setStage();

describe("a win", () => {
  it("is a ticket whose code is worth one prize at the till, once", async () => {
    const shop = await createShop(stage.sql, { reward: { name: "Tarte du jour", stock: 3 } });
    const { page } = await stage.phone();
    await rate(page, shop, 5, { ...somebody(), firstName: "Anaïs", lastName: "Le Goff" });
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);

    expect(code).toMatch(/^WIN[A-HJ-NP-Z2-9]{8}$/);
    const ticket = page.getByRole("article");
    await ticket.getByText("Tarte du jour").waitFor();
    await ticket.getByText(`Montrez ce code à la caisse de ${shop.storeName}.`).waitFor();
    await ticket.getByText(new RegExp(`^Valable jusqu'au ${DAY_IN_WORDS}$`, "u")).waitFor();
    expect(await activity(stage.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });
    expect(
      await stage.sql`
        select r.stock, d.code, d.status from public.rewards r join public.redemptions d on d.reward_id = r.id
        where r.campaign_id = ${shop.campaign.id}`,
    ).toMatchObject([{ stock: 2, code, status: "available" }]);

    const till = await redeemAtTheTill(stage, shop, code);
    await till.getByText("Anaïs Le Goff").waitFor();
    await till.getByRole("button", { name: "Code suivant" }).click();
    await checkCode(till, code);
    await tillSays(till, "Déjà utilisé");
    await till.getByText(/^Validé .+ à \d\d:\d\d par Camille Martin\.$/).waitFor();
    expect(await till.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
    expect(
      await stage.sql`
        select d.status, d.used_by, d.used_store_id,
          (select count(*)::int from public.redemption_events e where e.redemption_id = d.id) as events
        from public.redemptions d where d.campaign_id = ${shop.campaign.id}`,
    ).toMatchObject([
      { status: "used", used_by: shop.users.cashier.id, used_store_id: shop.storeId, events: 1 },
    ]);
  });

  it("shows the code as a QR code and copies it, which it says for two seconds", async () => {
    const shop = await createShop(stage.sql);
    const { page } = await stage.phone({
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const code = await win(page);
    expect(await readQrCode(page.getByRole("img", { name: `QR code de ${code}` }))).toBe(code);

    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await press(page, "Copier le code");
    const button = page.getByRole("button", { name: "Code copié" });
    await button.waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    await page.clock.runFor(1_999);
    expect(await button.count()).toBe(1);
    await page.clock.runFor(1);
    await page.getByRole("button", { name: "Copier le code" }).waitFor();
  });

  it("follows the reward's template and validity", async () => {
    const shop = await createShop(stage.sql, {
      reward: { codeTemplate: "CAFE-{random}", metadata: { validityDays: 1 } },
    });
    const { page } = await stage.phone();
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await pressSpin(page);
    await arriveAt(page, "win");
    const code = await codeOn(page);
    expect(code).toMatch(/^CAFE-[A-HJ-NP-Z2-9]{8}$/);
    // The end is near: the hour matters.
    await page.getByText(/^Valable jusqu'au .+ à \d+\sh\s\d\d$/).waitFor();
    await redeemAtTheTill(stage, shop, code);
  });
});
