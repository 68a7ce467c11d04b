import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { operatorFile } from "#domain/schemas/operator.ts";
import { startStaticHost } from "../../scripts/hosted/static-host.ts";
import { writeStaticSite } from "../../server/web/static-site.ts";
import { type Problem, visit } from "../harness/browser.ts";
import { temporaryFolder } from "../harness/cluster.ts";
import { PAGES } from "../harness/server.ts";
import { arriveAt, codeOn, giveDetails, goToWheel, star, step, win } from "./support/customer.ts";
import { breakFunction } from "./support/faults.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { activity, createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/**
 * The phone pages of a Supabase project: a static host answers every address with the same document, whose script reads
 * the address and asks the project.
 */

const app = setUpTestApp();

const LOADING = "Chargement…";
const OFFLINE = "Connexion interrompue. Rien n'est perdu : réessayez dès qu'elle revient.";
const NO_PAGE = "Page non trouvée";
const NOBODY_HERE = "Campagne non trouvée ou inactive";

let host: Awaited<ReturnType<typeof startStaticHost>>;

beforeAll(async () => {
  const folder = await temporaryFolder("tournavis-static-pages-");
  const out = join(folder.folder, "static");
  await writeStaticSite({
    dist: PAGES,
    out,
    siteUrl: "https://avis.exemple.fr",
    projectUrl: app.server.url,
    publishableKey: app.server.running.secrets.publishableKey,
    operator: operatorFile.parse({ company: "Roue & Cie" }),
    google: false,
    captcha: null,
    pushKey: null,
    publicRating: false,
    payments: null,
  });
  host = await startStaticHost(out);
  return async () => {
    await host.stop();
    await folder.remove();
  };
});

async function phone(expected: (problem: Problem) => boolean = () => false): Promise<Page> {
  const { page } = await visit(app.browser, {
    baseUrl: host.url,
    expected,
    context: { reducedMotion: "reduce" },
  });
  return page;
}

const signature = (page: Page) => page.getByText("Une roue", { exact: true });
const brandOf = (page: Page) =>
  page.evaluate(() => document.documentElement.getAttribute("style") ?? "");
const ending = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

/** Makes a shop whose organisation has a colour, which its plan shows in place of the product's. */
async function createColoredShop(): Promise<Shop> {
  const shop = await createShop(app.sql);
  await app.sql`insert into public.organization_brands (org_id, color) values (${shop.id}, '#1d4ed8')`;
  return shop;
}

