import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { enter } from "./support/member.ts";
import { loseRequest, silenceChannels } from "./support/network.ts";
import { open, openCodes, row, statusOf } from "./support/reward-codes.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/rewards/{id}/codes`: refreshed, exported, broken, and used elsewhere meanwhile. */

const app = setUpTestApp();
const CODES = "/rest/v1/rpc/reward_codes";

describe("the codes of a reward", () => {
  it("are refreshed when asked, and copied", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 0 } });
    const page = await open(app, shop, shop.users.member, {
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
    const page = await open(app, shop);
    await row(page, code).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Exporter CSV" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^codes-cafe-offert-\d{4}-\d\d-\d\d\.csv$/);
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
  it("stays used when the ten minutes are over, and says so", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const page = await open(app, shop, shop.users.owner, { expected: refusing(400, 409, 500) });
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
    expect(await statusOf(app.sql, code)).toBe("used");
  });

  it("that a till used meanwhile is not used twice", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.desktop({ expected: refusing(409) });
    await silenceChannels(page);
    await openCodes(app, page, shop, shop.users.owner);
    await app.sql`
      update public.redemptions set status = 'used', used_at = now() where code = ${code}`;
    await row(page, code).getByRole("button", { name: "Valider" }).click();
    await row(page, code).getByRole("alert").getByText("Ce code a déjà été utilisé.").waitFor();
    await row(page, code).getByText("Utilisé", { exact: true }).waitFor();
  });
});
