import { expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { isSignedIn, titled } from "./support/account.ts";
import { giveDevice } from "./support/device.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** A passkey in the place of a password, with the authenticator that Chromium brings for tests. */

const app = setUpTestApp();

it("a passkey is added in the settings, and signs in without a password", async () => {
  const user = await createUser(app.sql);
  const { page } = await app.phone();
  await giveDevice(page);
  // A passkey belongs to a name, which an address is not.
  const way = `${app.server.running.publicUrl}/auth?redirect=%2Fsettings%2Fpassword`;
  await page.goto(way);
  await signIn(page, user);
  await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
  await page.getByText("Votre clé d'accès est prête.").waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.goto(way);
  await page.getByRole("button", { name: "Continuer avec une clé d'accès" }).click();
  await isSignedIn(page);
  await titled(page, "Mot de passe");
  const sessions = await app.sql<{ method: string }[]>`
    select c.authentication_method as method from auth.mfa_amr_claims c
    join auth.sessions s on s.id = c.session_id where s.user_id = ${user.id} order by c.created_at`;
  expect(sessions.map(({ method }) => method)).toEqual(["password", "passkey"]);
});
