import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SESSION_KEY } from "../../web/lib/supabase.ts";
import { createUser, type User } from "../harness/fixtures.ts";
import {
  addApplication,
  alerts,
  checkLightAndDark,
  codeOf,
  isSignedIn,
  titled,
} from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { readQrCode } from "./support/qr.ts";
import { createShop } from "./support/shop.ts";
import { refusing, sessionRefused, setUpTestApp } from "./support/test-app.ts";
import { setGateway } from "./support/text-messages.ts";
import { checkCode, codeField, openTill, signIn } from "./support/till.ts";

const gateway = setGateway();
const app = setUpTestApp(gateway.env);

/** Signs in and goes to `/settings/2fa`. */
async function openFactors(page: Page, user: Pick<User, "email">): Promise<void> {
  await page.goto("/auth?redirect=%2Fsettings%2F2fa");
  await signIn(page, user);
  await titled(page, "Double authentification");
}

/** The recovery codes that turning on a second factor ends with. */
async function readRecoveryCodes(page: Page): Promise<string[]> {
  await page.getByRole("heading", { name: "Gardez vos codes de secours" }).waitFor();
  const list = page.getByRole("list", { name: "Vos codes de secours" });
  await list.waitFor();
  return list.getByRole("listitem").allTextContents();
}

describe("a second factor", () => {
  it("is added, asked for at the next sign-in, and removed", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400, 422) });
    await openFactors(page, user);
    await page.getByText("La double authentification n'est pas active.").waitFor();
    await page.getByRole("button", { name: "Ajouter une application" }).click();
    await page.getByLabel("Nom", { exact: true }).fill("");
    await page.getByRole("button", { name: "Continuer" }).click();
    await page.getByText("Donnez un nom à ce facteur.").waitFor();
    await page.getByLabel("Nom", { exact: true }).fill("Mon téléphone");
    await page.getByRole("button", { name: "Continuer" }).click();
    const picture = page.getByRole("img", { name: /QR code à scanner/ });
    await picture.waitFor();
    await checkLightAndDark(page, "adding an application");
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await readQrCode(picture)) ?? "", colorScheme).toMatch(/^otpauth:\/\/totp\//);
    }
    const field = page.getByLabel("Code à 6 chiffres");
    expect(await field.getAttribute("inputmode")).toBe("numeric");
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    const key = (await page.locator(".select-all").textContent()) ?? "";
    await page.getByRole("button", { name: "Activer" }).click();
    await page.getByText("Tapez les 6 chiffres du code.").waitFor();
    await field.fill("000000");
    await page.getByRole("button", { name: "Activer" }).click();
    await alerts(page, "Ce code n'est pas le bon. Tapez celui qui s'affiche maintenant.");
    await field.fill(codeOf(key));
    await page.getByRole("button", { name: "Activer" }).click();
    await page.getByText("La double authentification est active.").waitFor();
    await checkLightAndDark(page, "one factor");

    const other = await app.phone({ expected: refusing(400, 422) });
    await other.page.goto("/auth?redirect=%2Fsettings%2F2fa");
    await signIn(other.page, user);
    await titled(other.page, "Deuxième étape");
    const code = other.page.getByLabel("Code à 6 chiffres");
    await code.waitFor();
    await checkLightAndDark(other.page, "second step");
    // The password alone opens no page.
    await other.page.goto("/settings/sessions");
    await titled(other.page, "Deuxième étape");
    expect(new URL(other.page.url()).search).toBe("?redirect=%2Fsettings%2Fsessions");
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await other.page.getByText("Tapez les 6 chiffres du code.").waitFor();
    await code.fill("000000");
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await alerts(other.page, "Ce code n'est pas le bon. Tapez celui qui s'affiche maintenant.");
    await checkLightAndDark(other.page, "second step with a wrong code");
    // By keyboard alone; spaces as applications show them.
    await code.fill(codeOf(key, 1).replace(/(...)/, "$1 "));
    await code.press("Enter");
    await titled(other.page, "Appareils connectés");

    await page.getByRole("button", { name: "Retirer Mon téléphone" }).click();
    await page
      .getByText("C'est votre dernier facteur : votre mot de passe suffira de nouveau", {
        exact: false,
      })
      .waitFor();
    await checkLightAndDark(page, "removing a factor");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Retirer Mon téléphone" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retirer" }).click();
    await page.getByText("Le facteur est retiré.").waitFor();
    await page.getByText("La double authentification n'est pas active.").waitFor();
    const third = await app.phone();
    await third.page.goto("/auth");
    await signIn(third.page, user);
    await isSignedIn(third.page);
  });

  it("is added after a sign-in of the last day only: the way there leads back", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(403) });
    await openFactors(page, user);
    // A day later, the token of this session names the old sign-in.
    await app.sql`
      update auth.mfa_amr_claims set created_at = now() - interval '25 hours', updated_at = now() - interval '25 hours'
      where session_id in (select id from auth.sessions where user_id = ${user.id})`;
    await page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key) ?? "{}");
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
    }, SESSION_KEY);
    await page.reload();
    await titled(page, "Double authentification");
    await page.getByRole("button", { name: "Ajouter une application" }).click();
    await page.getByRole("button", { name: "Continuer" }).click();
    await page.getByText(/il faut une connexion de moins d'un jour/).waitFor();
    await page.getByRole("button", { name: "Se reconnecter" }).click();
    await titled(page, "Connexion");
    await signIn(page, user);
    await titled(page, "Double authentification");
  });

  it("can be left by signing out", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await openFactors(page, user);
    await addApplication(page);
    // The page's pending requests are refused once its session has ended.
    const other = await app.phone({ expected: sessionRefused });
    await other.page.goto("/auth");
    await signIn(other.page, user);
    await titled(other.page, "Deuxième étape");
    await other.page.getByRole("button", { name: "Se déconnecter" }).click();
    await titled(other.page, "Connexion");
  });

  it("added elsewhere ends this session, which says so and keeps what was typed", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: sessionRefused });
    await openTill(app, page, shop.users.owner);
    const elsewhere = await app.phone();
    await openFactors(elsewhere.page, shop.users.owner);
    const key = await addApplication(elsewhere.page);
    await checkCode(page, "WINAAAAAAAA");
    await titled(page, "Connexion");
    await page
      .getByText("Votre session est terminée. Connectez-vous pour continuer.", { exact: true })
      .waitFor();
    await signIn(page, shop.users.owner);
    await titled(page, "Deuxième étape");
    await page.getByLabel("Code à 6 chiffres").fill(codeOf(key, 1));
    await page.getByRole("button", { name: "Confirmer" }).click();
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe("WINAAAAAAAA");
  });

  it("that this session does not know of yet is asked for by whatever is done next", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: sessionRefused });
    await openTill(app, page, shop.users.owner);
    await app.sql`
      insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, phone, created_at, updated_at)
      values (gen_random_uuid(), ${shop.users.owner.id}, 'Portable', 'phone', 'verified',
        '33639980177', now(), now())`;
    await checkCode(page, "WINAAAAAAAA");
    await titled(page, "Deuxième étape");
    expect(new URL(page.url()).search).toBe("?redirect=%2Fencaisser");
    await page.getByRole("button", { name: "Envoyer le code" }).click();
    await page.getByLabel("Code à 6 chiffres").fill(await gateway.codeFor("33639980177"));
    await page.getByRole("button", { name: "Confirmer" }).click();
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe("WINAAAAAAAA");
  });
});

