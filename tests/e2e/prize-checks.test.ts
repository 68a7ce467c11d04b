import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { spin } from "../harness/journey.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** « Gains à vérifier » on the screen of the rewards, and what the till says of a prize that is held back. */

const app = setUpTestApp();

it("six names on one phone are shown with their reason, held back, refused at the till, and given back", async () => {
  const shop = await createShop(app.sql);
  const device = randomUUID();
  for (let i = 0; i < 6; i += 1) await spin(app.sql, { campaignId: shop.campaign.id, device });
  await app.sql`select private.judge_spins(100)`;
  const [row] = await app.sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${shop.id} order by id limit 1`;
  const code = row?.code ?? "";

  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/rewards");
  await page.getByText("1 groupe de gains sort de l'ordinaire.").waitFor();
  await page.getByRole("button", { name: "Vérifier", exact: true }).click();
  await page.getByRole("heading", { name: "Un même appareil a joué sous 6 noms" }).waitFor();
  await page.getByRole("button", { name: "Mettre en attente", exact: true }).click();
  await page.getByText("6 gains en attente.").waitFor();

  await page.goto("/encaisser");
  await page.getByRole("textbox", { name: "Code du client" }).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
  await page.getByRole("heading", { name: "À vérifier" }).waitFor();
  expect(await page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);

  // The section is open where the address says so.
  await page.goto("/rewards#a-verifier");
  await page.getByText("Voir les gains").click();
  await page.getByRole("button", { name: `Rétablir : ${code}` }).click();
  await page.getByText("1 gain de nouveau valable.").waitFor();
  await page.getByRole("button", { name: "Annuler les gains" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" }).click();
  await page.getByText("Rien d'inhabituel en ce moment.").waitFor();
  const states = await app.sql<{ state: string }[]>`
    select coalesce(verdict, status) as state from public.redemptions where org_id = ${shop.id}`;
  expect(states).toEqual(Array(6).fill({ state: "cancelled" }));
  await page.getByText("Traités", { exact: true }).click();
  await page.getByRole("button", { name: "Rétablir les gains" }).click();
  await page.getByText("1 groupe de gains sort de l'ordinaire.").waitFor();
});
