import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createUser, type User } from "../harness/fixtures.ts";
import { latestMail, mailsTo } from "../harness/mailbox.ts";
import {
  addApplication,
  alerts,
  checkLightAndDark,
  codeOf,
  isSignedIn,
  keptToken,
  NEW_PASSWORD,
  newAddress,
  titled,
} from "./support/account.ts";
import { runUntil, stopClock } from "./support/clock.ts";
import { breakWriting } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

const app = setUpTestApp();

const SENT =
  "Si un compte existe avec cette adresse, un lien de réinitialisation y arrive dans un instant. Il est valable une heure.";
const INVALID = "Lien de réinitialisation invalide ou expiré";

/**
 * Runs axe on a page that leaves by itself, its clock stopped: a millisecond at a time is enough for what axe puts
 * off, and too little for the page's own pause. Answers how many milliseconds that took.
 */
async function checkHeld(page: Page, state: string): Promise<number> {
  let isDone = false;
  let milliseconds = 0;
  const checked = checkLightAndDark(page, state).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await page.clock.runFor(1);
    milliseconds += 1;
  }
  await checked;
  return milliseconds;
}

const path = (page: Page) => new URL(page.url()).pathname;

async function ask(page: Page, email: string): Promise<void> {
  await page.goto("/auth/forgot-password");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
  await page.getByRole("button", { name: "Envoyer le lien" }).click();
  await page.getByText(SENT, { exact: true }).waitFor();
}

/** Follows the link of a mail, and presses what uses it up. */
async function open(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Continuer" }).click();
}

async function choose(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel("Nouveau mot de passe", { exact: true }).fill(password);
  await page.getByLabel("Confirmez le mot de passe", { exact: true }).fill(confirmation);
  await page.getByRole("button", { name: "Enregistrer" }).click();
}

async function hashOf({ id }: User): Promise<string | undefined> {
  const [row] = await app.sql<{ hash: string }[]>`
    select encrypted_password as hash from auth.users where id = ${id}`;
  return row?.hash;
}

/** Waits for the sentence about the link, and for the page that it leads to. */
async function refusesLink(page: Page): Promise<void> {
  await alerts(page, INVALID);
  await page.waitForURL((url) => url.pathname === "/auth/forgot-password");
}

describe("a forgotten password", () => {
  it("is replaced through the mail", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400) });
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/auth", { waitUntil: "commit" });
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(user.email);
    // Followed before its script is there, the link takes the address along all the same.
    await page.getByRole("link", { name: "Mot de passe oublié ?" }).click();
    release();
    await titled(page, "Mot de passe oublié");
    expect(await page.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(
      user.email,
    );
    await checkLightAndDark(page, "forgotten password");
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await page.getByText(SENT, { exact: true }).waitFor();
    await waitForFocus(page.getByRole("heading", { level: 1 }));
    await checkLightAndDark(page, "link sent");

    const mail = await latestMail(app.server, user.email, { template: "recovery" });
    await page.goto(linkIn(app, mail));
    await titled(page, "Nouveau mot de passe");
    await checkLightAndDark(page, "link of a new password");
    // Neither looking at the link nor reloading uses it up.
    await page.reload();
    await page.getByRole("button", { name: "Continuer" }).click();
    await page.getByText(user.email, { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await checkLightAndDark(page, "new password");
    // Reloading does not lose the way.
    await page.reload();
    await titled(page, "Nouveau mot de passe");

    const before = await hashOf(user);
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await alerts(page, "Veuillez remplir tous les champs");
    await choose(page, "court");
    await page
      .getByText("Le mot de passe doit contenir au moins 6 caractères", { exact: true })
      .waitFor();
    await choose(page, NEW_PASSWORD, "autre-chose");
    await page.getByText("Les mots de passe ne correspondent pas", { exact: true }).waitFor();
    await checkLightAndDark(page, "new password with mistakes");
    expect(await hashOf(user)).toBe(before);

    const token = await keptToken(page);
    await stopClock(page);
    await choose(page, NEW_PASSWORD);
    const done = page.getByRole("heading", { level: 1, name: "C'est changé", exact: true });
    await runUntil(page, 20, () => done.count(), 1);
    expect(await hashOf(user)).not.toBe(before);
    expect(await keptToken(page)).not.toBe(token);
    const held = await checkHeld(page, "password replaced");
    await page.clock.runFor(1_900 - held);
    expect(path(page)).toBe("/auth/reset-password");
    await page.clock.resume();
    await isSignedIn(page);

    const other = await app.phone({ expected: refusing(400) });
    await other.page.goto("/auth");
    await signIn(other.page, user);
    await alerts(other.page, "E-mail ou mot de passe incorrect.");
    await signIn(other.page, user, NEW_PASSWORD);
    await isSignedIn(other.page);
  });

  it("is asked for with an address", async () => {
    const { page } = await app.phone();
    await page.goto("/auth/forgot-password");
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await alerts(page, "Veuillez entrer votre adresse email");
    await checkLightAndDark(page, "forgotten password without an address");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("zoe@");
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await page.getByText("Format d'email invalide", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Retour à la connexion" }).click();
    await titled(page, "Connexion");
  });

  it("of nobody gets the same words, and no mail", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    await ask(page, email);
    const somebody = await createUser(app.sql);
    await ask(page, somebody.email);
    await latestMail(app.server, somebody.email);
    expect(await mailsTo(app.server, email)).toEqual([]);
  });

  it("can be asked for again after a pause; without a network that is said", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: unreachable("/auth/v1/recover") });
    await page.clock.install();
    await ask(page, user.email);
    const first = await latestMail(app.server, user.email);
    const again = page.getByRole("button", { name: /^Renvoyer le lien/ });
    expect(await again.getAttribute("aria-disabled")).toBe("true");
    await page.clock.fastForward(61_000);
    await page.getByRole("button", { name: "Renvoyer le lien", exact: true }).waitFor();
    await loseRequest(page, "**/auth/v1/recover**");
    await again.click();
    await alerts(page, "Pas de connexion. Vérifiez le réseau, puis réessayez.");
    await again.click();
    await page
      .getByText("Un nouveau lien est en route, si un compte existe.", { exact: true })
      .waitFor();
    await latestMail(app.server, user.email, { after: first });
  });
});