describe("recovery codes", () => {
  it("are shown once, can be kept, and stand in for a lost factor, once", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.desktop({
      expected: sessionRefused,
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await openFactors(page, user);
    const key = await addApplication(page);
    const codes = await readRecoveryCodes(page);
    expect(new Set(codes).size).toBe(10);
    // One thing at a time: nothing else is offered before they are kept.
    expect(await page.getByRole("button", { name: "Ajouter une application" }).count()).toBe(0);
    await checkLightAndDark(page, "recovery codes");
    await page.getByRole("button", { name: "Copier", exact: true }).click();
    await page.getByText("Copié", { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Télécharger" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("tournavis-codes-de-secours.txt");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { name: "Double authentification" }).isVisible()).toBe(
      false,
    );
    expect(
      await page.getByRole("heading", { name: "Codes de secours Tournavis" }).isVisible(),
    ).toBe(true);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("button", { name: "Je les ai gardés" }).click();
    await page.getByText("Il vous reste 10 codes de secours.").waitFor();
    await page.reload();
    await page.getByText("Il vous reste 10 codes de secours.").waitFor();
    expect(await page.getByText(codes[0] ?? "").count()).toBe(0);

    const other = await app.phone();
    await other.page.goto("/auth?redirect=%2Fsettings%2F2fa");
    await signIn(other.page, user);
    await other.page.getByRole("button", { name: "Utiliser un code de secours" }).click();
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await other.page.getByText("Tapez un code de secours.").waitFor();
    await other.page.getByLabel("Code de secours").fill("AAAA-BBBB-CCCC-DDDD");
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await alerts(other.page, "Ce code de secours n'existe pas, ou il a déjà servi.");
    await checkLightAndDark(other.page, "recovery code");
    await other.page
      .getByLabel("Code de secours")
      .fill((codes[0] ?? "").toLowerCase().replaceAll("-", " "));
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await titled(other.page, "Double authentification");
    await other.page.getByText("La double authentification n'est pas active.").waitFor();
    const [left] =
      await app.sql`select count(*)::int as factors from auth.mfa_factors where user_id = ${user.id}`;
    expect(left?.factors).toBe(0);
    // The other device, which may be in other hands, is out.
    await page.reload();
    await titled(page, "Connexion");
    expect(key).not.toBe("");
  });

  it("come with a phone, too, and not with a further factor", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await openFactors(page, user);
    await page.getByRole("button", { name: "Ajouter un téléphone" }).click();
    await page.getByText(/À la fin, vous recevrez dix codes de secours/).waitFor();
    await page.getByLabel("Numéro de téléphone").fill("06 39 98 01 43");
    await page.getByRole("button", { name: "Envoyer le code" }).click();
    await page.getByLabel("Code à 6 chiffres").fill(await gateway.codeFor("+33639980143"));
    await page.getByRole("button", { name: "Activer" }).click();
    await readRecoveryCodes(page);
    await page.getByRole("button", { name: "Je les ai gardés" }).click();
    await page.getByText("Il vous reste 10 codes de secours.").waitFor();
    await addApplication(page);
    await page.getByText("Il vous reste 10 codes de secours.").waitFor();
    expect(await page.getByRole("list", { name: "Vos codes de secours" }).count()).toBe(0);
  });

  it("that could not be made are offered again", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await openFactors(page, user);
    const mend = await breakFunction(app.sql, "create_recovery_codes");
    await addApplication(page);
    await alerts(page, "Une erreur est survenue");
    await page.getByText("Vous n'avez aucun code de secours.").waitFor();
    await mend();
    await page.getByRole("button", { name: "Créer des codes de secours" }).click();
    await readRecoveryCodes(page);
  });

  it("can be replaced after a question", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await openFactors(page, user);
    await addApplication(page);
    const before = await readRecoveryCodes(page);
    await page.getByRole("button", { name: "Je les ai gardés" }).click();
    await page.getByRole("button", { name: "Créer de nouveaux codes" }).click();
    await checkLightAndDark(page, "replacing recovery codes");
    await page.getByRole("dialog").getByRole("button", { name: "Remplacer" }).click();
    const list = page.getByRole("list", { name: "Vos codes de secours" });
    await list.waitFor();
    const after = await list.getByRole("listitem").allTextContents();
    expect(after.filter((code) => before.includes(code))).toEqual([]);
  });

  it("are not guessed: the wait is shown", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone();
    await openFactors(page, user);
    await addApplication(page);
    await readRecoveryCodes(page);
    const other = await app.phone();
    await other.page.goto("/auth");
    await signIn(other.page, user);
    await other.page.getByRole("button", { name: "Utiliser un code de secours" }).click();
    const field = other.page.getByLabel("Code de secours");
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await field.fill(`AAAA-AAAA-AAAA-AAA${attempt}`);
      await Promise.all([
        other.page.waitForResponse("**/rpc/use_recovery_code"),
        field.press("Enter"),
      ]);
      // The page takes the next one once it has told about this one.
      await alerts(other.page, "Ce code de secours n'existe pas, ou il a déjà servi.");
    }
    await field.fill("AAAA-AAAA-AAAA-AAAZ");
    await field.press("Enter");
    await other.page
      .getByText(/^Trop d'essais\. Réessayez dans \d+ (minutes|secondes)\.$/)
      .waitFor();
    await titled(other.page, "Deuxième étape");
  });
});

