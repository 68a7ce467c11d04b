import type { Page } from "playwright-core";

/** Gives a page an authenticator that holds no key yet, and confirms automatically: Chromium's own, for tests. */
export async function giveDevice(page: Page) {
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
  const read = () => session.send("WebAuthn.getCredentials", { authenticatorId });
  type Keys = Awaited<ReturnType<typeof read>>["credentials"];
  return {
    /** Names and uses of the keys that it holds. */
    async keys() {
      const { credentials } = await read();
      return credentials.map(({ rpId, signCount }) => ({ rpId, signCount }));
    },
    /** Loses them; answers them, so that a device can be given them (`give`). */
    async forget() {
      const { credentials } = await read();
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
      return credentials;
    },
    /** Holds these keys as well, of this device or of another one. */
    async give(credentials: Keys) {
      for (const credential of credentials) {
        await session.send("WebAuthn.addCredential", { authenticatorId, credential });
      }
    },
  };
}
