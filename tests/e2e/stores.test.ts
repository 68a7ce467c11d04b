import { describe, expect, it } from "vitest";
import { secondsFromNow } from "../harness/clock.ts";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { checkLightAndDark } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, failingToLoad } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Stores: the list, new, edit, settings, statistics, delete. */

const app = setUpTestApp();

describe("the stores", () => {
  it("are listed with their figures, and lead to the review page of a running campaign", async () => {
    const shop = await createShop(app.sql);
    await review(app.sql, { campaignId: shop.campaign.id, rating: 4 });
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, shop.users.owner);
    const mend = await breakFunction(app.sql, "store_list");
    await page.goto("/stores");
    await page.getByText("Erreur lors du chargement des établissements").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByRole("heading", { level: 1, name: "Magasins", exact: true }).waitFor();
    await page.getByText("1 avec une campagne active").waitFor();
    await page.getByText("Mode conforme").waitFor();
    const door = page.getByRole("link", { name: `Ouvrir la page d'avis : ${shop.storeName}` });
    expect(await door.getAttribute("href")).toBe(`/c/${shop.campaign.slug}/review`);
    await page.getByPlaceholder("Rechercher un nom ou une adresse...").fill("introuvable");
    await page.getByText("Aucun magasin trouvé pour cette recherche").waitFor();
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await page.goto("/stores");
    await page.getByText("Pas de page d'avis : aucune campagne n'est en cours.").waitFor();
    await page.goto(`/stores/${shop.storeId}/stats`);
    await page.getByRole("heading", { name: `Statistiques : ${shop.storeName}` }).waitFor();
    await page.getByText("De la porte à la caisse").waitFor();
  });

  it("are created, edited, set up and deleted", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await enter(app, page, shop.users.owner);
    await page.goto("/stores");
    await page.getByRole("link", { name: "Nouveau magasin" }).click();
    const create = page.getByRole("button", { name: "Créer le magasin" });
    await expect.poll(() => create.getAttribute("aria-disabled")).toBe("true");
    await page.getByLabel("Nom du magasin").press("Enter");
    await page.getByText("Indiquez le nom du magasin.").waitFor();
    await page.getByLabel("Nom du magasin").fill("L'Annexe d'Été");
    expect(await page.getByLabel("Identifiant").inputValue()).toBe("l-annexe-d-ete");
    await page.getByText("Cet identifiant est libre.").waitFor();
    await expect.poll(() => create.getAttribute("aria-disabled")).toBe("true");
    await page.getByLabel("Adresse", { exact: true }).fill("2 rue de la Paix, 75002 Paris");
    await expect.poll(() => create.getAttribute("aria-disabled")).toBeNull();
    await page.getByLabel("Lien vers votre page d'avis (facultatif)").fill("avis.example/a");
    await page.getByRole("button", { name: "Créer le magasin" }).click();
    await page.getByText("Collez une adresse complète, qui commence par https://").waitFor();
    const link = page.getByLabel("Lien vers votre page d'avis (facultatif)");
    await link.fill("https://avis.example/a");
    await page
      .getByText("avis.example n'est pas une plateforme d'avis que nous connaissons.")
      .waitFor();
    await create.click();
    await page
      .getByText("Confirmez cette adresse, ou collez le lien d'une plateforme d'avis.")
      .waitFor();
    const confirm = page.getByRole("checkbox");
    await confirm.check();
    // The confirmation holds for that host and no other.
    await link.fill("https://avis.exemple/a");
    expect(await confirm.isChecked()).toBe(false);
    await link.fill("https://g.page/r/annexe");
    await expect.poll(() => confirm.count()).toBe(0);
    await link.fill("https://avis.example/a");
    await confirm.check();
    await create.click();
    await page.getByRole("heading", { level: 2, name: "L'Annexe d'Été" }).waitFor();
    expect(
      await app.sql`
        select detail ->> 'host' as host from public.audit_events
        where org_id = ${shop.id} and user_id = ${shop.users.owner.id} and action = 'store.link_confirmed'`,
    ).toEqual([{ host: "avis.example" }]);
    await page.getByText("Pas de page d'avis : ce magasin n'a pas encore de campagne.").waitFor();

    const [made] = await app.sql`
      select id from public.stores where org_id = ${shop.id} and slug = 'l-annexe-d-ete'`;
    const [first] = await app.sql`select slug from public.stores where id = ${shop.storeId}`;
    await page.goto(`/stores/${made?.id}/edit`);
    await page.getByLabel("Identifiant").fill(String(first?.slug));
    await page.getByText("Votre organisation a déjà un magasin avec cet identifiant.").waitFor();
    await page.getByLabel("Identifiant").fill("l-annexe-d-ete");
    await page.getByLabel("Nom du magasin").fill("L'Annexe");
    // Somebody else saves meanwhile.
    await app.sql`update public.stores set address = '3 rue de la Paix' where id = ${made?.id ?? null}`;
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Ce magasin vient d'être modifié ailleurs.").waitFor();
    await page.getByRole("button", { name: "Recharger le magasin" }).click();
    // The form begins anew with what the other person saved.
    await expect
      .poll(() => page.getByLabel("Adresse", { exact: true }).inputValue())
      .toBe("3 rue de la Paix");
    await page.getByLabel("Nom du magasin").fill("L'Annexe");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByRole("heading", { level: 2, name: "L'Annexe", exact: true }).waitFor();

    await page.goto(`/stores/${made?.id}/settings`);
    await page.getByText("Mode filtré").click();
    await page
      .getByText(
        "La plateforme d'avis interdit ce filtrage. Elle peut supprimer vos avis, et même suspendre votre fiche.",
      )
      .waitFor();
    await page.getByLabel("Fuseau horaire").selectOption("Indian/Reunion");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("La Réunion").waitFor();

    await page.getByRole("button", { name: "Actions pour L'Annexe" }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const dialog = page.getByRole("dialog", { name: "Supprimer L'Annexe ?" });
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await dialog.waitFor({ state: "detached" });
    const left = await app.sql`select id from public.stores where org_id = ${shop.id}`;
    expect(left).toHaveLength(1);
  });

  it("a new time zone says which campaigns it stops, and asks before it does", async () => {
    const shop = await createOrganization(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    const [orgId, storeId] = [shop.id, shop.storeId];
    const moment = (hours: number) => secondsFromNow(hours * 3600);
    await createCampaign(app.sql, { orgId, storeId, name: "Été", endsAt: moment(5) });
    await createCampaign(app.sql, { orgId, storeId, name: "Automne", startsAt: moment(5) });
    await page.goto(`/stores/${storeId}/settings`);
    const zone = page.getByLabel("Fuseau horaire");
    const link = "https://g.page/r/bertille/review";
    await page.getByLabel("Lien vers votre page d'avis (facultatif)").fill(`${link} `);
    await zone.selectOption("Pacific/Noumea");
    await page.getByText("S'arrête dès l'enregistrement : « Été ».").waitFor();
    await page.getByText("Démarre dès l'enregistrement : « Automne ».").waitFor();
    await checkLightAndDark(page, "what a time zone does");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    const dialog = page.getByRole("dialog", { name: "Arrêter des campagnes en cours ?" });
    await dialog.getByText("S'arrête dès l'enregistrement : « Été ».").waitFor();
    await checkLightAndDark(page, "the question");
    await dialog.getByRole("button", { name: "Annuler" }).click();
    await dialog.waitFor({ state: "detached" });
    const stored = async () => {
      const [row] = await app.sql<{ timezone: string }[]>`
        select timezone from public.stores where id = ${storeId}`;
      return row?.timezone;
    };
    expect([await zone.inputValue(), await stored()]).toEqual(["Pacific/Noumea", "Europe/Paris"]);
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await dialog.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Nouvelle-Calédonie").waitFor();
    expect(await stored()).toBe("Pacific/Noumea");
    // The link is sent as it was checked, not as it was typed.
    expect([
      ...(await app.sql`select google_review_url from public.stores where id = ${storeId}`),
    ]).toEqual([{ google_review_url: link }]);
  });
});
