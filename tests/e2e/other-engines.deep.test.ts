import { describe, expect, it } from "vitest";
import { typeset } from "#domain/text/typeset.ts";
import { PASSWORD, type User } from "../harness/fixtures.ts";
import { somebody } from "./support/customer.ts";
import type { EnginePage, OpenEngine } from "./support/engine-page.ts";
import { openFirefox } from "./support/firefox.ts";
import { activity, createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { openWebKit } from "./support/webkit.ts";

/** Pages that most people meet, in the engine of iPhones and in that of Firefox. */

const app = setUpTestApp();

const ENGINES: readonly (readonly [string, OpenEngine])[] = [
  ["WebKit", openWebKit],
  ["Firefox", openFirefox],
];

/** Signs somebody in by the form, which leads to the dashboard. */
async function signIn(page: EnginePage, { email }: User): Promise<void> {
  await page.open(`${app.server.url}/auth`);
  await page.type("Adresse e-mail", email);
  await page.type("Mot de passe", PASSWORD);
  await page.press("Se connecter");
  await page.says("Vos chiffres");
}

describe.each(ENGINES)("in %s", (_, open) => {
  it("a customer rates, turns the wheel and finds the code again", { timeout: 180_000 }, async ({
    skip,
  }) => {
    const phone = await open(skip);
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const person = somebody();
    await phone.open(app.server.url + shop.door);
    await phone.type("Prénom", person.firstName);
    await phone.type("Nom", person.lastName);
    await phone.type("Adresse e-mail", person.email);
    await phone.press("Continuer");
    await phone.press("5 sur 5");
    await phone.press("Tourner la roue");
    await phone.press("Lancer la roue");
    await phone.says(`Bravo ${person.firstName}, Café offert`);
    const code = await phone.textOf("article code");
    expect(code).toMatch(/^WIN-?[0-9A-Z]{8}$/);
    expect(await phone.faults()).toEqual([]);

    await phone.open(app.server.url + shop.door);
    await phone.says("Vous avez déjà joué");
    await expect
      .poll(() => phone.textOf("article code").catch(String), { timeout: 30_000 })
      .toBe(code);
    expect(await phone.faults()).toEqual([]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("a merchant signs in, reads the figures and gives a prize out", { timeout: 180_000 }, async ({
    skip,
  }) => {
    const computer = await open(skip, { width: 1280, height: 900 });
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    await signIn(computer, shop.users.owner);
    await computer.press("Clients");
    await computer.says("1 client(s) trouvé(s)");
    await computer.press("Voir détails");
    await computer.says(typeset("Historique d'activité"));
    expect(await computer.faults()).toEqual([]);

    await computer.open(`${app.server.url}/encaisser`);
    await computer.type("Code du client", code);
    await computer.press("Vérifier le code");
    await computer.press("Valider le gain");
    await computer.says(typeset("C'est validé"));
    expect(await computer.faults()).toEqual([]);
    const [row] = await app.sql`select status from public.redemptions where org_id = ${shop.id}`;
    expect(row).toEqual({ status: "used" });
  });

  it("the form of a campaign shows the start of its address on one line", {
    timeout: 180_000,
  }, async ({ skip }) => {
    const computer = await open(skip, { width: 1280, height: 900 });
    const shop = await createShop(app.sql);
    await signIn(computer, shop.users.owner);
    await computer.open(`${app.server.url}/campaigns/${shop.campaign.id}/edit`);
    await computer.says("Adresse publique");
    expect(await computer.linesOf("/c/")).toBe(1);
    expect(await computer.faults()).toEqual([]);
  });
});
