import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { UNSAVED_KEY } from "../../web/lib/device-memory.ts";
import type { User } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, enter } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { sessionRefused, setUpTestApp, unreachable, unscripted } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** A session that ends in mid-form: what was typed waits in the tab for the same person. */

const app = setUpTestApp();
const ENDED = "Votre session est terminée. Connectez-vous pour continuer.";
const WAITS = "Ce que vous étiez en train de saisir vous attend.";
const FOUND = "Votre saisie a été retrouvée. Elle n'est pas encore enregistrée.";
const OUTDATED =
  "Ces informations ont changé entre-temps : vérifiez avant d'enregistrer, ou effacez votre saisie pour les voir.";

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const label = (page: Page, place: number) =>
  page.getByRole("group", { name: `Segment ${place}` }).getByLabel("Texte");
const nameOf = (page: Page) => field(page, "Nom de la campagne").inputValue();
const kept = (page: Page) => page.evaluate((key) => sessionStorage.getItem(key), UNSAVED_KEY);

async function open(user: User, path: string): Promise<Page> {
  const { page } = await app.desktop({
    expected: (problem) =>
      sessionRefused(problem) || unscripted(problem) || unreachable("logout")(problem),
  });
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

/** Opens the editor of the shop's campaign and changes its name and its wheel. */
async function beginEditing(shop: Shop): Promise<Page> {
  const page = await open(shop.users.member, `/campaigns/${shop.campaign.id}/edit`);
  await field(page, "Nom de la campagne").fill("Roue de Noël");
  await label(page, 1).fill("Bûche");
  return page;
}

async function signOutInAnotherTab(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto("/dashboard");
  await press(other, "Se déconnecter");
  await titled(page, "Connexion");
  await other.close();
}

describe("the editor of a campaign", () => {
  it("has what was typed back after a sign-out in another tab, and saves it", async () => {
    const shop = await createShop(app.sql);
    const page = await beginEditing(shop);
    expect(await kept(page)).toBeNull();
    await signOutInAnotherTab(page);
    await page.getByText(ENDED, { exact: true }).waitFor();
    await page.getByText(WAITS, { exact: true }).waitFor();
    // The way in may lead over other pages.
    await page.reload();
    await signIn(page, shop.users.member);
    await page.getByText(FOUND).waitFor();
    expect(await page.getByText(OUTDATED).count()).toBe(0);
    await expect.poll(() => nameOf(page)).toBe("Roue de Noël");
    await expect.poll(() => label(page, 1).inputValue()).toBe("Bûche");
    await expect.poll(() => kept(page)).toBeNull();
    await checkLightAndDark(page, "input found");
    await press(page, "Enregistrer");
    await arrives(page, "/campaigns");
    const [row] = await app.sql`
      select c.name, s.label from public.campaigns c join public.wheel_segments s
        on s.campaign_id = c.id and s.label = 'Bûche' where c.id = ${shop.campaign.id}`;
    expect(row).toEqual({ name: "Roue de Noël", label: "Bûche" });
  });

  it("says what another saved meanwhile, and gives up what was typed when asked", async () => {
    const shop = await createShop(app.sql);
    const page = await beginEditing(shop);
    await signOutInAnotherTab(page);
    await app.sql`
      update public.campaigns set name = 'Roue de Pâques' where id = ${shop.campaign.id}`;
    await signIn(page, shop.users.member);
    await page.getByText(OUTDATED).waitFor();
    await press(page, "Effacer ma saisie");
    await page.locator(":focus").getByText("Votre saisie est effacée.").waitFor();
    expect(await nameOf(page)).toBe("Roue de Pâques");
    expect(await label(page, 1).inputValue()).not.toBe("Bûche");
  });

  it("shows nothing of it to another user of the browser, and keeps it no longer", async () => {
    const shop = await createShop(app.sql);
    const page = await beginEditing(shop);
    await signOutInAnotherTab(page);
    expect(await kept(page)).toContain("Bûche");
    await signIn(page, shop.users.admin);
    await titled(page, "Modifier la campagne");
    await expect.poll(() => nameOf(page)).toBe("La roue du comptoir");
    expect(await page.getByText(FOUND).count()).toBe(0);
    expect(await kept(page)).toBeNull();
  });

  it("keeps it through a sign-out that fails, and forgets it with the one that does not", async () => {
    const shop = await createShop(app.sql);
    const page = await beginEditing(shop);
    await signOutInAnotherTab(page);
    await page.goto("/auth");
    await signIn(page, shop.users.member);
    await arrives(page, "/dashboard");
    expect(await kept(page)).toContain("Bûche");
    await loseRequest(page, "**/auth/v1/logout*");
    await press(page, "Se déconnecter");
    await page.getByRole("alert").first().waitFor();
    expect(await kept(page)).toContain("Bûche");
    await press(page, "Se déconnecter");
    await titled(page, "Connexion");
    expect(await kept(page)).toBeNull();
  });

  it("keeps nothing of whoever signs out here", async () => {
    const shop = await createShop(app.sql);
    const page = await beginEditing(shop);
    await press(page, "Se déconnecter");
    await titled(page, "Connexion");
    expect(await page.getByText(WAITS).count()).toBe(0);
    expect(await kept(page)).toBeNull();
  });
});

/** Text typed in one of the forms, and the field in which it is looked for. */
type Typing = { path: string; field: (page: Page) => Locator; value: string; open?: string };

const labelled = (path: string, name: string, value: string, open?: string): Typing => ({
  path,
  field: (page) => field(page, name),
  value,
  ...(open !== undefined && { open }),
});

async function fillIn(page: Page, { path, field: fieldOf, value, open }: Typing): Promise<void> {
  await page.goto(path);
  if (open !== undefined) await press(page, open);
  const control = fieldOf(page);
  await control.waitFor();
  const isChoice = await control.evaluate((element) => element instanceof HTMLSelectElement);
  await (isChoice ? control.selectOption(value) : control.fill(value));
}

it("every form has what was typed back when the platform refuses the session", async () => {
  const shop = await createShop(app.sql);
  const { owner } = shop.users;
  const { review_id: reviewId } = await review(app.sql, {
    campaignId: shop.campaign.id,
    firstName: "Anaïs",
    lastName: "Le Goff",
    rating: 5,
  });
  const [customer] = await app.sql`select id from public.customers where org_id = ${shop.id}`;
  const dialog = (page: Page) => page.getByRole("dialog");
  const typings: Typing[] = [
    labelled("/campaigns/new", "Nom de la campagne", "Fête"),
    labelled(`/campaigns/${shop.campaign.id}`, "Panier moyen, en euros", "12,50"),
    labelled(`/rewards/${shop.reward?.id}/edit`, "Nom", "Thé offert"),
    labelled("/stores/new", "Nom du magasin", "L'Annexe"),
    labelled(`/stores/${shop.storeId}/edit`, "Nom du magasin", "Le Grand Comptoir"),
    labelled(`/stores/${shop.storeId}/settings`, "Fuseau horaire", "Indian/Reunion"),
    labelled(`/customers/${customer?.id}`, "Note privée", "Préfère le thé.", "Modifier"),
    labelled("/team/invite", "Adresse e-mail", "camille@exemple.fr"),
    labelled("/settings", "Nom de l'organisation", "Le Comptoir d'Été"),
    labelled("/settings/brand", "Code de la couleur", "#aabbcc"),
    labelled("/rewards/points", "Nom", "Thé vert", "Nouveau cadeau"),
    {
      path: `/reviews?answer=${reviewId}`,
      field: (page) => dialog(page).getByRole("textbox").first(),
      value: "Un mot d'excuse",
      open: "Modifier les modèles",
    },
    {
      path: "/settings/roles",
      field: (page) => dialog(page).getByRole("combobox", { name: "Campagnes" }),
      value: "2",
      open: "Créer un rôle",
    },
    {
      path: "/settings/api",
      field: (page) => dialog(page).getByRole("textbox", { name: "Nom" }),
      value: "Tableau de bord maison",
      open: "Créer une clé",
    },
  ];
  // One tab a form, of one browser: all lose their session at once.
  const first = await open(owner, "/rewards/new");
  await field(first, "Nom").fill("Gâteau offert");
  await field(first, "Remise, en %").fill("10");
  const tabs: { page: Page; typing: Typing }[] = [];
  for (const typing of typings) {
    const page = await first.context().newPage();
    await fillIn(page, typing);
    tabs.push({ page, typing });
  }
  await app.sql`delete from auth.sessions where user_id = ${owner.id}`;
  await press(first, "Créer la récompense");
  for (const { page } of [{ page: first }, ...tabs]) await titled(page, "Connexion");
  await signIn(first, owner);

  for (const { page, typing } of tabs) {
    await page.getByText(FOUND, { exact: true }).waitFor();
    const message = typing.path;
    await expect.poll(() => typing.field(page).inputValue(), { message }).toBe(typing.value);
    expect(await page.getByText(OUTDATED).count(), message).toBe(0);
    await expect.poll(() => kept(page), { message }).toBeNull();
  }
  await first.getByText(FOUND).waitFor();
  expect(await app.sql`select from public.rewards where name = 'Gâteau offert'`).toHaveLength(0);
  await press(first, "Créer la récompense");
  await arrives(first, "/rewards");
  expect(await app.sql`select from public.rewards where name = 'Gâteau offert'`).toHaveLength(1);
});
