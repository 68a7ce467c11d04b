import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import {
  alerts,
  checkLightAndDark,
  isSignedIn,
  keptToken,
  NEW_PASSWORD,
  titled,
} from "./support/account.ts";
import { loseRequest } from "./support/network.ts";
import { lost, refusing, sessionRefused, setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

const app = setUpTestApp();

/** A user who is signed in nowhere. */
async function newcomer(): Promise<User> {
  const user = await createUser(app.sql);
  await app.sql`delete from auth.sessions where user_id = ${user.id}`;
  return user;
}

async function open(page: Page, path: string, user: Pick<User, "email">): Promise<void> {
  await page.goto(`/auth?redirect=${encodeURIComponent(path)}`);
  await signIn(page, user);
  await isSignedIn(page);
}

async function sessionsOf({ id }: User): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from auth.sessions where user_id = ${id}`;
  return row?.count ?? 0;
}

async function hashOf({ id }: User): Promise<string | undefined> {
  const [row] = await app.sql<{ hash: string }[]>`
    select encrypted_password as hash from auth.users where id = ${id}`;
  return row?.hash;
}

async function change(page: Page, current: string, password: string, confirmation = password) {
  await page.getByLabel("Mot de passe actuel").fill(current);
  await page.getByLabel("Nouveau mot de passe", { exact: true }).fill(password);
  await page.getByLabel("Confirmez le mot de passe").fill(confirmation);
  await page.getByRole("button", { name: "Changer le mot de passe" }).click();
}

describe("/settings/password", () => {
  it("changes the password of whoever knows it, and signs the other devices out", async () => {
    const user = await newcomer();
    const elsewhere = await app.phone({ expected: sessionRefused });
    await open(elsewhere.page, "/settings/sessions", user);
    const { page } = await app.phone({ expected: refusing(400, 422) });
    await open(page, "/settings/password", user);
    await titled(page, "Mot de passe");
    const before = await hashOf(user);

    await page.getByRole("button", { name: "Changer le mot de passe" }).click();
    await alerts(page, "Veuillez remplir tous les champs");
    await checkLightAndDark(page, "password with mistakes");
    await change(page, PASSWORD, NEW_PASSWORD, "autre-chose");
    await page.getByText("Les mots de passe ne correspondent pas", { exact: true }).waitFor();
    await change(page, PASSWORD, "court");
    await page
      .getByText("Le mot de passe doit contenir au moins 6 caractères", { exact: true })
      .waitFor();
    await change(page, "pas-le-bon", NEW_PASSWORD);
    await alerts(page, "Ce n'est pas votre mot de passe actuel.");
    await change(page, PASSWORD, "azertyuiop");
    await alerts(page, "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.");
    await change(page, PASSWORD, PASSWORD);
    await alerts(page, "C'est déjà votre mot de passe. Choisissez-en un autre.");
    expect(await page.getByLabel("Mot de passe actuel").inputValue()).toBe(PASSWORD);
    expect(await hashOf(user)).toBe(before);
    expect(await sessionsOf(user)).toBe(2);

    await change(page, PASSWORD, NEW_PASSWORD);
    await page
      .getByText("Votre mot de passe est changé. Vos autres appareils devront se reconnecter.")
      .waitFor();
    await checkLightAndDark(page, "password changed");
    expect(await hashOf(user)).not.toBe(before);
    expect(await sessionsOf(user)).toBe(1);
    await elsewhere.page.reload();
    await titled(elsewhere.page, "Connexion");
  });
});

describe("a session of more than a day", () => {
  it("changes the password with the code of a mail besides", async () => {
    const user = await newcomer();
    const { page } = await app.phone({ expected: refusing(400, 422) });
    await open(page, "/settings/password", user);
    await titled(page, "Mot de passe");
    await app.sql`
      update auth.sessions set created_at = now() - interval '25 hours' where user_id = ${user.id}`;
    const before = await hashOf(user);
    await change(page, PASSWORD, NEW_PASSWORD);
    const code = page.getByLabel("Code reçu par e-mail");
    await code.waitFor();
    await page
      .getByText("Votre connexion n'est plus récente : nous vous avons envoyé un code")
      .waitFor();
    await checkLightAndDark(page, "code asked for");
    const submit = page.getByRole("button", { name: "Changer le mot de passe" });
    await submit.click();
    await page.getByText("Tapez le code reçu par e-mail.", { exact: true }).waitFor();
    const mail = await latestMail(app.server, user.email, { template: "reauthentication" });
    const sent = /\b\d{6}\b/.exec(mail.text)?.[0] ?? "";
    await code.fill(sent === "000000" ? "111111" : "000000");
    await submit.click();
    await alerts(page, "Ce code n'est pas le bon, ou il a expiré. Demandez-en un nouveau.");
    expect(await page.getByLabel("Mot de passe actuel").inputValue()).toBe(PASSWORD);
    expect(await hashOf(user)).toBe(before);
    const token = await keptToken(page);
    expect(token).toEqual(expect.any(String));
    await code.fill(sent);
    await submit.click();
    await page
      .getByText("Votre mot de passe est changé. Vos autres appareils devront se reconnecter.")
      .waitFor();
    expect(await hashOf(user)).not.toBe(before);
    // The tokens from before, of which somebody may have a copy, are worth nothing more.
    expect(await keptToken(page)).not.toBe(token);
    await code.waitFor({ state: "detached" });
  });
});

describe("/settings/sessions", () => {
  it("names the devices, and signs one of them out", async () => {
    const user = await newcomer();
    const phone = await app.phone({ expected: sessionRefused });
    await open(phone.page, "/settings/sessions", user);
    const { page } = await app.desktop();
    await open(page, "/settings/sessions", user);
    await titled(page, "Appareils connectés");
    const rows = page.getByRole("list", { name: "Appareils connectés" }).getByRole("listitem");
    await rows.nth(1).waitFor();
    expect(await rows.nth(0).textContent()).toMatch(
      /^Chrome sur Windows\s*Cet appareil\s*Actif en ce moment/,
    );
    expect(await rows.nth(1).textContent()).toMatch(/^Chrome sur Android\s*Vu à l'instant/);
    await page.getByRole("button", { name: "Déconnecter Chrome sur Android" }).click();
    await page.getByText("Chrome sur Android est déconnecté.", { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText("Votre compte n'est connecté que sur cet appareil.").waitFor();
    expect(await sessionsOf(user)).toBe(1);

    await phone.page.reload();
    await titled(phone.page, "Connexion");
    await phone.page
      .getByText("Votre session est terminée. Connectez-vous pour continuer.", { exact: true })
      .waitFor();
    await checkLightAndDark(phone.page, "session ended elsewhere");
    expect(new URL(phone.page.url()).search).toBe("?redirect=%2Fsettings%2Fsessions");
    await signIn(phone.page, user);
    await titled(phone.page, "Appareils connectés");
  });

  it("signs out the others, or everywhere, after a question", async () => {
    const user = await newcomer();
    const phone = await app.phone({ expected: sessionRefused });
    await open(phone.page, "/settings/sessions", user);
    const { page } = await app.desktop();
    await open(page, "/settings/sessions", user);
    await page.getByRole("button", { name: "Déconnecter les autres appareils" }).click();
    await checkLightAndDark(page, "question");
    // By keyboard: Escape says no.
    await page.keyboard.press("Escape");
    expect(await sessionsOf(user)).toBe(2);
    await page.getByRole("button", { name: "Déconnecter les autres appareils" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Déconnecter" }).click();
    await page.getByText("Les autres appareils sont déconnectés.", { exact: true }).waitFor();
    expect(await sessionsOf(user)).toBe(1);
    await phone.page.reload();
    await titled(phone.page, "Connexion");
    await signIn(phone.page, user);
    await titled(phone.page, "Appareils connectés");

    await page.getByRole("button", { name: "Tout déconnecter" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Déconnecter" }).click();
    await titled(page, "Connexion");
    expect(await sessionsOf(user)).toBe(0);
    // The person did this themselves: no word about a session that ended.
    expect(await page.getByText(/Votre session est terminée/).count()).toBe(0);
    await phone.page.reload();
    await titled(phone.page, "Connexion");
  });

  it("says when the devices cannot be loaded, and tries again", async () => {
    const user = await newcomer();
    const { page } = await app.phone({ expected: lost("/rpc/my_sessions") });
    await open(page, "/settings/password", user);
    await titled(page, "Mot de passe");
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await loseRequest(page, "**/rpc/my_sessions");
    }
    await page.getByRole("link", { name: "Appareils" }).click();
    await alerts(page, "Ces informations n'ont pas pu être chargées.");
    await checkLightAndDark(page, "devices not loaded");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Cet appareil", { exact: true }).waitFor();
  });
});
