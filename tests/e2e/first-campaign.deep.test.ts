import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  createCampaign,
  createOrganization,
  giveRole,
  type Organization,
} from "../harness/fixtures.ts";
import { scan } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { alerts, checkLightAndDark, NEW_PASSWORD, newAddress, titled } from "./support/account.ts";
import { joined } from "./support/channels.ts";
import { breakFunction } from "./support/faults.ts";
import { showsFocus, tabTo } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { arrives, enter } from "./support/member.ts";
import { loseAnswer, silenceChannels } from "./support/network.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** Steps 4 and 5 of the onboarding: a trade's prizes, the wheel, the poster and its first scan (specification, section 2.20). */

const app = setUpTestApp();

const START = "**/rpc/start_campaign";

type Options = Parameters<typeof app.desktop>[0];

/** A shop that has come as far as its store, and its owner's page at a step. */
async function beginning(path: string, options: Options = {}) {
  const shop = await createOrganization(app.sql, {
    plan: "free_trial",
    store: { name: "Le Comptoir des Halles" },
  });
  const { page } = await app.desktop(options);
  await enter(app, page, shop.users.owner);
  await page.goto(path);
  return { shop, page };
}

const label = (page: Page, place: number) => page.getByLabel("Ce que lit le client").nth(place);
const odds = (page: Page, place: number) => page.getByLabel("Probabilité en %").nth(place);
const create = (page: Page) => page.getByRole("button", { name: "Créer ma campagne" });

/** Stored campaigns of an organisation. */
async function stored({ id }: Organization) {
  const campaigns = await app.sql`
    select name, slug, active from public.campaigns where org_id = ${id} order by created_at`;
  const segments = await app.sql`
    select w.label, w.weight::int, r.name as prize, r.value::text as cost
    from public.wheel_segments w left join public.rewards r on r.id = w.reward_id
    where w.org_id = ${id} order by w.position`;
  return { campaigns: [...campaigns], segments: [...segments] };
}

describe("from sign-up to the poster", () => {
  it("takes 8 fields and 10 clicks at most", async () => {
    const email = newAddress();
    const { page } = await app.desktop();
    let clicks = 0;
    let fields = 0;
    const click = async (control: Locator) => {
      clicks += 1;
      await control.click();
    };
    const fill = async (control: Locator, text: string) => {
      fields += 1;
      await control.fill(text);
    };
    const press = (name: string) => click(page.getByRole("button", { name, exact: true }));
    const follow = (name: string) => click(page.getByRole("link", { name, exact: true }));

    await page.goto("/auth/signup");
    await fill(page.getByLabel("Nom complet"), "Nadia Roy");
    await fill(page.getByRole("textbox", { name: "Adresse e-mail" }), email);
    await fill(page.getByLabel("Mot de passe", { exact: true }), NEW_PASSWORD);
    await press("Créer mon compte");
    await titled(page, "Vérifiez votre boîte mail");
    // The link of the mail.
    clicks += 1;
    await page.goto(linkIn(app, await latestMail(app.server, email)));
    await titled(page, "Bienvenue sur Tournavis");
    await follow("Commencer");
    await fill(page.getByLabel("Nom de l'organisation"), "Maison Roy");
    await press("Continuer");
    await titled(page, "Votre magasin");
    await fill(page.getByLabel("Nom du magasin"), "Maison Roy Bastille");
    await fill(page.getByLabel("Adresse", { exact: true }), "12 rue de la Roquette, 75011 Paris");
    await press("Continuer");
    await titled(page, "Félicitations !");
    await follow("Choisir mes gains");
    await titled(page, "Votre métier");
    await follow("Boulangerie");
    await press("Créer ma campagne");
    await titled(page, "Votre affiche");
    await page.getByText("100%", { exact: true }).waitFor();
    const downloaded = page.waitForEvent("download");
    await press("Télécharger le PDF");
    const poster = await downloaded;
    expect((await readFile(await poster.path())).subarray(0, 5).toString()).toBe("%PDF-");
    expect({ clicks, fields }).toEqual({ clicks: 9, fields: 6 });

    // Addresses were made without asking, and customers can play.
    const [row] = await app.sql<{ name: string; slug: string; organization: string }[]>`
      select c.name, c.slug, o.slug as organization from public.campaigns c
      join public.organizations o on o.id = c.org_id where o.name = 'Maison Roy'`;
    expect(row).toEqual({
      name: "La roue, Maison Roy Bastille",
      slug: "maison-roy-bastille",
      organization: "maison-roy",
    });
    const { page: customer } = await app.phone();
    await customer.goto("/c/maison-roy-bastille/play?source=qr");
    await customer.getByLabel("Prénom").waitFor();
    await page.getByText("Premier scan reçu").waitFor();
  });
});

