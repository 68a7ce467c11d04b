import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { SESSION_KEY } from "../../../web/lib/supabase.ts";
import { accessibilityProblems } from "../../harness/browser.ts";
import { secondsFromNow } from "../../harness/clock.ts";

/** Actions of a merchant on their account. */

/** A password that nobody else has. */
export const NEW_PASSWORD = "une-phrase-bien-à-moi";

/** An address that no account has. */
export function newAddress(): string {
  return `nadia-${randomUUID().slice(0, 8)}@exemple.fr`;
}

/** Fills in the sign-up tab. */
export async function fillSignUp(page: Page, email: string, password = NEW_PASSWORD) {
  await page.getByLabel("Nom complet").fill("Nadia Roy");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
  await page.getByLabel("Mot de passe", { exact: true }).fill(password);
}

/** Opens the sign-up tab, fills it in and sends it. */
export async function signUp(page: Page, email: string, password = NEW_PASSWORD): Promise<void> {
  await page.goto("/auth?mode=signup");
  await fillSignUp(page, email, password);
  await page.getByRole("button", { name: "Créer mon compte" }).click();
}

/** Waits for a page's title. */
export async function titled(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

/** Waits until the page is none of those that sign in. */
export async function isSignedIn(page: Page): Promise<void> {
  await page.waitForURL((url) => !url.pathname.startsWith("/auth"));
}

/** Waits for an alert that holds this sentence. */
export async function alerts(page: Page, sentence: string): Promise<void> {
  await page.getByRole("alert").getByText(sentence, { exact: true }).waitFor();
}

/** The refresh token that a page's device keeps. */
export function keptToken(page: Page): Promise<unknown> {
  return page.evaluate(
    (key) => JSON.parse(localStorage.getItem(key) ?? "{}").refresh_token,
    SESSION_KEY,
  );
}

/** Runs axe on the page as it stands, and on its looks in the dark. */
export async function checkLightAndDark(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const looksOnly = colorScheme === "dark";
    const problems = await accessibilityProblems(page, { looksOnly });
    expect(problems, `${state}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/**
 * Code that an authenticator application shows for a key, now or some periods of 30 seconds later.
 */
export function codeOf(key: string, later = 0): string {
  const secret = Secret.fromBase32(key.replaceAll(" ", ""));
  return new TOTP({ secret }).generate({ timestamp: secondsFromNow(later * 30).getTime() });
}

/** Adds an authenticator application at `/settings/2fa`; answers its key. */
export async function addApplication(page: Page, name = "Mon application"): Promise<string> {
  await page.goto("/settings/2fa");
  await page.getByRole("button", { name: "Ajouter une application" }).click();
  await page.getByLabel("Nom", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Continuer" }).click();
  const key = (await page.locator(".select-all").textContent()) ?? "";
  await page.getByLabel("Code à 6 chiffres").fill(codeOf(key));
  await page.getByRole("button", { name: "Activer" }).click();
  await page.getByText("Le facteur est actif. Il sera demandé à chaque connexion.").waitFor();
  return key;
}

/** The accounts of an address: the name that was given, and whether the address is confirmed. */
export async function accountsOf(sql: Sql, email: string) {
  return sql<{ name: string; is_confirmed: boolean }[]>`
    select raw_user_meta_data ->> 'full_name' as name, email_confirmed_at is not null as is_confirmed
    from auth.users where email = ${email}`.then((rows) => [...rows]);
}
