import { readFile } from "node:fs/promises";
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { askProgram, wordsOf } from "../harness/ask-program.ts";
import { createReward, drawWheel } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad, inPlain } from "./support/member.ts";
import { readQrCode, readQrCodes } from "./support/qr.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A campaign's posters, table tent and stickers: from its menu to the PDF. */

const app = setUpTestApp();

const MILLIMETRES = 25.4 / 72;

const FORMATS = [
  { label: "Vitrine A3", file: "vitrine-a3", size: [297, 420], codes: 1 },
  { label: "Affiche A4", file: "affiche-a4", size: [210, 297], codes: 1 },
  { label: "Affichette A5", file: "affichette-a5", size: [148, 210], codes: 1 },
  { label: "Chevalet A5", file: "chevalet-a5", size: [148, 210], codes: 2 },
  { label: "Autocollant A6", file: "autocollant-a6", size: [105, 148], codes: 1 },
  { label: "4 autocollants sur A4", file: "autocollants-a4", size: [210, 297], codes: 4 },
  { label: "8 cartes pour l'addition", file: "cartes-addition-a4", size: [210, 297], codes: 8 },
  { label: "Ticket de caisse 80 mm", file: "ticket-80mm", size: [80], codes: 1 },
  { label: "Ticket de caisse 58 mm", file: "ticket-58mm", size: [58], codes: 1 },
] as const;

/** Dots to the inch of the picture that is read back: what a phone sees of print, and less than a printer draws. */
const RESOLUTION = 150;

/** The first page of a PDF as `pdftoppm` draws it; null where there is none. */
function drawn(bytes: Uint8Array, options = ["-r", `${RESOLUTION}`]): Promise<Uint8Array | null> {
  return askProgram("pdftoppm", ["-png", ...options, "-f", "1", "-l", "1", "-"], bytes);
}

/** Colour space that a document states for its colours (ISO 32000-1, 14.11.5). */
function stated(document: PDFDocument): string {
  const intent = document.catalog.lookup(PDFName.of("OutputIntents"), PDFArray).lookup(0, PDFDict);
  return intent.lookup(PDFName.of("OutputConditionIdentifier"), PDFString).asString();
}

/** Resolution and colours of a printer poorer than any: at less than 3 dots a module, what is read depends on the code. */
const POOR = ["-r", "120", "-gray"];

/** Reads the codes of a PDF back from its picture, and by another reader from a poor one. */
async function readsBack(bytes: Uint8Array, links: readonly string[]): Promise<void> {
  const [picture, poor] = [await drawn(bytes), await drawn(bytes, POOR)];
  if (picture === null || poor === null) return;
  expect(await readQrCodes(picture)).toEqual(links);
  const read = await askProgram("zbarimg", ["--quiet", "--raw", "PNG:-"], poor);
  if (read !== null) expect(read.toString().trim().split("\n")).toEqual(links);
}

/** Expects words in a PDF that other programs find as they are written, in fonts that it brings along. */
async function says(bytes: Uint8Array, expected: readonly string[]): Promise<void> {
  const words = await wordsOf(bytes);
  if (words === null) return;
  for (const text of expected) expect(words).toContain(text.replaceAll(/\s/g, " "));
  const table = await askProgram("pdffonts", ["-"], bytes);
  const fonts = (table?.toString() ?? "").trim().split("\n").slice(2);
  expect(fonts.length).toBeGreaterThan(0);
  // Columns: embedded, a subset, with the letters that its signs stand for.
  for (const font of fonts) expect(font).toMatch(/ yes (?:yes|no ) yes +\d+ +\d+$/);
}

/** Difference that edges make, which a browser and a PDF draw a part of a pixel apart: 4 to 7. Another style makes more than 20. */
const ALIKE = 8;

