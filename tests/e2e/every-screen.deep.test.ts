import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { titled } from "./support/account.ts";
import { breakFunction, breakReading } from "./support/faults.ts";
import { enter, failingToLoad, haveCustomers } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { setUpTestApp, unscripted } from "./support/test-app.ts";

/**
 * Every screen of the back-office, light and dark, on a computer and on a phone, with the menus and windows that matter;
 * and every screen that cannot be loaded. The application is loaded once a test: what follows are its own ways.
 */

const app = setUpTestApp();

const COMPUTER = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 568 };

async function resize(page: Page, size: typeof PHONE): Promise<void> {
  await page.setViewportSize(size);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(size.width);
}

/** Goes to another screen and waits until it shows what it is for, and no more the shape of it. */
async function open(page: Page, path: string, title: string): Promise<void> {
  await resize(page, COMPUTER);
  await page.evaluate((to) => history.pushState({}, "", to), path);
  await titled(page, title);
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
}

/**
 * Faults of the page as it stands, in both lights and at both sizes; all at once, to mend it in one
 * go.
 */
async function wrongIn(page: Page, what: string): Promise<string[]> {
  const wrong: string[] = [];
  const look = async (where: string, rules: "all" | "looks") => {
    const found = await accessibilityProblems(page, { looksOnly: rules === "looks" });
    wrong.push(...found.map((problem) => `${what}, ${where}: ${problem}`));
  };
  await look("computer", "all");
  await page.emulateMedia({ colorScheme: "dark" });
  await look("computer, dark", "looks");
  await resize(page, PHONE);
  await look("phone, dark", "all");
  await page.emulateMedia({ colorScheme: "light" });
  await look("phone", "looks");
  await resize(page, NARROW);
  // A page takes a moment to settle in another width.
  const isTooWide = await page
    .waitForFunction((most) => document.documentElement.scrollWidth <= most, NARROW.width)
    .then(
      () => false,
      () => true,
    );
  if (isTooWide) wrong.push(`${what}, narrow: wider than ${NARROW.width} px`);
  await resize(page, COMPUTER);
  return wrong;
}

/** A shop with something on every screen, and its owner's page on the dashboard. */
async function enterShop(plan: "free_trial" | "pro" = "pro") {
  const shop = await createShop(app.sql, { plan });
  await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 2] });
  const { page } = await app.desktop({
    expected: (problem) => failingToLoad(problem) || unscripted(problem),
  });
  await enter(app, page, shop.users.owner);
  await page.goto("/dashboard");
  await titled(page, "Tableau de bord");
  const [customer] = await app.sql<{ id: string; name: string }[]>`
    select id, name from public.customers where org_id = ${shop.id} order by created_at limit 1`;
  if (!customer) throw new Error("Nobody came.");
  return { shop, page, customer };
}

/** Paths and titles of what is about one thing. */
function pathsOf({ campaign, storeId, reward }: Shop) {
  return {
    campaign: `/campaigns/${campaign.id}`,
    reward: `/rewards/${reward?.id}`,
    store: `/stores/${storeId}`,
  };
}

