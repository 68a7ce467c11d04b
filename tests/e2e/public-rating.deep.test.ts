import type { Locator } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { ANSWERS, type GooglePlaces, startGooglePlaces } from "../server/google-places.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A store's page at Google, where the operator has a key: set up, shown at the moment, typed in (specification, section 2.18). */

let places: GooglePlaces;

const app = setUpTestApp(async () => {
  places = await startGooglePlaces();
  return { GOOGLE_PLACES_KEY: "cle-de-google", GOOGLE_PLACES_URL: places.url };
});

afterAll(() => places.stop());

const PLACE = "ChIJgUbEo8cfqokR5lP9_Wh_DaM";

it("a public rating is set up with one field, shows what Google shows now, and gives way to what is typed", async () => {
  const shop = await createShop(app.sql);
  const page = await openAs(app, shop.users.owner, "/dashboard");
  const counted = { clicks: 0, fields: 0 };
  const click = async (control: Locator) => {
    counted.clicks += 1;
    await control.click();
  };
  const fill = async (control: Locator, text: string) => {
    counted.fields += 1;
    await control.fill(text);
  };
  const card = page.getByRole("region", { name: "Page publique" });
  await click(card.getByRole("link", { name: "Premier relevé" }));
  await arrives(page, `/stores/${shop.storeId}/stats`);
  await checkLightAndDark(page, "no place");
  await click(card.getByRole("link", { name: "Indiquer l'identifiant Google du magasin" }));
  await arrives(page, `/stores/${shop.storeId}/settings`);
  const field = page.getByLabel("Identifiant Google du lieu (facultatif)");
  await field.fill("https://maps.google.com/?cid=1");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Collez l'identifiant seul, sans adresse ni espace").waitFor();
  expect(await field.inputValue()).toBe("https://maps.google.com/?cid=1");
  await checkLightAndDark(page, "place refused");
  await fill(field, PLACE);
  await click(page.getByRole("button", { name: "Enregistrer" }));
  await titled(page, "Magasins");
  expect(counted).toEqual({ clicks: 3, fields: 1 });
  expect(
    await app.sql`select google_place_id from public.stores where id = ${shop.storeId}`,
  ).toEqual([{ google_place_id: PLACE }]);

  await page.goto("/dashboard");
  counted.clicks = 0;
  counted.fields = 0;
  await click(card.getByRole("link", { name: "Premier relevé" }));
  await card.getByText("Google Maps", { exact: true }).waitFor();
  await card.getByText("4,6 sur 5").waitFor();
  await card.getByText("213 avis").waitFor();
  expect(await card.getByText("Google Maps", { exact: true }).getAttribute("translate")).toBe("no");
  await checkLightAndDark(page, "shown by Google");
  await fill(card.getByLabel("Note", { exact: true }), "4,6");
  await fill(card.getByLabel("Nombre d'avis"), "213");
  await click(card.getByRole("button", { name: "Enregistrer" }));
  await card.getByText("Saisi par vous le").waitFor();
  expect(counted).toEqual({ clicks: 2, fields: 2 });
  await expect.poll(() => card.getByText("Google Maps", { exact: true }).count()).toBe(0);
  expect(places.asked).toHaveLength(1);
});

it("says what to do where Google does not know the place, or does not answer", async () => {
  const shop = await createShop(app.sql);
  await app.sql`update public.stores set google_place_id = ${PLACE} where id = ${shop.storeId}`;
  places.answer(ANSWERS.gone);
  const page = await openAs(app, shop.users.owner, `/stores/${shop.storeId}/stats`);
  const card = page.getByRole("region", { name: "Page publique" });
  await card.getByText("Google ne reconnaît pas l'identifiant de ce magasin.").waitFor();
  await card.getByRole("link", { name: "Corriger l'identifiant" }).waitFor();
  places.answer(ANSWERS.tooMany);
  await page.reload();
  await card.getByText("n'est pas disponible pour le moment").waitFor();
  // Typing goes on as ever.
  await card.getByLabel("Note", { exact: true }).waitFor();
});
