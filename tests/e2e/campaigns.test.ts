import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createCampaign, createStore } from "../harness/fixtures.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { haveCustomers, openAs, place, words } from "./support/member.ts";
import { readQrCode } from "./support/qr.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The list of campaigns (specification, sections 2.13, 5 and 8). */

const app = setUpTestApp();

describe("the list", () => {
  it("shows what each campaign is and has led to", async () => {
    const shop = await createShop(app.sql);
    await createCampaign(app.sql, {
      orgId: shop.id,
      storeId: shop.storeId,
      name: "Noël",
      active: false,
      startsAt: new Date("2026-12-01T12:00:00Z"),
      endsAt: new Date("2026-12-24T12:00:00Z"),
    });
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 4] });
    const page = await openAs(app, shop.users.owner, "/campaigns");
    await page.getByRole("heading", { name: "Noël" }).waitFor();
    const text = await words(page);
    for (const figure of [
      "Campagnes actives 1 Sur 2 total",
      "Total scans 2",
      "Avis collectés 2 Taux de conversion : 100 %",
      "Note moyenne 4,5 Sur 5 étoiles",
      "Noël Inactif Le Comptoir des Halles Du 1er déc. 2026 au 24 déc. 2026",
      "La roue du comptoir Actif Le Comptoir des Halles Depuis le",
      "Scans Avis Participations Rédemptions",
      "2 2 2 1 QR Code",
    ]) {
      expect(text).toContain(figure);
    }
  });

  it("searches by campaign and store, in the address, and says when nothing matches", async () => {
    const shop = await createShop(app.sql);
    const elsewhere = await createStore(app.sql, { orgId: shop.id, name: "Belleville" });
    await createCampaign(app.sql, { orgId: shop.id, storeId: elsewhere, name: "Rentrée" });
    const page = await openAs(app, shop.users.member, "/campaigns");
    const field = page.getByRole("searchbox", { name: "Rechercher une campagne..." });
    const other = page.getByRole("heading", { name: "La roue du comptoir" });
    await other.waitFor();
    await field.fill("belle");
    await other.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Rentrée" }).waitFor();
    expect(place(page)).toBe("/campaigns?q=belle");
    await field.fill("introuvable");
    await page.getByText("Aucune campagne trouvée pour cette recherche").waitFor();
    await page.reload();
    await page.getByText("Aucune campagne trouvée pour cette recherche").waitFor();
    expect(await field.inputValue()).toBe("introuvable");
    await page.getByRole("button", { name: "Effacer la recherche" }).last().click();
    await page.getByRole("heading", { name: "La roue du comptoir" }).waitFor();
    expect(await field.inputValue()).toBe("");
  });
});

describe("the QR code", () => {
  it("is drawn here, leads to the campaign, and can be kept as a picture or a link", async () => {
    const shop = await createShop(app.sql, { campaign: { name: "Été à l'œuvre" } });
    const page = await openAs(app, shop.users.owner, "/campaigns", {
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    const button = page.getByRole("button", { name: "QR Code : Été à l'œuvre" });
    await button.click();
    const picture = page.getByRole("img", { name: "QR code qui mène à la campagne Été à l'œuvre" });
    await picture.waitFor();
    const box = await picture.boundingBox();
    expect([box?.width, box?.height]).toEqual([250, 250]);
    const link = `${app.server.url}/c/${shop.campaign.slug}/play?source=qr`;
    expect(await readQrCode(picture)).toBe(link);

    const taken = async () => {
      const [row] = await app.sql<{ at: Date | null }[]>`
        select poster_at as at from public.campaigns where id = ${shop.campaign.id}`;
      return row?.at ?? null;
    };
    expect(await taken()).toBeNull();
    for (const kind of ["PNG", "SVG"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: `Télécharger en ${kind}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`qr-ete-a-l-oeuvre.${kind.toLowerCase()}`);
      const bytes = await readFile(await download.path());
      expect(bytes.toString("latin1")).toContain(kind === "PNG" ? "IHDR" : "<svg ");
    }
    // To the campaign's checklist, the code alone is a poster.
    await expect.poll(taken).not.toBeNull();
    await page.getByRole("button", { name: "Copier le lien" }).click();
    await page.getByText("Lien copié").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await page.keyboard.press("Escape");
    await picture.waitFor({ state: "detached" });
    await waitForFocus(button);
  });
});