describe("can be read by everybody", { timeout: 150_000 }, () => {
  it("what a shop looks at", async () => {
    const { shop, page, customer } = await enterShop();
    const { campaign, reward, store } = pathsOf(shop);
    const wrong = await wrongIn(page, "dashboard");
    for (const [path, title] of [
      [`/customers/${customer.id}`, customer.name],
      [campaign, "La roue du comptoir"],
      [`${reward}/codes`, "Codes : Café offert"],
      [`${reward}/stats`, "Statistiques : Café offert"],
      [`${store}/stats`, `Statistiques : ${shop.storeName}`],
    ] as const) {
      await open(page, path, title);
      wrong.push(...(await wrongIn(page, path)));
    }
    expect(wrong).toEqual([]);
  });

  it("what a shop lists", async () => {
    const { shop, page } = await enterShop();
    const wrong: string[] = [];
    await open(page, "/customers", "Clients");
    await page.getByRole("button", { name: "Filtres" }).click();
    await page.getByLabel("Consentement", { exact: true }).waitFor();
    wrong.push(...(await wrongIn(page, "customers with filters")));
    for (const [path, title, name] of [
      ["/rewards", "Récompenses", "Café offert"],
      ["/stores", "Magasins", shop.storeName],
      ["/campaigns", "Campagnes", "La roue du comptoir"],
    ] as const) {
      await open(page, path, title);
      await page.getByRole("button", { name: `Actions pour ${name}` }).click();
      wrong.push(...(await wrongIn(page, `${path} with a menu`)));
    }
    // The widths of a phone have rows of their own: what was open in a table's is closed.
    await page.getByRole("button", { name: "Actions pour La roue du comptoir" }).click();
    await page.getByRole("menuitem", { name: "QR Code" }).click();
    await page.getByRole("img", { name: /^QR code qui mène/ }).waitFor();
    wrong.push(...(await wrongIn(page, "QR code")));
    expect(wrong).toEqual([]);
  });

  it("what a shop fills in", async () => {
    const { shop, page } = await enterShop();
    const { campaign, reward } = pathsOf(shop);
    const wrong: string[] = [];
    for (const [path, title] of [
      [`${campaign}/edit`, "Modifier la campagne"],
      [`${campaign}?tab=posters`, "La roue du comptoir"],
      [`${campaign}?tab=reviews`, "La roue du comptoir"],
      ["/rewards/new", "Nouvelle récompense"],
      [`${reward}/edit`, "Modifier la récompense"],
      ["/campaigns/new", "Nouvelle campagne"],
    ] as const) {
      await open(page, path, title);
      wrong.push(...(await wrongIn(page, path)));
    }
    expect(wrong).toEqual([]);
  });

  it("what a shop says of itself and of its customers", async () => {
    const { shop, page, customer } = await enterShop();
    const { store } = pathsOf(shop);
    const wrong: string[] = [];
    for (const [path, title] of [
      [`${store}/edit`, "Modifier le magasin"],
      [`${store}/settings`, `Paramètres : ${shop.storeName}`],
      [`/customers/${customer.id}?edit=true`, customer.name],
    ] as const) {
      await open(page, path, title);
      wrong.push(...(await wrongIn(page, path)));
    }
    await open(page, "/stores/new", "Nouveau magasin");
    await page.getByLabel("Nom du magasin").press("Enter");
    await page.getByText("Indiquez le nom du magasin.").waitFor();
    wrong.push(...(await wrongIn(page, "a form with mistakes")));
    expect(wrong).toEqual([]);
  });

  it("what is set once", async () => {
    const { page } = await enterShop();
    const wrong: string[] = [];
    for (const [path, title] of [
      ["/settings", "Paramètres"],
      ["/settings?section=stores", "Paramètres"],
      ["/settings?section=notifications", "Paramètres"],
      ["/settings?section=subscription", "Paramètres"],
      ["/settings?section=data", "Paramètres"],
      ["/settings/brand", "Votre marque"],
      ["/reviews", "Avis"],
      ["/settings/audit", "Journal d'activité"],
      ["/settings/password", "Mot de passe"],
      ["/settings/sessions", "Appareils connectés"],
      ["/settings/2fa", "Double authentification"],
      ["/settings/account", "Mes données"],
      ["/team/invite", "Inviter un membre"],
      ["/settings/team", "Équipe"],
    ] as const) {
      await open(page, path, title);
      wrong.push(...(await wrongIn(page, path)));
    }
    expect(wrong).toEqual([]);
  });

  it("what opens above a screen", async () => {
    const { page } = await enterShop();
    const wrong: string[] = [];
    for (const [path, title, action] of [
      ["/settings/api", "API", "Créer une clé"],
      ["/settings/roles", "Rôles", "Créer un rôle"],
    ] as const) {
      await open(page, path, title);
      await page.getByRole("button", { name: action }).click();
      await page.getByRole("dialog").waitFor();
      wrong.push(...(await wrongIn(page, action)));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Paramètres", exact: true }).waitFor();
    wrong.push(...(await wrongIn(page, "search")));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await resize(page, PHONE);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    wrong.push(...(await wrongIn(page, "menu of a phone")));
    expect(wrong).toEqual([]);
  });

  it("what is empty, locked, not found or not loaded", async () => {
    const { shop, page } = await enterShop("free_trial");
    const { campaign } = pathsOf(shop);
    const wrong: string[] = [];
    await open(page, campaign, "La roue du comptoir");
    await page.getByRole("heading", { name: "Inclus dans les plans Basic et Pro" }).waitFor();
    wrong.push(...(await wrongIn(page, "locked")));
    await open(page, "/customers?q=personne", "Clients");
    await page.getByText("Aucun client trouvé pour cette recherche").waitFor();
    wrong.push(...(await wrongIn(page, "no match")));
    await open(page, `/customers/${randomUUID()}`, "Client non trouvé");
    wrong.push(...(await wrongIn(page, "not found")));
    await app.sql`update public.campaigns set archived_at = now(), active = false where org_id = ${shop.id}`;
    await open(page, "/rewards/new", "Nouvelle récompense");
    await page.getByText("Aucune campagne active trouvée").waitFor();
    wrong.push(...(await wrongIn(page, "empty")));
    await breakFunction(app.sql, "store_list");
    await open(page, "/stores", "Cette page ne se charge pas");
    wrong.push(...(await wrongIn(page, "not loaded")));
    expect(wrong).toEqual([]);
  });
});

it("every screen that cannot be loaded says so, and loads when asked again", async () => {
  const { shop, page, customer } = await enterShop();
  const { reward, store } = pathsOf(shop);
  const screens: [path: string, request: string, sentence: string, title: string][] = [
    [
      `/customers/${customer.id}`,
      "rpc/customer_detail",
      "Erreur lors du chargement des données",
      customer.name,
    ],
    [
      `${reward}/edit`,
      "public.rewards",
      "Erreur lors du chargement des données",
      "Modifier la récompense",
    ],
    [
      `${store}/edit`,
      "public.stores",
      "Erreur lors du chargement des établissements",
      "Modifier le magasin",
    ],
    [
      `${store}/stats`,
      "rpc/store_stats",
      "Erreur lors du chargement des statistiques",
      `Statistiques : ${shop.storeName}`,
    ],
    ["/settings/roles", "rpc/team", "Erreur lors du chargement de l'équipe", "Rôles"],
    ["/settings/api", "rpc/api_keys", "Erreur lors du chargement des clés", "API"],
    [
      "/settings/audit",
      "rpc/audit_trail",
      "Erreur lors du chargement du journal",
      "Journal d'activité",
    ],
  ];
  for (const [path, request, sentence, title] of screens) {
    const mend = request.startsWith("rpc/")
      ? await breakFunction(app.sql, request.slice(4))
      : await breakReading(app.sql, request);
    await page.evaluate((to) => history.pushState({}, "", to), path);
    const problem = page.getByRole("alert").filter({ hasText: sentence });
    await problem.waitFor();
    await mend();
    await problem.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, title);
    await problem.waitFor({ state: "detached" });
  }
});
