import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { mayOpen, SCREENS, type Screen } from "../../web/lib/screens.ts";
import { createRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter, haveCustomers } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Somebody whose role reads everything and changes nothing: no screen offers what the platform would refuse. */

const app = setUpTestApp();

const READS = ["activity", "campaigns", "codes", "customers", "rewards", "stores", "team"].map(
  (subject) => `${subject}.read`,
);

/** Words of what changes something; what is one's own (notifications, account, leaving) has others. */
const CHANGES =
  /Supprimer|Modifier|Dupliquer|Archiver|Restaurer|Inviter|Effacer|Valider|Utiliser|Ajouter|Nouve|Créer|Exporter toutes|Changer|Transférer|Marquer/;

const SCREEN_NAMES = Object.keys(SCREENS).filter((name): name is Screen =>
  Object.hasOwn(SCREENS, name),
);

/** The screen of an address; a word in its path goes before what stands for any. */
function screenAt(path: string): Screen | undefined {
  const fits = SCREEN_NAMES.filter((name) =>
    new RegExp(`^${name.replaceAll(/\$\w+/g, "[^/]+")}$`).test(path),
  );
  return fits.find((name) => name === path) ?? fits[0];
}

/** Addresses that a page leads to and is closed to the reader, and controls that say they change something. */
async function wrongIn(page: Page, permissions: readonly string[] = READS): Promise<string[]> {
  for (const menu of await page.getByRole("main").locator("[aria-haspopup=menu]").all()) {
    await menu.click();
    break;
  }
  const paths = await page
    .locator("a[href^='/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("?")[0] ?? ""));
  const closed = paths.filter((path) => {
    const screen = screenAt(path);
    // The badge of the plan leads everybody to the prices (specification, section 2.9).
    return screen !== undefined && screen !== "/pricing" && !mayOpen(permissions, screen);
  });
  const controls = await page
    .getByRole("main")
    .locator("button, a, [role=menuitem], [role=switch]")
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""),
    );
  return [...closed, ...controls.filter((name) => CHANGES.test(name))];
}

it("whoever may only read finds no way to change anything, and is told so at a typed address", async () => {
  const { sql } = app;
  const { campaign, storeId, reward, ...shop } = await createShop(sql);
  await haveCustomers(sql, campaign, { cashier: shop.users.cashier, ratings: [2] });
  await sql`update public.rewards set stock = 1 where id = ${reward?.id ?? ""}`;
  await sql`update public.stores set google_review_url = null where id = ${storeId}`;
  const [customer] = await sql`select id from public.customers where org_id = ${shop.id}`;
  const role = await createRole(sql, { orgId: shop.id, permissions: READS });
  await sql`update public.organization_members set role = ${role} where user_id = ${shop.users.member.id}`;
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
  expect(await wrongIn(page)).toEqual([]);
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
    expect(await wrongIn(page), path).toEqual([]);
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

it("whoever may not see customers reads figures and « un client », and meets no way that is closed", async () => {
  const { sql } = app;
  const { campaign, reward, ...shop } = await createShop(sql);
  await haveCustomers(sql, campaign, { cashier: shop.users.cashier, ratings: [2, 5] });
  const permissions = ["activity.read", "campaigns.read", "rewards.read", "stores.read"];
  const role = await createRole(sql, { orgId: shop.id, permissions });
  await sql`update public.organization_members set role = ${role} where user_id = ${shop.users.member.id}`;
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
  const rows = page.getByRole("listitem").filter({ hasText: codes[0]?.code ?? "none" });
  await rows.getByText("Émis le").waitFor();
  expect(await rows.getByText("Client", { exact: true }).count()).toBe(0);
  expect(await main.textContent()).not.toMatch(/Anaïs|Anonyme/);
  await page.getByPlaceholder("Début du code...").fill("Anaïs");
  await page.getByText("Aucun code trouvé").waitFor();
});
