import { readFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkLightAndDark } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad } from "./support/member.ts";
import { readQrCode } from "./support/qr.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A campaign's posters, table tent and stickers: from its menu to the PDF. */

const app = setUpTestApp();

const MILLIMETRES = 25.4 / 72;

const FORMATS = [
  { label: "Affiche A4", file: "affiche-a4", size: [210, 297] },
  { label: "Chevalet A5", file: "chevalet-a5", size: [148, 210] },
  { label: "Autocollant A6", file: "autocollant-a6", size: [105, 148] },
  { label: "4 autocollants sur A4", file: "autocollants-a4", size: [210, 297] },
] as const;

async function openPosters(page: Page) {
  await page.getByRole("button", { name: "Actions pour Été à l'œuvre" }).click();
  await page.getByRole("menuitem", { name: "Affiches à imprimer" }).click();
  return page.getByRole("dialog", { name: "Affiches de Été à l'œuvre" });
}

async function takePdf(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Télécharger le PDF" }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

it("prints every format from the campaign's menu, with its own code and sizes", async () => {
  const shop = await createShop(app.sql, {
    plan: "basic",
    campaign: { name: "Été à l'œuvre" },
  });
  await app.sql`update public.stores set name = 'Café Zażółć & Œuvre 🍰' where id = ${shop.storeId}`;
  const { page } = await app.desktop({ expected: failingToLoad });
  await enter(app, page, shop.users.member);
  await page.goto("/campaigns");
  const repair = await breakFunction(app.sql, "campaign_poster");
  const dialog = await openPosters(page);
  await dialog.getByText("Les affiches n'ont pas pu être préparées.").waitFor();
  await repair();
  await dialog.getByRole("button", { name: "Réessayer" }).click();

  const preview = dialog.getByRole("img", { name: "Aperçu : Affiche A4" });
  await preview.waitFor();
  expect(await readQrCode(preview)).toBe(
    `${app.server.url}/c/${shop.campaign.slug}/play?source=qr`,
  );
  const words = (await preview.locator("text").allTextContents()).join(" ");
  expect(words).toContain("Café Zażółć & Œuvre");
  // Its prizes, and none that a losing segment would stand for.
  expect(words).toContain("Café offert");
  expect(words).not.toContain("Pas de chance");
  expect(words).toContain("sans obligation d'achat ni d'avis");
  expect(words.replaceAll(" ", "")).toContain(`/c/${shop.campaign.slug}/reglement`);
  await dialog.getByText("ne peuvent pas être imprimés : 🍰").waitFor();
  await checkLightAndDark(page, "posters");

  for (const { label, file, size } of FORMATS) {
    await dialog.getByText(label, { exact: true }).click();
    await dialog.getByRole("img", { name: `Aperçu : ${label}` }).waitFor();
    const { name, bytes } = await takePdf(page);
    expect(name).toBe(`ete-a-l-oeuvre-${file}.pdf`);
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const pages = (await PDFDocument.load(bytes)).getPages();
    expect(pages).toHaveLength(1);
    const { width, height } = pages[0]?.getSize() ?? { width: 0, height: 0 };
    expect([width, height].map((side) => Math.round(side * MILLIMETRES))).toEqual(size);
  }
  await dialog.getByRole("button", { name: "Fermer" }).click();
  await dialog.waitFor({ state: "detached" });
});