/** Mean difference of the channels (0 to 255) between a preview and its PDF, both 32 pixels wide; 0 without pdftoppm. */
async function difference(preview: Locator, bytes: Uint8Array): Promise<number> {
  const printed = await drawn(bytes);
  if (printed === null) return 0;
  const shown = await preview.screenshot({ animations: "disabled" });
  return preview.page().evaluate(
    async (files) => {
      const pixels = files.map(async (file) => {
        const data = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([data], { type: "image/png" }));
        const height = Math.round((32 * bitmap.height) / bitmap.width);
        const canvas = new OffscreenCanvas(32, height);
        const pen = canvas.getContext("2d");
        if (!pen) throw new Error("no canvas");
        pen.imageSmoothingQuality = "high";
        pen.drawImage(bitmap, 0, 0, 32, height);
        return pen.getImageData(0, 0, 32, height).data;
      });
      const [one, other] = await Promise.all(pixels);
      if (!one || !other) throw new Error("no pictures");
      const length = Math.min(one.length, other.length);
      let sum = 0;
      for (let index = 0; index < length; index += 1) {
        sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
      }
      return sum / length;
    },
    [shown, printed].map((file) => Buffer.from(file).toString("base64")),
  );
}

async function openPosters(page: Page) {
  await page.getByRole("button", { name: "Actions pour Été à l'œuvre" }).click();
  await page.getByRole("menuitem", { name: "Affiches à imprimer" }).click();
  return page.getByRole("dialog", { name: "Affiches : Été à l'œuvre" });
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
  const prizes = [
    { name: "Un repas pour deux", value: 40 },
    { name: "Dessert maison", value: 6 },
    { name: "Café gourmand", value: 4.5 },
    { name: "Expresso", value: 1 },
  ];
  const won = await Promise.all(
    prizes.map(async ({ name, value }) => {
      const rewardId = await createReward(app.sql, shop.campaign, { name });
      await app.sql`update public.rewards set value = ${value} where id = ${rewardId}`;
      return { weight: 15, label: name, rewardId };
    }),
  );
  await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
  await drawWheel(app.sql, shop.campaign, [
    { weight: 40, color: "#6B7280" },
    ...won.map((prize, index) => ({
      ...prize,
      color: ["#8B5CF6", "#10B981", "#F59E0B", "#EF4444"][index] ?? "#06B6D4",
    })),
  ]);
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
  const link = `${app.server.url}/c/${shop.campaign.slug}/play?source=qr`;
  expect(await readQrCode(preview)).toBe(link);
  const words = (await preview.locator("text").allTextContents()).join(" ");
  expect(words).toContain("Café Zażółć & Œuvre");
  // Its prizes, and none that a losing segment would stand for; the three dearest once more, beside the code.
  const counted = prizes.map(({ name }) => words.split(name).length - 1);
  expect(counted).toEqual([2, 2, 2, 1]);
  expect(words).not.toContain("Pas de chance");
  expect(words).toContain("sans obligation d'achat ni d'avis");
  expect(words.replaceAll(" ", "")).toContain(`/c/${shop.campaign.slug}/reglement`);
  await dialog.getByText("« Café Zażółć & Œuvre 🍰 » devient « Café Zażółć & Œuvre ».").waitFor();
  await checkLightAndDark(page, "posters");

  for (const { label, file, size, codes } of FORMATS) {
    await dialog.getByText(label, { exact: true }).click();
    await dialog.getByRole("img", { name: `Aperçu : ${label}` }).waitFor();
    const { name, bytes } = await takePdf(page);
    expect(name).toBe(`ete-a-l-oeuvre-${file}.pdf`);
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const document = await PDFDocument.load(bytes);
    const pages = document.getPages();
    expect(pages).toHaveLength(1);
    expect(stated(document)).toBe("sRGB IEC61966-2.1");
    const { width, height } = pages[0]?.getSize() ?? { width: 0, height: 0 };
    const sides = [width, height].map((side) => Math.round(side * MILLIMETRES));
    // A strip is as long as what stands on it.
    expect(sides.slice(0, size.length)).toEqual(size);
    await readsBack(
      bytes,
      Array.from({ length: codes }, () => link),
    );
    await says(bytes, ["Café Zażółć & Œuvre", "d'achat ni d'avis. Règlement :"]);
    const shown = dialog.getByRole("img", { name: `Aperçu : ${label}` });
    expect(await difference(shown, bytes)).toBeLessThan(ALIKE);
  }
  await dialog.getByText("Affiche A4", { exact: true }).click();
  const printed: Uint8Array[] = [];
  for (const style of ["Sobre", "Saison"]) {
    await dialog.getByText(style, { exact: true }).first().click();
    const { bytes } = await takePdf(page);
    await readsBack(bytes, [link]);
    expect(await difference(preview, bytes)).toBeLessThan(ALIKE);
    printed.push(bytes);
  }
  await dialog.getByText("Vif", { exact: true }).click();
  const [sober = new Uint8Array()] = printed;
  const hasPicture = (await drawn(sober)) !== null;
  if (hasPicture) expect(await difference(preview, sober)).toBeGreaterThan(20);
  for (const [language, tag, headline] of [
    ["Allemand", "de", "Bewerten Sie uns, drehen Sie am Rad."],
    ["Néerlandais", "nl", "Geef je mening, draai aan het rad."],
  ] as const) {
    for (const [label, file] of [
      ["Ticket de caisse 58 mm", "ticket-58mm"],
      ["Affiche A4", "affiche-a4"],
    ] as const) {
      await dialog.getByText(label, { exact: true }).click();
      await dialog.getByText(language, { exact: true }).click();
      const shown = dialog.getByRole("img", { name: `Aperçu : ${label}` });
      const texts = shown.locator(`[lang="${tag}"] text`);
      const printed = async () => (await texts.allTextContents()).join(" ");
      await expect.poll(printed).toContain(headline);
      // Prizes keep the words of the merchant.
      expect(await printed()).toContain("Un repas pour deux");
      expect(await printed()).not.toMatch(/Tentez|Scannez|Règlement/);
      const foreign = await takePdf(page);
      expect(foreign.name).toBe(`ete-a-l-oeuvre-${file}-${tag}.pdf`);
      expect((await PDFDocument.load(foreign.bytes)).catalog.get(PDFName.of("Lang"))).toEqual(
        PDFString.of(tag),
      );
      await readsBack(foreign.bytes, [link]);
    }
  }
  await dialog.getByText("Français", { exact: true }).click();
  await dialog.getByText("Saison", { exact: true }).click();
  await dialog.getByText("Automne", { exact: true }).click();
  await dialog.getByRole("switch", { name: "Montrer les récompenses" }).uncheck({ force: true });
  await dialog.getByRole("switch", { name: "Traits de coupe" }).check({ force: true });
  const { bytes } = await takePdf(page);
  await readsBack(bytes, [link]);
  const [sheet] = (await PDFDocument.load(bytes)).getPages();
  expect(sheet?.getTrimBox()).toMatchObject({
    width: expect.closeTo(210 / MILLIMETRES, 1),
    height: expect.closeTo(297 / MILLIMETRES, 1),
  });
  expect(sheet?.getWidth()).toBeCloseTo(226 / MILLIMETRES, 1);
  const bare = (await preview.locator("text").allTextContents()).join(" ");
  expect(bare).not.toMatch(/Dessert maison|Tentez votre chance/);
  await dialog.getByRole("button", { name: "Fermer" }).click();
  await dialog.waitFor({ state: "detached" });
});

