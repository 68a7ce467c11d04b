import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { review, scan, spin } from "../harness/journey.ts";
import { enter } from "./support/member.ts";
import { holdRequests, loseAnswer } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";
import { checkCode, openTill, redeem, tillGetsNoAnswer, tillSays } from "./support/till.ts";

/** Screens that stand open while something happens elsewhere. Nobody presses anything on them. */

const app = setUpTestApp();

const LOOKUP = "**/rest/v1/rpc/lookup_code";

/** Waits until a page's channel is joined: until then nothing is heard. */
function joined(page: Page, kind: "activity" | "codes"): Promise<unknown> {
  return page.waitForEvent("websocket").then((socket) =>
    socket.waitForEvent("framereceived", ({ payload }) => {
      const text = payload.toString();
      return text.includes(`:${kind}"`) && text.includes('"status":"ok"');
    }),
  );
}

/** A text as a reader sees it. */
async function words(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: only the rendered text keeps lines apart.
  return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
}

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

  it("of a second till says « Déjà utilisé » before its cashier presses", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const [{ page: first }, { page: second }] = [await app.phone(), await app.phone()];
    const ready = joined(second, "codes");
    await openTill(first, shop.users.cashier);
    await openTill(second, shop.users.cashier);
    await ready;
    for (const till of [first, second]) {
      await checkCode(till, code);
      await tillSays(till, "Code valable");
    }
    await redeem(first);
    await tillSays(first, "C'est validé");
    await tillSays(second, "Déjà utilisé");
  });

  it("of a till whose redemption got no answer says that it is made when it hears so", async () => {
    const shop = await createShop(app.sql);
    const [code, other] = [await winCode(app.sql, shop), await winCode(app.sql, shop)];
    const { page } = await app.phone({ expected: lost("/redeem") });
    const ready = joined(page, "codes");
    await openTill(page, shop.users.cashier);
    await ready;
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    // Another code is used elsewhere: the till asks again, and is answered when its own redemption is made.
    const release = await holdRequests(page, LOOKUP);
    const asked = page.waitForRequest(LOOKUP);
    const { owner } = shop.users;
    await app.sql`
      select public.redeem_code(${owner.id}, ${owner.id}, 'aal1', ${other}, ${shop.storeId})`;
    await asked;
    await loseAnswer(page, "**/functions/v1/redeem");
    await redeem(page);
    await tillGetsNoAnswer(page);
    release();
    await tillSays(page, "C'est validé");
  });

  it("asks for what it missed when its channel was lost and is back", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const ready = joined(page, "activity");
    await page.goto("/dashboard");
    await page.getByText("QR codes scannés").waitFor();
    await ready;
    // The connection on which this server listens: what is sent meanwhile reaches nobody.
    await app.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen "tournavis_realtime"'`;
    await scan(app.sql, { slug: shop.campaign.slug, visitor: randomUUID() });
    await expect
      .poll(() => words(page), { timeout: 20_000 })
      .toContain("Scans totaux 1 QR codes scannés");
  });
});