describe("a phone as second factor", () => {
  it("is added with the code of a text message, and asked for", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400, 422) });
    await openFactors(page, user);
    await page.getByRole("button", { name: "Ajouter un téléphone" }).click();
    await page.getByRole("button", { name: "Envoyer le code" }).click();
    await page.getByText("Le téléphone est requis", { exact: true }).waitFor();
    await page.getByLabel("Numéro de téléphone").fill("06 39 98 01 42");
    await checkLightAndDark(page, "adding a phone");
    await page.getByRole("button", { name: "Envoyer le code" }).click();
    await page.getByText("Code envoyé au +33639980142.").waitFor();
    await checkLightAndDark(page, "code of a new phone");
    await page.getByLabel("Code à 6 chiffres").fill(await gateway.codeFor("+33639980142"));
    await page.getByRole("button", { name: "Activer" }).click();
    await page.getByText("La double authentification est active.").waitFor();
    await page.getByText(/numéro qui finit par 42/).waitFor();

    const other = await app.phone({ expected: refusing(429) });
    await other.page.goto("/auth");
    await signIn(other.page, user);
    await titled(other.page, "Deuxième étape");
    // The platform sends no second message within a minute, and says when it will. (However long this one took so far.)
    await app.sql`
      update auth.mfa_factors set last_challenged_at = now() where user_id = ${user.id}`;
    await other.page.getByRole("button", { name: "Envoyer le code" }).click();
    await other.page.getByText(/^Trop d'essais\. Réessayez dans \d+ secondes\.$/).waitFor();
    await app.sql`
      update auth.mfa_factors set last_challenged_at = now() - interval '2 minutes'
      where user_id = ${user.id}`;
    await other.page.reload();
    await other.page.getByRole("button", { name: "Envoyer le code" }).click();
    await other.page.getByText("Code envoyé au numéro qui finit par 42.").waitFor();
    await checkLightAndDark(other.page, "second step by phone");
    await other.page.getByLabel("Code à 6 chiffres").fill(await gateway.codeFor("+33639980142"));
    await other.page.getByRole("button", { name: "Confirmer" }).click();
    await isSignedIn(other.page);
  });
});
