import { describe, expect, it } from "vitest";
import { arriveAt, press, rate, step } from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** The other reasons for which a campaign is closed: which they are is in `journey-rules/campaign-page.test.ts`. */

const app = setUpTestApp();

const CLOSED = "Campagne non trouvée ou inactive";

describe("a closed campaign", () => {
  it("of an organisation whose trial is over says the same", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    await app.sql`
      update public.subscriptions set trial_end = now() - interval '1 minute' where org_id = ${shop.id}`;
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto(shop.door);
    await step(page, CLOSED).waitFor();
  });

  it("that closes before the spin says so", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(404) });
    await rate(page, shop, 5);
    await page.getByRole("link", { name: "Tourner la roue" }).click();
    await arriveAt(page, "wheel");
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await press(page, "Lancer la roue");
    await step(page, CLOSED).waitFor();
    await page.getByText(/ : la roue fait une pause\./).waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 0, codes: 0 });
  });
});
