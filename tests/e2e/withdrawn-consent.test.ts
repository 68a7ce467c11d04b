import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { accessibilityProblems } from "../harness/browser.ts";
import { review, spin } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { enter } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** A customer withdraws their consent to marketing by the link of a mail. With SCREENSHOTS=<folder> pictures are kept. */

const app = setUpTestApp();
const FOLDER = process.env.SCREENSHOTS;

async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

/** Somebody who agreed to marketing, won and has the prize mailed; answers the path of the mail's link. */
async function linkOf(shop: Shop, email: string, locale: string): Promise<string> {
  const { sql } = app;
  const campaignId = shop.campaign.id;
  const { review_id: reviewId } = await review(sql, { campaignId, email, locale, consent: true });
  const { body } = await spin(sql, { campaignId, reviewId, locale });
  const { spin_id, nonce } = spinResult.parse(JSON.parse(body ?? ""));
  await sql`select public.mail_prize(${campaignId}, ${spin_id}, ${nonce}, null, 'a')`;
  const { links } = await latestMail(app.server, email, { template: "prize" });
  const link = links.find((address) => address.includes("/unsubscribe?"));
  const { pathname, search } = new URL(link ?? "");
  return pathname + search.replaceAll("&amp;", "&");
}

const consentOf = async (email: string) => {
  const [row] = await app.sql`
    select consent_marketing as has, consent_withdrawn_by as by from public.customers where email = ${email}`;
  return row;
};

it("a customer withdraws it with one tap, in their language, and the merchant sees it", async () => {
  const shop = await createShop(app.sql);
  const email = "greta@exemple.fr";
  const link = await linkOf(shop, email, "de");
  // Programs that look at links in mails change nothing, at either address.
  for (const path of [link, link.replace("/unsubscribe", "/functions/v1/unsubscribe")]) {
    await fetch(app.server.url + path);
  }
  expect(await consentOf(email)).toEqual({ has: true, by: null });

  const { page } = await app.phone({
    context: { viewport: { width: 320, height: 568 } },
    expected: lost("/functions/v1/unsubscribe"),
  });
  await page.goto(link);
  await page.getByRole("heading", { name: "Keine Angebote mehr erhalten" }).waitFor();
  await page.getByText(`${shop.name} darf Ihnen dann keine Angebote mehr schicken.`).waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.title])).toEqual([
    "de",
    "Keine Angebote mehr erhalten",
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, "consent-ask-320");
  // Neither their name nor their address stands there.
  const said = (await page.locator("body").textContent()) ?? "";
  expect(said).not.toMatch(/Ana|Petit|greta/);

  // The keyboard alone, and a network that fails once.
  await page.route("**/functions/v1/unsubscribe?*", (route) => route.abort(), { times: 1 });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Ihre Wahl konnte nicht gespeichert werden.").waitFor();
  expect(await consentOf(email)).toEqual({ has: true, by: null });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Einwilligung widerrufen" }).press("Enter");
  await page.getByText(`${shop.name} darf Ihnen keine Angebote mehr schicken.`).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Erledigt");
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, "consent-done-320");
  expect(await consentOf(email)).toEqual({ has: false, by: "customer" });

  // Once more, from the same mail.
  await page.reload();
  await page.getByRole("button", { name: "Einwilligung widerrufen" }).click();
  await page.getByText("Erledigt").waitFor();

  const { page: office } = await app.desktop();
  await enter(app, office, shop.users.owner);
  const [customer] = await app.sql`select id from public.customers where email = ${email}`;
  await office.goto(`/customers/${customer?.id}`);
  await office.getByText(/^Retiré le .+ par le client\./).waitFor();
  expect(await office.getByText("Marketing autorisé").count()).toBe(0);
  await picture(office, "consent-customer");
  await office.goto("/settings/audit");
  await office
    .getByText("Un client a retiré son consentement marketing, par le lien d'un e-mail")
    .waitFor();
  await picture(office, "consent-audit");
});

it("a link that is not whole says so and changes nothing, and the name of the shop may be missing", async () => {
  const shop = await createShop(app.sql);
  const email = "marc@exemple.fr";
  const link = await linkOf(shop, email, "fr");
  const { page } = await app.phone({
    expected: (problem) => refusing(400, 404)(problem) || lost("/functions/v1/consent")(problem),
  });
  const forged = link.replace(/token=(.)/, (_, first) => `token=${first === "A" ? "B" : "A"}`);
  for (const wrong of [forged, link.replace(/token=../, "token="), "/unsubscribe?kind=offers"]) {
    await page.goto(wrong);
    await page.getByRole("heading", { name: "Lien incomplet" }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, "consent-bad");
  expect(await consentOf(email)).toEqual({ has: true, by: null });

  await page.route("**/functions/v1/consent", (route) => route.abort());
  await page.goto(link);
  await page.getByText("Ce commerce ne pourra plus vous envoyer d'offres.").waitFor();
  await page.getByRole("button", { name: "Retirer mon accord" }).click();
  await page.getByRole("heading", { name: "C'est fait" }).waitFor();
  expect(await consentOf(email)).toEqual({ has: false, by: "customer" });
});
