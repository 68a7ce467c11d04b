import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createPointsReward } from "../harness/fixtures.ts";
import { titled } from "./support/account.ts";
import {
  arriveAt,
  field,
  giveDetails,
  goToWheel,
  press,
  rate,
  star,
  win,
} from "./support/customer.ts";
import { enter, haveCustomers, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp, unscripted } from "./support/test-app.ts";
import { checkCode, openTill, signIn, tillSays } from "./support/till.ts";
import { hiddenOn, SCREENS, type Screen } from "./support/zoom.ts";

/**
 * Screens with letters twice as large: nothing is cut, covered or beyond the edge (WCAG 1.4.10,
 * 2.4.11).
 */

const app = setUpTestApp();

const screens: Screen[] = ["computer at 200 %", "phone at 200 %", "phone"];

/** Collects what is hidden, and on a phone what axe finds, all at once. */
function collector(page: Page, screen: Screen) {
  const wrong: string[] = [];
  const look = async (what: string) => {
    const found = await hiddenOn(page, screen);
    if (screen === "phone at 200 %") found.push(...(await accessibilityProblems(page)));
    wrong.push(...found.map((line) => `${what}: ${line}`));
  };
  return { wrong, look };
}

/** The same for what a customer sees, and at the width of a phone that is shown twice as large. */
const customerScreens: Screen[] = [...screens, "phone of 390 px at 200 %"];

describe.each(customerScreens)("a customer on a %s", { timeout: 150_000 }, (screen) => {
  const context = { viewport: SCREENS[screen] };

  it("sees every step", async () => {
    const shop = await createShop(app.sql, {
      store: { reviewMode: "gating" },
      campaign: { playIntervalDays: 30 },
    });
    const { page } = await app.phone({ context, expected: refusing(404) });
    const { wrong, look } = collector(page, screen);
    await page.goto(shop.door);
    await arriveAt(page, "form");
    await look("form");
    await press(page, "Continuer");
    await page.getByText("Le prénom est requis").waitFor();
    for (const fold of await page.locator("main summary").all()) await fold.click();
    await look("mistakes");
    await giveDetails(page);
    await look("stars");
    await star(page, 4).click();
    await arriveAt(page, "google");
    await look("public review");
    await press(page, "Continuer sans avis public");
    await arriveAt(page, "ready");
    await look("ready");
    await goToWheel(page);
    await look("wheel");
    await win(page);
    await look("ticket");
    await page.goto(shop.door);
    await page.getByRole("article").waitFor();
    await look("already played");
    for (const path of [`${shop.door}/gain`, `${shop.door}/reglement`, `/org/${shop.slug}`]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look(path.replace(shop.door, ""));
    }
    await page.goto("/c/rien");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await look("closed");
    expect(wrong).toEqual([]);
  });

  it("sees the message, the free entry and the loss", async () => {
    const shop = await createShop(app.sql, { wheel: "loses" });
    const { page } = await app.phone({ context });
    const { wrong, look } = collector(page, screen);
    await rate(page, shop, 1);
    await arriveAt(page, "feedback");
    await look("message");
    await page.goto(`${shop.door}/play?entry=libre`);
    await arriveAt(page, "name");
    await look("name");
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await arriveAt(page, "contact");
    await look("contact");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await press(page, "Lancer la roue");
    await arriveAt(page, "loss");
    await look("loss");
    expect(wrong).toEqual([]);
  });

  it("sees points, what they are worth, the code for them, and what stops a spin", async () => {
    const shop = await createShop(app.sql, {
      wheel: "points",
      reward: { metadata: { points: 80 } },
      campaign: { playIntervalDays: 30 },
    });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Café", cost: 50 });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Dessert", cost: 120 });
    await app.sql`
      insert into private.check_settings (org_id, campaign_id, presence)
      values (${shop.id}, ${shop.campaign.id}, 'word')`;
    const { page } = await app.phone({ context, expected: refusing(422) });
    const { wrong, look } = collector(page, screen);
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await press(page, "Lancer la roue");
    await field(page, "Mot du jour").fill("x");
    await press(page, "Valider et lancer la roue");
    await page
      .getByText("Ce n'est pas ce qui est affiché en ce moment.", { exact: false })
      .waitFor();
    await look("presence");
    const [today] = await app.sql<{ word: string }[]>`
      select private.presence_word(presence_key, (now() at time zone 'Europe/Paris')::date) as word
      from private.check_settings where campaign_id = ${shop.campaign.id}`;
    await field(page, "Mot du jour").fill(today?.word ?? "");
    await press(page, "Valider et lancer la roue");
    await arriveAt(page, "win");
    await look("points");
    const points = page.getByRole("region", { name: "Vos points" });
    await points.getByRole("button", { name: "Échanger contre Café" }).click();
    await look("exchange");
    await points.getByRole("button", { name: "Oui, échanger" }).click();
    await points.locator("article code").waitFor();
    await look("code for points");
    await page.goto(`${shop.door}/gain`);
    await points.locator("article code").waitFor();
    await look("kept points");
    expect(wrong).toEqual([]);
  });
});