it("prints names as long as they may be whole, beside those of other scripts", async () => {
  const store =
    "Boutique d'Alésia, à l'ombre des très longs platanes de la place du Marché aux Fleurs";
  const prizes = [
    "Un repas gastronomique pour deux, accord mets et vins compris",
    "مقهى",
    "Ταβέρνα",
    "Anticonstitutionnellement",
  ].map((name) => name.slice(0, 60));
  const shop = await createShop(app.sql, { campaign: { name: "Été à l'œuvre" } });
  await app.sql`update public.stores set name = ${store} where id = ${shop.storeId}`;
  await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
  const segments = [];
  for (const label of prizes) {
    const rewardId = await createReward(app.sql, shop.campaign, { name: label });
    segments.push({ weight: 25, color: "#8B5CF6", label, rewardId });
  }
  await drawWheel(app.sql, shop.campaign, segments);
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/campaigns");
  const dialog = await openPosters(page);
  const link = `${app.server.url}/c/${shop.campaign.slug}/play?source=qr`;
  for (const [label, codes] of [
    ["Affiche A4", 1],
    ["8 cartes pour l'addition", 8],
    ["Ticket de caisse 58 mm", 1],
  ] as const) {
    await dialog.getByText(label, { exact: true }).click();
    await dialog.getByRole("img", { name: `Aperçu : ${label}` }).waitFor();
    const { bytes } = await takePdf(page);
    await readsBack(
      bytes,
      Array.from({ length: codes }, () => link),
    );
    await says(bytes, store.split(" "));
    expect((await wordsOf(bytes)) ?? "").not.toMatch(/[\p{Script=Arabic}\p{Script=Greek}]/u);
  }
});

