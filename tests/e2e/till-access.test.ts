import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createOrganization, createUser } from "../harness/fixtures.ts";
import { titled } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

const app = setUpTestApp();

describe("the till is closed", () => {
  it("to a user who belongs to no organisation, in a sentence", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await enter(app, page, user);
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Pas encore d'équipe" }).waitFor();
    await page
      .getByText(
        "Votre compte n'appartient à aucune organisation. Demandez une invitation à votre responsable.",
      )
      .waitFor();
    await page.getByRole("link", { name: "Mon compte" }).click();
    await titled(page, "Mes données");
    await page.goBack();
    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
  });

  it("to a member without the permission, in a sentence", async () => {
    const shop = await createShop(app.sql);
    await app.sql`delete from public.role_permissions where role = 'member' and permission = 'codes.redeem'`;
    const { page } = await app.phone();
    await enter(app, page, shop.users.member);
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Caisse réservée" }).waitFor();
    await page
      .getByText(
        "Vous n'avez pas le droit de valider des codes. Demandez ce droit à votre responsable.",
      )
      .waitFor();
    expect(await codeField(page).count()).toBe(0);
    await app.sql`insert into public.role_permissions (role, permission) values ('member', 'codes.redeem')`;
  });

  it("to a member who loses the permission meanwhile, who reads so when asking", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(403) });
    await enter(app, page, shop.users.cashier);
    await page.goto("/encaisser");
    await codeField(page).fill("WINAAAAAAAA");
    await app.sql`delete from public.organization_members where user_id = ${shop.users.cashier.id}`;
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    // The refusal asks anew what one may do, and the till makes room at once.
    await page.getByRole("heading", { name: "Pas encore d'équipe" }).waitFor();
    expect(await codeField(page).count()).toBe(0);
  });

  it("to a cashier who is taken out of the team meanwhile, who reads whose access ended and finds a way on", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(403) });
    await enter(app, page, shop.users.cashier);
    await page.goto("/encaisser");
    await codeField(page).fill("WINAAAAAAAA");
    await app.server.database.as(
      { userId: shop.users.owner.id },
      (sql) => sql`select public.remove_member(${shop.users.cashier.id})`,
    );
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await page
      .getByRole("heading", { name: `Votre accès à l'organisation ${shop.name} a pris fin` })
      .waitFor();
    await page.getByText("adressez-vous à la personne qui gère l'équipe").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Continuer" }).click();
    await titled(page, `Votre accès à l'organisation ${shop.name} a pris fin`);
  });

  it("where the last store is archived, and leads those who may to it", async () => {
    const shop = await createShop(app.sql);
    await app.sql`update public.stores set archived_at = now() where org_id = ${shop.id}`;
    const { page } = await app.phone();
    await enter(app, page, shop.users.owner);
    await page.goto("/encaisser");
    await page
      .getByText(
        "Votre magasin est archivé : remettez-le en service ou créez-en un pour encaisser.",
      )
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Voir les magasins archivés" }).click();
    await page.getByRole("heading", { name: shop.storeName }).waitFor();

    const { page: cashier } = await app.phone();
    await enter(app, cashier, shop.users.cashier);
    await cashier.goto("/encaisser");
    await cashier
      .getByText(
        "Votre magasin est archivé. Demandez au propriétaire de le remettre en service pour encaisser.",
      )
      .waitFor();
    expect(await cashier.getByRole("link").allTextContents()).toEqual(["Mon compte"]);
  });

  it("where the organisation has no store yet, and leads those who may to a new one", async () => {
    const organization = await createOrganization(app.sql);
    await app.sql`delete from public.stores where org_id = ${organization.id}`;
    const { page } = await app.phone();
    await enter(app, page, organization.users.owner);
    await page.goto("/encaisser");
    await page
      .getByText("Votre organisation n'a pas encore de magasin : créez-en un pour encaisser.")
      .waitFor();
    await page.getByRole("link", { name: "Créer un magasin" }).click();
    await page.waitForURL("**/stores/new");
  });
});
