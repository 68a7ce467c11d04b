import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { User } from "../harness/fixtures.ts";
import { enter, place } from "./support/member.ts";
import { hearNothing, loseRequest } from "./support/network.ts";
import { createShop, type Shop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/rewards/{id}/codes`: counters, search, redeeming and taking that back. */

const app = setUpTestApp();
const CODES = "/rest/v1/rpc/reward_codes";

type Visitor = Parameters<typeof app.desktop>[0];

async function open(shop: Shop, user: User = shop.users.member, options: Visitor = {}) {
  const { page } = await app.desktop(options);
  await openCodes(page, shop, user);
  return page;
}

async function openCodes(page: Page, shop: Shop, user: User): Promise<void> {
  await enter(app, page, user);
  await page.goto(`/rewards/${shop.reward?.id}/codes`);
  await page.getByRole("heading", { level: 1, name: `Codes : ${shop.reward?.name}` }).waitFor();
}

const row = (page: Page, code: string) => page.getByRole("listitem").filter({ hasText: code });

async function countsOn(page: Page): Promise<string[]> {
  const figures = await page.locator("dl").first().locator("dd").allTextContents();
  return figures.map((figure) => figure.trim());
}

async function statusOf(code: string) {
  const [stored] = await app.sql<{ status: string }[]>`
    select status from public.redemptions where code = ${code}`;
  return stored?.status;
}

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
    const page = await open(shop);
    await expect.poll(() => countsOn(page)).toEqual(["3", "2", "0", "1"]);
    await row(page, first).getByText("Disponible", { exact: true }).waitFor();
    await row(page, first).getByText("Anaïs Le Goff").waitFor();
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

  it("are refreshed when asked, and copied", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 0 } });
    const page = await open(shop, shop.users.member, {
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await page.getByText("Aucun code trouvé").waitFor();
    const code = await winCode(app.sql, shop);
    await page.getByRole("button", { name: "Actualiser" }).click();
    await row(page, code).getByRole("button", { name: "Copier" }).click();
    await row(page, code).getByText("Copié").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });

  it("are exported where the plan has it; elsewhere the button says what it takes", async () => {
    const shop = await createShop(app.sql, { reward: { codeTemplate: "NOEL-{random}" } });
    const code = await winCode(app.sql, shop, "Anaïs Le Goff");
    const page = await open(shop);
    await row(page, code).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Exporter CSV" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^codes-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text.startsWith("\uFEFFCode;Statut;")).toBe(true);
    expect(text).toContain(`${code};Disponible;`);
    expect(text).toContain("Anaïs Le Goff");

    await app.sql`update public.subscriptions set plan = 'basic' where org_id = ${shop.id}`;
    await page.reload();
    await row(page, code).waitFor();
    await page.getByRole("button", { name: "Exporter CSV" }).click();
    await page.getByText("L'export CSV est inclus dans le plan Pro.").waitFor();
  });

  it("cannot be loaded, and are when asked again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop({ expected: lost(CODES) });
    await enter(app, page, shop.users.owner);
    // Twice asked anew by itself before it gives up.
    for (let n = 0; n < 3; n += 1) await loseRequest(page, `**${CODES}`);
    await page.goto(`/rewards/${shop.reward?.id}/codes`);
    await page.getByText("Erreur lors du chargement des codes").waitFor();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Aucun code trouvé").waitFor();
  });
});

describe("a code", () => {
  it("is used, and given back within ten minutes, with the trace of who did it", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const page = await open(shop);
    await row(page, code)
      .getByRole("button", { name: `Valider le code ${code}` })
      .click();
    await row(page, code).getByText("Utilisé", { exact: true }).waitFor();
    await row(page, code)
      .getByText(/^Validé (?:aujourd'hui|hier) à \d\d:\d\d par Camille Martin$/)
      .waitFor();
    expect(await statusOf(code)).toBe("used");
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
    expect(await statusOf(code)).toBe("available");
    expect(await countsOn(page)).toEqual(["1", "1", "0", "0"]);
  });

  it("stays used when the ten minutes are over, and says so", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const page = await open(shop, shop.users.owner, { expected: refusing(400, 409, 500) });
    await row(page, code).getByRole("button", { name: "Valider" }).click();
    const undo = row(page, code).getByRole("button", { name: "Annuler la validation" });
    await undo.waitFor();
    await app.sql`
      update public.redemptions set used_at = now() - interval '11 minutes' where code = ${code}`;
    await undo.click();
    await row(page, code)
      .getByRole("alert")
      .getByText("Trop tard : une validation s'annule dans les 10 minutes.")
      .waitFor();
    expect(await statusOf(code)).toBe("used");
  });

  it("that a till used meanwhile is not used twice", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.desktop({ expected: refusing(409) });
    await hearNothing(page);
    await openCodes(page, shop, shop.users.owner);
    await app.sql`
      update public.redemptions set status = 'used', used_at = now() where code = ${code}`;
    await row(page, code).getByRole("button", { name: "Valider" }).click();
    await row(page, code).getByRole("alert").getByText("Ce code a déjà été utilisé.").waitFor();
    await row(page, code).getByText("Utilisé", { exact: true }).waitFor();
  });
});
