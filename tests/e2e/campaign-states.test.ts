import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign, daysFromNow } from "../harness/fixtures.ts";
import { scan } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Effect of a campaign's dates on « Actif », wherever it is shown. */

const app = setUpTestApp();

const item = (page: Page, name: string) =>
  page.getByRole("listitem").or(page.getByRole("row")).filter({ hasText: name });

/** The badges beside a campaign's name. */
async function badges(page: Page, name: string): Promise<string[]> {
  const words = ["Actif", "Inactif", "Programmée", "Terminée", "Archivée"];
  await item(page, name).first().waitFor();
  const found = await Promise.all(
    words.map((word) => item(page, name).getByText(word, { exact: true }).count()),
  );
  return words.filter((_, place) => (found[place] ?? 0) > 0);
}

it("tells what is to come and what is over from what runs", async () => {
  const shop = await createShop(app.sql);
  const { id: orgId, storeId } = shop;
  const make = (name: string, dates: { startsAt?: Date; endsAt?: Date; active?: boolean }) =>
    createCampaign(app.sql, { orgId, storeId, name, ...dates });
  await make("Noël", { startsAt: daysFromNow(9) });
  const over = await make("Rentrée", { endsAt: daysFromNow(-1) });
  await make("Brouillon", { active: false, startsAt: daysFromNow(9) });
  const gone = await make("Printemps", {});
  await scan(app.sql, { slug: gone.slug });
  await app.sql`update public.campaigns set active = false, archived_at = now() where id = ${gone.id}`;
  const { page } = await app.desktop();
  await enter(app, page, shop.users.owner);

  await page.goto("/dashboard");
  // Of those that are switched on the newest two are shown.
  expect(await badges(page, "Rentrée")).toEqual(["Actif", "Terminée"]);
  expect(await badges(page, "Noël")).toEqual(["Actif", "Programmée"]);
  await page.getByRole("heading", { name: "Rien à gagner dans « Noël »" }).waitFor();
  await page.getByText("La campagne commence le").waitFor();
  expect(await page.getByText("La campagne tourne").count()).toBe(0);
  await checkLightAndDark(page, "dashboard with states");

  await page.goto("/campaigns");
  expect(await badges(page, "La roue du comptoir")).toEqual(["Actif"]);
  expect(await badges(page, "Noël")).toEqual(["Actif", "Programmée"]);
  expect(await badges(page, "Rentrée")).toEqual(["Actif", "Terminée"]);
  expect(await badges(page, "Brouillon")).toEqual(["Inactif"]);
  await checkLightAndDark(page, "campaigns with states");

  await page.goto(`/campaigns/${over.id}`);
  await titled(page, "Rentrée");
  await page.getByText("Terminée", { exact: true }).waitFor();

  // An archived one is « Archivée » in its list, in the figures of its store and on its own page.
  await page.goto("/campaigns");
  await page.getByText("Archivées (1)").click();
  expect(await badges(page, "Printemps")).toEqual(["Archivée"]);
  await page.goto(`/stores/${storeId}/stats`);
  expect(await badges(page, "Printemps")).toEqual(["Archivée"]);
  await page.getByRole("link", { name: "Printemps" }).click();
  await titled(page, "Printemps");
  await page.getByText("Archivée", { exact: true }).waitFor();
  expect(await page.getByText("Inactif", { exact: true }).count()).toBe(0);
});
