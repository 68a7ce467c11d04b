import { expect, it } from "vitest";
import {
  createApiKey,
  createOrganization,
  createRole,
  type Organization,
} from "../harness/fixtures.ts";
import { newAddress } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { silenceChannels } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/**
 * Refusals of the database because somebody else was faster: a sentence gives the reason, and
 * nothing changes.
 */

const app = setUpTestApp();

const toBasic = ({ id }: Organization) =>
  app.sql`update public.subscriptions set plan = 'basic' where org_id = ${id}`;

it("an invitation of a member, beyond the seats, or that another withdrew", async () => {
  const ours = await createOrganization(app.sql);
  const { page } = await app.desktop({ expected: refusing(400) });
  await enter(app, page, ours.users.owner);
  await page.goto("/team/invite");
  const address = page.getByLabel("Adresse e-mail");
  const send = page.getByRole("button", { name: "Envoyer l'invitation" });
  await address.fill(ours.users.member.email);
  await send.click();
  await page.getByText("Cette personne fait déjà partie de votre équipe.").waitFor();

  const invited = newAddress();
  await address.fill(invited);
  await send.click();
  await page.getByText(`L'invitation est envoyée à ${invited}.`).waitFor();
  await page.goto("/settings/team");
  const resend = page.getByRole("button", { name: `Renvoyer l'invitation à ${invited}` });
  await resend.waitFor();
  await app.sql`
    update private.invitations set withdrawn_at = now() where email = ${invited}`;
  await resend.click();
  await page.getByText("Cette invitation n'est plus en attente").waitFor();

  // A page that hears of the other plan offers no seat at all.
  await silenceChannels(page);
  await page.goto("/team/invite");
  await address.fill(newAddress());
  // Four work here; the fifth seat of the plan goes to whom a colleague invites meanwhile.
  await toBasic(ours);
  await app.server.database.as({ userId: ours.users.admin.id }, async (sql) => {
    await sql`select public.invite_member(${newAddress()}, 'member')`;
  });
  await send.click();
  await page.getByText("Toutes les places de votre plan sont prises.").waitFor();
  const [kept] = await app.sql`
    select count(*)::int as waiting from private.invitations
    where org_id = ${ours.id} and withdrawn_at is null`;
  expect(kept?.waiting).toBe(1);
});

it("a role whose name was taken, beyond the most, or that the plan has no more", async () => {
  const ours = await createOrganization(app.sql);
  const { page } = await app.desktop({ expected: refusing(400, 409) });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings/roles");
  await page.getByRole("button", { name: "Créer un rôle" }).click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByRole("textbox", { name: "Nom" });
  const save = dialog.getByRole("button", { name: "Enregistrer" });
  await name.fill("Animation");
  await dialog.getByRole("combobox", { name: "Campagnes" }).selectOption({ label: "Modifier" });
  await createRole(app.sql, { orgId: ours.id, name: "Animation" });
  await save.click();
  await dialog.getByText("Un de vos rôles porte déjà ce nom.").waitFor();

  for (let count = 1; count < 20; count += 1) await createRole(app.sql, { orgId: ours.id });
  await name.fill("Vitrine");
  await save.click();
  await dialog.getByText("Vous avez déjà 20 rôles. Supprimez-en un qui ne sert plus.").waitFor();

  await toBasic(ours);
  await save.click();
  await dialog.getByText("Les rôles personnalisés sont inclus dans le plan Pro.").waitFor();
  expect(await name.inputValue()).toBe("Vitrine");
  const [kept] = await app.sql`
    select count(*)::int as roles from public.roles where org_id = ${ours.id}`;
  expect(kept?.roles).toBe(20);
});

it("a key beyond the most, or that the plan has no more", async () => {
  const ours = await createOrganization(app.sql);
  const { page } = await app.desktop({ expected: refusing(400) });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings/api");
  await page.getByRole("button", { name: "Créer une clé" }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Créer la clé" });
  await dialog.getByRole("textbox", { name: "Nom" }).fill("Tableau de bord");
  for (let count = 0; count < 20; count += 1) await createApiKey(app.sql, { orgId: ours.id });
  await save.click();
  await dialog.getByText("Vous avez déjà 20 clés. Révoquez-en une qui ne sert plus.").waitFor();

  await toBasic(ours);
  await save.click();
  await dialog.getByText("Votre plan ne comprend pas l'API, ou n'est plus actif.").waitFor();
  const [kept] = await app.sql`
    select count(*)::int as keys from private.api_keys where org_id = ${ours.id}`;
  expect(kept?.keys).toBe(20);
});

it("a store beyond the plan's", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.desktop({ expected: refusing(400) });
  await enter(app, page, shop.users.owner);
  await page.goto("/stores");
  await page.getByRole("link", { name: "Nouveau magasin" }).click();
  await page.getByLabel("Nom du magasin").fill("Annexe");
  await page.getByLabel("Adresse", { exact: true }).fill("2 rue de la Paix, 75002 Paris");
  await page.getByText("Cet identifiant est libre.").waitFor();
  await app.sql`
    update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '14 days'
    where org_id = ${shop.id}`;
  await page.getByRole("button", { name: "Créer le magasin" }).click();
  await page.getByText("Erreur création magasin: votre plan comprend un seul magasin.").waitFor();
  const [kept] = await app.sql`
    select count(*)::int as stores from public.stores where org_id = ${shop.id}`;
  expect(kept?.stores).toBe(1);
});

it("whatever is saved while the operator has suspended the organisation: the banner and the refusal say the same", async () => {
  const ours = await createShop(app.sql);
  const { page } = await app.desktop({ expected: refusing(400) });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings");
  const name = page.getByLabel("Nom de l'organisation");
  await name.fill("Chez Suspendue");
  await app.sql`select private.suspend_organization(${ours.id}, true)`;
  await page.getByRole("button", { name: "Enregistrer" }).first().click();
  const sentence = "Cette organisation est suspendue par l'exploitant du service";
  await page.getByRole("alert").getByText(sentence).waitFor();
  // Typed text stays, and the next visitor of a screen sees the reason before they try.
  expect(await name.inputValue()).toBe("Chez Suspendue");
  await page.goto("/dashboard");
  const banner = page.getByRole("status").filter({ hasText: sentence });
  await banner.waitFor();
  expect(await banner.getByRole("link").count()).toBe(0);
  await app.sql`select private.suspend_organization(${ours.id}, false)`;
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await banner.waitFor({ state: "detached" });
});
