import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createReward, drawWheel } from "../harness/fixtures.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Looks and manners of what anybody may read, from the smallest phone to a computer. */
const app = setUpTestApp();

const WIDTHS = [320, 390, 768, 1280] as const;
/** For pages whose layout another one has, too. */
const OUTER = [320, 1280] as const;

const PAGES: readonly [path: string, title: string | RegExp, widths: readonly number[]][] = [
  ["/", "Chaque avis mérite un tour de roue.", WIDTHS],
  ["/pricing", "Des prix simples, sans surprise", WIDTHS],
  ["/auth", "Connexion", WIDTHS],
  ["/auth/signup", "Créer un compte", OUTER],
  ["/auth/forgot-password", "Mot de passe oublié", OUTER],
  ["/legal/terms", "Conditions générales d'utilisation", WIDTHS],
  ["/legal/privacy", "Politique de confidentialité", OUTER],
  ["/legal/cookies", "Cookies et mémoire du navigateur", WIDTHS],
  ["/legal/rgpd", "RGPD : vos données, vos droits", WIDTHS],
  ["/en-clair", "Ce que ça rapporte, ce que dit la loi", WIDTHS],
  ["/contact", "Contact", WIDTHS],
  ["/statut", "Statut du service", WIDTHS],
  ["/docs/api", /API/, WIDTHS],
];

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Touches the page, so that deferred scripts start, and waits until the application has replaced what the server rendered of it. */
async function isAlive(page: Page): Promise<void> {
  // Chromium's lighter build moves a pointer over a new page by itself, the whole one does not.
  await page.mouse.move(1, 1);
  await page.locator('[data-prerendered="auth"]').waitFor({ state: "detached" });
}

it.each(PAGES)(
  "%s has no fault for axe and fits, at every width, by day and by night",
  async (path, title, widths) => {
    const { page } = await app.desktop();
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await isAlive(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      // A page takes a moment to settle in another width.
      await expect.poll(() => widthOf(page), { message: `${width}` }).toBe(width);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const looksOnly = colorScheme === "dark";
        const problems = await accessibilityProblems(page, { looksOnly });
        expect(problems, `${width}, ${colorScheme}`).toEqual([]);
      }
    }
  },
);

it("no public page keeps a cookie", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone();
  // (Every visit of these tests fails by itself when it asks a third party for anything.)
  for (const path of [
    ...PAGES.map(([place]) => place),
    `${shop.door}/review?source=qr`,
    `${shop.door}/play`,
    `${shop.door}/reglement`,
    `/org/${shop.slug}`,
  ]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    expect(await response?.headerValue("set-cookie"), path).toBeNull();
  }
  await page.getByText(shop.name).waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

it("the rules of a game with five prizes are printed on two pages, without links to former versions", async () => {
  const shop = await createShop(app.sql);
  const { campaign } = shop;
  await app.sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
  const names = ["Café", "Thé", "Dessert", "Apéritif maison", "Réduction de 10 %"];
  const prizes = await Promise.all(
    names.map(async (name) => ({
      weight: 20,
      rewardId: await createReward(app.sql, campaign, { name }),
    })),
  );
  await drawWheel(app.sql, campaign, prizes);
  const { page } = await app.phone();
  await page.goto(`${shop.door}/reglement`);
  const former = page.getByRole("link", { name: "Version 1, publiée" });
  await former.waitFor();
  const margin = { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" };
  const printed = await PDFDocument.load(await page.pdf({ format: "A4", margin }));
  expect(printed.getPageCount()).toBe(2);
  await page.emulateMedia({ media: "print" });
  await former.waitFor({ state: "hidden" });
});
