import { describe, expect, it } from "vitest";
import { place } from "./support/member.ts";
import { countsOn, open, row, statusOf } from "./support/reward-codes.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** `/rewards/{id}/codes`: counters, search, redeeming and taking that back. */

const app = setUpTestApp();

describe("the codes of a reward", () => {
  it("show whose they are, since when and until when, and are found by code, e-mail or name", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 0 } });
    const { sql } = app;
    const [first, second, third] = [
      await winCode(sql, shop, "Anaïs Le Goff"),
      await winCode(sql, shop, "Bruno Petit"),
      await winCode(sql, shop, "Chloé Roux"),
    ];
    await sql`
      update public.redemptions set expires_at = null, end_user_name = null, end_user_email = null
      where code = ${second}`;
    await sql`
      update public.redemptions set expires_at = now() - interval '1 day' where code = ${third}`;
    await sql`update public.stores set timezone = 'America/Martinique' where id = ${shop.storeId}`;
    await sql`
      update public.redemptions set expires_at = '2099-12-12 23:59:59-04' where code = ${first}`;
    const page = await open(app, shop);
    await expect.poll(() => countsOn(page)).toEqual(["3", "2", "0", "1"]);
    await row(page, first).getByText("Disponible", { exact: true }).waitFor();
    await row(page, first).getByText("Anaïs Le Goff").waitFor();
    // The last day is the store's; where it is read, it ends on the next one.
    await row(page, first).getByText("12 décembre 2099", { exact: true }).waitFor();
    await row(page, second).getByText("Anonyme", { exact: true }).waitFor();
    await row(page, second).getByText("Jamais", { exact: true }).waitFor();
    await row(page, third).getByText("Expiré", { exact: true }).waitFor();
    expect(await row(page, third).getByRole("button", { name: "Valider" }).count()).toBe(0);

    const field = page.getByRole("searchbox", { name: "Rechercher un code" });
    await field.fill("anais le");
    await row(page, second).waitFor({ state: "detached" });
    expect(place(page)).toContain("?q=anais");
    await row(page, first).waitFor();
    await field.fill(third.toLowerCase());
    await row(page, third).waitFor();
    await field.fill("personne");
    await page.getByText("Aucun code trouvé").waitFor();
    // The counters are those of the reward, whatever is searched.
    expect(await countsOn(page)).toEqual(["3", "2", "0", "1"]);
  });
});

describe("a code", () => {
  it("is used, and given back within ten minutes, with the trace of who did it", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const page = await open(app, shop);
    await row(page, code)
      .getByRole("button", { name: `Valider le code ${code}` })
      .click();
    await row(page, code).getByText("Utilisé", { exact: true }).waitFor();
    await row(page, code)
      .getByText(/^Validé (?:aujourd'hui|hier) à \d\d:\d\d par Camille Martin$/)
      .waitFor();
    expect(await statusOf(app.sql, code)).toBe("used");
    expect(await countsOn(page)).toEqual(["1", "0", "1", "0"]);
    // The button went; the keyboard goes on beside the one in its place, which a second press must not meet.
    await row(page, code).locator("[role=group]:focus").waitFor();

    await row(page, code)
      .getByRole("button", { name: `Annuler la validation du code ${code}` })
      .click();
    await row(page, code).getByText("Disponible", { exact: true }).waitFor();
    await row(page, code)
      .getByText(/^Validation annulée (?:aujourd'hui|hier) à \d\d:\d\d par Camille Martin$/)
      .waitFor();
    expect(await statusOf(app.sql, code)).toBe("available");
    expect(await countsOn(page)).toEqual(["1", "1", "0", "0"]);
  });
});
