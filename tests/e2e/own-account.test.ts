import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { addApplication, alerts, checkLightAndDark, codeOf, titled } from "./support/account.ts";
import { showsFocus, tabTo } from "./support/keyboard.ts";
import { arrives, openAs, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, sessionRefused, setUpTestApp } from "./support/test-app.ts";

/** `/settings/account`: one's own data, and the end of one's account (specification, section 2.19). */

const app = setUpTestApp();

/** The session that ended with the account is signed out of once more; a wrong proof is refused. */
const expected = refusing(400, 401, 403, 422);

const exists = async ({ id }: Pick<User, "id">) =>
  (await app.sql`select from auth.users where id = ${id}`).length === 1;

describe("the navigation beside one's own account", () => {
  it("leads a cashier to the till and nobody to settings that lead back", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.cashier, "/settings/account");
    await titled(page, "Mes données");
    const entries = page
      .getByRole("navigation", { name: "Navigation principale" })
      .getByRole("link");
    await expect.poll(() => entries.allTextContents()).toEqual(["Mon compte"]);
    await page.getByRole("banner").getByRole("link", { name: "Caisse" }).click();
    await arrives(page, "/encaisser");
  });

  it("leads where a plan is over for good to the plan and to the till, which still takes what was won", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      update public.subscriptions set plan = 'free_trial', trial_end = now() - interval '31 days'
      where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/settings/account", { device: "phone" });
    await titled(page, "Mes données");
    const entries = page
      .getByRole("navigation", { name: "Navigation principale" })
      .getByRole("link");
    await expect
      .poll(() => entries.allTextContents())
      .toEqual(["Votre plan", "Mon compte", "Caisse"]);
    const search = page.getByRole("navigation", { name: "Navigation principale" });
    await search.getByRole("button", { name: "Chercher" }).click();
    await page.getByRole("option", { name: "Votre plan" }).waitFor();
    expect(await page.getByRole("option", { name: "Nouvelle campagne" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await entries.filter({ hasText: "Votre plan" }).click();
    await arrives(page, "/closed");
  });

  it("leads somebody without an organisation to the first steps, also from the search", async () => {
    const nobody = await createUser(app.sql);
    const page = await openAs(app, nobody, "/settings/account", { device: "phone" });
    await titled(page, "Mes données");
    const bar = page.getByRole("navigation", { name: "Navigation principale" });
    await bar.getByRole("link", { name: "Mon compte" }).waitFor();
    expect(await bar.getByRole("link", { name: "Paramètres" }).count()).toBe(0);
    await bar.getByRole("button", { name: "Chercher" }).click();
    await page.getByRole("option", { name: "Premiers pas" }).waitFor();
    expect(await page.getByRole("option", { name: "Paramètres" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await bar.getByRole("link", { name: "Premiers pas" }).click();
    await arrives(page, "/onboarding");
  });
});

describe("one's own account", () => {
  it("is copied and deleted by somebody of the till, with their password, from the keyboard", async () => {
    const shop = await createShop(app.sql);
    const { cashier } = shop.users;
    const elsewhere = await openAs(app, cashier, "/settings/sessions", {
      device: "phone",
      expected: sessionRefused,
    });
    await titled(elsewhere, "Appareils connectés");
    const page = await openAs(app, cashier, "/encaisser", { device: "phone", expected });
    await page.getByRole("link", { name: "Mon compte" }).click();
    await titled(page, "Mes données");

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Télécharger" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^tournavis-mes-donnees-.*\.json$/);
    const data: unknown = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(data).toMatchObject({ account: { id: cashier.id, email: cashier.email } });
    await page.getByText("Vos données sont téléchargées. Gardez ce fichier pour vous.").waitFor();

    await page.getByText(`Votre accès à l'organisation ${shop.name}`).waitFor();
    await page.getByText("Votre départ y est noté sans votre nom.").waitFor();
    await checkLightAndDark(page, "account");
    await tabTo(page, page.getByRole("button", { name: "Supprimer mon compte" }));
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Supprimer votre compte ?" });
    const password = dialog.getByLabel("Votre mot de passe");
    await password.waitFor();
    await checkLightAndDark(page, "proof");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");

    const end = dialog.getByRole("button", { name: "Supprimer définitivement" });
    await end.click();
    await dialog.getByText("Tapez votre mot de passe.").waitFor();
    await password.fill("pas-le-bon");
    await page.keyboard.press("Enter");
    await dialog.getByText("Ce n'est pas votre mot de passe.").waitFor();
    expect(await exists(cashier)).toBe(true);
    await password.fill(PASSWORD);
    await page.keyboard.press("Enter");

    await arrives(page, "/auth/deleted");
    await titled(page, "Votre compte est supprimé");
    await checkLightAndDark(page, "deleted");
    expect(await exists(cashier)).toBe(false);
    const mail = await latestMail(app.server, cashier.email, { template: "account_deleted" });
    expect(mail.text).toContain(cashier.email);
    // Neither here nor elsewhere is anybody signed in.
    await page.goto("/encaisser");
    await titled(page, "Connexion");
    await elsewhere.reload();
    await titled(elsewhere, "Connexion");
  });

  it("of the last owner goes once somebody else owns the organisation", async () => {
    const shop = await createShop(app.sql);
    const { owner, admin } = shop.users;
    const page = await openAs(app, owner, "/settings", { expected });
    await page.getByRole("link", { name: "Mes données" }).click();
    await page
      .getByText(`Vous êtes le seul propriétaire de l'organisation ${shop.name}.`)
      .waitFor();
    expect(await page.getByRole("button", { name: "Supprimer mon compte" }).count()).toBe(0);
    await checkLightAndDark(page, "held back");
    await page.getByRole("link", { name: "Supprimer l'organisation" }).click();
    await titled(page, "Paramètres");
    expect(place(page)).toBe("/settings?section=data");
    await page.goBack();
    await page.getByRole("link", { name: "Transmettre la propriété à un collègue" }).click();
    await titled(page, "Équipe");
    await app.sql`update public.organization_members set role = 'owner' where user_id = ${admin.id}`;
    await page.goBack();

    await page.getByRole("button", { name: "Supprimer mon compte" }).click();
    const dialog = page.getByRole("dialog", { name: "Supprimer votre compte ?" });
    const password = dialog.getByLabel("Votre mot de passe");
    // The other one is less again by the time of the proof.
    await password.fill(PASSWORD);
    await app.sql`update public.organization_members set role = 'admin' where user_id = ${admin.id}`;
    await dialog.getByRole("button", { name: "Supprimer définitivement" }).click();
    await alerts(
      page,
      "Entre-temps, vous êtes devenu le seul propriétaire de l'organisation. Fermez cette fenêtre : la page dit quoi faire.",
    );
    expect(await exists(owner)).toBe(true);
    // The session of the proof has ended with it.
    await expect
      .poll(() => app.sql`select from auth.sessions where user_id = ${owner.id}`)
      .toHaveLength(2);
    await dialog.getByRole("button", { name: "Annuler" }).click();
    await page
      .getByText(`Vous êtes le seul propriétaire de l'organisation ${shop.name}.`)
      .waitFor();
  });

  it("without a password goes with a code of a mail", async () => {
    const user = await createUser(app.sql);
    await app.sql`
      update auth.identities set provider = 'google' where user_id = ${user.id}`;
    const shop = await createShop(app.sql);
    await app.sql`
      insert into public.organization_members (org_id, user_id, role) values (${shop.id}, ${user.id}, 'member')`;
    const page = await openAs(app, user, "/settings/account", { expected });
    await page.getByRole("button", { name: "Supprimer mon compte" }).click();
    const dialog = page.getByRole("dialog", { name: "Supprimer votre compte ?" });
    await dialog.getByRole("button", { name: `Recevoir un code à ${user.email}` }).click();
    const code = dialog.getByLabel("Code reçu");
    await code.waitFor();
    await checkLightAndDark(page, "code");
    const mail = await latestMail(app.server, user.email, { template: "magic_link" });
    const sent = /\b\d{6}\b/.exec(mail.text)?.[0] ?? "";
    await code.fill(sent === "000000" ? "111111" : "000000");
    await dialog.getByRole("button", { name: "Supprimer définitivement" }).click();
    await alerts(page, "Ce code a expiré ou n'est pas le bon. Demandez-en un nouveau.");
    expect(await exists(user)).toBe(true);
    await code.fill(sent);
    await dialog.getByRole("button", { name: "Supprimer définitivement" }).click();
    await titled(page, "Votre compte est supprimé");
    expect(await exists(user)).toBe(false);
  });

  it("with a second factor goes with that", async () => {
    const shop = await createShop(app.sql);
    const { member } = shop.users;
    const page = await openAs(app, member, "/settings/2fa", { expected });
    const key = await addApplication(page);
    await page.goto("/settings/account");
    await page.getByRole("button", { name: "Supprimer mon compte" }).click();
    const dialog = page.getByRole("dialog", { name: "Supprimer votre compte ?" });
    const code = dialog.getByLabel("Code à 6 chiffres");
    await code.fill("000000");
    await dialog.getByRole("button", { name: "Confirmer" }).click();
    await alerts(page, "Ce code n'est pas le bon. Tapez celui qui s'affiche maintenant.");
    expect(await exists(member)).toBe(true);
    await code.fill(codeOf(key, 1));
    await dialog.getByRole("button", { name: "Confirmer" }).click();
    await titled(page, "Votre compte est supprimé");
    expect(await exists(member)).toBe(false);
  });
});
