import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRODUCTION } from "../harness/server.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { setUpTestApp, type TestApp } from "./support/test-app.ts";

/**
 * Pages of a real service before and after its operator vouches for claims, and where nobody can
 * subscribe.
 */

const FIGURES = ["500k+", "94 %", "2000+"];

const proofOf = (page: Page) => page.locator("section[aria-labelledby=preuves]");

async function openProof(app: TestApp): Promise<Page> {
  const { page } = await app.phone({ context: { viewport: { width: 320, height: 640 } } });
  await page.goto("/");
  await proofOf(page).scrollIntoViewIfNeeded();
  return page;
}

describe("a service whose operator has confirmed nothing, and sells nothing", () => {
  const app = setUpTestApp(async () => PRODUCTION);

  it("shows on the landing page what can be proven, each point with a page", async () => {
    const page = await openProof(app);
    await proofOf(page).getByRole("heading", { name: "Ce que vous pouvez vérifier" }).waitFor();
    for (const figure of FIGURES) expect(await page.getByText(figure).count()).toBe(0);
    expect(await page.locator("blockquote").count()).toBe(0);
    const places = await proofOf(page)
      .locator("a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    // No demo, and no rules of it.
    expect(places).toEqual(["/en-clair#loi", "/legal/cookies", "/statut", "/legal/rgpd"]);
    await checkLightAndDark(page, "proof");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole("link", { name: "Ce que dit la loi" }).click();
    await titled(page, "Ce que ça rapporte, ce que dit la loi");
    await expect
      .poll(() => page.locator("#loi").evaluate((one) => one.getBoundingClientRect().top))
      .toBeLessThan(640);
  });

  it("leads to no purchase, before and after the page of prices lives", async () => {
    const { page } = await app.desktop();
    await page.goto("/pricing");
    const sentence = "Les abonnements ne sont pas ouverts pour le moment.";
    await page.getByText(sentence).waitFor();
    // React finds the HTML that the server has written: otherwise it complains in the console,
    // which fails the test.
    await page.getByText("Annuel", { exact: true }).click();
    await page.getByText("468 € HT par an").waitFor();
    for (const name of ["Basic", "Pro"]) {
      const card = page.getByRole("region", { name, exact: true });
      expect(await card.getByRole("button", { name: "Non disponible" }).isDisabled()).toBe(true);
    }
    await page.getByText(sentence).waitFor();
    expect(await page.locator("a[href*=checkout]").count()).toBe(0);
    await checkLightAndDark(page, "prices");
    await page
      .getByRole("region", { name: "Essai gratuit" })
      .getByRole("link", { name: "Commencer l'essai gratuit" })
      .click();
    await titled(page, "Créer un compte");
  });
});

describe("a service whose operator vouches for claims of their own", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tournavis-claims-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const app = setUpTestApp(async () => {
    folder ||= await mkdtemp(join(tmpdir(), "tournavis-claims-"));
    const OPERATOR_FILE = join(folder, "operator.json");
    const word = "Anticonstitutionnellement".repeat(4);
    const claims = {
      figures: [{ value: "38", label: "boulangeries de Bretagne" }],
      testimonials: [
        { text: "Mes clients <b>sourient</b> & reviennent.", name: "Léa Le Goff", role: "Rennes" },
        { text: word, name: word.slice(0, 60), role: "Brest" },
      ],
    };
    await writeFile(OPERATOR_FILE, JSON.stringify({ claims_confirmed: true, claims }));
    return { ...PRODUCTION, OPERATOR_FILE };
  });

  it("shows these as they were written, and none of the examples", async () => {
    const page = await openProof(app);
    await proofOf(page).getByText("38", { exact: true }).waitFor();
    await proofOf(page).getByText("« Mes clients <b>sourient</b> & reviennent. »").waitFor();
    for (const figure of FIGURES) expect(await page.getByText(figure).count()).toBe(0);
    expect(await page.getByText("Ce que vous pouvez vérifier").count()).toBe(0);
    await checkLightAndDark(page, "claims");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
