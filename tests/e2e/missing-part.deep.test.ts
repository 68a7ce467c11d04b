import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Problem } from "../harness/browser.ts";
import { titled } from "./support/account.ts";
import { arriveAt, field, press, writeDetails } from "./support/customer.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

/** Parts of the application that do not load: the network lost them, or a new release took them away. */

const app = setUpTestApp();

const OOPS = "Oops! Une erreur est survenue";

/** The screens' own scripts; what every page starts with is there already. */
const SCREEN = /\/assets\/customers-[^/]+\.js$/;

function cut(problem: Problem): boolean {
  return lost("/assets/")(problem) || problem.kind === "console";
}

async function openDashboard(prepare: (page: Page) => Promise<void> = async () => {}) {
  const shop = await createShop(app.sql);
  const { page } = await app.desktop({ expected: cut });
  await enter(app, page, shop.users.owner);
  await prepare(page);
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.goto("/dashboard");
  const navigation = page.getByRole("navigation").first();
  await navigation.getByRole("link", { name: "Clients" }).waitFor();
  return { page, navigation, loads: () => loads };
}

it("a screen that does not load leaves the navigation and a way home, and comes when asked again", async () => {
  const { page, navigation, loads } = await openDashboard();
  await page.route(SCREEN, (route) => route.abort());
  await navigation.getByRole("link", { name: "Clients" }).click();
  await titled(page, OOPS);
  expect(await page.getByRole("link", { name: "Retour à l'accueil" }).getAttribute("href")).toBe(
    "/",
  );
  // No release came: nothing is loaded anew by itself, as it would be for nothing without a network.
  expect(loads()).toBe(1);
  await navigation.getByRole("link", { name: "Campagnes" }).click();
  await titled(page, "Campagnes");
  await navigation.getByRole("link", { name: "Clients" }).click();
  await titled(page, OOPS);
  await page.unroute(SCREEN);
  await page.getByRole("button", { name: "Réessayer" }).click();
  await titled(page, "Clients");
});

/** Makes of the first page, or the first `times`, that of an older release, whose first script had another name: nothing else differs. */
async function startOlderRelease(page: Page, document = "**/dashboard", times = 1): Promise<void> {
  let script = "";
  let left = times;
  await page.route(document, async (route) => {
    if (left === 0 || !route.request().isNavigationRequest()) return route.continue();
    left -= 1;
    const response = await route.fetch();
    const html = await response.text();
    script = /<script (?:type="module"[^>]* src|data-start)="([^"]+)"/.exec(html)?.[1] ?? "";
    await route.fulfill({ response, body: html.replace(script, "/assets/older.js") });
  });
  await page.route("**/assets/older.js", async (route) => {
    const response = await route.fetch({ url: new URL(script, app.server.url).href });
    await route.fulfill({ response });
  });
}

it("a screen of an older release comes of itself: the page is loaded once", async () => {
  const { page, navigation, loads } = await openDashboard(startOlderRelease);
  await page.route(SCREEN, (route) => (loads() === 1 ? route.abort() : route.continue()));
  await navigation.getByRole("link", { name: "Clients" }).click();
  await titled(page, "Clients");
  expect(loads()).toBe(2);
});

it("a part that stays away is asked for once, not for ever", async () => {
  const { page, navigation, loads } = await openDashboard(startOlderRelease);
  await page.route(SCREEN, (route) => route.abort());
  await navigation.getByRole("link", { name: "Clients" }).click();
  await expect.poll(loads).toBe(2);
  await titled(page, OOPS);
  await page.waitForLoadState("networkidle");
  expect(loads()).toBe(2);
});

it.each([
  [
    "the search",
    /\/assets\/palette-[^/]+\.js$/,
    async (page: Page) => {
      await page.getByRole("button", { name: "Chercher" }).click();
    },
    (page: Page) => page.getByRole("dialog", { name: "Aller à" }),
  ],
  [
    "what prints posters",
    /\/assets\/poster-renderer-[^/]+\.js$/,
    async (page: Page) => {
      await page.getByRole("navigation").first().getByRole("link", { name: "Campagnes" }).click();
      await page.getByRole("button", { name: "Actions pour La roue du comptoir" }).click();
      await page.getByRole("menuitem", { name: "Affiches à imprimer" }).click();
    },
    (page: Page) => page.getByRole("img", { name: "Aperçu : Affiche A4" }),
  ],
])(
  "a part within a screen of an older release, %s, is there at the second try",
  async (_, part, ask, found) => {
    const { page, loads } = await openDashboard(startOlderRelease);
    await page.route(part, (route) => (loads() === 1 ? route.abort() : route.continue()));
    // Until the new page is there, a press meets the one that it replaces.
    const replaced = page.waitForEvent("load");
    await ask(page);
    await replaced;
    await ask(page);
    await found(page).waitFor();
    expect(loads()).toBe(2);
  },
);

it.each([
  ["review", (door: string) => `${door}/review?source=qr`, "rating"],
  ["wheel", (door: string) => `${door}/play?entry=libre`, "contact"],
] as const)(
  "a customer's %s page of an older release comes anew, and keeps what was typed",
  async (_, addressAt, next) => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: cut });
    const address = addressAt(shop.door);
    await startOlderRelease(page, `**${address}*`);
    let loads = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.route("**/assets/lazy-parts*.js", (route) =>
      loads === 1 ? route.abort() : route.continue(),
    );
    await page.goto(address);
    await page.waitForLoadState("load");
    const replaced = page.waitForEvent("load");
    if (next === "rating")
      await writeDetails(page, { firstName: "Zoé", lastName: "Lambert", email: "zoe@exemple.fr" });
    else await field(page, "Votre nom").fill("Zoé Lambert");
    await press(page, "Continuer");
    await replaced;
    await press(page, "Continuer");
    await arriveAt(page, next);
    expect(loads).toBe(2);
  },
);

it("a customer's page that comes again of the release it has left is not loaded for ever", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ expected: cut });
  const address = `${shop.door}/play?entry=libre`;
  // Two processes behind a balancer, of which one still has the former release.
  await startOlderRelease(page, `**${address}*`, 9);
  await page.route("**/assets/lazy-parts*.js", (route) => route.abort());
  await page.goto(address);
  await page.waitForLoadState("load");
  let loads = 1;
  page.on("load", () => {
    loads += 1;
  });
  const replaced = page.waitForEvent("load");
  await field(page, "Votre nom").fill("Zoé Lambert");
  await press(page, "Continuer");
  await replaced;
  const looked = page.waitForResponse(
    (response) => response.url().endsWith(address) && !response.request().isNavigationRequest(),
  );
  await press(page, "Continuer");
  await looked;
  await page.waitForLoadState("networkidle");
  await page.getByText("Connexion interrompue").waitFor();
  expect(loads).toBe(2);
});
