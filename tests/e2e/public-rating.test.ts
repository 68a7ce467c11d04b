import { expect, it } from "vitest";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The rating of a store's public page, from the dashboard to the store and back (specification, section 2.10). */

const app = setUpTestApp();

it("the public page is typed in, kept beside what was collected, and taken back", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/dashboard");
  const card = page.getByRole("region", { name: "Page publique" });
  await card.getByRole("link", { name: "Premier relevé" }).click();
  await arrives(page, `/stores/${shop.storeId}/stats`);

  // From the dashboard: one click to get here, two figures, one click.
  const rating = card.getByLabel("Note", { exact: true });
  const reviews = card.getByLabel("Nombre d'avis");
  const save = card.getByRole("button", { name: "Enregistrer" });
  await rating.fill("5,2");
  await reviews.fill("118");
  await save.click();
  await card.getByText("Indiquez une note de 0 à 5, avec une décimale au plus.").waitFor();
  expect(await reviews.inputValue()).toBe("118");
  await rating.fill("4,4");
  await save.click();
  await card.getByText("Relevé enregistré.").waitFor();
  await card.getByText("Premier relevé le").waitFor();

  // As if it had been a month ago, with 7 reviews collected since.
  await app.sql`
    update public.public_ratings set day = day - 30 where org_id = ${shop.id}`;
  await app.sql`
    insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, reviews)
    values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, private.now_in('Europe/Paris')::date - 3, 0, 7)`;
  await page.reload();
  await rating.fill("4,6");
  await reviews.fill("130");
  await save.click();
  await card.getByText("+12 avis depuis le").waitFor();
  await card.getByText("note +0,2").waitFor();
  await card.getByText("7 avis depuis le").waitFor();
  await card.getByRole("img", { name: "Avis gagnés depuis le" }).waitFor();
  await checkLightAndDark(page, "public rating of a store");

  await page.goto("/dashboard");
  await titled(page, "Tableau de bord");
  await card.getByText("130 avis").waitFor();
  await card.getByText("7 collectés ici sur la même période").waitFor();
  await card.getByRole("link", { name: "Nouveau relevé" }).click();
  await card.getByRole("button", { name: "Effacer le dernier relevé" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Effacer" }).click();
  await card.getByText("118 avis").waitFor();
  // The dashboard that was looked at before shows it without a reload.
  await page.getByRole("link", { name: "Dashboard" }).click();
  await titled(page, "Tableau de bord");
  await card.getByText("118 avis").waitFor();
});