describe.each(screens)("on a %s", { timeout: 150_000 }, (screen) => {
  const context = { viewport: SCREENS[screen] };

  it("a visitor sees the public pages, and a cashier the till", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ context, expected: refusing(400) });
    const { wrong, look } = collector(page, screen);
    for (const path of ["/", "/pricing", "/contact", "/statut", "/legal/cookies", "/auth"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await look(path);
    }
    await page.goto("/auth?mode=signup");
    await titled(page, "Créer un compte");
    await look("sign-up");
    await page.goto("/encaisser");
    await signIn(page, { email: "zoe@" }, "");
    await page.getByRole("alert").waitFor();
    await look("sign-in of the till");
    await openTill(app, page, shop.users.cashier);
    await look("till");
    await checkCode(page, "WINAAAAAAAA");
    await tillSays(page, "Code inconnu");
    await look("answer of the till");
    expect(wrong).toEqual([]);
  });

  it("a merchant sees every screen", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 2] });
    const [customer] = await app.sql<{ id: string; name: string }[]>`
      select id, name from public.customers where org_id = ${shop.id} order by created_at limit 1`;
    if (!customer) throw new Error("Nobody came.");
    const { page } = await app.desktop({ context, expected: unscripted });
    await enter(app, page, shop.users.owner);
    await page.goto("/dashboard");
    await titled(page, "Tableau de bord");
    const { wrong, look } = collector(page, screen);
    await look("dashboard");
    const [campaign, reward, store] = [
      `/campaigns/${shop.campaign.id}`,
      `/rewards/${shop.reward?.id}`,
      `/stores/${shop.storeId}`,
    ];
    for (const [path, title] of [
      ["/customers", "Clients"],
      [`/customers/${customer.id}`, customer.name],
      [`/customers/${customer.id}?edit=true`, customer.name],
      ["/rewards", "Récompenses"],
      ["/rewards/new", "Nouvelle récompense"],
      ["/rewards/points", "Cadeaux contre des points"],
      [`${reward}/edit`, "Modifier la récompense"],
      [`${reward}/codes`, "Codes : Café offert"],
      [`${reward}/stats`, "Statistiques : Café offert"],
      ["/stores", "Magasins"],
      ["/stores/new", "Nouveau magasin"],
      [`${store}/edit`, "Modifier le magasin"],
      [`${store}/settings`, `Paramètres : ${shop.storeName}`],
      [`${store}/stats`, `Statistiques : ${shop.storeName}`],
      ["/campaigns", "Campagnes"],
      ["/campaigns/new", "Nouvelle campagne"],
      [campaign, "La roue du comptoir"],
      [`${campaign}/edit?part=wheel`, "La roue du comptoir"],
      [`${campaign}/edit?part=settings`, "La roue du comptoir"],
      [`${campaign}?tab=posters`, "La roue du comptoir"],
      [`${campaign}?tab=reviews`, "La roue du comptoir"],
      [`${campaign}/edit`, "Modifier la campagne"],
      ["/reviews", "Avis"],
      ["/settings", "Paramètres"],
      ["/settings?section=notifications", "Paramètres"],
      ["/settings?section=subscription", "Paramètres"],
      ["/settings?section=data", "Paramètres"],
      ["/settings/brand", "Votre marque"],
      ["/settings/audit", "Journal d'activité"],
      ["/settings/password", "Mot de passe"],
      ["/settings/2fa", "Double authentification"],
      ["/settings/team", "Équipe"],
      ["/settings/roles", "Rôles"],
      ["/settings/api", "API"],
      ["/team/invite", "Inviter un membre"],
    ] as const) {
      await page.evaluate((to) => history.pushState({}, "", to), path);
      await titled(page, title);
      await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
      await look(path.replace(/[0-9a-f-]{36}/, "…"));
    }
    expect(wrong).toEqual([]);
  });
});

describe.each([...screens, "computer at 400 %"] as const)("on a %s, a merchant", (screen) => {
  const context = { viewport: SCREENS[screen] };

  it("reads the whole of a menu, and of a window above the page", { timeout: 90_000 }, async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      update public.organizations set name = ${"Anticonstitutionnellement".repeat(4)} where id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/rewards", { context });
    const { wrong, look } = collector(page, screen);
    for (const [path, title] of [
      ["/rewards", "Récompenses"],
      ["/campaigns", "Campagnes"],
      ["/stores", "Magasins"],
      ["/settings/team", "Équipe"],
    ] as const) {
      await page.evaluate((to) => history.pushState({}, "", to), path);
      await titled(page, title);
      await page
        .getByRole("button", { name: /^Actions pour/ })
        .first()
        .click();
      await page.getByRole("menu").waitFor();
      await look(`menu of ${path}`);
    }
    for (const [path, title, action] of [
      ["/settings/api", "API", "Créer une clé"],
      ["/settings/roles", "Rôles", "Créer un rôle"],
      ["/settings?section=data", "Paramètres", "Supprimer l'organisation"],
      ["/settings", "Paramètres", "Menu"],
    ] as const) {
      // A computer's width has no such menu.
      if (action === "Menu" && screen.startsWith("computer at 2")) continue;
      await page.evaluate((to) => history.pushState({}, "", to), path);
      await titled(page, title);
      await page.getByRole("button", { name: action, exact: true }).click();
      await page.getByRole("dialog").waitFor();
      await look(action);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(wrong).toEqual([]);
  });
});
