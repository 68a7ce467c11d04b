import { describe, expect, it } from "vitest";
import { alerts, checkLightAndDark, isSignedIn, NEW_PASSWORD, titled } from "./support/account.ts";
import { holdRequests } from "./support/network.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { setGateway } from "./support/text-messages.ts";

const gateway = setGateway();
const app = setUpTestApp(gateway.env);

describe("a phone number in place of an address", () => {
  it("signs up with the code of a text message, and signs in by password", async () => {
    const { page } = await app.phone({ expected: refusing(400, 403, 422) });
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/auth?mode=signup", { waitUntil: "commit" });
    // Chosen and pressed before the script is there: done once it is.
    await page.getByText("Téléphone", { exact: true }).click();
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    release();
    await alerts(page, "Veuillez remplir tous les champs requis");
    const number = page.getByRole("textbox", { name: "Numéro de téléphone" });
    await page.getByLabel("Nom complet").fill("Nadia Roy");
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await number.fill("06 39");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await page.getByText("Format de téléphone invalide", { exact: true }).waitFor();
    await checkLightAndDark(page, "sign-up by phone");
    await number.fill("06 39 98 01 23");
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Confirmez votre numéro");
    await checkLightAndDark(page, "code of a sign-up");
    await page.getByRole("button", { name: "Confirmer" }).click();
    await page.getByText("Tapez le code reçu par SMS.").waitFor();
    await page.getByLabel("Code reçu par SMS").fill("000000");
    await page.getByRole("button", { name: "Confirmer" }).click();
    await alerts(page, "Ce code a expiré ou n'est pas le bon. Demandez-en un nouveau.");
    await page.getByLabel("Code reçu par SMS").fill(await gateway.codeFor("+33639980123"));
    await page.getByRole("button", { name: "Confirmer" }).click();
    await titled(page, "Votre compte est prêt");
    await isSignedIn(page);

    const other = await app.phone({ expected: refusing(400) });
    await other.page.goto("/auth?redirect=%2Fsettings%2Fsessions");
    await other.page.getByText("Téléphone", { exact: true }).click();
    await other.page
      .getByRole("textbox", { name: "Numéro de téléphone" })
      .fill("+33 (0)6 39 98 01 23");
    await other.page.getByLabel("Mot de passe", { exact: true }).fill("pas-le-bon");
    await other.page.getByRole("button", { name: "Se connecter" }).click();
    await alerts(other.page, "Numéro ou mot de passe incorrect.");
    await other.page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await other.page.getByRole("button", { name: "Se connecter" }).click();
    await titled(other.page, "Appareils connectés");
    expect(new URL(other.page.url()).pathname).toBe("/settings/sessions");
  });
});
