import { expect, it } from "vitest";
import { giveRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter, haveCustomers } from "./support/member.ts";
import { wrongIn } from "./support/permissions.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Somebody whose role reads everything and changes nothing: no screen offers what the platform would refuse. */

const app = setUpTestApp();

const READS = ["activity", "campaigns", "codes", "customers", "rewards", "stores", "team"].map(
  (subject) => `${subject}.read`,
);

it("whoever may only read finds no way to change anything, and reads so at a typed address", async () => {
  const { sql } = app;
  const { campaign, storeId, reward, ...shop } = await createShop(sql);
  await haveCustomers(sql, campaign, { cashier: shop.users.cashier, ratings: [2] });
  await sql`update public.rewards set stock = 1 where id = ${reward?.id ?? ""}`;
  await sql`update public.stores set google_review_url = null where id = ${storeId}`;
  const [customer] = await sql`select id from public.customers where org_id = ${shop.id}`;
  await giveRole(sql, shop.users.member, { orgId: shop.id, permissions: READS });
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/dashboard");
  await titled(page, "Tableau de bord");
  await page.getByRole("heading", { name: "Un avis à 2 étoiles vous attend" }).waitFor();

  /** Goes on without loading the application again. */
  const open = async (path: string) => {
    await page.evaluate((to) => history.pushState({}, "", to), path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  };
  expect(await wrongIn(page, READS)).toEqual([]);
  const readable: [path: string, title: string][] = [
    ["/customers", "Clients"],
    [`/customers/${customer?.id}?edit=true`, "Anaïs Le Goff 1"],
    ["/campaigns", "Campagnes"],
    [`/campaigns/${campaign.id}`, "La roue du comptoir"],
    ["/rewards", "Récompenses"],
    [`/rewards/${reward?.id}/codes`, "Codes : Café offert"],
    ["/stores", "Magasins"],
    ["/settings", "Paramètres"],
    ["/settings/team", "Équipe"],
  ];
  for (const [path, title] of readable) {
    await open(path);
    await titled(page, title);
    expect(await wrongIn(page, READS), path).toEqual([]);
  }

  await page.goto("/campaigns/new");
  await titled(page, "Vous n'avez pas accès à cette page");
  await checkLightAndDark(page, "no access");
  for (const path of [
    `/campaigns/${campaign.id}/edit`,
    "/rewards/new",
    `/rewards/${reward?.id}/edit`,
    "/stores/new",
    `/stores/${storeId}/settings`,
    "/settings/api",
    "/settings/audit",
    "/team/invite",
  ]) {
    await open(path);
    await titled(page, "Vous n'avez pas accès à cette page");
  }
  await page.getByRole("link", { name: "Retour au tableau de bord" }).click();
  await titled(page, "Tableau de bord");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Récompenses" }).waitFor();
  expect(await page.getByRole("option", { name: /Nouve|Tarifs|Caisse/ }).count()).toBe(0);
});

it("whoever may not see campaigns finds no posters beside their figures, and the figures at a typed address", async () => {
  const { campaign, ...shop } = await createShop(app.sql);
  const permissions = ["activity.read", "reviews.read", "stores.read"];
  await giveRole(app.sql, shop.users.member, { orgId: shop.id, permissions });
  const { page } = await app.phone();
  await enter(app, page, shop.users.member);
  const tabs = page.getByRole("navigation", { name: "Pages de la campagne" });
  for (const [tab, open] of [
    ["", "ensemble"],
    ["?tab=posters", "ensemble"],
    ["?tab=reviews", "Avis"],
  ] as const) {
    await page.goto(`/campaigns/${campaign.id}${tab}`);
    await titled(page, "La roue du comptoir");
    await tabs.locator("[aria-current=page]").filter({ hasText: open }).waitFor();
    expect(await tabs.getByRole("link").count(), tab).toBe(2);
  }
});