describe("a phone page on a static host", () => {
  it("goes from the printed code to the prize that the phone keeps, also without network", async () => {
    const shop = await createColoredShop();
    const page = await phone(lost("/functions/v1/campaign_rules"));
    await page.goto(shop.door);
    await page.waitForURL(`${host.url}${shop.door}/review?source=qr`);
    await arriveAt(page, "form");
    expect(await page.title()).toBe(`Votre avis – ${shop.storeName}`);
    expect(await signature(page).count()).toBe(0);
    expect(await brandOf(page)).toContain("#1d4ed8");
    expect((await activity(app.sql, shop)).scans).toBe(1);
    await giveDetails(page);
    await star(page, 5).click();
    await arriveAt(page, "ready");
    await goToWheel(page);
    expect(await page.title()).toBe(`La roue – ${shop.storeName}`);
    const code = await win(page);

    await loseRequest(page, /\/campaign_rules\?/);
    await page.goto(`${shop.door}/gain`);
    await step(page, "Mes gains").waitFor();
    expect(await codeOn(page)).toBe(code);
    await page.reload();
    await expect.poll(() => page.title()).toBe(`Mes gains – ${shop.storeName}`);
    await expect.poll(() => brandOf(page)).toContain("#1d4ed8");
    expect(await codeOn(page)).toBe(code);
    expect(await signature(page).count()).toBe(0);
  });

  it("counts a scan by what its address names, and begins the wheel of each kind", async () => {
    const shop = await createShop(app.sql, { plan: "basic" });
    const page = await phone();
    await page.goto(`${shop.door}/play?source=vitrine`);
    await page.waitForURL(`${host.url}${shop.door}/review?source=vitrine`);
    await arriveAt(page, "form");
    await signature(page).waitFor();
    const scans = await app.sql`
      select source from public.scan_events where campaign_id = ${shop.campaign.id}`;
    expect(scans).toEqual([{ source: "vitrine" }]);

    await page.getByRole("link", { name: "Participer sans donner d'avis" }).click();
    await arriveAt(page, "name");
    expect(await page.title()).toBe(`La roue – ${shop.storeName}`);
    expect(await page.getByText("Mode test", { exact: true }).count()).toBe(0);
    await page.goto(`${shop.door}/play`);
    await ending(page, "Mode test");
    await arriveAt(page, "name");
    expect((await activity(app.sql, shop)).scans).toBe(1);
  });

  it("shows the rules in force and former ones, with the operator's name", async () => {
    const shop = await createColoredShop();
    const page = await phone(refusing(404));
    const release = await holdRequests(page, /\/campaign_rules\?/);
    await page.goto(`${shop.door}/reglement`);
    await page.locator("#steps").getByText(LOADING).waitFor();
    expect(await page.title()).toBe(LOADING);
    release();
    await step(page, "Règlement du jeu").waitFor();
    expect(await page.title()).toBe(`Règlement du jeu – ${shop.storeName}`);
    await page.getByText("Roue & Cie").first().waitFor();
    expect(await page.getByText("Version 1").count()).toBeGreaterThan(0);
    expect(await brandOf(page)).toContain("#1d4ed8");
    expect(await signature(page).count()).toBe(0);

    await page.goto(`${shop.door}/reglement?version=7`);
    await page.getByText(NOBODY_HERE).waitFor();
    expect(await page.title()).toBe(NOBODY_HERE);
    await signature(page).waitFor();
  });

  it("lists the open wheels of an organisation under its name", async () => {
    const shop = await createColoredShop();
    const small = await createShop(app.sql, { plan: "basic" });
    const page = await phone();
    const release = await holdRequests(page, /\/campaign\?organization=/);
    await page.goto(`/org/${shop.slug}`);
    await page.locator("#steps").getByText(LOADING).waitFor();
    expect(await signature(page).count()).toBe(0);
    release();
    await step(page, "Où êtes-vous ?").waitFor();
    expect(await page.title()).toBe(shop.name);
    expect(await brandOf(page)).toContain("#1d4ed8");
    expect(await signature(page).count()).toBe(0);
    await page.getByRole("main").getByRole("link").click();
    await page.waitForURL(`**${shop.door}/review`);

    await page.goto(`/org/${small.slug}`);
    await step(page, "Où êtes-vous ?").waitFor();
    expect(await page.title()).toBe(`${small.name} – tournavis`);
    await signature(page).waitFor();
    expect(await brandOf(page)).toBe("");
  });

  it.each(["/org/personne", "/org/", "/org/maison/review", "/c/", "/c/maison/ailleurs"])(
    "says that there is no page at %s",
    async (address) => {
      const page = await phone(refusing(404));
      await page.goto(address);
      await step(page, NO_PAGE).waitFor();
      await expect.poll(() => page.title()).toBe(NO_PAGE);
      await signature(page).waitFor();
    },
  );

  it.each(["review", "play"])(
    "at /%s says why there is no campaign, and loads it when asked again",
    async (name) => {
      const shop = await createShop(app.sql);
      const page = await phone(refusing(404, 500));
      await page.goto(`/c/personne/${name}`);
      await step(page, NOBODY_HERE).waitFor();

      const mend = await breakFunction(app.sql, "public.campaign_page");
      await page.goto(`${shop.door}/${name}`);
      const again = page.getByRole("button", { name: "Réessayer" });
      await again.waitFor();
      expect(await step(page, NOBODY_HERE).count()).toBe(0);
      await mend();
      await again.click();
      await arriveAt(page, name === "review" ? "form" : "name");
      expect(await again.count()).toBe(0);
    },
  );

  it("knows without network whose prizes it keeps, once the wheel has been open there", async () => {
    const shop = await createShop(app.sql);
    const page = await phone(lost("/functions/v1/campaign_rules"));
    await loseRequest(page, /\/campaign_rules\?/);
    await page.goto(`${shop.door}/gain`);
    await page.locator("#steps").getByText(OFFLINE).waitFor();
    await page.goto(`${shop.door}/play`);
    await arriveAt(page, "name");
    await loseRequest(page, /\/campaign_rules\?/);
    await page.goto(`${shop.door}/gain`);
    await page.getByText("Aucun gain n'attend sur ce téléphone.").waitFor();
    expect(await page.getByText(OFFLINE).count()).toBe(0);
  });

  it.each(["gain", "reglement"])("says at /%s that there is no such campaign", async (name) => {
    const page = await phone(refusing(404));
    await page.goto(`/c/personne/${name}`);
    await page.getByText(NOBODY_HERE).waitFor();
    await expect.poll(() => page.title()).toBe(NOBODY_HERE);
    await signature(page).waitFor();
  });

  it.each([
    ["the rules", "public.campaign_rules_page", (shop: Shop) => `${shop.door}/reglement`],
    ["one's prizes", "public.campaign_rules_page", (shop: Shop) => `${shop.door}/gain`],
    ["an organisation", "public.organization_page", (shop: Shop) => `/org/${shop.slug}`],
  ])("does not take a server that fails for nothing at the address of %s", async (_, name, at) => {
    const shop = await createShop(app.sql);
    const page = await phone(refusing(500));
    await breakFunction(app.sql, name);
    await page.goto(at(shop));
    await page.locator("#steps").getByText(OFFLINE).waitFor();
  });
});
