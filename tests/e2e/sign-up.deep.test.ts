import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { latestMail, mailsTo } from "../harness/mailbox.ts";
import {
  accountsOf,
  alerts,
  checkLightAndDark,
  isSignedIn,
  newAddress,
  signUp,
  titled,
} from "./support/account.ts";
import { linkIn } from "./support/links.ts";
import { loseRequest } from "./support/network.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** A sign-up in two tabs, of an address that has an account, and whose mail is asked for again. */

const app = setUpTestApp();

describe("signing up", () => {
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

  it("says the same where an account exists, and changes nothing", async () => {
    const { email } = await createUser(app.sql, { fullName: "Camille Martin" });
    const { page } = await app.phone();
    await signUp(page, email);
    await titled(page, "Vérifiez votre boîte mail");
    expect(await accountsOf(app.sql, email)).toEqual([
      { name: "Camille Martin", is_confirmed: true },
    ]);
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
