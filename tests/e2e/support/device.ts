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