describe("a link for a new password", () => {
  it("that was never sent says so, and leads where one asks for another, after 3 s", async () => {
    const { page } = await app.phone();
    await page.goto("/auth/forgot-password");
    await titled(page, "Mot de passe oublié");
    await stopClock(page);
    await page.evaluate(() => {
      window.history.pushState({}, "", "/auth/reset-password");
      window.dispatchEvent(new PopStateEvent("popstate"));
    });
    // The clock stands still but for these moments, so that the pause is measured from its beginning.
    await runUntil(page, 20, () => page.getByRole("alert").allTextContents(), [INVALID]);
    const held = await checkHeld(page, "invalid link");
    await page.clock.runFor(2_800 - held);
    expect(path(page)).toBe("/auth/reset-password");
    await runUntil(page, 200, () => path(page), "/auth/forgot-password");
  });

  it("that was used, is wrong or too old changes nothing", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await ask(page, user.email);
    const used = linkIn(app, await latestMail(app.server, user.email, { template: "recovery" }));
    const early = await app.phone({ expected: refusing(403) });
    await early.page.goto(used);
    await titled(early.page, "Nouveau mot de passe");
    await open(page, used);
    await page.getByText(user.email, { exact: true }).waitFor();

    const before = await hashOf(user);
    // A page that was open before the link was used up.
    await early.page.getByRole("button", { name: "Continuer" }).click();
    await refusesLink(early.page);
    const other = await app.phone();
    await other.page.goto(used);
    await refusesLink(other.page);
    await other.page.goto(used.replace(/token=[^&]+/, "token=pkce_0000"));
    await refusesLink(other.page);
    await ask(other.page, user.email);
    const old = linkIn(app, await latestMail(app.server, user.email, { template: "recovery" }));
    await app.sql`
      update auth.users set recovery_sent_at = now() - interval '61 minutes' where id = ${user.id}`;
    await app.sql`
      update auth.one_time_tokens set created_at = created_at - interval '61 minutes',
        updated_at = updated_at - interval '61 minutes' where user_id = ${user.id}`;
    await other.page.goto(old);
    await refusesLink(other.page);
    expect(await hashOf(user)).toBe(before);
  });

  it("opens in another browser than the one that asked, as on a phone whose mail program has its own", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await ask(page, user.email);
    const link = linkIn(app, await latestMail(app.server, user.email, { template: "recovery" }));
    const other = await app.desktop({ expected: unreachable("/auth/v1/verify") });
    await other.page.goto(link);
    await loseRequest(other.page, "**/auth/v1/verify**");
    const go = other.page.getByRole("button", { name: "Continuer" });
    await go.click();
    await alerts(other.page, "Pas de connexion. Vérifiez le réseau, puis réessayez.");
    await go.click();
    await other.page.getByText(user.email, { exact: true }).waitFor();
    const before = await hashOf(user);
    await choose(other.page, NEW_PASSWORD);
    await titled(other.page, "C'est changé");
    expect(await hashOf(user)).not.toBe(before);
  });

  it("of a project that keeps the platform's own link says in another browser where it belongs", async () => {
    const { page } = await app.desktop();
    await page.goto(`/auth/reset-password?code=${randomUUID()}`);
    await alerts(page, INVALID);
    await page
      .getByText(/Le lien ne fonctionne que dans le navigateur où il a été demandé/)
      .waitFor();
    await page.waitForURL((url) => url.pathname === "/auth/forgot-password");
    await page
      .getByText(
        "Ce lien ne fonctionne que dans le navigateur où vous l'avez demandé. Demandez-en un autre ici.",
        { exact: true },
      )
      .waitFor();
  });

  it("is nothing that a session alone opens", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await page.goto("/auth");
    await signIn(page, user);
    await isSignedIn(page);
    await page.goto("/auth/reset-password");
    await alerts(page, INVALID);
  });

  it("asks for the second factor first", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await page.goto("/auth?redirect=%2Fsettings%2F2fa");
    await signIn(page, user);
    await isSignedIn(page);
    const key = await addApplication(page);
    const other = await app.phone();
    await ask(other.page, user.email);
    const before = await hashOf(user);
    await open(
      other.page,
      linkIn(app, await latestMail(app.server, user.email, { template: "recovery" })),
    );
    await titled(other.page, "Deuxième étape");
    await other.page.getByLabel("Code à 6 chiffres").fill(codeOf(key, 1));
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await titled(other.page, "Nouveau mot de passe");
    await choose(other.page, NEW_PASSWORD);
    await titled(other.page, "C'est changé");
    expect(await hashOf(user)).not.toBe(before);
  });

  it("that cannot be finished says so, and keeps what was typed", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await ask(page, user.email);
    await open(
      page,
      linkIn(app, await latestMail(app.server, user.email, { template: "recovery" })),
    );
    await page.getByText(user.email, { exact: true }).waitFor();
    const mend = await breakWriting(app.sql, "auth.users", "update of encrypted_password");
    await choose(page, NEW_PASSWORD);
    await alerts(page, "Une erreur est survenue lors de la réinitialisation");
    await mend();
    expect(await page.getByLabel("Nouveau mot de passe", { exact: true }).inputValue()).toBe(
      NEW_PASSWORD,
    );
  });
});
