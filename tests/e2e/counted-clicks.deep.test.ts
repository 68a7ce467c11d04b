import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createCampaign } from "../harness/fixtures.ts";
import { segment, total, wheel } from "./support/campaign-editor.ts";
import { countingHands } from "./support/counted.ts";
import { arrives, openAs } from "./support/member.ts";
import { wheelOf } from "./support/new-campaign.ts";
import { createShop, haveScannedForYears } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Frequent flows of an owner, with their clicks and fields counted. */

const app = setUpTestApp();

it("other odds take three clicks from the list of campaigns, and one slider", async () => {
  const shop = await createShop(app.sql);
  const page = await openAs(app, shop.users.owner, "/campaigns");
  const { counted, click, fill } = countingHands();
  await click(page.getByRole("link", { name: "La roue du comptoir", exact: true }));
  await click(
    page
      .getByRole("navigation", { name: "Pages de la campagne" })
      .getByRole("link", { name: "Roue", exact: true }),
  );
  await total(page, 100);
  await fill(segment(page, 1).getByRole("slider"), "30");
  await click(page.getByRole("button", { name: "Enregistrer", exact: true }));
  await arrives(page, `/campaigns/${shop.campaign.id}`);
  expect((await wheel(app.sql, shop.campaign.id)).map(([, , percent]) => percent)).toEqual([
    30, 0, 70, 0,
  ]);
  expect(counted).toEqual({ clicks: 3, fields: 1 });
});

it("a reward stands on the wheel of another campaign after four clicks and a choice", async () => {
  const shop = await createShop(app.sql);
  await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Roue de Noël" });
  const page = await openAs(app, shop.users.owner, "/rewards");
  const { counted, click, choose } = countingHands();
  await click(page.getByRole("button", { name: "Actions pour Café offert" }));
  await click(page.getByRole("menuitem", { name: "Ajouter à une campagne" }));
  await choose(page.getByRole("combobox", { name: "Campagne" }), "Roue de Noël");
  await click(page.getByRole("link", { name: "Voir la roue" }));
  await page.getByText("« Café offert » est proposée à 50 %").waitFor();
  await click(page.getByRole("button", { name: "Enregistrer", exact: true }));
  await arrives(page, "/campaigns");
  expect(await wheelOf(app.sql, shop.id, "Roue de Noël")).toMatchObject([
    { prize: null },
    { prize: "Café offert", own: false },
  ]);
  expect(counted).toEqual({ clicks: 4, fields: 1 });
});

it("the report of last month is one click away from the dashboard", async () => {
  const shop = await createShop(app.sql);
  await haveScannedForYears(app.sql, shop.id);
  const page = await openAs(app, shop.users.owner, "/dashboard");
  const { counted, click } = countingHands();
  const report = page.getByRole("region", { name: "Rapport du mois" });
  const newest = await report.getByLabel("Mois", { exact: true }).inputValue();
  const begun = page.waitForEvent("download");
  await click(report.getByRole("button", { name: "Télécharger le PDF" }));
  const file = await begun;
  expect(file.suggestedFilename()).toBe(`rapport-${newest.slice(0, 7)}.pdf`);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
  expect(counted).toEqual({ clicks: 1, fields: 0 });
});

it("proof of presence is asked for after three clicks and a choice, from the campaign itself", async () => {
  const shop = await createShop(app.sql);
  const { id: orgId, storeId } = shop;
  const other = await createCampaign(app.sql, { orgId, storeId, name: "À l'entrée" });
  const page = await openAs(app, shop.users.owner, `/campaigns/${other.id}`);
  const { counted, click, choose } = countingHands();
  await click(page.getByRole("link", { name: "Réglages" }));
  await click(page.getByRole("link", { name: "Preuve de présence et gains suspects" }));
  const campaign = page.getByLabel("Campagne", { exact: true });
  await campaign.waitFor();
  expect(await campaign.inputValue()).toBe(other.id);
  await choose(page.getByLabel("Preuve de présence"), "Code qui change, à la caisse");
  await click(page.getByRole("button", { name: "Enregistrer", exact: true }));
  await page.getByText("Réglages enregistrés.").waitFor();
  const asked = await app.sql`
    select campaign_id, presence from private.check_settings where org_id = ${orgId}`;
  expect([...asked]).toEqual([{ campaign_id: other.id, presence: "turning" }]);
  expect(counted).toEqual({ clicks: 3, fields: 1 });

  await page.goto("/encaisser");
  await page.getByRole("button", { name: "Code à afficher" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^\d{3}\s\d{3}$/)
    .waitFor();
});
