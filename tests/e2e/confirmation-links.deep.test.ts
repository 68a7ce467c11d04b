import { describe, expect, it } from "vitest";
import { latestMail } from "../harness/mailbox.ts";
import {
  accountsOf,
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
    expect(await accountsOf(app.sql, email)).toMatchObject([{ is_confirmed: false }]);
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
    expect(await accountsOf(app.sql, email)).toMatchObject([{ is_confirmed: false }]);
    await submit.click();
    await alerts(page, "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.");
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Alex Roux");
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await submit.click();
    await titled(page, "Votre adresse est confirmée");
    await isSignedIn(page);
    expect(await accountsOf(app.sql, email)).toEqual([{ name: "Alex Roux", is_confirmed: true }]);

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

describe("an address that looks misspelt", () => {
  it("is asked about where its mail is awaited, and corrected with one press", async () => {
    const right = newAddress().replace("exemple.fr", "gmail.com");
    const wrong = right.replace("gmail.com", "gmial.com");
    const { page } = await app.phone();
    await signUp(page, wrong);
    await titled(page, "Vérifiez votre boîte mail");
    await page.getByRole("status").getByText(`Vouliez-vous dire ${right} ?`).waitFor();
    await checkLightAndDark(page, "misspelt address");
    await page.getByRole("button", { name: "Corriger l'adresse" }).click();
    await titled(page, "Créer un compte");
    expect(await page.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(right);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await page.getByText(right).waitFor();
    expect(await page.getByText("Vouliez-vous dire").count()).toBe(0);
    await latestMail(app.server, right);
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