it("welcomes in the place of a name that no font can write, and leaves such a prize to its picture", async () => {
  const shop = await createShop(app.sql, { campaign: { name: "Été à l'œuvre" } });
  await app.sql`update public.stores set name = 'Кафе Пушкинъ 24' where id = ${shop.storeId}`;
  const [tea, coffee] = [
    await createReward(app.sql, shop.campaign, { name: "Thé offert" }),
    await createReward(app.sql, shop.campaign, { name: "Кофе" }),
  ];
  await app.sql`update public.rewards set value = 5 where id = ${coffee}`;
  await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
  await drawWheel(app.sql, shop.campaign, [
    { weight: 30, color: "#8B5CF6", label: "Thé offert", rewardId: tea },
    { weight: 30, color: "#10B981", label: "Кофе", rewardId: coffee },
    { weight: 40, color: "#6B7280" },
  ]);
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/campaigns");
  const dialog = await openPosters(page);
  const preview = dialog.getByRole("img", { name: "Aperçu : Affiche A4" });
  await preview.waitFor();
  const texts = () => preview.locator("text").allTextContents();
  expect(await texts()).toContain("Bienvenue !".replace(" ", "\u00a0"));
  const written = (await texts()).join(" ");
  // On the wheel and beside the code; the other prize stands on the wheel alone, by its picture.
  expect(written.split("Thé offert")).toHaveLength(3);
  expect(written).not.toMatch(/\b24\b|\p{Script=Cyrillic}/u);
  const changed = dialog.getByRole("status").filter({ hasText: "ne s'impriment pas" });
  const names = async () => (await changed.getByRole("listitem").allTextContents()).map(inPlain);
  await expect
    .poll(names)
    .toEqual([
      "« Кафе Пушкинъ 24 » devient « Bienvenue ! ».",
      "« Кофе » est imprimé sans son nom.",
    ]);
  // Said before the button that prints, and of what this sheet shows alone.
  const [said, button] = await Promise.all([
    changed.boundingBox(),
    dialog.getByRole("button", { name: "Télécharger le PDF" }).boundingBox(),
  ]);
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await dialog.getByRole("switch", { name: "Montrer les récompenses" }).uncheck({ force: true });
  await expect.poll(names).toHaveLength(1);
  await dialog.getByRole("switch", { name: "Montrer les récompenses" }).check({ force: true });
  const { bytes } = await takePdf(page);
  expect((await PDFDocument.load(bytes)).getTitle()).toContain("Кафе Пушкинъ 24");
  expect(await difference(preview, bytes)).toBeLessThan(ALIKE);
});
