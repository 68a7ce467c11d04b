import { describe, expect, it } from "vitest";
import { arriveAt, goToWheel, rate, win } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

describe("the printed code of a renamed campaign", () => {
  it("leads to the campaign under its present name, up to the till", async () => {
    const shop = await createShop(app.sql);
    const renamed = `${shop.campaign.slug}-bis`;
    await app.sql`update public.campaigns set slug = ${renamed} where id = ${shop.campaign.id}`;
    const { page } = await app.phone();
    await rate(page, { door: `${shop.door}/play?source=qr` }, 5);
    expect(new URL(page.url()).pathname).toBe(`/c/${renamed}/review`);
    expect(new URL(page.url()).search).toBe("?source=qr");
    await arriveAt(page, "ready");
    await goToWheel(page);
    expect(new URL(page.url()).pathname).toBe(`/c/${renamed}/play`);
    await redeemAtTheTill(app, shop, await win(page));
    await expect.poll(async () => (await activity(app.sql, shop)).scans).toBe(1);
  });
});
