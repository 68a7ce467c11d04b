import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkLightAndDark } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { shopWithCustomers } from "./support/lists.ts";
import { openAs, place } from "./support/member.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Lists as tables on a computer and as cards on a phone: rows, order, columns, states, selections. */

const app = setUpTestApp();

/** First cell of each row of a table, top to bottom. */
function names(page: Page): Promise<string[]> {
  return page.getByRole("rowheader").getByRole("heading").allTextContents();
}

describe("a list on a computer", () => {
  it("is a table whose rows lead on, by the mouse and by the keyboard", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers");
    const table = page.getByRole("table", { name: "Liste des clients" });
    await table.waitFor();
    await checkLightAndDark(page, "customers as a table");
    await table.getByRole("cell", { name: "bruno@exemple.fr" }).click();
    await page.getByRole("heading", { level: 1, name: "Bruno Roy" }).waitFor();
    await page.goBack();
    const link = table.getByRole("link", { name: "Chloé Roy", exact: true });
    await tabTo(page, link);
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Chloé Roy" }).waitFor();
    await page.goBack();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      table.getByRole("cell", { name: "bruno@exemple.fr" }).click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
    expect(new URL(page.url()).pathname).toBe("/customers");
  });

  it("is sorted by its headings, in the address, and shows the columns that this device chose", async () => {
    const shop = await shopWithCustomers(app.sql);
    await app.sql`
      update public.customers set last_activity_at = now() - (array_position(array['Bruno', 'Chloé', 'Anaïs'], first_name)) * interval '1 day'
      where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/customers");
    const since = page.getByRole("columnheader", { name: "Client depuis" });
    await since.waitFor();
    expect(await names(page)).toEqual(["Chloé Roy", "Bruno Roy", "Anaïs Roy"]);
    expect(await since.getAttribute("aria-sort")).toBe("none");
    await since.getByRole("button").press("Enter");
    await expect.poll(() => names(page)).toEqual(["Anaïs Roy", "Bruno Roy", "Chloé Roy"]);
    expect(await since.getAttribute("aria-sort")).toBe("ascending");
    expect(place(page)).toBe("/customers?sort=created_at");

    // Names from A to Z, then what they did last, the latest first.
    await page.getByRole("columnheader", { name: "Nom", exact: true }).getByRole("button").click();
    await expect.poll(() => place(page)).toBe("/customers?sort=name");
    await expect.poll(() => names(page)).toEqual(["Anaïs Roy", "Bruno Roy", "Chloé Roy"]);
    const activity = page.getByRole("columnheader", { name: "Dernière activité" });
    await activity.getByRole("button").press("Enter");
    await activity.getByRole("button").press("Enter");
    await expect.poll(() => place(page)).toBe("/customers?sort=-activity");
    await expect.poll(() => activity.getAttribute("aria-sort")).toBe("descending");
    await expect.poll(() => names(page)).toEqual(["Bruno Roy", "Chloé Roy", "Anaïs Roy"]);
    await page.getByText("par jour de dernière activité, en heure universelle (UTC)").waitFor();
    await page.goto("/customers?sort=created_at");
    await since.waitFor();

    const topOf = async (name: string) =>
      (await page.getByRole("button", { name }).boundingBox())?.y ?? name;
    expect(await topOf("Colonnes")).toBe(await topOf("Filtres"));
    const participations = page.getByRole("columnheader", { name: "Participations" });
    await page.getByRole("button", { name: "Colonnes" }).click();
    await page.getByRole("checkbox", { name: "Participations" }).uncheck();
    await participations.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.reload();
    await since.waitFor();
    expect(await participations.count()).toBe(0);
    expect(await names(page)).toEqual(["Anaïs Roy", "Bruno Roy", "Chloé Roy"]);
    // An order that no heading has is the usual one.
    await page.goto("/customers?sort=email");
    await since.waitFor();
    expect(await names(page)).toEqual(["Chloé Roy", "Bruno Roy", "Anaïs Roy"]);
  });

  it("exports what is ticked, and withdraws consents in four clicks", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers");
    const first = page.getByRole("checkbox", { name: "Sélectionner Anaïs Roy" });
    const place = await first.boundingBox();
    await first.click();
    await page.getByText("1 ligne sélectionnée").waitFor();
    // The actions stand below: no row moves under the pointer.
    expect(await first.boundingBox()).toEqual(place);
    await page.getByRole("checkbox", { name: "Sélectionner Chloé Roy" }).click();
    await page.getByText("2 lignes sélectionnées").waitFor();
    await checkLightAndDark(page, "customers with a selection");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exporter la sélection" }).click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    expect(text.trim().split("\r\n")).toHaveLength(3);
    expect(text).not.toContain("Bruno");

    // Two ticks, the action, the answer to the question.
    await page.getByRole("button", { name: "Retirer le consentement" }).click();
    const dialog = page.getByRole("dialog", { name: "Retirer le consentement de 1 client ?" });
    await dialog.getByRole("button", { name: "Retirer le consentement" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("Marketing OK").count()).toBe(1);
    const left = await app.sql`
      select name from public.customers where org_id = ${shop.id} and consent_marketing`;
    expect(left.map(({ name }) => name)).toEqual(["Bruno Roy"]);
  });
});

describe("a list on a phone", () => {
  it("is sorted, in the address, and what is ticked loses its consent in five taps", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers", {
      device: "phone",
      context: { viewport: { width: 390, height: 844 } },
    });
    const titles = () =>
      page.getByRole("list", { name: "Liste des clients" }).getByRole("heading").allTextContents();
    await expect.poll(titles).toEqual(["Chloé Roy", "Bruno Roy", "Anaïs Roy"]);
    await page.getByLabel("Trier par").selectOption("Client depuis");
    await expect.poll(titles).toEqual(["Anaïs Roy", "Bruno Roy", "Chloé Roy"]);
    expect(place(page)).toBe("/customers?sort=created_at");
    await page.getByRole("button", { name: "Ordre croissant : inverser" }).tap();
    await expect.poll(titles).toEqual(["Chloé Roy", "Bruno Roy", "Anaïs Roy"]);
    expect(place(page)).toBe("/customers?sort=-created_at");

    // Anywhere on a card is on its box.
    await page.getByRole("button", { name: "Sélectionner" }).tap();
    await page.getByText("Rien n'est sélectionné").waitFor();
    expect(await page.getByRole("main").getByRole("listitem").getByRole("link").count()).toBe(0);
    await page.getByRole("listitem").filter({ hasText: "anais@exemple.fr" }).tap();
    await page.getByText("1 élément sélectionné").waitFor();
    const bar = page.getByRole("group", { name: "Actions sur la sélection" });
    await bar.getByRole("button", { name: "Retirer le consentement" }).tap();
    const dialog = page.getByRole("dialog", { name: "Retirer le consentement de 1 client ?" });
    await dialog.getByRole("button", { name: "Retirer le consentement" }).tap();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("Marketing OK").count()).toBe(1);
    // It is over, and the focus where it began.
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await waitForFocus(page.getByRole("button", { name: "Sélectionner" }));
  });
});

describe("the codes of a reward", () => {
  it("are narrowed down to a state, in the address, and exported so", async () => {
    const shop = await createShop(app.sql, { campaign: { playIntervalDays: 0 } });
    const used = await winCode(app.sql, shop, "Anaïs Le Goff");
    const good = await winCode(app.sql, shop, "Bruno Petit");
    await app.sql`update public.redemptions set status = 'used', used_at = now() where code = ${used}`;
    const path = `/rewards/${shop.reward?.id}/codes`;
    const page = await openAs(app, shop.users.owner, path);
    const row = (code: string) => page.getByRole("row").filter({ hasText: code });
    await row(good).waitFor();
    await page.getByRole("radio", { name: "Utilisés" }).check({ force: true });
    await row(good).waitFor({ state: "detached" });
    await row(used).waitFor();
    expect(place(page)).toBe(`${path}?status=used`);
    await page.reload();
    await row(used).waitFor();
    expect(await row(good).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exporter CSV" }).click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain(used);
    expect(text).not.toContain(good);
    // The order stays with the state, in the address.
    await page.getByRole("columnheader", { name: "Émis le" }).getByRole("button").click();
    await expect.poll(() => place(page)).toBe(`${path}?status=used&sort=created_at`);
    await page.getByRole("radio", { name: "Tous" }).check({ force: true });
    await expect.poll(() => place(page)).toBe(`${path}?sort=created_at`);
    await row(good).waitFor();
    const codes = () => page.getByRole("rowheader").allTextContents();
    await expect.poll(codes).toEqual([used, good]);
    await page.getByRole("columnheader", { name: "Émis le" }).getByRole("button").click();
    await expect.poll(codes).toEqual([good, used]);
    expect(place(page)).toBe(`${path}?sort=-created_at`);
    await page.getByRole("radio", { name: "Annulés" }).check({ force: true });
    await page.getByText("Aucun code trouvé").waitFor();
    await page.getByRole("button", { name: "Tout afficher" }).click();
    await page.getByRole("checkbox", { name: `Sélectionner ${good}` }).click();
    const [selection] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exporter la sélection" }).click(),
    ]);
    const ticked = await readFile(await selection.path(), "utf8");
    expect(ticked).toContain(good);
    expect(ticked).not.toContain(used);
  });
});
