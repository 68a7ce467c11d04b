import { describe, expect, it } from "vitest";
import { launchBrowser, visit } from "../harness/browser.ts";
import { createTestDatabase } from "../harness/database.ts";
import { createCampaign } from "../harness/fixtures.ts";
import { startTestServer } from "../harness/server.ts";
import { arriveAt, step } from "./support/customer.ts";
import { activity, createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("the entry page", () => {
  it("leads from the printed address to the form, which the server has rendered", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({
      context: { javaScriptEnabled: false },
      expected: lost("/assets/"),
    });
    const way: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) way.push(request.url().replace(app.server.url, ""));
    });
    await page.goto(shop.door);
    expect(way).toEqual([
      shop.door,
      `${shop.door}/play?source=qr`,
      `${shop.door}/review?source=qr`,
    ]);
    await arriveAt(page, "form");
    await page.getByRole("textbox", { name: "Prénom" }).waitFor();
    expect(await page.title()).toContain(shop.storeName);
  });

  it("remembers another source than the printed code", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(`${shop.door}?source=vitrine`);
    expect(new URL(page.url()).search).toBe("?source=vitrine");
    await expect
      .poll(
        () =>
          app.sql`select source from public.scan_events where campaign_id = ${shop.campaign.id}`,
      )
      .toEqual([{ source: "vitrine" }]);
  });

  it("counts one scan in half an hour for one visitor, and none for a bot", async () => {
    const database = await createTestDatabase();
    const browser = await launchBrowser();
    const shops = {
      once: await createShop(database.sql),
      twice: await createShop(database.sql),
      later: await createShop(database.sql),
      bot: await createShop(database.sql),
      glance: await createShop(database.sql),
    };
    try {
      const server = await startTestServer({ database });
      const { page } = await visit(browser, { baseUrl: server.url });
      const open = async (shop: Shop) => {
        await page.goto(shop.door);
        await arriveAt(page, "form");
      };
      await open(shops.once);
      await open(shops.twice);
      await open(shops.twice);
      // Half an hour passes for one of them.
      await open(shops.later);
      const age = () => database.sql`
        update private.recent_scans set scanned_at = now() - interval '31 minutes'
        where campaign_id = ${shops.later.campaign.id}`;
      await expect.poll(async () => (await age()).count).toBe(1);
      await open(shops.later);
      // Following a link inside the journey is not a scan.
      await page.goto(`${shops.once.door}/review`);
      await page.goto(`${shops.once.door}/play`);

      const bot = await visit(browser, {
        baseUrl: server.url,
        context: { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)" },
      });
      await bot.page.goto(shops.bot.door);
      await arriveAt(bot.page, "form");
      const glance = await visit(browser, {
        baseUrl: server.url,
        context: { extraHTTPHeaders: { "sec-purpose": "prefetch" } },
      });
      await glance.page.goto(shops.glance.door);
      await arriveAt(glance.page, "form");

      for (const visitor of [page, bot.page, glance.page]) await visitor.close();
      // Scans are written after the answer; a server that stops has written them all.
      await server.stop();
      const scans: Record<string, number> = {};
      for (const [name, shop] of Object.entries(shops)) {
        scans[name] = (await activity(database.sql, shop)).scans;
      }
      expect(scans).toEqual({ once: 1, twice: 1, later: 2, bot: 0, glance: 0 });
    } finally {
      await browser.close();
      await database.drop();
    }
  });

  it("of an organisation lists its open campaigns, each a way to its form", async () => {
    const shop = await createShop(app.sql);
    const { id: orgId, storeId } = shop;
    await createCampaign(app.sql, { orgId, storeId, name: "Fermée", active: false });
    await createCampaign(app.sql, { orgId, storeId, name: "La roue d'hiver" });
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto(`/org/${shop.slug}`);
    await page.getByText(shop.name).waitFor();
    await step(page, "Où êtes-vous ?").waitFor();
    const links = page.getByRole("main").getByRole("link");
    expect((await links.allInnerTexts()).map((text) => text.split("\n")[1])).toEqual([
      "La roue d'hiver",
      "La roue du comptoir",
    ]);
    await links.last().click();
    await page.waitForURL(`**${shop.door}/review`);
    await arriveAt(page, "form");

    await app.sql`update public.campaigns set active = false where org_id = ${orgId}`;
    const texts = async () => (await fetch(`${app.server.url}/org/${shop.slug}`)).text();
    await expect.poll(texts).toContain("Aucune roue ne tourne en ce moment. Revenez bientôt.");
  });
});
