import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createStore, PASSWORD } from "../harness/fixtures.ts";
import { runUntil, stopClock } from "./support/clock.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { loseAnswer, loseRequest, silenceChannels } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import {
  checkCode,
  codeField,
  openTill,
  redeem,
  tillGetsNoAnswer,
  tillSays,
} from "./support/till.ts";

const app = setUpTestApp();

describe("the till's answer", () => {
  it("to a good code shows the prize, the customer and its end, and counts when it is confirmed", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    await app.sql`
      update public.redemptions set expires_at = '2098-06-01T12:00Z' where code = ${code}`;
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await page.getByText(shop.storeName).waitFor();
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await page.getByText("Café offert").waitFor();
    await page.getByText("Anaïs Le Goff").waitFor();
    await page.getByText(code).waitFor();
    await page.getByText("jusqu'au dimanche 1er juin 2098", { exact: true }).waitFor();
    expect(await status(code)).toBe("available");

    await page.getByRole("button", { name: "Annuler" }).click();
    expect(await codeField(page).inputValue()).toBe(code);
    expect(await status(code)).toBe("available");
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await redeem(page);
    await tillSays(page, "C'est validé");
    await page.getByText(/^à \d\d:\d\d$/).waitFor();
    expect(await status(code)).toBe("used");
    await page.getByRole("button", { name: "Code suivant" }).click();
    expect(await codeField(page).inputValue()).toBe("");
  });

  it("is left for the field with a phone's Back, as with Escape, and a code in use stays", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await page.keyboard.press("Escape");
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
    await waitForFocus(codeField(page));
    expect(await status(code)).toBe("available");
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await redeem(page);
    await tillSays(page, "C'est validé");
    await page.keyboard.press("Escape");
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe("");
    expect(await status(code)).toBe("used");
  });

  it("takes no second Enter of a scanner for a confirmation, and takes one once the screen has settled", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    // The page's own clock stands still meanwhile: how slow this machine is does not count.
    await stopClock(page);
    await codeField(page).fill(code);
    await codeField(page).press("Enter");
    const title = page.getByRole("heading", { level: 1, name: "Code valable" });
    await runUntil(page, 1, () => title.count(), 1);
    const confirm = page.getByRole("button", { name: "Valider le gain" });
    await waitForFocus(confirm);
    await page.clock.runFor(300);
    expect(await confirm.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await confirm.count()).toBe(1);
    expect(await status(code)).toBe("available");
    await page.clock.runFor(100);
    await expect.poll(() => confirm.getAttribute("aria-disabled")).not.toBe("true");
    await page.keyboard.press("Enter");
    await runUntil(page, 20, () => status(code), "used");
  });

  it("to a redemption that it had lost says that it is made, and somebody else's is « used »", async () => {
    const shop = await createShop(app.sql);
    const [ours, theirs] = [await winCode(app.sql, shop), await winCode(app.sql, shop)];
    const { page } = await app.phone({
      expected: (problem) => lost("/redeem")(problem) || refusing(409)(problem),
    });
    // A till that hears of its own redemption says so before the cashier asks (`live.test.ts`).
    await silenceChannels(page);
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, ours);
    await tillSays(page, "Code valable");
    await loseAnswer(page, "**/functions/v1/redeem");
    await redeem(page);
    await tillGetsNoAnswer(page);
    expect(await status(ours)).toBe("used");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await tillSays(page, "C'est validé");
    await page.getByRole("button", { name: "Code suivant" }).click();

    await checkCode(page, theirs);
    await tillSays(page, "Code valable");
    await loseRequest(page, "**/functions/v1/redeem");
    await redeem(page);
    await tillGetsNoAnswer(page);
    const { owner } = shop.users;
    await app.sql`select public.redeem_code(
      ${owner.id}, ${owner.id}, 'aal1', ${theirs}, ${shop.storeId})`;
    await page.getByRole("button", { name: "Réessayer" }).click();
    await tillSays(page, "Déjà utilisé");
  });

  it.each([
    { how: "in lower case", write: (code: string) => code.toLowerCase() },
    {
      how: "with spaces and dashes",
      write: (code: string) => ` ${code.replace(/(.{3})/g, "$1 -")} `,
    },
    { how: "with what a messenger adds unseen", write: (code: string) => `\u200b${code}\u00a0\n` },
  ])("is the same for a code pasted $how", async ({ write }) => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await openTill(app, page, shop.users.cashier);
    await page.evaluate((text) => navigator.clipboard.writeText(text), write(code));
    await codeField(page).press("ControlOrMeta+V");
    await codeField(page).press("Enter");
    await tillSays(page, "Code valable");
    await page.getByText(code, { exact: true }).waitFor();
  });

  it("to a used code says when and by whom", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { owner } = shop.users;
    await app.sql`select public.redeem_code(
      ${owner.id}, ${owner.id}, 'aal1', ${code}, ${shop.storeId})`;
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Déjà utilisé");
    await page.getByText(/^Validé .+ à \d\d:\d\d par Camille Martin\.$/).waitFor();
    expect(await page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
  });

  it("to a used code knows the name that somebody gave when signing up", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const email = `nadia-${shop.slug}@exemple.fr`;
    const { data } = await app.server
      .client()
      .auth.signUp({ email, password: PASSWORD, options: { data: { full_name: "Nadia Benali" } } });
    await app.sql`update auth.users set email_confirmed_at = now() where email = ${email}`;
    await app.sql`
      insert into public.organization_members (org_id, user_id, role)
      values (${shop.id}, ${data.user?.id ?? ""}, 'cashier')`;
    const { page } = await app.phone();
    await openTill(app, page, { email });
    await checkCode(page, code);
    await redeem(page);
    await tillSays(page, "C'est validé");
    await page.getByRole("button", { name: "Code suivant" }).click();
    await checkCode(page, code);
    await page.getByText(/par Nadia Benali\.$/).waitFor();
  });

  it("to an expired code says since when", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    await app.sql`
      update public.redemptions set expires_at = '2025-06-01T12:00Z' where code = ${code}`;
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code expiré");
    await page
      .getByText("Il était valable jusqu'au dimanche 1er juin 2025.", { exact: true })
      .waitFor();
    expect(await status(code)).not.toBe("used");
  });

  it("to a code of another store names that store, and changes with the store of the till", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const other = await createStore(app.sql, {
      orgId: shop.id,
      name: "Le Comptoir de Belleville",
    });
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await page.getByRole("combobox", { name: "Magasin" }).selectOption(other);
    await checkCode(page, code);
    await tillSays(page, "Autre magasin");
    await page.getByText(`Ce gain se retire chez ${shop.storeName}.`).waitFor();
    await page.getByRole("button", { name: "Code suivant" }).click();

    // The device remembers where it stands.
    await page.reload();
    expect(await page.getByRole("combobox", { name: "Magasin" }).inputValue()).toBe(other);
    await page.getByRole("combobox", { name: "Magasin" }).selectOption(shop.storeId);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
  });

  it("to a code of the test mode", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, "TEST-ABCDEFGH");
    await tillSays(page, "Code de test");
    await page.getByText("Il vient du mode test et ne donne droit à rien.").waitFor();
  });

  it("to a code that does not exist, or is another merchant's, is the same", async () => {
    const shop = await createShop(app.sql);
    const stranger = await createShop(app.sql);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    for (const code of ["WINAAAAAAAA", await winCode(app.sql, stranger)]) {
      await checkCode(page, code);
      await tillSays(page, "Code inconnu");
      await page.getByText("Vérifiez les caractères avec le client.").waitFor();
      expect(await page.getByText("Anaïs").count()).toBe(0);
      expect(await page.getByText(stranger.storeName).count()).toBe(0);
      await page.getByRole("button", { name: "Corriger le code" }).click();
      expect(await codeField(page).inputValue()).toBe(code);
    }
  });

  it("to whoever tries too many codes is to wait", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    // A minute's attempts, as if they had been typed; the next minutes' too, should one begin now.
    await app.sql`
      insert into private.rate_limits (key, window_start, shard, hits, expires_at)
      select 'code user ' || ${shop.users.cashier.id}::text, w, shard, 120, w + interval '1 minute'
      from generate_series(0, 15) shard, generate_series(
        private.window_start(interval '1 minute'), now() + interval '5 minutes', interval '1 minute') w`;
    await checkCode(page, code);
    await tillSays(page, "Trop d'essais");
    await page.getByText("Patientez une minute, puis réessayez.").waitFor();
    await page.getByRole("button", { name: "Corriger le code" }).click();
    expect(await codeField(page).inputValue()).toBe(code);
    expect(await status(code)).toBe("available");
  });

  it("to no code at all asks for one", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, "  - ");
    await page.getByText("Tapez un code, ou scannez-le.").waitFor();
    expect(await codeField(page).getAttribute("aria-invalid")).toBe("true");
  });

  it("to the address of a poster, which a scanner types, is what it is, and the next code takes its place", async () => {
    const shop = await createShop(app.sql);
    const other = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    const scan = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    };
    await waitForFocus(codeField(page));
    await scan(new URL(other.door, page.url()).href);
    await page.getByText("Ce code est d'un autre commerce").waitFor();
    await scan("https://exemple.fr/menu");
    await page.getByText("il mène à exemple.fr").waitFor();
    await scan(code);
    await tillSays(page, "Code valable");
  });

  it("goes to one of two tills that confirm the same code; the other learns who was faster", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const [first, second] = [await app.phone(), await app.phone({ expected: refusing(409) })];
    // Else the second till would know before anybody presses (live.test.ts).
    await silenceChannels(second.page);
    await openTill(app, first.page, shop.users.cashier);
    await openTill(app, second.page, shop.users.member);
    for (const { page } of [first, second]) {
      await checkCode(page, code);
      await tillSays(page, "Code valable");
    }
    await redeem(first.page);
    await tillSays(first.page, "C'est validé");
    await redeem(second.page);
    await tillSays(second.page, "Déjà utilisé");
    await second.page.getByText(/par Camille Martin\.$/).waitFor();
    expect(
      await app.sql`
        select user_id from public.redemption_events e
        join public.redemptions d on d.org_id = e.org_id and d.id = e.redemption_id
        where d.code = ${code}`,
    ).toEqual([{ user_id: shop.users.cashier.id }]);
  });

  it("to two taps in a row is one redemption", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await page.getByRole("button", { name: "Valider le gain" }).dblclick();
    await tillSays(page, "C'est validé");
    expect(await status(code)).toBe("used");
  });
});

