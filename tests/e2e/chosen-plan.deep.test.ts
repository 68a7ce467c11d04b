import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { fillSignUp, NEW_PASSWORD, newAddress, titled } from "./support/account.ts";
import { linkIn } from "./support/links.ts";
import { arrives, place } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** The plan that somebody chose, on the way through sign-up, its mail and the onboarding (specification, section 2.4). */

const app = setUpTestApp();

const WANTED = "?plan=pro&billing=yearly";

async function choosePro(page: Page) {
  await page.goto("/pricing");
  await page.getByText("Annuel", { exact: true }).click();
  // The prices wake shortly after they can be seen, and follow then.
  const link = page.getByRole("link", { name: "Choisir Pro" });
  await expect.poll(() => link.getAttribute("href")).toContain("billing=yearly");
  await link.click();
  await arrives(page, "/auth");
}

/** Signs up for it, and answers the link of the mail. */
async function signUpForPro(page: Page): Promise<{ email: string; link: string }> {
  const email = newAddress();
  await choosePro(page);
  await page.getByRole("tab", { name: "Inscription" }).click();
  await fillSignUp(page, email);
  await page.getByRole("button", { name: "Créer mon compte" }).click();
  await titled(page, "Vérifiez votre boîte mail");
  return { email, link: linkIn(app, await latestMail(app.server, email)) };
}

it("leads from the mail's link through the organisation's name to its checkout, in both tabs", async () => {
  const { page } = await app.desktop();
  const { link } = await signUpForPro(page);
  const second = await page.context().newPage();
  const release = await holdRequests(second, "**/assets/*.js");
  await second.goto(link, { waitUntil: "commit" });
  // A person whose sign-in is under way sees no form to sign in.
  await second.getByText("Vérification de l'authentification...").waitFor();
  expect(await second.getByRole("heading", { name: "Connexion" }).isVisible()).toBe(false);
  release();
  await titled(second, "Votre adresse est confirmée");
  for (const tab of [second, page]) {
    await arrives(tab, "/onboarding");
    expect(place(tab)).toBe(`/onboarding${WANTED}`);
    await tab.getByText("Vous avez choisi le plan Pro.").waitFor();
  }
  await second.getByRole("link", { name: "Commencer" }).click();
  await arrives(second, "/onboarding/organization");
  await second.getByRole("textbox", { name: "Nom de l'organisation" }).fill("Maison Roy");
  await second.getByRole("button", { name: "Continuer" }).click();
  await arrives(second, "/checkout");
  expect(place(second)).toBe(`/checkout${WANTED}`);
  await second.getByRole("button", { name: "Payer", exact: true }).waitFor();
  // The tab that has waited goes on as well.
  await page.reload();
  await arrives(page, "/checkout");
  expect(place(page)).toBe(`/checkout${WANTED}`);
});

it("a chosen plan is kept where the link is opened in another browser", async () => {
  const { page } = await app.desktop();
  const { link } = await signUpForPro(page);
  const { page: other } = await app.phone();
  await other.goto(link);
  await titled(other, "Terminez votre inscription");
  await other.getByLabel("Nom complet").fill("Alex Roux");
  await other.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
  await other.getByRole("button", { name: "Ouvrir mon compte" }).click();
  await arrives(other, "/onboarding");
  expect(place(other)).toBe(`/onboarding${WANTED}`);
});

it("a chosen plan is kept by a user who has an account", async () => {
  const { email } = await createUser(app.sql, {});
  const { page } = await app.phone();
  await choosePro(page);
  await signIn(page, { email });
  await arrives(page, "/onboarding");
  expect(place(page)).toBe(`/onboarding${WANTED}`);
});

it("leads nobody to another site", async () => {
  const { page } = await app.desktop();
  for (const target of ["//evil.test/checkout?plan=pro", "https://evil.test/checkout"]) {
    await page.goto(`/auth?mode=signup&redirect=${encodeURIComponent(target)}`);
    const email = newAddress();
    await fillSignUp(page, email);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
    const link = new URL(linkIn(app, await latestMail(app.server, email)));
    expect(link.searchParams.get("redirect_to")).toContain("redirect=%2Fdashboard");
  }
});
