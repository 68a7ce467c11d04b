import { describe, expect, it } from "vitest";
import { createStore } from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { titled } from "./support/account.ts";
import { editPath, field, save, stored, wheel } from "./support/campaign-editor.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, openAs } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/campaigns/{id}/edit`, and what the list's menu does (specification, sections 2.13, 2.15, 5, 8, 9). */

const app = setUpTestApp();
const SAVE = "**/rpc/save_campaign";

describe("a campaign", () => {
  it("is edited field by field, in its store's time, and leaves the printed address alive", async () => {
    const shop = await createShop(app.sql);
    await createStore(app.sql, {
      orgId: shop.id,
      name: "Saint-Denis",
      timezone: "Indian/Reunion",
    });
    const rival = await createShop(app.sql, { campaign: { slug: "roue-d-ete" } });
    const page = await openAs(app, shop.users.member, editPath(shop));
    await titled(page, "Modifier la campagne");

    await field(page, "Nom de la campagne").fill("");
    await field(page, "Fin (facultatif)").fill("2027-06-01T08:00");
    await field(page, "Début (facultatif)").fill("2027-06-01T09:00");
    expect(await field(page, "Fin (facultatif)").getAttribute("min")).toBe("2027-06-01T09:00");
    await save(page);
    // Name and address, which followed it.
    await expect
      .poll(() => page.getByText("Veuillez remplir tous les champs obligatoires").count())
      .toBe(2);
    await page.getByText("La fin ne peut pas venir avant le début.").waitFor();
    await field(page, "Fin (facultatif)").fill("2027-08-31T23:00");
    await field(page, "Adresse publique").fill("Roue D'Été");
    await page.getByText("Uniquement lettres minuscules, chiffres et tirets").waitFor();
    await field(page, "Nom de la campagne").fill("Roue d'été");
    expect(await field(page, "Adresse publique").inputValue()).toBe("roue-d-ete");
    await page.getByText("Cette adresse est prise, ou des affiches y mènent encore.").waitFor();
    await page.getByRole("button", { name: "Prendre « roue-d-ete-2 », qui est libre" }).click();
    await page.getByText("Cette adresse est libre.").waitFor();
    expect(await field(page, "Adresse publique").inputValue()).toBe("roue-d-ete-2");
    expect(await field(page, "Nom de la campagne").inputValue()).toBe("Roue d'été");
    await field(page, "Nom de la campagne").fill("Roue de l'été");
    await page.getByText("Cette adresse est libre.").waitFor();
    await page.getByText("/c/roue-de-l-ete/review").waitFor();
    await page.getByText(`L'ancienne adresse /c/${shop.campaign.slug} continuera`).waitFor();
    await field(page, "Magasin").selectOption({
      label: "Saint-Denis · 1 rue de la Paix, 75002 Paris",
    });
    await page.getByText("Heure du magasin : La Réunion.").waitFor();
    await field(page, "Description interne (facultatif)").fill("Pour l'équipe");
    await field(page, "Jours entre deux participations d'une même personne").fill("7");
    await page.getByRole("switch", { name: "Campagne active" }).uncheck({ force: true });
    await save(page);
    await page.getByRole("status").getByText("Campagne mise à jour avec succès").waitFor();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "Roue de l'été" }).waitFor();
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({
      name: "Roue de l'été",
      slug: "roue-de-l-ete",
      active: false,
      starts_at: new Date("2027-06-01T09:00:00+04:00"),
      ends_at: new Date("2027-08-31T23:00:00+04:00"),
      description: "Pour l'équipe",
      play_interval_days: 7,
    });
    expect(await stored(app.sql, rival.campaign.id)).toMatchObject({ slug: "roue-d-ete" });
    expect((await wheel(app.sql, shop.campaign.id)).map(([, , percent]) => percent)).toEqual([
      50, 0, 50, 0,
    ]);
  });

  it("keeps what was typed when saving fails, whatever the reason, and warns before it is lost", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    const page = await openAs(app, shop.users.owner, editPath(shop), {
      expected: (problem) =>
        refusing(400, 409, 500)(problem) || lost("/rpc/save_campaign")(problem),
    });
    const name = field(page, "Nom de la campagne");
    await app.sql`
      insert into public.campaigns (org_id, store_id, name, slug, active)
      values (${shop.id}, ${shop.storeId}, 'Déjà là', 'deja-la-ailleurs', false)`;
    await name.fill("déjà là");
    await save(page);
    await page.getByText("Une campagne avec ce nom existe déjà").waitFor();
    await name.fill("Autre nom");
    await field(page, "Adresse publique").fill("deja-la-ailleurs");
    await save(page);
    await page.getByText("Une autre de vos campagnes a déjà cette adresse.").waitFor();
    await name.fill("Autre nom");
    await loseRequest(page, SAVE);
    await save(page);
    await page
      .getByRole("alert")
      .getByText("Erreur lors de la mise à jour: pas de connexion.")
      .waitFor();
    const mend = await breakFunction(app.sql, "save_campaign");
    await save(page);
    await page.getByText("Erreur lors de la mise à jour: Erreur inconnue").waitFor();
    await mend();
    expect(await name.inputValue()).toBe("Autre nom");
    await page.getByRole("link", { name: "Annuler" }).click();
    const question = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
    await question.getByRole("button", { name: "Annuler" }).click();
    expect(await name.inputValue()).toBe("Autre nom");
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ name: "La roue du comptoir" });
  });
});

