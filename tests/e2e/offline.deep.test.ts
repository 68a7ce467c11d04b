import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { redeem } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { arriveAt, codeOn, goToWheel, rate, somebody, step, win } from "./support/customer.ts";
import { lookEverywhere } from "./support/looks.ts";
import { readQrCode } from "./support/qr.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp, unscripted } from "./support/test-app.ts";
import { codeField, openTill } from "./support/till.ts";

const app = setUpTestApp();

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** A phone on a slow network: 3G as it is in a shop's back room. */
async function slowNetwork(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
}

/** Whether the device has put a page away, and has somebody who opens it without network. */
function isPutAway(page: Page, address: string): Promise<boolean> {
  return page.evaluate(async (kept) => {
    const { active } = await navigator.serviceWorker.ready;
    return active?.state === "activated" && (await caches.match(kept)) !== undefined;
  }, address);
}

it("a prize's entry in the calendar keeps two names that are read from the right apart", async () => {
  const shop = await createShop(app.sql, { reward: { name: "قهوة" } });
  await app.sql`update public.stores set name = 'مقهى' where id = ${shop.storeId}`;
  const { page } = await app.phone();
  await rate(page, shop, 4);
  await arriveAt(page, "ready");
  await goToWheel(page);
  await win(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Ajouter au calendrier" }).click(),
  ]);
  const entry = (await readFile(await download.path(), "utf8")).replaceAll("\r\n ", "");
  expect(entry).toContain("«\u00a0\u2068قهوة\u2069\u00a0» – \u2068مقهى\u2069");
});

it("a prize won on 3G opens later without network, and says when it was used", async () => {
  const shop = await createShop(app.sql, { reward: { name: "Tarte du jour" } });
  const person = somebody();
  const { page } = await app.phone({
    context: { serviceWorkers: "allow" },
    expected: lost("/"),
  });
  await slowNetwork(page);
  await rate(page, shop, 4, person);
  await arriveAt(page, "ready");
  await goToWheel(page);
  const code = await win(page);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Ajouter au calendrier" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("gain.ics");
  await page.getByRole("button", { name: "Me l'envoyer par e-mail" }).click();
  await page.getByText("Envoyé à z•••@exemple.fr. Regardez aussi dans les indésirables.").waitFor();
  expect(
    await app.sql`select recipient, data ->> 'code' as code from private.outbox where template = 'prize'`,
  ).toMatchObject([{ recipient: person.email, code }]);

  await expect.poll(() => isPutAway(page, `${shop.door}/gain`)).toBe(true);
  const context = page.context();
  await page.close();
  await context.setOffline(true);
  const later = await context.newPage();
  await later.goto(shop.door);
  await later.getByText("Sans connexion").waitFor();
  expect(await codeOn(later)).toBe(code);
  await later.getByText("Le Comptoir des Halles : montrez ce code à la caisse.").waitFor();
  await later.getByRole("img", { name: `QR code de ${code}` }).waitFor();

  await context.setOffline(false);
  const endsIn = (days: number) => app.sql`
    update public.redemptions set expires_at = now() + make_interval(days => ${days}) where code = ${code}`;
  await endsIn(-1);
  await later.goto(`${shop.door}/gain`);
  await later.getByText("Expiré", { exact: true }).waitFor();
  expect(await later.getByRole("button", { name: "Ajouter au calendrier" }).count()).toBe(0);
  await endsIn(9);
  const { storeId, users } = shop;
  await redeem(app.sql, { userId: users.cashier.id, code, storeId });
  await later.goto(`${shop.door}/gain`);
  await later.getByText(/^Utilisé le /).waitFor();
  await lookEverywhere(later, "a prize that was used");
  await later.getByRole("button", { name: "Effacer de ce téléphone" }).press("Enter");
  await later.getByText("Aucun gain n'attend sur ce téléphone.").waitFor();
  await later.getByText(/Le code reçu par e-mail, noté ou photographié reste valable/).waitFor();
  await lookEverywhere(later, "no prize any more");
});

it("a prize sent by mail opens on whatever phone the mail is read, and its picture is the code", async () => {
  const shop = await createShop(app.sql, { reward: { name: "Tarte du jour" } });
  const person = somebody();
  const { page } = await app.phone();
  await rate(page, shop, 4, person);
  await arriveAt(page, "ready");
  await goToWheel(page);
  const code = await win(page);
  await page.getByRole("button", { name: "Me l'envoyer par e-mail" }).click();
  await page.getByText(/^Envoyé à/).waitFor();
  const mail = await latestMail(app.server, person.email, { template: "prize" });
  expect(mail.text).not.toContain("votre compte");
  const link = mail.links.find((address) => address.includes("/gain#")) ?? "";
  expect(mail.links.some((address) => address.includes("/reglement?version="))).toBe(true);

  const { page: other } = await app.desktop({ expected: unscripted });
  await other.goto(`/_dev/mailbox/${mail.id}/html`);
  expect(await readQrCode(other.locator("img"))).toBe(code);
  expect(await other.getByRole("link", { name: "Voir mon gain" }).getAttribute("href")).toBe(link);
  await other.goto(link);
  await other.getByText("Tarte du jour").waitFor();
  expect(await codeOn(other)).toBe(code);
  // The address that stays in the bar opens nothing for anybody else.
  expect(new URL(other.url()).hash).toBe("");
  await other.reload();
  expect(await codeOn(other)).toBe(code);

  const { page: stranger } = await app.phone({ expected: refusing(404) });
  await stranger.goto(`${new URL(link).pathname}#gain=${NOBODY}.${NOBODY}`);
  await stranger.getByText("Le gain de cet e-mail n'existe plus.").waitFor();
  await stranger.getByText("Aucun gain n'attend sur ce téléphone.").waitFor();
});

