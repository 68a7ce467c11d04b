import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign, daysFromNow } from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { arriveAt, follow, giveDetails, goToWheel, star, step, win } from "./support/customer.ts";
import { enter } from "./support/member.ts";
import { createShop, PUBLIC_REVIEWS } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Phones that get no newer browser: what theirs lacks is taken out of Chromium, before any script of ours. */

const app = setUpTestApp();

/** Methods of 2023 and later, and what browsers inside other applications leave out. */
const LACKED: Readonly<Record<string, readonly string[]>> = {
  // Safari 16: iPhones 8 and X stay there. Chrome 119: Android 7 does.
  URL: ["canParse", "parse"],
  "Element.prototype": ["checkVisibility"],
  Promise: ["withResolvers", "try"],
  Object: ["groupBy"],
  Map: ["groupBy"],
  AbortSignal: ["any"],
  // Safari 15: iPhones 6s and 7 stay there. Chrome 106: Android 6 does.
  "Array.prototype": ["toSorted", "toReversed", "toSpliced", "with"],
  "Navigator.prototype": ["share", "canShare", "vibrate", "serviceWorker", "wakeLock"],
  window: ["BarcodeDetector", "Notification", "PushManager"],
  // Any browser on plain HTTP (`npm start -- --lan`).
  "Crypto.prototype": ["randomUUID"],
};

async function makeOld(page: Page): Promise<Page> {
  await page.addInitScript((lacked) => {
    for (const [path, names] of Object.entries(lacked)) {
      const owner = path
        .split(".")
        .reduce((from: object, name) => Reflect.get(from, name), globalThis);
      for (const name of names) Reflect.deleteProperty(owner, name);
    }
  }, LACKED);
  return page;
}

it.each([4, 5])("go all the way with %i stars and a public reviews page", async (stars) => {
  const shop = await createShop(app.sql);
  const { page: phone, outside } = await app.phone();
  const page = await makeOld(phone);
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.text());
  });
  await page.goto(shop.door);
  await giveDetails(page);
  await star(page, stars).click();
  await arriveAt(page, "ready");
  await page.getByText("Sur g.page, dans un autre onglet").waitFor();
  if (stars === 4) await follow(page, "Laisser un avis public");
  await expect.poll(() => outside).toEqual([PUBLIC_REVIEWS]);
  await goToWheel(page);
  await win(page);
  // Safari before 16.4 does not begin a script that looks behind.
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of await Promise.all(scripts)) expect(script).not.toMatch(/\(\?<[=!]/);
});

it("learn what runs in place of a closed campaign", async () => {
  const shop = await createShop(app.sql, {
    campaign: { startsAt: daysFromNow(-30), endsAt: null },
  });
  await spin(app.sql, { campaignId: shop.campaign.id });
  await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Celle d'après" });
  await app.sql`
    update public.campaigns set ends_at = now() - interval '2 days' where id = ${shop.campaign.id}`;
  const { page: phone } = await app.phone({ expected: refusing(404) });
  const page = await makeOld(phone);
  await page.goto(`${shop.door}/review`);
  await step(page, "Campagne non trouvée ou inactive").waitFor();
  await page.getByText("Celle d'après").waitFor();
});

it("say whose a printed code is", async () => {
  const shop = await createShop(app.sql, { store: { name: "Chez Zoé" } });
  const { page: phone } = await app.phone();
  const page = await makeOld(phone);
  await page.goto("/verifier");
  await page.getByLabel("Adresse du QR code").fill(`${app.server.url}${shop.door}/play?source=qr`);
  await page.getByRole("button", { name: "Vérifier", exact: true }).click();
  await page.getByRole("status").getByText("« Chez Zoé »").waitFor();
});

it("answer a review that waits", async () => {
  const shop = await createShop(app.sql);
  const words = "Le café était froid, et le service lent.";
  const { review_id: id } = await review(app.sql, {
    campaignId: shop.campaign.id,
    firstName: "Anaïs",
    email: "anais.ancienne@exemple.fr",
    rating: 2,
  });
  await app.sql`select public.record_feedback(${id}, ${words})`;
  const { page: phone } = await app.phone();
  const page = await makeOld(phone);
  await enter(app, page, shop.users.owner);
  await page.goto("/reviews");
  const row = page.getByRole("button", { name: "Anaïs Petit" });
  await row.focus();
  await row.press("Enter");
  const panel = page.getByRole("region", { name: "Avis choisi" });
  await panel.getByText(words).waitFor();
  await panel.getByRole("button", { name: "Répondre" }).click();
  await panel.getByRole("button", { name: "Envoyer" }).click();
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
});

/** The rules that a browser without popovers applies, in the place of those that Chromium has for them. */
function withoutPopovers(): void {
  const condition = "not selector(:popover-open)";
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const theirs = rules.filter(
    (rule) => rule instanceof CSSSupportsRule && rule.conditionText === condition,
  );
  // No element: the pages' policy lets nobody write styles into them.
  const sheet = new CSSStyleSheet();
  const shown = [
    "[popover] { position: static; inset: auto; margin: 0; border: 0; width: auto; height: auto; }",
    "[popover]:not(:popover-open) { display: block; }",
    ...theirs.map(({ cssText }) => cssText.replace(condition, "(display: block)")),
  ];
  sheet.replaceSync(shown.join("\n"));
  document.adoptedStyleSheets.push(sheet);
}

it.each(["/", "/pricing", "/verifier"])("have the menu of %s as a line", async (path) => {
  const { page } = await app.phone({ context: { viewport: { width: 375, height: 667 } } });
  await page.goto(path);
  const header = page.getByRole("banner");
  await header.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await page.evaluate(withoutPopovers);
  await header.getByRole("button", { name: "Menu", exact: true }).waitFor({ state: "hidden" });
  const link = header.getByRole("link", { name: "Tarifs" }).locator("visible=true");
  const box = await link.boundingBox();
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
  const { height } = (await header.boundingBox()) ?? { height: 0 };
  expect(height).toBeLessThan(120);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});