it("takes no word while it is saved, which would be lost, and goes on in the field that is refused", async () => {
  const shop = await createShop(app.sql);
  const page = await openAs(app, shop.users.owner, editPath(shop), { expected: refusing(409) });
  await app.sql`
    insert into public.campaigns (org_id, store_id, name, slug, active)
    values (${shop.id}, ${shop.storeId}, 'Déjà là', 'deja-la', false)`;
  const name = field(page, "Nom de la campagne");
  await name.fill("Déjà là");
  await save(page);
  await page.getByText("Une campagne avec ce nom existe déjà").waitFor();
  await waitForFocus(name);
  await name.fill("Roue d'été");
  const letGo = await holdRequests(page, SAVE);
  await name.press("Enter");
  await expect
    .poll(() =>
      page.getByRole("button", { name: "Enregistrer", exact: true }).getAttribute("aria-busy"),
    )
    .toBe("true");
  await page.keyboard.type(" et d'automne");
  expect(await name.inputValue()).toBe("Roue d'été");
  letGo();
  await arrives(page, "/campaigns");
  expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ name: "Roue d'été" });
});

describe("the list's menu", () => {
  it("duplicates, restores, archives what has a history and deletes what has none", async () => {
    const shop = await createShop(app.sql);
    await spin(app.sql, { campaignId: shop.campaign.id });
    const { page } = await app.phone();
    await enter(app, page, shop.users.admin);
    await page.goto("/campaigns");
    const actions = page.getByRole("button", {
      name: "Actions pour La roue du comptoir",
      exact: true,
    });
    await actions.click();
    await page.getByRole("menuitem", { name: "Supprimer" }).waitFor();
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
      "Voir statistiques",
      "Modifier",
      "Dupliquer",
      "QR Code",
      "Affiches à imprimer",
      "Supprimer",
    ]);
    await page.getByRole("menuitem", { name: "Dupliquer" }).click();
    await titled(page, "Modifier la campagne");
    await expect
      .poll(() => field(page, "Nom de la campagne").inputValue())
      .toBe("La roue du comptoir (copie)");
    expect(await page.getByRole("switch", { name: "Campagne active" }).isChecked()).toBe(false);

    await page.goto("/campaigns");
    await page.getByRole("button", { name: "Actions pour La roue du comptoir (copie)" }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const deletion = page.getByRole("dialog", { name: "Supprimer La roue du comptoir (copie) ?" });
    await deletion.getByText("sa roue et sa récompense seront supprimées").waitFor();
    await deletion.getByText("/c/la-roue-du-comptoir-copie").waitFor();
    await deletion.getByRole("button", { name: "Supprimer" }).click();
    await deletion.waitFor({ state: "detached" });

    await actions.click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const archiving = page.getByRole("dialog", { name: "Archiver La roue du comptoir ?" });
    await archiving.getByText("Des clients ont déjà participé").waitFor();
    await archiving.getByRole("button", { name: "Archiver" }).click();
    await page.getByText("Aucune campagne créée").waitFor();
    await page.getByText("Archivées (1)").click();
    await page.getByRole("heading", { name: "La roue du comptoir" }).waitFor();
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ active: false });
    await page.goto(editPath(shop));
    await page.getByRole("button", { name: "Remettre en service" }).click();
    await field(page, "Nom de la campagne").waitFor();
    const left = await app.sql`select archived_at from public.campaigns where org_id = ${shop.id}`;
    expect([...left]).toEqual([{ archived_at: null }]);
  });
});