describe("a validation at the till", () => {
  const undoButton = (page: Page) => page.getByRole("button", { name: "Annuler la validation" });
  const nextButton = (page: Page) => page.getByRole("button", { name: "Code suivant" });

  it("is taken back by the cashier who made it, and the code is good again", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await redeem(page);
    await tillSays(page, "C'est validé");
    await undoButton(page).click();
    await tillSays(page, "Validation annulée");
    await page.getByText("Le code est de nouveau valable.").waitFor();
    expect(await undoButton(page).count()).toBe(0);
    expect(await status(code)).toBe("available");
    expect(await trace(code)).toEqual([
      { action: "used", user_id: shop.users.cashier.id },
      { action: "restored", user_id: shop.users.cashier.id },
    ]);

    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await tillSays(page, "Code valable");
    await redeem(page);
    await tillSays(page, "C'est validé");
    expect(await status(code)).toBe("used");
  });

  it("is taken back when the code is looked up again, and Enter goes on to the next", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await redeem(page);
    await tillSays(page, "C'est validé");
    // The way on comes first: neither a second tap nor Enter takes anything back.
    await expectFocus(nextButton(page));
    await page.keyboard.press("Enter");
    await codeField(page).waitFor();
    expect(await status(code)).toBe("used");

    await checkCode(page, code);
    await tillSays(page, "Déjà utilisé");
    await expectFocus(nextButton(page));
    await undoButton(page).dblclick();
    await tillSays(page, "Validation annulée");
    expect(await status(code)).toBe("available");
    await expectFocus(nextButton(page));
    await page.keyboard.press("Enter");
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe("");
    expect(await trace(code)).toHaveLength(2);
  });

  it("of somebody else, ten minutes ago, is not theirs to take back", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { owner } = shop.users;
    await app.sql`select public.redeem_code(
      ${owner.id}, ${owner.id}, 'aal1', ${code}, ${shop.storeId})`;
    await app.sql`
      update public.redemptions set used_at = now() - interval '10 minutes' where code = ${code}`;
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Déjà utilisé");
    await nextButton(page).waitFor();
    expect(await undoButton(page).count()).toBe(0);
  });

  it.each([
    {
      how: "too late",
      change: "used_at = now() - interval '10 minutes'",
      says: "Trop tard : une validation s'annule dans les 10 minutes.",
    },
    {
      how: "after another till did",
      change: "status = 'available', used_at = null, used_by = null, used_store_id = null",
      says: "Cette validation a déjà été annulée.",
    },
  ])("taken back $how stays as it is, and the till says why", async ({ change, says }) => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: refusing(400, 409, 500) });
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await redeem(page);
    await tillSays(page, "C'est validé");
    await app.sql`update public.redemptions set ${app.sql.unsafe(change)} where code = ${code}`;
    const before = await status(code);
    await undoButton(page).click();
    await page.getByRole("alert").getByText(says).waitFor();
    expect(await status(code)).toBe(before);
    expect(await trace(code)).toHaveLength(1);
    await nextButton(page).click();
    await codeField(page).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

async function expectFocus(button: Locator): Promise<void> {
  await expect
    .poll(() => button.evaluate((it) => it === document.activeElement && !it.ariaDisabled))
    .toBe(true);
}

/** Events of a code, and their authors, oldest first. */
async function trace(code: string) {
  return app.sql<{ action: string; user_id: string }[]>`
    select e.action, e.user_id from public.redemption_events e
    join public.redemptions d on d.org_id = e.org_id and d.id = e.redemption_id
    where d.code = ${code} order by e.created_at, e.id`;
}

/** State of a code in the database. */
async function status(code: string): Promise<string | undefined> {
  const [row] = await app.sql<{ status: string }[]>`
    select status from public.redemptions where code = ${code}`;
  return row?.status;
}
