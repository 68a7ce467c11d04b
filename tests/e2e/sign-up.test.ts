import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { latestMail, mailsTo } from "../harness/mailbox.ts";
import {
  alerts,
  checkLightAndDark,
  fillSignUp,
  isSignedIn,
  NEW_PASSWORD,
  newAddress,
  signUp,
  titled,
} from "./support/account.ts";
import { linkIn } from "./support/links.ts";
import { loseRequest } from "./support/network.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

const app = setUpTestApp();

async function accounts(email: string) {
  return app.sql<{ name: string; is_confirmed: boolean }[]>`
    select raw_user_meta_data ->> 'full_name' as name, email_confirmed_at is not null as is_confirmed
    from auth.users where email = ${email}`.then((rows) => [...rows]);
}

describe("signing up", () => {
  it("leads through the mail's link into the account", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    await page.goto("/auth/signup?redirect=%2Fsettings%2Fsessions");
    await titled(page, "Créer un compte");
    expect(new URL(page.url()).search).toContain("mode=signup");
    await checkLightAndDark(page, "sign-up");
    await fillSignUp(page, email);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
    await page.getByText(email, { exact: true }).waitFor();
    expect(
      await page
        .getByRole("link", { name: "Ouvrir la boîte mail de cette machine" })
        .getAttribute("href"),
    ).toBe("/_dev/mailbox");
    await checkLightAndDark(page, "verification notice");
    expect(await accounts(email)).toEqual([{ name: "Nadia Roy", is_confirmed: false }]);

    const mail = await latestMail(app.server, email, { template: "confirmation" });
    await page.goto(linkIn(app, mail));
    await titled(page, "Votre adresse est confirmée");
    await page.waitForURL((url) => url.pathname === "/settings/sessions");
    await titled(page, "Appareils connectés");
    expect(await accounts(email)).toEqual([{ name: "Nadia Roy", is_confirmed: true }]);
  });

  it("moves the tab on that waits, once the link was opened in another", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    const mail = await latestMail(app.server, email);
    const second = await page.context().newPage();
    await second.goto(linkIn(app, mail));
    await isSignedIn(second);
    await isSignedIn(page);
  });

  it("demands what is missing, in the words of the specification, and loses nothing", async () => {
    const { page } = await app.phone();
    await page.goto("/auth?mode=signup");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await alerts(page, "Veuillez remplir tous les champs requis");
    await page.getByText("Le nom complet est requis", { exact: true }).waitFor();
    await checkLightAndDark(page, "sign-up with mistakes");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("nadia@exemple.fr");
    await page.getByLabel("Mot de passe", { exact: true }).fill("court");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await page
      .getByText("Le mot de passe doit contenir au moins 6 caractères", { exact: true })
      .waitFor();
    await page.getByText("Le nom complet est requis", { exact: true }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);

    // By keyboard to the other tab and back: what was typed is still there.
    await page.getByRole("tab", { name: "Inscription" }).focus();
    await page.keyboard.press("ArrowLeft");
    await titled(page, "Connexion");
    expect(await page.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(
      "nadia@exemple.fr",
    );
    await page.keyboard.press("ArrowRight");
    await titled(page, "Créer un compte");
    expect(await page.getByLabel("Mot de passe", { exact: true }).inputValue()).toBe("court");
    expect(await accounts("nadia@exemple.fr")).toEqual([]);
  });

  it("refuses a password that everybody has, and keeps the form", async () => {
    const email = newAddress();
    const { page } = await app.phone({ expected: refusing(422) });
    await signUp(page, email, "azertyuiop");
    await alerts(page, "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.");
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Nadia Roy");
    expect(await accounts(email)).toEqual([]);
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
  });

  it("says the same where an account exists, and changes nothing", async () => {
    const { email } = await createUser(app.sql, { fullName: "Camille Martin" });
    const { page } = await app.phone();
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    expect(await accounts(email)).toEqual([{ name: "Camille Martin", is_confirmed: true }]);
    await page.goto("/auth");
    await signIn(page, { email });
    await isSignedIn(page);
  });

  it("sends the mail again after a pause, and says when that fails", async () => {
    const email = newAddress();
    const { page } = await app.phone({
      expected: (problem) => unreachable("/auth/v1/resend")(problem) || refusing(429)(problem),
    });
    await page.clock.install();
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    const first = await latestMail(app.server, email);
    const again = page.getByRole("button", { name: /^Renvoyer l'e-mail/ });
    expect(await again.getAttribute("aria-disabled")).toBe("true");
    await page.clock.fastForward(61_000);
    await page.getByRole("button", { name: "Renvoyer l'e-mail", exact: true }).waitFor();
    await loseRequest(page, "**/auth/v1/resend**");
    await again.click();
    await alerts(page, "Erreur lors du renvoi de l'email");
    await checkLightAndDark(page, "verification notice, resend failed");
    await again.click();
    await page.getByText("C'est reparti : un nouvel e-mail est en route.").waitFor();
    const second = await latestMail(app.server, email, { after: first });
    // The newest link is the one that counts.
    await page.goto(linkIn(app, second));
    await isSignedIn(page);
    expect(await mailsTo(app.server, email)).toHaveLength(2);
  });

  it("tells how long to wait after too many mails", async () => {
    const email = newAddress();
    const { page } = await app.phone({ expected: refusing(429) });
    await page.clock.install();
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    for (let status: number | undefined; status !== 429; ) {
      const { error } = await app.server.client().auth.resend({ type: "signup", email });
      status = error?.status;
    }
    await page.clock.fastForward(61_000);
    await page.getByRole("button", { name: "Renvoyer l'e-mail", exact: true }).click();
    await alerts(page, "Erreur lors du renvoi de l'email");
    await page.getByText(/^Trop d'essais\. Réessayez dans \d+ minutes\.$/).waitFor();
    await page.getByRole("button", { name: /^Renvoyer l'e-mail \(\d{3} s\)$/ }).waitFor();
  });
});

describe("a confirmation link", () => {
  it("that was used says so, and the account can be entered by password", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    await signUp(page, email);
    const link = linkIn(app, await latestMail(app.server, email));
    await page.goto(link);
    await isSignedIn(page);
    const other = await app.phone();
    await other.page.goto(link);
    await alerts(
      other.page,
      "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
    );
    await checkLightAndDark(other.page, "used link");
    // Reloading does not say it again: the address is clean.
    expect(other.page.url()).not.toContain("error");
    await signIn(other.page, { email }, NEW_PASSWORD);
    await isSignedIn(other.page);
  });

  it("that is wrong says so", async () => {
    const { page } = await app.phone();
    const target = encodeURIComponent(`${app.server.url}/auth?confirmed=true`);
    await page.goto(`/auth/v1/verify?token=pkce_0000&type=signup&redirect_to=${target}`);
    await alerts(
      page,
      "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
    );
  });

  it("that is older than an hour confirms nothing", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    await signUp(page, email);
    const mail = await latestMail(app.server, email);
    await age(email);
    await page.goto(linkIn(app, mail));
    await alerts(
      page,
      "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
    );
    expect(await accounts(email)).toMatchObject([{ is_confirmed: false }]);
  });

  it("opened in another browser asks for name and password before anything else", async () => {
    const email = newAddress();
    const stranger = await app.phone();
    await signUp(stranger.page, email, "le-mot-de-passe-du-voleur");
    await titled(stranger.page, "Vérifiez votre boîte mail");
    const mail = await latestMail(app.server, email);
    const { page } = await app.desktop({ expected: refusing(400, 422) });
    await page.goto(linkIn(app, mail));
    await titled(page, "Terminez votre inscription");
    expect(page.url()).not.toContain("confirm=");
    await checkLightAndDark(page, "name and password of a link");
    const submit = page.getByRole("button", { name: "Ouvrir mon compte" });
    await submit.click();
    await alerts(page, "Veuillez remplir tous les champs requis");
    await page.getByText("Le nom complet est requis", { exact: true }).waitFor();
    // Reloading loses neither the link nor the way on.
    await page.reload();
    await page.getByLabel("Nom complet").fill("Alex Roux");
    await page.getByLabel("Mot de passe", { exact: true }).fill("azertyuiop");
    expect(await accounts(email)).toMatchObject([{ is_confirmed: false }]);
    await submit.click();
    await alerts(page, "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.");
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Alex Roux");
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await submit.click();
    await titled(page, "Votre adresse est confirmée");
    await isSignedIn(page);
    expect(await accounts(email)).toEqual([{ name: "Alex Roux", is_confirmed: true }]);

    const later = await app.desktop({ expected: refusing(400) });
    await later.page.goto("/auth");
    await signIn(later.page, { email }, "le-mot-de-passe-du-voleur");
    await alerts(later.page, "E-mail ou mot de passe incorrect.");
    await signIn(later.page, { email }, NEW_PASSWORD);
    await isSignedIn(later.page);
  });
});

describe("an account that waits for its confirmation", () => {
  it("is not entered, and the mail can be asked for again", async () => {
    const email = newAddress();
    const { page } = await app.phone({ expected: refusing(400) });
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    await page.getByRole("button", { name: "Changer d'adresse" }).click();
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Nadia Roy");
    await page.getByRole("tab", { name: "Connexion" }).click();
    await page.getByRole("button", { name: "Se connecter" }).click();
    await alerts(page, "Confirmez d'abord votre adresse : ouvrez le lien reçu par e-mail.");
    await checkLightAndDark(page, "unconfirmed address");
    await page.getByRole("button", { name: "Renvoyer l'e-mail" }).click();
    await titled(page, "Vérifiez votre boîte mail");
  });
});

describe("a network that fails", () => {
  it("while signing up says so and keeps the form", async () => {
    const email = newAddress();
    const { page } = await app.phone({ expected: unreachable("/auth/v1/signup") });
    await page.goto("/auth?mode=signup");
    await fillSignUp(page, email);
    await loseRequest(page, "**/auth/v1/signup**");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await alerts(page, "Pas de connexion. Vérifiez le réseau, puis réessayez.");
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Nadia Roy");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
  });
});

/** Makes the links that were sent to somebody older than they may become. */
async function age(email: string): Promise<void> {
  await app.sql`
    update auth.users set confirmation_sent_at = now() - interval '61 minutes',
      recovery_sent_at = now() - interval '61 minutes' where email = ${email}`;
  await app.sql`
    update auth.one_time_tokens set created_at = created_at - interval '61 minutes',
      updated_at = updated_at - interval '61 minutes'
    where user_id = (select id from auth.users where email = ${email})`;
}
