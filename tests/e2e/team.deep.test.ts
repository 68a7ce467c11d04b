import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization, createUser, type Organization } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { checkLightAndDark, fillSignUp, newAddress, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { arrives, enter, failingToLoad } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** The team: who is invited gets in, as what they were invited, and out again. */

const app = setUpTestApp();

/** The page that the newest invitation to an address leads to. */
async function invitationOf(email: string): Promise<string> {
  const mail = await latestMail(app.server, email, { template: "invitation" });
  const link = mail.links.find((address) => address.includes("/invitation?token="));
  if (!link) throw new Error("The mail has no link to an invitation.");
  const { pathname, search } = new URL(link);
  return pathname + search;
}

async function invite(page: Page, email: string, role: string) {
  await page.getByLabel("Adresse e-mail").fill(email);
  await page.getByRole("radio", { name: role }).check();
  await page.getByRole("button", { name: "Envoyer l'invitation" }).click();
  await page.getByText(`L'invitation est envoyée à ${email}.`).waitFor();
}

const rowOf = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

const inviteInSql = (ours: Organization, email: string, role = "member") =>
  app.server.database.as({ userId: ours.users.owner.id }, async (sql) => {
    const [row] = await sql<{ id: string }[]>`select public.invite_member(${email}, ${role}) as id`;
    return row?.id ?? "";
  });

describe("a team", () => {
  it("grows by a new account and one that exists, each with its own rights", async () => {
    const ours = await createOrganization(app.sql, { name: "Café des Halles" });
    const cashierEmail = newAddress();
    const adminEmail = newAddress();
    const existing = await createUser(app.sql, { email: adminEmail, fullName: "Bruno Lemoine" });

    // The owner invites both.
    const { page: owner } = await app.desktop({
      expected: (problem) => failingToLoad(problem) || refusing(400)(problem),
    });
    await enter(app, owner, ours.users.owner);
    const mend = await breakFunction(app.sql, "team");
    await owner.goto("/team/invite");
    await owner.getByText("Erreur lors du chargement de l'équipe").waitFor();
    await mend();
    await owner.getByRole("button", { name: "Réessayer" }).click();
    await owner.getByRole("button", { name: "Envoyer l'invitation" }).click();
    await owner.getByText("L'email est requis").waitFor();
    await owner.getByLabel("Adresse e-mail").fill("camille");
    await owner.getByText("Format d'email invalide").waitFor();
    await invite(owner, cashierEmail, "Caisse");
    await invite(owner, adminEmail, "Administrateur");
    await owner.getByLabel("Adresse e-mail").fill(cashierEmail);
    await owner.getByRole("button", { name: "Envoyer l'invitation" }).click();
    await owner.getByText("Une invitation est déjà en attente pour cette adresse.").waitFor();
    // Typed and unsent text is not lost without a word.
    await owner.getByRole("link", { name: "Retour à l'équipe" }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Quitter" }).click();
    await titled(owner, "Équipe");

    // A new account: the link, sign-up, the confirmation's link, and back to the invitation.
    const { page: cashier } = await app.phone();
    await cashier.goto(await invitationOf(cashierEmail));
    await titled(cashier, "Rejoignez Café des Halles");
    await cashier.getByText("Camille Martin vous invite dans son équipe sur Tournavis.").waitFor();
    await checkLightAndDark(cashier, "the invitation");
    await cashier.getByRole("link", { name: "Créer mon compte" }).click();
    expect(await cashier.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(
      cashierEmail,
    );
    await fillSignUp(cashier, cashierEmail);
    await cashier.getByRole("button", { name: "Créer mon compte" }).click();
    const confirmation = await latestMail(app.server, cashierEmail, { template: "confirmation" });
    await cashier.goto(linkIn(app, confirmation));
    await cashier.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await arrives(cashier, "/encaisser");
    await cashier.goto("/customers");
    await arrives(cashier, "/encaisser");

    // An account that exists.
    const { page: admin } = await app.desktop({ expected: refusing(400, 401, 403) });
    await enter(app, admin, existing);
    await admin.goto(await invitationOf(adminEmail));
    await admin.getByText(`Vous êtes connecté avec ${adminEmail}.`).waitFor();
    await admin.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await arrives(admin, "/dashboard");
    await admin.goto("/settings/team");
    await rowOf(admin, adminEmail).getByText("Administrateur").waitFor();
    await rowOf(admin, ours.users.owner.email).getByText("Propriétaire").waitFor();
  });

  it("is asked from a phone, which answers in sight, about what was sent last", async () => {
    const ours = await createOrganization(app.sql, { name: "Café des Halles" });
    const email = newAddress();
    const { page } = await app.phone({ expected: refusing(400) });
    await enter(app, page, ours.users.owner);
    await page.goto("/team/invite");
    // The invitation is sent above the way back, also by the keyboard.
    const topOf = (control: Locator) => control.evaluate((e) => e.getBoundingClientRect().top);
    const send = page.getByRole("button", { name: "Envoyer l'invitation" });
    const back = page.getByRole("link", { name: "Retour à l'équipe" });
    expect(await topOf(send)).toBeLessThan(await topOf(back));
    await send.focus();
    await page.keyboard.press("Tab");
    await waitForFocus(back);
    await invite(page, email, "Caisse");
    const isSeen = (text: string) =>
      page.getByText(text).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top > 0 && bottom < innerHeight;
      });
    expect(await isSeen(`L'invitation est envoyée à ${email}.`)).toBe(true);

    await page.getByLabel("Adresse e-mail").fill(email);
    await page.getByRole("button", { name: "Envoyer l'invitation" }).click();
    const refusal = page.getByText("Une invitation est déjà en attente pour cette adresse.");
    await refusal.waitFor();
    await page.getByLabel("Adresse e-mail").fill("camille");
    await page.getByRole("button", { name: "Envoyer l'invitation" }).click();
    await page.getByText("Format d'email invalide").waitFor();
    expect(await refusal.count()).toBe(0);

    await page.goto("/settings/team");
    await page.getByRole("button", { name: `Renvoyer l'invitation à ${email}` }).click();
    await page.getByText(`L'invitation est renvoyée à ${email}.`).waitFor();
    expect(await isSeen(`L'invitation est renvoyée à ${email}.`)).toBe(true);
  });

  it("changes and shrinks at once, and its journal says so", async () => {
    const ours = await createOrganization(app.sql);
    const named = (id: string, name: string) => app.sql`
      update auth.users set raw_user_meta_data = ${app.sql.json({ full_name: name })} where id = ${id}`;
    await named(ours.users.cashier.id, "Nadia Roy");
    await named(ours.users.admin.id, "Bruno Lemoine");
    await app.sql`
      insert into private.api_keys (org_id, name, scope, prefix, key_hash, created_by)
      values (${ours.id}, 'Caisse', 'read', 'tv_live_abcd', sha256(gen_random_uuid()::text::bytea), ${ours.users.admin.id})`;
    const { page: admin } = await app.desktop({ expected: refusing(401, 403) });
    await enter(app, admin, ours.users.admin);
    await admin.goto("/settings/team");
    await admin.getByRole("button", { name: "Actions pour Nadia Roy" }).waitFor();
    // An admin has no power over owners.
    expect(
      await rowOf(admin, ours.users.owner.email)
        .getByRole("button", { name: /^Actions/ })
        .count(),
    ).toBe(0);
    expect(await admin.getByRole("heading", { name: "Transmettre l'organisation" }).count()).toBe(
      0,
    );

    const { page: owner } = await app.desktop();
    await enter(app, owner, ours.users.owner);
    await owner.goto("/settings?section=team");
    // The card of the settings leads here.
    await owner.getByRole("link", { name: "Gérer l'équipe" }).click();
    await owner.getByRole("button", { name: "Actions pour Nadia Roy" }).click();
    await owner.getByRole("menuitem", { name: "Changer le rôle" }).click();
    await owner.getByRole("radio", { name: /^Équipe/ }).check();
    await owner.getByRole("button", { name: "Enregistrer" }).click();
    await owner.getByText("Nadia Roy : le rôle a changé.").waitFor();
    await owner.getByRole("button", { name: "Actions pour Bruno Lemoine" }).click();
    await owner.getByRole("menuitem", { name: "Retirer de l'équipe" }).click();
    await owner
      .getByText("Clés d'API créées par Bruno Lemoine et toujours valables : 1. Révoquez")
      .waitFor();
    expect(
      await owner.getByRole("link", { name: "Voir les clés d'API" }).getAttribute("href"),
    ).toBe("/settings/api");
    await owner.getByRole("dialog").getByRole("button", { name: "Retirer de l'équipe" }).click();
    await owner.getByText("Bruno Lemoine ne fait plus partie de l'équipe.").waitFor();

    // An open screen may do nothing any more, and the first refusal leads away from it.
    await admin.getByRole("link", { name: "Inviter un membre" }).click();
    await arrives(admin, "/onboarding");
    await titled(admin, `Votre accès à l'organisation ${ours.name} a pris fin`);

    await owner.getByRole("link", { name: "Journal d'activité" }).click();
    await owner.getByText("a retiré Bruno Lemoine de l'équipe").waitFor();
    await owner.getByText("a changé le rôle attribué à Nadia Roy : Caisse → Équipe").waitFor();
    await owner.getByLabel("Action").selectOption({ label: "Membres : changement de rôle" });
    await owner.getByText("a retiré Bruno Lemoine de l'équipe").waitFor({ state: "detached" });
    await owner.goto("/settings/audit?action=code.restored");
    await owner.getByText("Aucune activité pour ces filtres").waitFor();
  });

  it("says why a link opens nothing, and whom it is for", async () => {
    const ours = await createOrganization(app.sql);
    const email = newAddress();
    const id = await inviteInSql(ours, email);
    const path = await invitationOf(email);
    const { page } = await app.phone({ expected: refusing(400) });
    await enter(app, page, ours.users.cashier);
    await page.goto(path);
    await page
      .getByText(
        `Vous êtes connecté avec ${ours.users.cashier.email}, mais cette invitation est pour ${email}.`,
      )
      .waitFor();
    await page.getByRole("button", { name: "Me déconnecter et continuer" }).click();
    await page.getByRole("link", { name: "J'ai déjà un compte" }).click();
    await page.getByText("Avec l'adresse qui a reçu l'invitation.").waitFor();

    // Somebody who belongs to an organisation already, with the right address.
    const elsewhere = await createOrganization(app.sql);
    await app.sql`update auth.users set email = ${email} where id = ${elsewhere.users.admin.id}`;
    await enter(app, page, { email });
    await page.goto(path);
    await page.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await page.getByText("Vous faites déjà partie d'une organisation").waitFor();
    await page.getByRole("link", { name: "Voir mon équipe actuelle" }).click();
    await titled(page, "Équipe");

    await app.sql`update private.invitations set expires_at = now() where id = ${id}`;
    await page.goto(path);
    await titled(page, "Invitation expirée");
    await app.sql`update private.invitations set withdrawn_at = now() where id = ${id}`;
    await page.goto(path);
    await titled(page, "Invitation retirée");
    // A second opening leads into the team.
    await app.sql`
      update private.invitations set withdrawn_at = null, accepted_at = now(), accepted_by = ${elsewhere.users.admin.id}
      where id = ${id}`;
    await page.goto(path);
    await titled(page, "Invitation déjà acceptée");
    await page.getByRole("link", { name: "Ouvrir mon équipe" }).click();
    await titled(page, "Tableau de bord");
    await page.goto("/invitation?token=rien");
    await titled(page, "Ce lien n'est pas valable");
  });

  it("shows invitations that wait, the way to more places, and hands over", async () => {
    const ours = await createOrganization(app.sql);
    const email = newAddress();
    await inviteInSql(ours, email);
    await app.sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
    const { page } = await app.phone();
    await enter(app, page, ours.users.owner);
    await page.goto("/settings/team");
    await page
      .getByText(
        "Votre plan comprend 5 utilisateurs, invitations en attente incluses : toutes les places sont prises.",
      )
      .waitFor();
    const plans = page.getByRole("link", { name: "Voir les plans" });
    expect(await plans.getAttribute("href")).toBe("/pricing");
    const first = await latestMail(app.server, email, { template: "invitation" });
    await page.getByRole("button", { name: `Renvoyer l'invitation à ${email}` }).click();
    await page.getByText(`L'invitation est renvoyée à ${email}.`).waitFor();
    await latestMail(app.server, email, { template: "invitation", after: first });
    await page.getByRole("button", { name: `Retirer l'invitation envoyée à ${email}` }).click();
    await page.getByRole("button", { name: "Retirer l'invitation", exact: true }).click();
    await page.getByText("L'invitation est retirée.").waitFor();
    await plans.waitFor({ state: "detached" });

    await page.getByText("Vous êtes le seul propriétaire").waitFor();
    await page.getByLabel("Nouveau propriétaire").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Transmettre" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Transmettre" }).click();
    await page.getByText("Camille Martin est maintenant propriétaire.").waitFor();
    await page.getByRole("button", { name: "Quitter" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Quitter" }).click();
    await arrives(page, "/onboarding");
  });

  it("says of an invitation that it was sent again, or was not, until something else is done", async () => {
    const ours = await createOrganization(app.sql);
    const [first, second] = [newAddress(), newAddress()];
    for (const email of [first, second]) await inviteInSql(ours, email);
    const { page } = await app.desktop({ expected: refusing(500) });
    await enter(app, page, ours.users.owner);
    await page.goto("/settings/team");
    const again = (email: string) =>
      page.getByRole("button", { name: `Renvoyer l'invitation à ${email}` }).click();
    const sent = page.getByText(`L'invitation est renvoyée à ${first}.`);
    const ask = () =>
      page
        .getByRole("button", { name: /^Actions pour / })
        .first()
        .click();
    await again(first);
    await sent.waitFor();
    await ask();
    await page.getByRole("menuitem", { name: "Changer le rôle" }).click();
    await sent.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");

    const mend = await breakFunction(app.sql, "resend_invitation");
    await again(first);
    const problem = page.getByRole("region", { name: "Invitations en attente" }).getByRole("alert");
    await problem.waitFor();
    await mend();
    await page.getByRole("button", { name: `Retirer l'invitation envoyée à ${second}` }).click();
    await page.getByRole("button", { name: "Retirer l'invitation", exact: true }).click();
    await page.getByText("L'invitation est retirée.").waitFor();
    expect(await problem.count()).toBe(0);

    // Of one that is under way, the outcome is told whatever is looked at meanwhile.
    const mendAgain = await breakFunction(app.sql, "resend_invitation");
    const letGo = await holdRequests(page, /rpc\/resend_invitation$/);
    await again(first);
    await ask();
    await page.getByRole("menuitem", { name: "Changer le rôle" }).click();
    await page.keyboard.press("Escape");
    letGo();
    await problem.waitFor();
    await mendAgain();
  });

  it("is handed over to nobody who owns it already", async () => {
    const ours = await createOrganization(app.sql);
    const { id, users } = ours;
    const { page } = await app.phone();
    await enter(app, page, users.owner);
    await app.sql`update public.organization_members set role = 'owner' where org_id = ${id}`;
    await page.goto("/settings/team");
    await page.getByText("Tous les autres membres sont déjà propriétaires.").waitFor();
    await app.sql`
      update public.organization_members set role = 'member' where org_id = ${id} and user_id = ${users.member.id}`;
    await page.reload();
    const heirs = page.getByLabel("Nouveau propriétaire").getByRole("option");
    await heirs.nth(1).waitFor({ state: "attached" });
    expect(await heirs.count()).toBe(2);
    expect(await heirs.nth(1).getAttribute("value")).toBe(users.member.id);
  });

  // In this order: each takes back the one before.
  const states = [
    ["is_ending = true", "Cette organisation va être supprimée"],
    ["is_ending = false, suspended_at = now()", "Cette organisation est suspendue"],
    ["suspended_at = null, status = 'canceled'", "Le plan de cette équipe n'est plus actif."],
    [
      "status = 'active', plan = 'free_trial', trial_end = now() + interval '9 days'",
      "L'équipe n'a plus de place : son plan a changé.",
    ],
  ] as const;
  const close = (ours: Organization, state: string) =>
    app.sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [ours.id]);

  it("says to whoever opens an invitation why nobody may join now, before they make an account", async () => {
    const ours = await createOrganization(app.sql, { name: "Café des Halles" });
    const invited = await createUser(app.sql, { email: newAddress() });
    await inviteInSql(ours, invited.email);
    const path = await invitationOf(invited.email);
    const { page: visitor } = await app.phone();
    const { page: member } = await app.phone();
    await enter(app, member, invited);
    const { page: stranger } = await app.phone();
    await enter(app, stranger, ours.users.member);
    for (const [state, reason] of states) {
      await close(ours, state);
      await visitor.goto(path);
      await titled(visitor, "Rejoignez Café des Halles");
      await visitor.getByText("Camille Martin vous invite dans son équipe").waitFor();
      await visitor.getByRole("alert").getByText(reason).waitFor();
      expect(await visitor.getByRole("link", { name: "Créer mon compte" }).count()).toBe(0);
      await stranger.goto(path);
      await stranger.getByRole("alert").getByText(reason).waitFor();
      expect(await stranger.getByRole("button", { name: "Me déconnecter" }).count()).toBe(0);
      await member.goto("/onboarding");
      const card = member.getByRole("region", { name: "Café des Halles vous attend" });
      await card.getByRole("alert").getByText(reason).waitFor();
      expect(await card.getByText("rejoignez celle-ci").count()).toBe(0);
      await member.goto(path);
      await member.getByRole("alert").getByText(reason).waitFor();
    }
    await checkLightAndDark(visitor, "an invitation to a closed organisation");
    await close(ours, "plan = 'pro'");
    await visitor.reload();
    await visitor.getByRole("link", { name: "Créer mon compte" }).waitFor();
    await member.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await arrives(member, "/dashboard");
  });

  it("says to whoever it cannot take in now why, and whom to ask, and takes them in later", async () => {
    const ours = await createOrganization(app.sql);
    const invited = await createUser(app.sql, { email: newAddress() });
    await inviteInSql(ours, invited.email);
    const { page } = await app.phone({ expected: refusing(400) });
    await enter(app, page, invited);
    await page.goto("/onboarding");
    const join = page.getByRole("button", { name: "Rejoindre l'équipe" });
    for (const [state, reason] of states) {
      await close(ours, state);
      await join.click();
      await page.getByText(reason).waitFor();
    }
    const joined = () =>
      app.sql`select 1 from public.organization_members where user_id = ${invited.id}`;
    expect(await joined()).toHaveLength(0);
    await close(ours, "plan = 'pro'");
    await join.click();
    await arrives(page, "/dashboard");
    expect(await joined()).toHaveLength(1);
  });

  it("is joined by somebody who has lost the mail, and its journal pages back and forth", async () => {
    const ours = await createOrganization(app.sql, { name: "Café des Arts" });
    const invited = await createUser(app.sql, { email: newAddress(), fullName: "Ana Roy" });
    await inviteInSql(ours, invited.email);
    const { page } = await app.phone({ expected: refusing(500) });
    await enter(app, page, invited);
    const mend = await breakFunction(app.sql, "waiting_invitation");
    await page.goto("/onboarding");
    await page.getByText("Nous n'avons pas pu vérifier si une invitation vous attend.").waitFor();
    await mend();
    await page.getByRole("button", { name: "Vérifier" }).click();
    const team = page.getByRole("region", { name: "Café des Arts vous attend" });
    await team.getByText("Camille Martin vous invite dans son équipe (Équipe).").waitFor();
    await checkLightAndDark(page, "a team that waits");
    await team.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await arrives(page, "/dashboard");

    await app.sql`
      select private.audit_as(${ours.id}, ${ours.users.owner.id}, 'store.created', 'store', null,
        jsonb_build_object('name', 'Magasin ' || n)) from generate_series(1, 30) n`;
    const { page: owner } = await app.desktop();
    await enter(app, owner, ours.users.owner);
    await owner.goto("/settings/audit?action=store.created");
    const shown = () => owner.getByText("a créé le magasin « Magasin").allTextContents();
    await owner.getByText("a créé le magasin « Magasin").first().waitFor();
    const first = await shown();
    await owner.getByRole("button", { name: "Suivant" }).click();
    await expect.poll(shown).not.toEqual(first);
    await owner.getByRole("button", { name: "Précédent" }).click();
    await expect.poll(shown).toEqual(first);
    expect(
      await owner.getByRole("button", { name: "Précédent" }).getAttribute("aria-disabled"),
    ).toBe("true");
  });
});