it("a prize that was used stays so without network and before the answer, until a till gives it back", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({
    context: { serviceWorkers: "allow" },
    expected: lost("/"),
  });
  await rate(page, shop, 4);
  await arriveAt(page, "ready");
  await goToWheel(page);
  const code = await win(page);
  await expect.poll(() => isPutAway(page, `${shop.door}/gain`)).toBe(true);
  const { storeId, users } = shop;
  await redeem(app.sql, { userId: users.cashier.id, code, storeId });
  await page.goto(`${shop.door}/gain`);
  const stamp = page.getByText(/^Utilisé le /);
  const invitation = page.getByText(/montrez ce code à la caisse/);
  const qrCode = page.getByRole("img", { name: `QR code de ${code}` });
  await stamp.waitFor();

  const context = page.context();
  await context.setOffline(true);
  for (const address of [`${shop.door}/gain`, shop.door]) {
    await page.goto(address);
    await page.getByText("Sans connexion").waitFor();
    await expect.poll(() => stamp.count()).toBe(1);
    expect(await codeOn(page)).toBe(code);
    expect(await invitation.count()).toBe(0);
    expect(await qrCode.count()).toBe(0);
  }
  await context.setOffline(false);

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route("**/prize_status", async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest("**/prize_status");
  await page.goto(`${shop.door}/gain`);
  await asked;
  await stamp.waitFor();
  expect(await qrCode.count()).toBe(0);
  await app.sql`
    update public.redemptions set status = 'available', used_at = null, used_by = null, used_store_id = null
    where code = ${code}`;
  release();
  await qrCode.waitFor();
  expect(await stamp.count()).toBe(0);

  // Used while the page stays open, and looked at again.
  await app.sql`update public.redemptions set status = 'used', used_at = now() where code = ${code}`;
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await stamp.waitFor();
  expect(await qrCode.count()).toBe(0);
});

it("the rules are a text for everybody, in every version, from 320 pixels on", async () => {
  const shop = await createShop(app.sql, { reward: { name: "Tarte du jour" } });
  const { page } = await app.phone();
  await page.goto(shop.door);
  await page.getByRole("link", { name: "Règlement complet du jeu" }).click();
  await step(page, "Règlement du jeu").waitFor();
  await page.getByRole("rowheader", { name: "Tarte du jour" }).waitFor();
  expect(await page.locator("script").count()).toBe(0);
  const [former] = await app.sql<{ version: number }[]>`
    select rules_version as version from public.campaigns where id = ${shop.campaign.id}`;

  await app.sql`
    update public.rewards set name = 'Tarte au citron' where campaign_id = ${shop.campaign.id}`;
  await page.goto(`${shop.door}/reglement?version=${former?.version}`);
  await page.getByRole("rowheader", { name: "Tarte du jour" }).waitFor();
  await page.getByText("Ce n'est pas celle en vigueur.").waitFor();
  await page.getByRole("link", { name: "Lire la version en vigueur" }).click();
  // Pages are kept for less than a second.
  const prize = async () => {
    await page.reload();
    return page.getByRole("rowheader").first().textContent();
  };
  await expect.poll(prize).toContain("Tarte au citron");

  await lookEverywhere(page, "rules");
});

it("the till installs, opens at the camera, and says without network that nothing can be checked", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({
    context: { serviceWorkers: "allow" },
    expected: (problem) => problem.kind === "request" || problem.kind === "console",
  });
  await openTill(app, page, shop.users.cashier);
  const manifest = await page.locator("link[rel=manifest]").getAttribute("href");
  const installed = await (await page.request.get(manifest ?? "")).json();
  expect(installed).toMatchObject({ start_url: "/encaisser?camera=1", display: "standalone" });
  for (const { src } of installed.icons) expect((await page.request.get(src)).status()).toBe(200);

  // The page is kept last, after the files that it needs.
  await expect.poll(() => isPutAway(page, "/encaisser")).toBe(true);
  const context = page.context();
  await context.setOffline(true);
  await page.getByRole("alert").getByText("Hors ligne").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "La caisse ne se charge pas" }).waitFor();
  await page.getByText("Hors ligne").waitFor();

  await context.setOffline(false);
  await page.getByRole("button", { name: "Réessayer" }).click();
  await codeField(page).waitFor();
  await page.goto(installed.start_url);
  await page.getByRole("dialog", { name: "Scanner le QR code" }).waitFor();
});