describe("the wheel of a trade", () => {
  it("is proposed, adjusted and made as it was adjusted", async () => {
    const { shop, page } = await beginning("/onboarding/campaign");
    await page.getByRole("link", { name: "Choisir mes gains" }).click();
    await titled(page, "Votre métier");
    await checkLightAndDark(page, "trades");
    await page.getByRole("link", { name: "Café", exact: true }).click();
    await titled(page, "Votre roue");
    await page.getByText("80%", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Votre roue" }).waitFor();
    await page.getByText("4 clients sur 10 gagnent, 0,30 € le tour").waitFor();
    // It turns by itself.
    await page.getByText(/^La roue s'arrête sur « .+ »\./).waitFor();
    await checkLightAndDark(page, "wheel");

    await label(page, 0).fill("Espresso offert");
    await page.getByLabel("Coût : Espresso offert, en euros").fill("0,4 €");
    await page.getByRole("slider", { name: "Probabilité, au curseur" }).first().fill("40");
    expect(await odds(page, 0).inputValue()).toBe("40");
    await page.getByRole("button", { name: "Retirer Formule goûter offerte" }).click();
    await page.getByRole("button", { name: "Équilibrer" }).click();
    await page.getByRole("button", { name: "Ajouter un gain" }).click();
    await label(page, 5).fill("Thé offert");
    await page.getByLabel("Coût : Thé offert, en euros").fill("0,35");
    await create(page).click();
    await titled(page, "Votre affiche");
    const { campaigns, segments } = await stored(shop);
    expect(campaigns).toEqual([
      {
        name: "La roue, Le Comptoir des Halles",
        slug: expect.stringMatching(/^le-comptoir-des-halles/),
        active: true,
      },
    ]);
    expect(segments.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
    expect(segments.map(({ label: text, prize, cost }) => [text, prize, cost])).toEqual([
      ["Espresso offert", "Espresso offert", "0.4"],
      ["Viennoiserie offerte", "Viennoiserie offerte", "0.6"],
      ["Pas de chance", null, null],
      ["10\u00a0% la prochaine fois", "10\u00a0% la prochaine fois", "0.8"],
      ["La prochaine fois", null, null],
      ["Thé offert", "Thé offert", "0.35"],
    ]);
  });

  it("says what is wrong and makes nothing; kept on the device, it is found again", async () => {
    const { shop, page } = await beginning("/onboarding/wheel?trade=cafe");
    await titled(page, "Votre roue");
    await label(page, 0).fill(" ");
    await page.getByLabel("Coût : Viennoiserie offerte, en euros").fill("cher");
    await odds(page, 2).fill("10");
    await create(page).click();
    await page.getByText("Donnez un texte à ce segment.").waitFor();
    await page.getByText("Indiquez un montant, par exemple 0,50.").waitFor();
    await page
      .getByText("Le total des probabilités doit être égal à 100% (actuellement 80%)")
      .waitFor();
    await expect
      .poll(() => label(page, 0).evaluate((one) => one === document.activeElement))
      .toBe(true);
    await checkLightAndDark(page, "mistakes");

    await label(page, 0).fill("Café long");
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Créer ma campagne" }).click();
    await titled(page, "Votre métier");
    await page.getByRole("link", { name: "Café", exact: true }).click();
    expect(await label(page, 0).inputValue()).toBe("Café long");
    expect(await odds(page, 2).inputValue()).toBe("10");

    // A wheel without anything to win is not made either.
    await page.getByRole("button", { name: "Équilibrer" }).click();
    for (const name of ["Café long", "Viennoiserie", "Formule", "10\u00a0% la prochaine fois"]) {
      await page.getByRole("button", { name: `Retirer ${name}` }).click();
    }
    await page.getByRole("button", { name: "Équilibrer" }).click();
    await create(page).click();
    await alerts(page, "Ajoutez au moins un gain avec une chance d'être gagné.");
    expect(await stored(shop)).toEqual({ campaigns: [], segments: [] });
  });

  it("survives a failure and a lost answer, and is made once", async () => {
    const { shop, page } = await beginning("/onboarding/wheel?trade=gym", {
      expected: (problem) => refusing(500)(problem) || lost("/rpc/start_campaign")(problem),
    });
    await label(page, 0).fill("Smoothie offert");
    const mend = await breakFunction(app.sql, "start_campaign");
    await create(page).click();
    await alerts(page, "La campagne n'a pas été créée. Votre roue est conservée ici : réessayez.");
    await mend();
    await loseAnswer(page, START);
    await create(page).click();
    await page.getByRole("alert").getByText("réseau").waitFor();
    expect(await label(page, 0).inputValue()).toBe("Smoothie offert");
    await create(page).click();
    await titled(page, "Votre affiche");
    const { campaigns, segments } = await stored(shop);
    expect(campaigns).toHaveLength(1);
    expect(segments).toHaveLength(6);
    // The way back leads on, too: it is made.
    await page.goto("/onboarding/wheel");
    await arrives(page, "/dashboard");
  });

  it("is chosen and made by keyboard alone, on a small phone", async () => {
    const shop = await createOrganization(app.sql, { plan: "free_trial" });
    const { page } = await app.phone({ context: { viewport: { width: 320, height: 568 } } });
    await enter(app, page, shop.users.owner);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    const press = async (control: Locator) => {
      await tabTo(page, control);
      expect(await showsFocus(page)).toBe(true);
      await page.keyboard.press("Enter");
    };
    await page.goto("/onboarding/campaign");
    await titled(page, "Félicitations !");
    expect(await width()).toBe(320);
    await press(page.getByRole("link", { name: "Choisir mes gains" }));
    await titled(page, "Votre métier");
    expect(await width()).toBe(320);
    await press(page.getByRole("link", { name: "Hôtel" }));
    await titled(page, "Votre roue");
    await page.getByRole("button", { name: "Essayer la roue" }).waitFor();
    expect(await width()).toBe(320);
    // As it is proposed: Enter in a field sends it.
    await press(label(page, 0));
    await titled(page, "Votre affiche");
    await page.getByRole("img", { name: "Aperçu : Affiche A4" }).waitFor();
    expect(await width()).toBe(320);
  });

  it("is for those who may make both campaigns and rewards", async () => {
    const shop = await createOrganization(app.sql);
    const { member } = shop.users;
    await giveRole(app.sql, member, {
      orgId: shop.id,
      permissions: ["activity.read", "campaigns.read", "campaigns.write", "stores.read"],
    });
    const { page } = await app.desktop();
    await enter(app, page, member);
    await page.goto("/onboarding/campaign");
    await titled(page, "Félicitations !");
    expect(await page.getByRole("link", { name: "Choisir mes gains" }).count()).toBe(0);
    await page.goto("/onboarding/wheel?trade=cafe");
    await arrives(page, "/dashboard");
    // Of these two, they may make the one.
    await page.getByRole("link", { name: "Créer ma campagne" }).click();
    await arrives(page, "/campaigns/new");
  });
});

describe("the first scan", () => {
  /** A shop whose campaign nobody has scanned, at the step of the poster. */
  async function waiting(options: Options = {}, prepare = async (_: Page) => {}) {
    const { shop, page } = await beginning("/onboarding/wheel?trade=shop", options);
    await create(page).click();
    await titled(page, "Votre affiche");
    const [campaign] = await app.sql<{ slug: string }[]>`
      select slug from public.campaigns where org_id = ${shop.id}`;
    await prepare(page);
    await page.goto("/dashboard");
    await page.getByRole("heading", { name: "Imprimez votre QR code" }).waitFor();
    return { shop, page, slug: campaign?.slug ?? "" };
  }

  it("turns the card green at once, where it is heard", async () => {
    const { page, slug } = await waiting();
    // Polling is disabled: only the notification can reach the page.
    await page.addInitScript(() => {
      const every = window.setInterval;
      const isPolling = (ms: unknown) => ms === 10_000;
      window.setInterval = Object.assign(
        (...args: Parameters<typeof every>) => (isPolling(args[1]) ? 0 : every(...args)),
        every,
      );
    });
    // The dashboard opens a channel too, maybe only now: it is left before the poster's is awaited.
    await page.goto("about:blank");
    const listening = joined(page, "activity");
    await page.goto("/onboarding/poster");
    await page.getByText("En attente du premier scan").waitFor();
    await listening;
    await checkLightAndDark(page, "poster");
    await scan(app.sql, { slug, visitor: randomUUID() });
    await page.getByRole("status").getByText("Premier scan reçu").waitFor();
    await checkLightAndDark(page, "scanned");
    await page.getByRole("link", { name: "Aller au tableau de bord" }).click();
    await titled(page, "Tableau de bord");
  });

  it("leaves room for the rating of the public page, which nobody has to type", async () => {
    const { shop, page } = await waiting();
    // The scan of another campaign is not the one that is waited for.
    await app.sql`update public.subscriptions set plan = 'pro' where org_id = ${shop.id}`;
    const { id: orgId, storeId } = shop;
    const other = await createCampaign(app.sql, { orgId, storeId, name: "L'ancienne" });
    await app.sql`update public.campaigns set created_at = now() - interval '1 day' where id = ${other.id}`;
    await scan(app.sql, { slug: other.slug });
    const answered = page.waitForResponse("**/rest/v1/scan_events**");
    await page.goto("/onboarding/poster");
    await answered;
    await page.getByText("Votre note publique aujourd'hui (facultatif)").click();
    await page.getByLabel("Note", { exact: true }).fill("4,4");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Indiquez un nombre d'avis, en chiffres.").waitFor();
    await page.getByLabel("Nombre d'avis").fill("118");
    await checkLightAndDark(page, "rating at the start");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Relevé enregistré.").waitFor();
    expect(
      await app.sql`
        select store_id, rating::float, reviews from public.public_ratings where org_id = ${shop.id}`,
    ).toEqual([{ store_id: shop.storeId, rating: 4.4, reviews: 118 }]);
    // Asked long ago whether it was scanned, and still waiting.
    await page.getByText("En attente du premier scan").waitFor();
  });

  it("is not awaited with the words of a campaign that runs where it was switched off", async () => {
    const { shop, page } = await waiting();
    await app.sql`update public.campaigns set active = false where org_id = ${shop.id}`;
    await page.goto("/onboarding/poster");
    await page.getByText("Cette campagne est inactive").waitFor();
    expect(await page.getByText("Votre campagne tourne.").count()).toBe(0);
  });

  it("is asked for where nothing can be heard, and leads back from the dashboard", async () => {
    const { page, slug } = await waiting({}, silenceChannels);
    await page.getByRole("link", { name: "Voir mon QR code" }).click();
    await titled(page, "Votre affiche");
    await page.getByText("En attente du premier scan").waitFor();
    await scan(app.sql, { slug, visitor: randomUUID() });
    await page.getByRole("status").getByText("Premier scan reçu").waitFor();
  });
});
