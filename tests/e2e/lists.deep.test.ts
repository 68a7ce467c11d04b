import { describe, expect, it } from "vitest";
import { createCampaign, createReward } from "../harness/fixtures.ts";
import { shopWithCustomers } from "./support/lists.ts";
import { arrives, openAs } from "./support/member.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Lists as tables and as cards: archiving what is ticked, smaller rights, narrow screens. */

const app = setUpTestApp();

describe("a list on a computer", () => {
  it("archives what is ticked: rewards, and campaigns", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Thé glacé" });
    await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Rentrée" });
    const page = await openAs(app, shop.users.owner, "/rewards");
    const archive = async (title: string) => {
      await page.getByRole("checkbox", { name: "Sélectionner toute la page" }).click();
      await page.getByRole("button", { name: "Archiver" }).click();
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByRole("button", { name: "Archiver" }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await archive("Archiver 2 récompenses ?");
    await page.getByText("Aucune récompense créée").waitFor();
    await page.getByText("Archivées (2)").click();
    await page.getByRole("rowheader").getByText("Thé glacé").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.goto("/campaigns");
    await archive("Archiver 2 campagnes ?");
    await page.getByText("Archivées (2)").waitFor();
    const states = await app.sql`select active from public.campaigns where org_id = ${shop.id}`;
    expect(states.map(({ active }) => active)).toEqual([false, false]);
  });

  it("has no boxes to tick for whoever may do nothing with them, and rows that lead to what they may see", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, "/rewards");
    await page.getByRole("rowheader").getByText("Café offert").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.goto("/stores");
    await page.getByRole("row").filter({ hasText: shop.storeName }).getByText("Paris").click();
    await arrives(page, `/stores/${shop.storeId}/stats`);
  });
});

it("a table is no wider than the page, on the narrowest computer that has one", async () => {
  const shop = await shopWithCustomers(app.sql);
  await winCode(app.sql, shop);
  const page = await openAs(app, shop.users.owner, "/customers");
  const codes = `/rewards/${shop.reward?.id}/codes`;
  for (const path of ["/customers", "/rewards", codes, "/stores", "/campaigns"]) {
    await page.goto(path);
    await page.getByRole("table").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(1280);
  }
});

it("a list on a phone is made of cards, and no wider than the phone", async () => {
  const shop = await shopWithCustomers(app.sql);
  await winCode(app.sql, shop);
  const page = await openAs(app, shop.users.owner, "/customers", { device: "phone" });
  for (const path of [
    "/customers",
    "/rewards",
    `/rewards/${shop.reward?.id}/codes`,
    "/stores",
    "/campaigns",
  ]) {
    await page.goto(path);
    await page
      .getByRole("listitem")
      .filter({ has: page.getByRole("button").or(page.getByRole("link")) })
      .first()
      .waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
  }
});
