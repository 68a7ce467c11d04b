import { describe, expect, it } from "vitest";
import { latestMail } from "../harness/mailbox.ts";
import {
  accountsOf,
  alerts,
  checkLightAndDark,
  fillSignUp,
  NEW_PASSWORD,
  newAddress,
  signUp,
  titled,
} from "./support/account.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

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
    await waitForFocus(page.getByRole("heading", { level: 1 }));
    await page.getByText(email, { exact: true }).waitFor();
    expect(
      await page
        .getByRole("link", { name: "Ouvrir la boîte mail de cette machine" })
        .getAttribute("href"),
    ).toBe("/_dev/mailbox");
    await checkLightAndDark(page, "verification notice");
    expect(await accountsOf(app.sql, email)).toEqual([{ name: "Nadia Roy", is_confirmed: false }]);

    const mail = await latestMail(app.server, email, { template: "confirmation" });
    await page.goto(linkIn(app, mail));
    await titled(page, "Votre adresse est confirmée");
    await page.waitForURL((url) => url.pathname === "/settings/sessions");
    await titled(page, "Appareils connectés");
    expect(await accountsOf(app.sql, email)).toEqual([{ name: "Nadia Roy", is_confirmed: true }]);
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
    expect(await accountsOf(app.sql, "nadia@exemple.fr")).toEqual([]);
  });

  it("refuses a password that everybody has, and keeps the form", async () => {
    const email = newAddress();
    const { page } = await app.phone({ expected: refusing(422) });
    await signUp(page, email, "azertyuiop");
    await alerts(page, "Ce mot de passe est trop facile à deviner. Choisissez-en un autre.");
    expect(await page.getByLabel("Nom complet").inputValue()).toBe("Nadia Roy");
    expect(await accountsOf(app.sql, email)).toEqual([]);
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
  });
});
