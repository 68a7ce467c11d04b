import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  createCampaign,
  createOrganization,
  daysFromNow,
  type Organization,
} from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, openAs } from "./support/member.ts";
import { createShop, haveScannedForYears } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/**
 * Layout of the back-office and its first screen in rarer states (specification, sections 2.9, 2.10
 * and 4.4).
 */

const app = setUpTestApp();

const card = (page: Page, label: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: label, exact: true }) });

async function limit(organization: Organization, plan: "free_trial" | "basic", trialEnd = 14) {
  await app.sql`
    update public.subscriptions set plan = ${plan}, trial_end = ${daysFromNow(trialEnd)}
    where org_id = ${organization.id}`;
}

describe("the layout", () => {
  it("on a phone has its menu at the thumb, opened and closed by touch and by keyboard", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, "/dashboard", { device: "phone" });
    await titled(page, "Tableau de bord");
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    const box = await menu.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(800);
    await menu.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("heading", { name: "Bonjour, Camille Martin" }).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await waitForFocus(menu);
    await menu.click();
    await sheet.getByRole("link", { name: "Campagnes" }).click();
    await titled(page, "Campagnes");
    await sheet.waitFor({ state: "detached" });
    await menu.click();
    await sheet.getByRole("button", { name: "Se déconnecter" }).click();
    await titled(page, "Connexion");
  });

  it("never grows wider than its window, from 320 to 1280 pixels", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const greeting = page.getByRole("banner").getByText("Bonjour, Camille Martin");
    for (const path of ["/dashboard", "/campaigns", "/campaigns/new"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("Chargement...").waitFor({ state: "detached" });
      for (const width of [320, 390, 768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        // A page takes a moment to settle in another width.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth), {
            message: `${path} at ${width}`,
          })
          .toBeLessThanOrEqual(width);
        if (width >= 768) {
          await greeting.waitFor();
          expect((await greeting.boundingBox())?.width).toBeGreaterThan(150);
        }
      }
    }
  });

  it.each([
    [-1, "Votre essai gratuit est terminé"],
    [0.9, "Votre essai gratuit se termine"],
  ])("says above every screen that the trial ends: %s days", async (days, sentence) => {
    const organization = await createOrganization(app.sql);
    await limit(organization, "free_trial", days);
    const page = await openAs(app, organization.users.member, "/campaigns");
    await page.getByRole("status").getByText(sentence).waitFor();
    await page.getByText("Votre plan : Essai gratuit").waitFor();
  });
});

describe("the dashboard", () => {
  it.each([
    [79, "79 / 100", "79 % utilisé", null],
    [80, "80 / 100", "Limite proche", "Bientôt plus de tours ce mois-ci"],
    [100, "100 / 100", "Limite dépassée", "Votre roue se repose"],
  ])("shows %i of 100 spins as %s, %s", async (spins, figure, word, advice) => {
    const shop = await createShop(app.sql);
    await limit(shop, "free_trial");
    await app.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, spins)
      values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, private.now_in('Europe/Paris')::date, 0, ${spins})`;
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const usage = card(page, "Spins mensuels");
    await usage.getByText(figure).waitFor();
    await usage.getByText(word).waitFor();
    // A computer at 200 % shows three cards in 720 pixels, with their words inside.
    await page.setViewportSize({ width: 720, height: 450 });
    const [around, said] = [await usage.boundingBox(), await usage.getByText(word).boundingBox()];
    const rightOf = (box: typeof said) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(rightOf(said)).toBeLessThan(rightOf(around));
    const way = usage.getByRole("link", {
      name: "100 tours sur 100 : Basic en permet 1 000 par mois",
    });
    expect(await way.count()).toBe(spins === 100 ? 1 : 0);
    const heading = page.getByRole("heading", {
      level: 2,
      name: advice ?? /tours ce mois|se repose/,
    });
    expect(await heading.count()).toBe(advice ? 1 : 0);
    // The trial has the figures, and is told what shows more of them.
    await page.getByRole("heading", { name: "Inclus dans les plans Basic et Pro" }).waitFor();
    expect(await page.getByRole("heading", { name: "De la porte à la caisse" }).count()).toBe(0);
  });

  it("hands out the report of a month, which its owner may be sent", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const report = page.getByRole("region", { name: "Rapport du mois" });
    await report.getByText(/Le premier sera prêt le 1er \S+ \d{4}\./).waitFor();
    expect(await report.getByRole("button", { name: "Télécharger le PDF" }).count()).toBe(0);
    await haveScannedForYears(app.sql, shop.id);
    await page.reload();
    const month = report.getByLabel("Mois", { exact: true });
    await month.waitFor();
    expect(await month.getByRole("option").count()).toBe(12);
    const [third = ""] = await month.selectOption({ index: 2 });
    const begun = page.waitForEvent("download");
    await report.getByRole("button", { name: "Télécharger le PDF" }).click();
    const file = await begun;
    expect(file.suggestedFilename()).toBe(`rapport-${third.slice(0, 7)}.pdf`);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
    await report.getByRole("link", { name: "Le recevoir chaque mois par e-mail" }).click();
    const told = page.getByRole("region", { name: "Notifications" });
    await told.getByText("Rapport mensuel par e-mail").click();
    await told.getByRole("button", { name: "Enregistrer" }).click();
    const wished = () => app.sql`
      select monthly_report from public.notification_preferences where user_id = ${shop.users.owner.id}`;
    await expect.poll(wished).toEqual([{ monthly_report: true }]);
  });

  it("of a campaign without anything to win leads to the first reward", async () => {
    const organization = await createOrganization(app.sql);
    await createCampaign(app.sql, { orgId: organization.id, storeId: organization.storeId });
    const page = await openAs(app, organization.users.owner, "/dashboard");
    const advice = page.getByRole("region", { name: "Ajoutez une première récompense" });
    await advice.getByRole("link", { name: "Ajouter une récompense" }).click();
    await arrives(page, "/rewards/new");
  });

  it("says when no campaign runs any more", async () => {
    const shop = await createShop(app.sql, { campaign: { active: false } });
    const page = await openAs(app, shop.users.owner, "/dashboard");
    await page.getByRole("heading", { name: "Aucune campagne ne tourne" }).waitFor();
    await page.getByRole("link", { name: "Voir mes campagnes" }).click();
    await arrives(page, "/campaigns");
  });

  it("says when every store is archived, and leads to one that is taken back", async () => {
    const shop = await createShop(app.sql);
    await app.sql`update public.stores set archived_at = now() where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const advice = page.getByRole("region", { name: "Tous vos magasins sont archivés" });
    await advice.waitFor();
    // The figures of before stay, and the steps of a new organisation are not for this one.
    await page.getByText("Scans totaux").waitFor();
    await checkLightAndDark(page, "dashboard-archived");
    await page.goto("/onboarding/store");
    await arrives(page, "/dashboard");
    await advice.getByRole("link", { name: "Voir les magasins archivés" }).click();
    await arrives(page, "/stores");
    await page.getByRole("button", { name: `Actions pour ${shop.storeName}` }).click();
    await page.getByRole("menuitem", { name: "Remettre en service" }).click();
    await page.getByText("Aucun magasin archivé").waitFor();
    await page.goto("/dashboard");
    await titled(page, "Tableau de bord");
    await page.getByText("Scans totaux").waitFor();
    expect(await advice.count()).toBe(0);
  });
});
