import { expect, it } from "vitest";
import { giveRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter, haveCustomers } from "./support/member.ts";
import { wrongIn } from "./support/permissions.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Somebody whose role sees no customers: which rows the database shows is in `personal-data.test.ts`. */

const app = setUpTestApp();

it("whoever may not see customers reads figures and « un client », and meets no way that is closed", async () => {
  const { sql } = app;
  const { campaign, reward, ...shop } = await createShop(sql);
  await haveCustomers(sql, campaign, { cashier: shop.users.cashier, ratings: [2, 5] });
  const permissions = ["activity.read", "campaigns.read", "rewards.read", "stores.read"];
  const role = await giveRole(sql, shop.users.member, { orgId: shop.id, permissions });
  const codes = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${shop.id} and status = 'available'`;
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);

  await page.goto("/dashboard");
  const main = page.getByRole("main");
  await main
    .getByText(/^Un client • Il y a/)
    .first()
    .waitFor();
  await main.getByRole("heading", { name: "Un client" }).waitFor();
  expect(await wrongIn(page, permissions)).toEqual([]);
  await checkLightAndDark(page, "the dashboard without customers");
  await main.getByRole("link", { name: /^Voir la campagne/ }).click();
  await titled(page, "La roue du comptoir");
  await page.getByRole("list", { name: "Avis récents" }).getByText("Un client").first().waitFor();
  expect(await wrongIn(page, permissions)).toEqual([]);

  await page.goto("/rewards");
  await titled(page, "Récompenses");
  await page.getByRole("heading", { name: "Café offert" }).waitFor();
  expect(await page.getByRole("link", { name: /^Codes/ }).count()).toBe(0);
  expect(await wrongIn(page, permissions)).toEqual([]);
  await page.goto(`/rewards/${reward?.id}/codes`);
  await titled(page, "Vous n'avez pas accès à cette page");

  // With the list of codes there is no column of people that would stand empty.
  await sql`insert into public.role_permissions (role, org_id, permission) values (${role}, ${shop.id}, 'codes.read')`;
  await page.reload();
  await titled(page, "Codes : Café offert");
  await page
    .getByRole("row")
    .filter({ hasText: codes[0]?.code ?? "none" })
    .waitFor();
  await page.getByRole("columnheader", { name: "Émis le" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Client" }).count()).toBe(0);
  expect(await main.textContent()).not.toMatch(/Anaïs|Anonyme/);
  await page.getByPlaceholder("Début du code...").fill("Anaïs");
  await page.getByText("Aucun code trouvé").waitFor();
});
