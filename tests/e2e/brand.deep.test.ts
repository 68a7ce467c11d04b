import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { contrast } from "#domain/rules/brand-colors.ts";
import { createCampaign, createOrganization, drawWheel } from "../harness/fixtures.ts";
import { png } from "../harness/pictures.ts";
import { breakFunction } from "./support/faults.ts";
import { enter } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { refusing, setUpTestApp, unscripted } from "./support/test-app.ts";

const app = setUpTestApp();

it("a merchant's logo and colour are set, seen by customers, and gone with the plan", async () => {
  const ours = await createOrganization(app.sql, { name: "Maison Lilas" });
  const campaign = await createCampaign(app.sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    name: "La roue",
  });
  await drawWheel(app.sql, campaign, [{ weight: 100 }]);
  const { page } = await app.desktop({ expected: unscripted });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings");
  await page.getByRole("link", { name: "Logo et couleur" }).click();
  await page.getByText("Aucun logo pour l'instant").waitFor();

  const file = page.locator('input[type="file"]');
  await file.setInputFiles({
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from("<svg/>"),
  });
  await page.getByText("Ce fichier n'est pas une image PNG, JPEG ou WebP.").waitFor();
  await file.setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: Buffer.from(png(900, 300)),
  });
  await page.getByText("Votre logo est en place.").waitFor({ timeout: 45_000 });
  await page.getByRole("img", { name: "Maison Lilas" }).waitFor();

  const color = page.getByRole("textbox", { name: "Code de la couleur" });
  await color.fill("jaune");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Indiquez un dièse et six caractères", { exact: false }).waitFor();
  await color.fill("#FFD400");
  await page.getByText("Trop claire pour être lue", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("La couleur est enregistrée.").waitFor();

  // The preview shown to the merchant meanwhile is the customers' page itself.
  const shown = page.frameLocator('iframe[title="Votre page publique, en petit"]');
  await shown.getByRole("img", { name: "Maison Lilas", includeHidden: true }).waitFor();
  await shown.getByText("Donnez votre avis, tournez la roue.").waitFor();
  // The frame runs no script, which is nothing for a merchant to mend.
  await expect.poll(() => shown.locator("noscript").count()).toBe(0);
  const previewed = await shown
    .locator("html")
    .evaluate((html) => getComputedStyle(html).getPropertyValue("--violet").trim());

  const { page: phone } = await app.phone();
  const address = `/c/${campaign.slug}/review`;
  await phone.goto(address);
  const logo = phone.getByRole("img", { name: "Maison Lilas" });
  await logo.waitFor();
  expect(
    await logo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(384);
  expect(await phone.getByRole("img", { name: "tournavis" }).count()).toBe(0);
  // A page is kept for less than a second: the preview may have asked for it before the colour was saved.
  let violet = "";
  await expect
    .poll(async () => {
      await phone.goto(address);
      violet = await phone.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue("--violet").trim(),
      );
      return violet;
    })
    .toMatch(/^#[0-9a-f]{4}00$/);
  expect(previewed).toBe(violet);
  expect(contrast(violet, "#ffffff")).toBeGreaterThanOrEqual(4.5);

  // The posters carry it, too.
  await page.goto("/campaigns");
  await page.getByRole("button", { name: "Actions pour La roue" }).click();
  await page.getByRole("menuitem", { name: "Affiches à imprimer" }).click();
  const preview = page.getByRole("img", { name: "Aperçu : Affiche A4" });
  await preview.waitFor();
  expect(await preview.locator("image").getAttribute("href")).toContain(`/logos/${ours.id}/`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Télécharger le PDF" }).click(),
  ]);
  expect(await readFile(await download.path(), "latin1")).toMatch(/\/Subtype ?\/Image/);

  await app.sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
  await expect
    .poll(async () => {
      await phone.goto(address);
      return phone.getByRole("img", { name: "Maison Lilas" }).count();
    })
    .toBe(0);
  await phone.getByRole("img", { name: "tournavis" }).first().waitFor();
  await page.goto("/settings/brand");
  await page.getByRole("heading", { name: "Inclus dans le plan Pro" }).waitFor();
  await page.getByText("Votre logo et votre couleur sont conservés", { exact: false }).waitFor();
  expect(await file.count()).toBe(0);
});

it.each([
  ["status = 'canceled', closed_at = now()", "Votre plan n'est plus actif", 402],
  ["is_ending = true", "Cette organisation sera supprimée", 409],
])("a logo that is refused is refused with the reason: %s", async (state, reason, status) => {
  const ours = await createOrganization(app.sql);
  // The preview asks for the closed page, and the storage refuses with 400.
  const refused = refusing(404, 400, status);
  const { page } = await app.desktop({
    expected: (problem) => refused(problem) || unscripted(problem),
  });
  await enter(app, page, ours.users.owner);
  await app.sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [ours.id]);
  await page.goto("/settings/brand");
  await page.locator('input[type="file"]').setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: Buffer.from(png(90, 30)),
  });
  await page.getByRole("alert").getByText(reason, { exact: false }).waitFor();
});

it("the colour that is being chosen stays in the preview when its page is loaded again, with scripts", async () => {
  const ours = await createOrganization(app.sql);
  const failed = refusing(500, 503);
  const { page } = await app.desktop({
    expected: (problem) => failed(problem) || unscripted(problem),
  });
  await enter(app, page, ours.users.owner);
  // The server cannot put the page into its document: the preview needs scripts, as everywhere on a static host.
  await breakFunction(app.sql, "organization_page");
  const release = await holdRequests(page, `**/org/${ours.slug}`);
  await page.goto("/settings/brand");
  await page.getByRole("textbox", { name: "Code de la couleur" }).fill("#0a7a4b");
  release();
  const frame = page.locator('iframe[title="Votre page publique, en petit"]');
  await expect.poll(() => frame.getAttribute("sandbox")).toContain("allow-scripts");
  const shown = frame.contentFrame();
  await expect.poll(() => shown.locator("#page > *").count()).toBeGreaterThan(0);
  const violet = () =>
    shown.locator("body").evaluate((body) => getComputedStyle(body).getPropertyValue("--violet"));
  await expect.poll(violet).toBe("#0a7a4b");
});

it("a colour that is chosen while another one is saved stays", async () => {
  const ours = await createOrganization(app.sql);
  const { page } = await app.desktop({
    expected: (problem) => refusing(404)(problem) || unscripted(problem),
  });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings/brand");
  const color = page.getByRole("textbox", { name: "Code de la couleur" });
  const letGo = await holdRequests(page, /rpc\/save_brand_color$/);
  await color.fill("#0a7a4b");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await color.fill("#a01040");
  letGo();
  const saved = async () => {
    const [row] = await app.sql`
      select color from public.organization_brands where org_id = ${ours.id}`;
    return row?.color;
  };
  await expect.poll(saved).toBe("#0a7a4b");
  await expect
    .poll(() => page.getByRole("button", { name: "Enregistrer" }).getAttribute("aria-busy"))
    .not.toBe("true");
  expect(await color.inputValue()).toBe("#a01040");
});
