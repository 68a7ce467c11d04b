import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** The key of a device as a second factor, with the authenticator that Chromium brings for tests. */

const app = setUpTestApp();

/** Gives a page a device that holds no key yet, and says yes by itself. */
async function giveDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Names and uses of the keys that it holds. */
    async keys() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.map(({ rpId, signCount }) => ({ rpId, signCount }));
    },
    /** Loses them. */
    forget: () => session.send("WebAuthn.clearCredentials", { authenticatorId }),
  };
}

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
