import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PASSWORD, type User } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, NEW_PASSWORD, titled } from "./support/account.ts";
import { giveDevice } from "./support/device.ts";
import { showsFocus, tabTo } from "./support/keyboard.ts";
import { enter, openAs, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { setGateway } from "./support/text-messages.ts";

/** Rarer proofs before one's own account goes: a passkey, and the code of a text message (specification, section 2.19). */

const gateway = setGateway();
const app = setUpTestApp(gateway.env);

/** The session that ended with the account is signed out of once more; a wrong proof is refused. */
const expected = refusing(400, 401, 403, 422);

const exists = async ({ id }: Pick<User, "id">) =>
  (await app.sql`select from auth.users where id = ${id}`).length === 1;

/** A page of somebody on a device of theirs that holds a passkey for them. */
async function withPasskey(user: User) {
  const { page } = await app.phone({ expected });
  const device = await giveDevice(page);
  await enter(app, page, user);
  await page.goto(at("/settings/password"));
  await page.getByRole("button", { name: "Ajouter une clé d'accès" }).click();
  await page.getByText("Votre clé d'accès est prête.").waitFor();
  return { page, device };
}

/** A passkey belongs to a name, which an address is not. */
const at = (path: string) => `${app.server.running.publicUrl}${path}`;

const TOO_NEW =
  "Cette façon de vous connecter a été ajoutée ou changée il y a moins d'un jour : seule, elle ne suffit pas encore. Confirmez d'une autre façon, ou réessayez demain.";

async function askToDelete(page: Page) {
  await page.getByRole("button", { name: "Supprimer mon compte" }).click();
  return page.getByRole("dialog", { name: "Supprimer votre compte ?" });
}

describe("one's own account", () => {
  it("is found by somebody who was taken out of their only organisation: its data, its password, its end", async () => {
    const shop = await createShop(app.sql);
    const { member } = shop.users;
    await app.sql`delete from public.organization_members where user_id = ${member.id}`;
    const page = await openAs(app, member, "/dashboard", { device: "phone", expected });
    await titled(page, "Bienvenue sur Tournavis");
    await checkLightAndDark(page, "without an organisation");
    await tabTo(page, page.getByRole("link", { name: "Mon compte" }));
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("Enter");
    await titled(page, "Mes données");
    expect(place(page)).toBe("/settings/account");

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Télécharger" }).click();
    const data: unknown = JSON.parse(await readFile(await (await download).path(), "utf8"));
    expect(data).toMatchObject({ account: { id: member.id, email: member.email } });
    await checkLightAndDark(page, "account without an organisation");

    const changed = "un-autre-mot-de-passe";
    await page.getByRole("link", { name: "Mot de passe", exact: true }).click();
    await titled(page, "Mot de passe");
    await page.getByLabel("Mot de passe actuel").fill(PASSWORD);
    await page.getByLabel("Nouveau mot de passe", { exact: true }).fill(changed);
    await page.getByLabel("Confirmez le mot de passe").fill(changed);
    await page.getByRole("button", { name: "Changer le mot de passe" }).click();
    await page.getByText("Votre mot de passe est changé.").waitFor();

    await page.getByRole("link", { name: "Mes données" }).click();
    const dialog = await askToDelete(page);
    await dialog.getByLabel("Votre mot de passe").fill(changed);
    await dialog.getByRole("button", { name: "Supprimer définitivement" }).click();
    await titled(page, "Votre compte est supprimé");
    expect(await exists(member)).toBe(false);
  });

  it("goes with one's own passkey, and with nobody else's", async () => {
    const { cashier, member } = (await createShop(app.sql)).users;
    const sessions = () => app.sql`select id from auth.sessions where user_id = ${member.id}`;
    const colleague = await withPasskey(member);
    const { page, device } = await withPasskey(cashier);
    await app.sql`
      update auth.users set created_at = created_at - interval '2 days' where id = ${cashier.id}`;
    const own = await device.forget();
    const before = await sessions();
    await page.goto(at("/settings/account"));
    const dialog = await askToDelete(page);
    const byPasskey = dialog.getByRole("button", { name: "Utiliser une clé d'accès" });
    await byPasskey.click();
    await alerts(page, "L'appareil n'a rien confirmé. Réessayez, ou prenez un autre moyen.");
    expect(await exists(cashier)).toBe(true);

    // A colleague's key on the same device.
    await device.give(await colleague.device.forget());
    await byPasskey.click();
    await alerts(
      page,
      "Cette clé d'accès ouvre un autre compte. Choisissez celle du compte à supprimer.",
    );
    await checkLightAndDark(page, "another account's passkey");
    expect([await exists(cashier), await exists(member)]).toEqual([true, true]);
    // The session that began with it has ended.
    expect(await sessions()).toEqual(before);

    await device.forget();
    await device.give(own);
    // A stranger at the open session could have added it just now.
    await byPasskey.click();
    await alerts(page, TOO_NEW);
    expect(await exists(cashier)).toBe(true);
    await app.sql`
      update private.account_events set created_at = created_at - interval '1 day' where user_id = ${cashier.id}`;
    await byPasskey.click();
    await titled(page, "Votre compte est supprimé");
    expect([await exists(cashier), await exists(member)]).toEqual([false, true]);
  });

  it("of a phone number goes with the code of a text message", async () => {
    const { page } = await app.phone({ expected });
    await page.goto("/auth?mode=signup");
    await page.getByText("Téléphone", { exact: true }).click();
    await page.getByLabel("Nom complet").fill("Nadia Roy");
    await page.getByRole("textbox", { name: "Numéro de téléphone" }).fill("06 39 98 04 56");
    await page.getByLabel("Mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Créer mon compte" }).click();
    await page.getByLabel("Code reçu par SMS").fill(await gateway.codeFor("+33639980456"));
    await page.getByRole("button", { name: "Confirmer" }).click();
    await titled(page, "Votre compte est prêt");
    const accounts = () => app.sql`select from auth.users where phone = '33639980456'`;
    expect(await accounts()).toHaveLength(1);

    await page.goto("/settings/account");
    const dialog = await askToDelete(page);
    await dialog.getByRole("button", { name: "Recevoir plutôt un code" }).click();
    const send = dialog.getByRole("button", {
      name: "Recevoir un code au numéro qui finit par 56",
    });
    await send.click();
    const code = dialog.getByLabel("Code reçu");
    await code.waitFor();
    await checkLightAndDark(page, "code of a text message");
    const sent = await gateway.codeFor("+33639980456");
    const end = dialog.getByRole("button", { name: "Supprimer définitivement" });
    await end.click();
    await dialog.getByText("Tapez le code reçu.").waitFor();
    await code.fill(sent === "000000" ? "111111" : "000000");
    await end.click();
    await alerts(page, "Ce code a expiré ou n'est pas le bon. Demandez-en un nouveau.");
    expect(await accounts()).toHaveLength(1);
    await code.fill(sent);
    await end.click();
    await titled(page, "Votre compte est supprimé");
    expect(await accounts()).toHaveLength(0);
  });
});
