import { expect, it } from "vitest";
import { latestMail, mailsTo } from "../harness/mailbox.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Links at the foot of every public page: contact, state of the service, cookies, rights. */

const app = setUpTestApp();

/** Of the local mode, where nobody has said who runs the service. */
const MAILBOX = "exploitant@tournavis.localhost";

it("a visitor writes to the operator: nothing typed is lost, and it arrives once", async () => {
  let isAway = false;
  const { page } = await app.phone({ expected: () => isAway });
  await page.goto("/");
  // The foot of the page leads somewhere with every entry.
  expect(await page.locator("footer li a").count()).toBe(12);
  expect(await page.locator("footer").getByText("bientôt").count()).toBe(0);
  await page.getByRole("link", { name: "Contact", exact: true }).click();
  await titled(page, "Contact");
  await checkLightAndDark(page, "contact");
  const send = page.getByRole("button", { name: "Envoyer" });
  await send.click();
  await page.getByText("Dites-nous votre nom.").waitFor();
  expect(await page.locator(":focus").getAttribute("name")).toBe("name");
  await page.getByLabel("Votre nom").fill("Marie Petit");
  await page.getByLabel("Votre adresse e-mail").fill("marie@exemple.fr");
  const words = "Bonjour, peut-on choisir les couleurs de la roue ?";
  await page.getByLabel("Votre message").fill(words);

  await page.reload();
  await expect.poll(() => page.getByLabel("Votre message").inputValue()).toBe(words);
  isAway = true;
  await page.context().setOffline(true);
  await send.click();
  await page.getByRole("alert").getByText("votre message reste ici").waitFor();
  await page.context().setOffline(false);
  isAway = false;
  await send.dblclick();
  await page.getByRole("heading", { name: "Merci" }).waitFor();
  const mail = await latestMail(app.server, MAILBOX);
  expect(mail.text).toContain(words);
  expect(mail.text).toContain("marie@exemple.fr");
  expect(await mailsTo(app.server, MAILBOX)).toHaveLength(1);
  await page.getByRole("button", { name: "Écrire un autre message" }).click();
  expect(await page.getByLabel("Votre message").inputValue()).toBe("");
});

it("the state of the service is read from the service, and said where it does not answer", async () => {
  let isAway = false;
  const { page } = await app.desktop({ expected: () => isAway });
  await page.goto("/statut");
  await page.getByRole("status").getByText("Tout fonctionne").waitFor();
  expect(await page.getByText("En marche", { exact: true }).count()).toBe(5);
  await checkLightAndDark(page, "status");
  isAway = true;
  await page.route("**/functions/v1/status", (route) => route.abort());
  await page.reload();
  await page.getByRole("status").getByText("Le service ne répond pas").waitFor();
  expect(await page.getByText("Inconnu", { exact: true }).count()).toBe(5);
  await checkLightAndDark(page, "status that does not answer");
});
