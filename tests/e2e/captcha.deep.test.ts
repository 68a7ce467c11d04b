import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { answerForOtherSite } from "../harness/browser.ts";
import { createUser } from "../harness/fixtures.ts";
import {
  alerts,
  checkLightAndDark,
  fillSignUp,
  isSignedIn,
  newAddress,
  titled,
} from "./support/account.ts";
import { holdRequests } from "./support/network.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

/** Checks that the provider was asked for, oldest first. */
const checked: string[] = [];

/** The provider's own server, which knows what its widget gave. */
const provider = createServer(async (request, response) => {
  const given = new URLSearchParams(await text(request)).get("response") ?? "";
  const isFirstUse = given.startsWith("proof-") && !checked.includes(given);
  checked.push(given);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: isFirstUse }));
});
afterAll(() => void provider.close());

const app = setUpTestApp(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  return {
    CAPTCHA_PROVIDER: "turnstile",
    CAPTCHA_SITE_KEY: "1x00000000000000000000AA",
    CAPTCHA_SECRET: "1x0000000000000000000000000000000AA",
    CAPTCHA_URL: `http://127.0.0.1:${portOf(provider.address())}/siteverify`,
  };
});

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string")
    throw new Error("The provider does not listen.");
  return address.port;
}

/** A widget as the provider's script draws it: a box to tick, which gives another proof each time. */
const WIDGET = `
  let given = 0;
  globalThis.turnstile = {
    render(container, { callback }) {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.addEventListener("change", () => callback("proof-" + performance.timeOrigin + "-" + ++given));
      label.append(box, "Je ne suis pas un robot");
      container.append(label);
      return "widget";
    },
    reset() {},
    remove() { document.querySelectorAll("fieldset label:has([type=checkbox])").forEach((label) => label.remove()); },
  };`;

const PROVIDER = "https://challenges.cloudflare.com/**";

/** Lets the provider's script reach a page; answers how often it was asked for. */
async function giveScript(page: Page): Promise<() => number> {
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().startsWith("https://challenges.cloudflare.com/")) asked += 1;
  });
  await answerForOtherSite(page, PROVIDER, { contentType: "text/javascript", body: WIDGET });
  return () => asked;
}

const box = (page: Page) => page.getByRole("checkbox", { name: "Je ne suis pas un robot" });

describe("a proof that one is no robot", () => {
  it("is asked for when signing in, and given anew for each attempt", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400) });
    const asked = await giveScript(page);
    await page.goto("/");
    await page.getByRole("link", { name: "Se connecter" }).first().waitFor();
    expect(asked()).toBe(0);
    await page.goto("/auth");
    await box(page).waitFor();
    expect(asked()).toBe(1);
    await checkLightAndDark(page, "sign-in with a captcha");
    await signIn(page, user, "pas-le-bon");
    await alerts(page, "Faites d'abord la vérification anti-robot, plus bas.");
    expect(checked).toEqual([]);
    await box(page).check();
    await signIn(page, user, "pas-le-bon");
    await alerts(page, "E-mail ou mot de passe incorrect.");
    // The proof is used up.
    await expect.poll(() => box(page).isChecked()).toBe(false);
    await box(page).check();
    await signIn(page, user);
    await isSignedIn(page);
    expect(new Set(checked).size).toBe(2);
  });

  it("is asked for when signing up and when a password is forgotten", async () => {
    const { page } = await app.phone();
    await giveScript(page);
    const email = newAddress();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/auth?mode=signup", { waitUntil: "commit" });
    await fillSignUp(page, email);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    release();
    await alerts(page, "Faites d'abord la vérification anti-robot, plus bas.");
    await box(page).check();
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await titled(page, "Vérifiez votre boîte mail");
    await page.goto("/auth/forgot-password");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
    await box(page).check();
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await titled(page, "Regardez votre boîte mail");
  });

  it("that cannot be loaded says so, and can be tried again", async () => {
    const { page } = await app.phone({
      expected: ({ kind }) => kind === "request" || kind === "console",
    });
    await page.route(PROVIDER, (route) => route.abort());
    await page.goto("/auth");
    await page
      .getByText("La vérification anti-robot ne se charge pas. Vérifiez le réseau, puis réessayez.")
      .waitFor();
    await page.unroute(PROVIDER);
    await giveScript(page);
    await page.getByRole("button", { name: "Réessayer" }).click();
    await box(page).waitFor();
  });
});
