import { describe, expect, it } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { rounds } from "../harness/depth.ts";
import { createCampaign, createStore, daysFromNow } from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { arriveAt, giveDetails, press, star, step } from "./support/customer.ts";
import { DAY_IN_WORDS } from "./support/dates.ts";
import { activity, createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const CLOSED = "Campagne non trouvée ou inactive";

describe("a closed campaign", () => {
  it.each(
    [
      { why: "is switched off", campaign: { active: false } },
      { why: "has ended", campaign: { startsAt: daysFromNow(-9), endsAt: daysFromNow(-1) } },
      { why: "has not begun", campaign: { startsAt: daysFromNow(1), endsAt: null } },
    ].slice(0, rounds({ quick: 1, deep: 3 })),
  )("that $why says so on every address, and tries again by loading anew", async ({ campaign }) => {
    const shop = await createShop(app.sql, { campaign });
    const { page } = await app.phone({ expected: refusing(404) });
    for (const address of ["", "/review", "/play", "/play?entry=libre", "/play?source=qr"]) {
      await page.goto(shop.door + address);
      await step(page, CLOSED).waitFor();
    }
    await app.sql`
      update public.campaigns set active = true, starts_at = null, ends_at = null
      where id = ${shop.campaign.id}`;
    // The server's cached campaign is forgotten within a second.
    await expect
      .poll(async () => {
        const { status } = await app.server.call(`campaign?slug=${shop.campaign.slug}`);
        const document = await fetch(`${app.server.url}${shop.door}/review`);
        return [status, document.status];
      })
      .toEqual([200, 200]);
    await press(page, "Réessayer");
    await arriveAt(page, "form");
  });

  it("that was played says whose it is, what runs instead, and where a prize is kept", async () => {
    const shop = await createShop(app.sql, {
      store: { name: "Café Bertille" },
      campaign: { name: "La roue d'été", startsAt: daysFromNow(-30), endsAt: null },
    });
    await spin(app.sql, { campaignId: shop.campaign.id });
    await app.sql`
      update public.campaigns set ends_at = now() - interval '2 days' where id = ${shop.campaign.id}`;
    const open = await createCampaign(app.sql, {
      orgId: shop.id,
      storeId: shop.storeId,
      name: "La roue d'hiver",
    });
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto(`${shop.door}/review`);
    await step(page, CLOSED).waitFor();
    await page.getByText("Café Bertille", { exact: true }).first().waitFor();
    await page
      .getByText(new RegExp(`^Café Bertille : la roue a tourné jusqu'au ${DAY_IN_WORDS}\\.`, "u"))
      .waitFor();
    await page.getByRole("link", { name: "Retrouver mes gains" }).click();
    await step(page, "Mes gains").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /La roue d'hiver/ }).click();
    await page.waitForURL(`**/c/${open.slug}/review`);
    await step(page, /^Donnez votre avis/).waitFor();
  });

  it("whose store was archived sends whoever has won to a store that takes the prize", async () => {
    const shop = await createShop(app.sql, { store: { name: "Bertille Port" } });
    const { body } = await spin(app.sql, { campaignId: shop.campaign.id });
    const { spin_id, nonce } = spinResult.parse(JSON.parse(body ?? ""));
    const left = await createStore(app.sql, { orgId: shop.id, name: "Bertille Gare" });
    await app.sql`update public.stores set archived_at = now() where id = ${shop.storeId}`;
    const { page } = await app.phone();
    await page.goto(`${shop.door}/gain#gain=${spin_id}.${nonce}`);
    await page.getByText("Bertille Gare : montrez ce code à la caisse.").waitFor();
    expect(await page.getByText("Bertille Port : montrez").count()).toBe(0);
    await page.getByRole("button", { name: "Ajouter au calendrier" }).waitFor();

    await createStore(app.sql, { orgId: shop.id });
    await page.reload();
    await page.getByText(/, dans tous ses magasins : montrez ce code à la caisse\.$/).waitFor();

    await app.sql`update public.stores set archived_at = now() where org_id = ${shop.id} and archived_at is null`;
    await page.reload();
    await page.getByText("Magasin fermé", { exact: true }).waitFor();
    await page.getByText(/^Aucun magasin ne remet plus ce gain\./).waitFor();
    expect(await page.getByRole("button", { name: "Me l'envoyer par e-mail" }).count()).toBe(0);

    await app.sql`update public.stores set archived_at = null where id = ${left}`;
    await page.reload();
    await page.getByText("Bertille Gare : montrez ce code à la caisse.").waitFor();
  });

  it("that nobody has ever made says the same", async () => {
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto("/c/il-n-y-a-rien-ici");
    await step(page, CLOSED).waitFor();
    await page.goto("/org/il-n-y-a-rien-ici");
    await step(page, CLOSED).waitFor();
  });

  it("that closes under the customer's hand stores nothing more and says so", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto(shop.door);
    await giveDetails(page);
    await expect.poll(async () => (await activity(app.sql, shop)).scans).toBe(1);
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await star(page, 3).click();
    await step(page, CLOSED).waitFor();
    await page.getByText(/ : la roue fait une pause\./).waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 0, customers: 0 });
  });
});
