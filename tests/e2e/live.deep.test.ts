import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { review, scan } from "../harness/journey.ts";
import { joined } from "./support/channels.ts";
import { enter, words } from "./support/member.ts";
import { holdRequests, loseAnswer, silenceChannels } from "./support/network.ts";
import { decide, statesOf, suspiciousShop } from "./support/prize-checks.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import { checkCode, openTill, redeem, tillGetsNoAnswer, tillSays } from "./support/till.ts";

/** Open screens whose line or answer was lost while something happened elsewhere. */

const app = setUpTestApp();

const LOOKUP = "**/rest/v1/rpc/lookup_code";

describe("an open screen", () => {
  it("of the rewards shows what is left of one that a customer has just won", async () => {
    const shop = await createShop(app.sql);
    await app.sql`update public.rewards set stock = 7 where id = ${shop.reward?.id ?? ""}`;
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const ready = joined(page, "codes");
    await page.goto("/rewards");
    await expect.poll(() => words(page)).toContain("7 restant(s)");
    await ready;
    await winCode(app.sql, shop);
    await expect.poll(() => words(page)).toContain("6 restant(s)");
  });

  it("of a till whose redemption got no answer says that it is made when it hears so", async () => {
    const shop = await createShop(app.sql);
    const [code, other] = [await winCode(app.sql, shop), await winCode(app.sql, shop)];
    const { page } = await app.phone({ expected: lost("/redeem") });
    const ready = joined(page, "codes");
    await openTill(app, page, shop.users.cashier);
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
    await review(app.sql, { campaignId: shop.campaign.id, rating: 2 });
    await expect.poll(() => words(page)).toContain("Scans totaux 1 QR codes scannés");
    await page.getByRole("link", { name: /^Avis\s*1/ }).waitFor();
  });

  it("of the dashboard grows no older than ten minutes where nothing happens, nor once it is seen again", async () => {
    const shop = await createShop(app.sql);
    await review(app.sql, { campaignId: shop.campaign.id, rating: 5 });
    const { page } = await app.desktop();
    await page.clock.install();
    await enter(app, page, shop.users.owner);
    const ready = joined(page, "activity");
    await page.goto("/dashboard");
    await page.getByText("Il y a < 1 min").waitFor();
    await ready;
    await page.clock.fastForward("15:00");
    await page.getByText("Il y a 15 min").waitFor();
    // A hidden page asks nothing.
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
    });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.fastForward("02:00:00");
    expect(asked.filter((url) => url.endsWith("/rpc/dashboard"))).toEqual([]);
    await page.evaluate(() => {
      Reflect.deleteProperty(document, "hidden");
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByText("Il y a 2 h").waitFor();
  });

  it("of a till says that the team has cancelled a prize that it held back, and that it is good once that is undone", async () => {
    const { shop, code } = await suspiciousShop(app.sql);
    await decide(app, shop, "hold");
    const { page } = await app.phone();
    const ready = joined(page, "codes");
    await openTill(app, page, shop.users.cashier);
    await ready;
    await checkCode(page, code);
    await tillSays(page, "À vérifier");
    await decide(app, shop, "cancel");
    await tillSays(page, "Gain annulé");
    await decide(app, shop, "release");
    await tillSays(page, "Code valable");
  });

  it.each([
    ["hold", "À vérifier", "held"],
    ["cancel", "Gain annulé", "cancelled"],
  ] as const)(
    "of a till that hears nothing of « %s » reads « %s » when it asks for the prize, which stays with the team",
    async (action, says, state) => {
      const { shop, code } = await suspiciousShop(app.sql);
      const { page } = await app.phone({ expected: refusing(409) });
      await silenceChannels(page);
      await openTill(app, page, shop.users.cashier);
      await checkCode(page, code);
      await tillSays(page, "Code valable");
      await decide(app, shop, action);
      await redeem(page);
      await tillSays(page, says);
      expect(await page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
      expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill(state));
    },
  );

  it("of a second owner says that the organisation will be erased, the first that it stays, both that it is suspended", async () => {
    const shop = await createShop(app.sql);
    const { owner, admin } = shop.users;
    await app.sql`
      update public.organization_members set role = 'owner' where org_id = ${shop.id} and user_id = ${admin.id}`;
    const [{ page: first }, { page: second }] = [await app.desktop(), await app.desktop()];
    await enter(app, first, owner);
    await enter(app, second, admin);
    const ready = [joined(first, "activity"), joined(second, "activity")];
    await first.goto("/settings?section=data");
    await second.goto("/dashboard");
    await Promise.all(ready);
    const notice = "Ses pages publiques sont fermées.";

    const data = first.getByRole("region", { name: "Vos données" });
    await data.getByRole("button", { name: "Supprimer l'organisation" }).click();
    const dialog = first.getByRole("dialog", { name: `Supprimer ${shop.name} ?` });
    await dialog.getByRole("textbox").fill(shop.name);
    await dialog.getByRole("button", { name: "Supprimer l'organisation" }).click();
    await first.getByText(notice).waitFor();
    await second.getByText(notice).waitFor();

    await second.getByRole("button", { name: "Annuler la suppression" }).click();
    await first.getByText(notice).waitFor({ state: "detached" });
    await data.getByRole("button", { name: "Supprimer l'organisation" }).waitFor();
    await second.getByText(notice).waitFor({ state: "detached" });

    await app.sql`update public.subscriptions set suspended_at = now() where org_id = ${shop.id}`;
    const suspended = "Cette organisation est suspendue";
    await Promise.all([first, second].map((page) => page.getByText(suspended).first().waitFor()));
  });
});
