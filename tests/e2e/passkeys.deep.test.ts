import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { giveDevice } from "./support/device.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** The key of a device as a second factor, with the authenticator that Chromium brings for tests. */

const app = setUpTestApp();

describe("the key of a device", () => {
  it("is added, asked for at the next sign-in, and missed where it is not there", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400, 422) });
    const device = await giveDevice(page);
    // A key belongs to a name, which an address is not.
    const at = (path: string) => `${app.server.running.publicUrl}${path}`;
    await page.goto(at("/auth?redirect=%2Fsettings%2F2fa"));
    await signIn(page, user);
    await titled(page, "Double authentification");
    await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await page.getByRole("heading", { name: "Ajouter une clé d'accès" }).waitFor();
    await checkLightAndDark(page, "adding a passkey");
    await page.getByLabel("Nom", { exact: true }).fill("");
    await page.getByRole("button", { name: "Créer la clé" }).click();
    await page.getByText("Donnez un nom à ce facteur.").waitFor();
    expect(await device.keys()).toEqual([]);
    await page.getByLabel("Nom", { exact: true }).fill("Mon téléphone");
    await page.getByRole("button", { name: "Créer la clé" }).click();
    await page.getByText("La double authentification est active.").waitFor();
    await page.getByRole("heading", { name: "Gardez vos codes de secours" }).waitFor();
    expect(await device.keys()).toEqual([{ rpId: "localhost", signCount: 1 }]);

    // Signed out: the password alone opens no page.
    await page.evaluate(() => localStorage.clear());
    await page.goto(at("/auth?redirect=%2Fsettings%2F2fa"));
    await signIn(page, user);
    await titled(page, "Deuxième étape");
    const use = page.getByRole("button", { name: "Utiliser la clé d'accès" });
    await use.waitFor();
    await checkLightAndDark(page, "second step with a passkey");
    await use.click();
    await titled(page, "Double authentification");
    await page.getByText("Mon téléphone", { exact: true }).waitFor();
    expect(await device.keys()).toEqual([{ rpId: "localhost", signCount: 2 }]);
    await checkLightAndDark(page, "a passkey in the list");

    // The same device again: it says that it has a key already.
    await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await page.getByRole("button", { name: "Créer la clé" }).click();
    await alerts(page, "Cet appareil a déjà une clé d'accès pour votre compte.");
    expect(await device.keys()).toHaveLength(1);

    await page.evaluate(() => localStorage.clear());
    await device.forget();
    await page.goto(at("/auth?redirect=%2Fsettings%2F2fa"));
    await signIn(page, user);
    await use.click();
    await alerts(page, "L'appareil n'a rien confirmé. Réessayez, ou prenez un autre moyen.");
    await titled(page, "Deuxième étape");
  });
});

describe("a passkey", () => {
  it("is added, named, signs in alone, and opens nothing once it is removed", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400) });
    const device = await giveDevice(page);
    const at = (path: string) => `${app.server.running.publicUrl}${path}`;
    const card = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Clés d'accès" }) });
    const signInByPasskey = page.getByRole("button", { name: "Continuer avec une clé d'accès" });
    await page.goto(at("/auth?redirect=%2Fsettings%2Fpassword"));
    // A device without a key has nothing to answer, and the page says what to do.
    await signInByPasskey.click();
    await alerts(page, "L'appareil n'a rien confirmé. Réessayez, ou prenez un autre moyen.");
    await checkLightAndDark(page, "signing in with a passkey");
    await signIn(page, user);
    await titled(page, "Mot de passe");
    await card.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await card
      .getByText("Votre clé d'accès est prête. Elle vous sera proposée à la connexion.")
      .waitFor();
    expect(await device.keys()).toEqual([{ rpId: "localhost", signCount: 1 }]);
    // The same device again: it says that it has a key already.
    await card.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await alerts(page, "Cet appareil a déjà une clé d'accès pour votre compte.");

    const rename = card.getByRole("button", { name: "Renommer Clé d'accès" });
    await rename.click();
    const name = card.getByLabel("Nom de la clé");
    await checkLightAndDark(page, "naming a passkey");
    await name.fill(" ");
    await name.press("Enter");
    await card.getByText("Donnez un nom à cette clé.").waitFor();
    await name.fill("Téléphone de la boutique");
    await name.press("Enter");
    await card.getByText("La clé d'accès est renommée.").waitFor();
    await waitForFocus(card.getByRole("button", { name: "Renommer Téléphone de la boutique" }));
    await checkLightAndDark(page, "a passkey for sign-in in the list");

    await page.evaluate(() => localStorage.clear());
    await page.goto(at("/auth?redirect=%2Fsettings%2Fpassword"));
    await signInByPasskey.click();
    await titled(page, "Mot de passe");
    expect(await device.keys()).toEqual([{ rpId: "localhost", signCount: 2 }]);
    await card.getByText(/utilisée le/).waitFor();

    await card.getByRole("button", { name: "Retirer Téléphone de la boutique" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retirer" }).click();
    await card
      .getByText("La clé d'accès est retirée. Supprimez-la aussi sur l'appareil qui la garde.")
      .waitFor();
    await page.evaluate(() => localStorage.clear());
    await page.goto(at("/auth?redirect=%2Fsettings%2Fpassword"));
    await signInByPasskey.click();
    await alerts(
      page,
      "Cette clé d'accès ne convient pas ici. Essayez-en une autre, ou prenez un autre moyen.",
    );
    expect(new URL(page.url()).pathname).toBe("/auth");
  });

  it("lives beside the second factor of the same device, which is asked for after it", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    const device = await giveDevice(page);
    const at = (path: string) => `${app.server.running.publicUrl}${path}`;
    await page.goto(at("/auth?redirect=%2Fsettings%2Fpassword"));
    await signIn(page, user);
    await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await page.getByText("Votre clé d'accès est prête.").waitFor();
    await page.goto(at("/settings/2fa"));
    await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
    await page.getByRole("button", { name: "Créer la clé" }).click();
    await page.getByText("La double authentification est active.").waitFor();
    await page.getByRole("heading", { name: "Gardez vos codes de secours" }).waitFor();
    expect(await device.keys()).toHaveLength(2);

    await page.evaluate(() => localStorage.clear());
    await page.goto(at("/auth?redirect=%2Fsettings%2Fpassword"));
    await page.getByRole("button", { name: "Continuer avec une clé d'accès" }).click();
    await titled(page, "Deuxième étape");
    await page.getByRole("button", { name: "Utiliser la clé d'accès" }).click();
    await titled(page, "Mot de passe");
  });
});
