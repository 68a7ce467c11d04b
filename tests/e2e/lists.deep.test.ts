import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createCampaign, createOrganization, createReward } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { shopWithCustomers } from "./support/lists.ts";
import { arrives, haveCustomers, openAs } from "./support/member.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { hiddenOn, SCREENS, type Screen } from "./support/zoom.ts";

/** Lists as tables and as cards: archiving what is ticked, smaller rights, narrow screens. */

const app = setUpTestApp();

const screens: Screen[] = ["computer at 200 %", "phone at 200 %", "phone", "small phone"];

describe("a list of which nothing was ever there", () => {
  it("shows the first step on a phone in place of figures that are all nothing", async () => {
    const shop = await createOrganization(app.sql, { store: { name: "Le Comptoir" } });
    const page = await openAs(app, shop.users.owner, "/campaigns", {
      device: "phone",
      context: { viewport: { width: 390, height: 844 } },
    });
    for (const [path, empty, figure] of [
      ["/campaigns", "Aucune campagne créée", "Total scans"],
      ["/rewards", "Aucune récompense créée", "Codes utilisés"],
      ["/customers", "Aucun client enregistré", "Note moyenne"],
    ] as const) {
      await page.goto(path);
      const first = page.getByText(empty);
      await first.waitFor();
      expect((await first.boundingBox())?.y, path).toBeLessThan(844 - 62);
      expect(await page.getByText(figure).first().isVisible(), path).toBe(false);
    }
    await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Rentrée" });
    await page.goto("/campaigns");
    await page.getByRole("heading", { name: "Rentrée" }).waitFor();
    expect(await page.getByText("Total scans").isVisible()).toBe(true);
    // A computer has room for both.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/customers");
    await page.getByText("Aucun client enregistré").waitFor();
    expect(await page.getByText("Note moyenne").first().isVisible()).toBe(true);
  });
});

describe("a list on a computer", () => {
  it("archives what is ticked: rewards, and campaigns", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Thé glacé" });
    await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Rentrée" });
    const page = await openAs(app, shop.users.owner, "/rewards");
    const archive = async (title: string) => {
      await page.getByRole("checkbox", { name: "Sélectionner toute la page" }).click();
      await page.getByRole("button", { name: "Archiver" }).click();
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByRole("button", { name: "Archiver" }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await archive("Archiver 2 récompenses ?");
    await page.getByText("Aucune récompense créée").waitFor();
    await page.getByText("Archivées (2)").click();
    await page.getByRole("rowheader").getByText("Thé glacé").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.goto("/campaigns");
    const exported = async () => {
      await page.getByRole("checkbox", { name: "Sélectionner Rentrée" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Exporter la sélection" }).click(),
      ]);
      await page.getByRole("checkbox", { name: "Sélectionner Rentrée" }).click();
      const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
      return lines.map((line) => line.split(";").slice(0, 2).join());
    };
    expect(await exported()).toEqual(["Rentrée,Actif"]);
    await archive("Archiver 2 campagnes ?");
    await page.getByText("Archivées (2)").click();
    expect(await exported()).toEqual(["Rentrée,Archivée"]);
    expect(await page.getByRole("button", { name: "Archiver" }).count()).toBe(0);
    const states = await app.sql`select active from public.campaigns where org_id = ${shop.id}`;
    expect(states.map(({ active }) => active)).toEqual([false, false]);
  });

  it("shows 25 customers on less than two screens, their figures in columns and prose as it is", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      insert into public.customers (org_id, store_id, name, email, phone, consent_marketing, last_activity_at, review_count, rating_sum)
      select ${shop.id}, ${shop.storeId}, (array['Anaïs Petit', 'Bruno Lefèvre-Moreau'])[n % 2 + 1],
        'client.numero' || n || '@exemple.fr', '06 12 34 56 ' || n + 10, n % 2 = 0, now(), 3, 11
      from generate_series(1, 25) n`;
    const page = await openAs(app, shop.users.owner, "/customers", {
      context: { viewport: { width: 1440, height: 900 } },
    });
    const table = page.getByRole("table", { name: "Liste des clients" });
    await expect.poll(() => table.getByRole("row").count()).toBe(26);
    // As cards they took 3,254.
    expect((await table.boundingBox())?.height).toBeLessThan(1_500);
    const figures = (locator: Locator) =>
      locator.first().evaluate((element) => getComputedStyle(element).fontVariantNumeric);
    expect(await figures(table.getByRole("cell"))).toBe("tabular-nums");
    expect(await figures(page.getByRole("definition"))).toBe("tabular-nums");
    expect(await figures(page.getByRole("heading", { level: 1 }))).toBe("normal");
  });

  it("has no boxes to tick for whoever may do nothing with them, and rows that lead to what they may see", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, "/rewards");
    await page.getByRole("rowheader").getByText("Café offert").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.goto("/stores");
    await page.getByRole("row").filter({ hasText: shop.storeName }).getByText("Paris").click();
    await arrives(page, `/stores/${shop.storeId}/stats`);
  });
});

it("a table is no wider than the page, on the narrowest computer that has one", async () => {
  const shop = await shopWithCustomers(app.sql);
  await winCode(app.sql, shop);
  // A stock that runs down takes more room than one without end.
  await createReward(app.sql, shop.campaign, {
    name: "Brunch pour deux",
    stock: 1250,
    metadata: { item: "Deux brunchs complets", validityDays: 60 },
  });
  const page = await openAs(app, shop.users.owner, "/customers");
  const codes = `/rewards/${shop.reward?.id}/codes`;
  for (const path of ["/customers", "/rewards", codes, "/stores", "/campaigns"]) {
    await page.goto(path);
    await page.getByRole("table").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(1280);
  }
});

it("a list on a phone is made of cards, and no wider than the phone", async () => {
  const shop = await shopWithCustomers(app.sql);
  await winCode(app.sql, shop);
  const page = await openAs(app, shop.users.owner, "/customers", { device: "phone" });
  for (const path of [
    "/customers",
    "/rewards",
    `/rewards/${shop.reward?.id}/codes`,
    "/stores",
    "/campaigns",
  ]) {
    await page.goto(path);
    await page
      .getByRole("listitem")
      .filter({ has: page.getByRole("button").or(page.getByRole("link")) })
      .first()
      .waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
  }
});

it("names without a place to break widen no screen, on a computer and on a phone", async () => {
  const long = "Anticonstitutionnellement".repeat(4);
  const shop = await shopWithCustomers(app.sql, {
    store: { name: long },
    campaign: { name: long },
    // A segment of the wheel takes no more.
    reward: { name: long.slice(0, 50) },
  });
  const page = await openAs(app, shop.users.owner, "/campaigns");
  const campaign = `/campaigns/${shop.campaign.id}`;
  for (const path of ["/campaigns", "/rewards", "/stores", "/dashboard", campaign]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    await page.getByText(long).filter({ visible: true }).first().waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), {
          message: `${path}, ${width}`,
        })
        .toBe(width);
    }
  }
});

it("names that are read from the right stay where they are said, one beside the other", async () => {
  const [store, name] = ["مقهى الياسمين", "حملة الصيف"];
  const shop = await createShop(app.sql, {
    ...{ store: { name: store }, campaign: { name }, reward: { name: "قهوة" } },
  });
  await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [2] });
  const [customer] = await app.sql<{ id: string }[]>`
    select id from public.customers where org_id = ${shop.id}`;
  const page = await openAs(app, shop.users.owner, "/reviews");
  for (const [path, first, second] of [
    ["/reviews", store, name],
    [`/customers/${customer?.id}`, name, "قهوة"],
    [`/c/${shop.campaign.slug}/reglement`, store, name],
  ] as const) {
    await page.goto(path);
    const line = page.locator("p, span").filter({ hasText: new RegExp(`${first}.*·.*${second}`) });
    await line.first().waitFor();
    const lefts = await line.last().evaluate(
      (element, names) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const found: (number | undefined)[] = names.map(() => undefined);
        while (texts.nextNode()) {
          const { currentNode: text } = texts;
          for (const [index, one] of names.entries()) {
            const at = text.textContent?.indexOf(one) ?? -1;
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + one.length);
            found[index] ??= range.getBoundingClientRect().left;
          }
        }
        return found;
      },
      [first, second],
    );
    expect(lefts, path).toEqual([...lefts].sort((one, other) => Number(one) - Number(other)));
    expect(lefts, path).not.toContain(undefined);
  }
});

describe("the selection on cards", () => {
  const phone = { device: "phone", context: { viewport: { width: 320, height: 700 } } } as const;
  const start = (page: Page) => page.getByRole("button", { name: "Sélectionner" });
  const all = (page: Page) => page.getByRole("checkbox", { name: "Sélectionner toute la page" });
  const finish = (page: Page) => page.getByRole("button", { name: "Terminer" });

  it("begins, is announced and ends by the keyboard, and the focus goes with it", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers", phone);
    await tabTo(page, start(page));
    await page.keyboard.press("Enter");
    await waitForFocus(all(page));
    const count = page.getByRole("status").filter({ hasText: /sélectionné/ });
    expect(await count.textContent()).toBe("Rien n'est sélectionné");
    await page.keyboard.press("Tab");
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press("Space");
    await page.getByText("1 élément sélectionné").waitFor();
    expect(await all(page).evaluate((box) => box.matches(":indeterminate"))).toBe(true);
    await all(page).press("Space");
    await page.getByText("3 éléments sélectionnés").waitFor();

    // Escape says no to the question, and leaves what is ticked; the next one leaves the mode.
    await page.getByRole("button", { name: "Retirer le consentement" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("3 éléments sélectionnés").waitFor();
    await page.keyboard.press("Escape");
    await waitForFocus(start(page));
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await start(page).press("Enter");
    await page.getByText("Rien n'est sélectionné").waitFor();
    await finish(page).press("Enter");
    await waitForFocus(start(page));
    const left = await app.sql`
      select 1 from public.customers where org_id = ${shop.id} and consent_marketing`;
    expect(left).toHaveLength(2);
  });

  it("leaves Escape to what is typed elsewhere, and is what the table had ticked", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers");
    await page.getByRole("checkbox", { name: "Sélectionner Bruno Roy" }).check();
    await page.setViewportSize({ width: 800, height: 700 });
    const box = page.getByRole("checkbox", { name: "Sélectionner Bruno Roy" });
    await page.getByText("1 élément sélectionné").waitFor();
    expect(await box.isChecked()).toBe(true);
    await page.getByRole("searchbox").press("Escape");
    expect(await box.isChecked()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.getByText("1 ligne sélectionnée").waitFor();
  });

  it("archives some, and then all of what is there", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Thé glacé" });
    const page = await openAs(app, shop.users.owner, "/rewards", phone);
    const archive = async (title: string) => {
      await page.getByRole("button", { name: "Archiver" }).click();
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByRole("button", { name: "Archiver" }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await start(page).click();
    await page.getByRole("checkbox", { name: "Sélectionner Thé glacé" }).check();
    await archive("Archiver 1 récompense ?");
    await waitForFocus(start(page));
    expect(await page.getByRole("heading", { name: "Thé glacé" }).count()).toBe(0);
    await start(page).click();
    await all(page).check();
    await archive("Archiver 1 récompense ?");
    await page.getByText("Aucune récompense créée").waitFor();
    // Archived rewards have nothing to be ticked for.
    await page.getByText("Archivées (2)").click();
    await page.getByRole("heading", { name: "Thé glacé" }).waitFor();
    expect(await start(page).count()).toBe(0);
  });

  it("is not offered to whoever may do nothing with it; what a plan exports not is said above the bar", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.member, "/rewards", phone);
    await page.getByRole("heading", { name: "Café offert" }).waitFor();
    await page.getByLabel("Trier par").waitFor();
    expect(await start(page).count()).toBe(0);
    // Campaigns can be taken along by whoever reads them.
    await page.goto("/campaigns");
    await start(page).click();
    await all(page).check();
    const bar = page.getByRole("group", { name: "Actions sur la sélection" });
    await bar.getByRole("button", { name: "Exporter la sélection" }).waitFor();
    expect(await bar.getByRole("button", { name: "Archiver" }).count()).toBe(0);

    await app.sql`update public.subscriptions set plan = 'basic' where org_id = ${shop.id}`;
    const own = await openAs(app, shop.users.owner, "/customers", phone);
    await start(own).click();
    await all(own).check();
    const button = own.getByRole("button", { name: "Exporter la sélection" });
    await button.click();
    const notice = own.getByRole("group").getByRole("status");
    await expect.poll(() => notice.textContent()).toContain("plan");
    const [above, below] = await Promise.all([notice.boundingBox(), button.boundingBox()]);
    if (!above || !below) throw new Error("not shown");
    expect(above.y).toBeGreaterThanOrEqual(0);
    expect(above.y + above.height).toBeLessThanOrEqual(below.y);
  });

  it.each(screens)(
    "covers and cuts nothing on a %s, by day and by night, and its targets are for thumbs",
    { timeout: 120_000 },
    async (screen) => {
      const shop = await shopWithCustomers(app.sql);
      await winCode(app.sql, shop);
      const context = { viewport: SCREENS[screen] };
      const page = await openAs(app, shop.users.owner, "/customers", { device: "phone", context });
      const wrong: string[] = [];
      for (const path of [
        "/customers",
        "/rewards",
        `/rewards/${shop.reward?.id}/codes`,
        "/campaigns",
      ]) {
        await page.goto(path);
        await start(page).click();
        await all(page).check();
        await page.getByText(/\d éléments? sélectionnés?/).waitFor();
        wrong.push(...(await hiddenOn(page, screen)).map((line) => `${path}: ${line}`));
        await checkLightAndDark(page, `${path} with a selection`);
        const controls = await page
          .getByRole("main")
          .locator(
            "[data-selecting] label, [data-sticks=selection] button, label:has([data-selects]), select",
          )
          .evaluateAll((all) =>
            all.map((one) => {
              const { width, height } = one.getBoundingClientRect();
              // A card's label takes the whole card.
              const card = one.closest("li")?.getBoundingClientRect();
              return Math.min(card?.width ?? width, card?.height ?? height);
            }),
          );
        expect(controls.length).toBeGreaterThan(3);
        expect(Math.min(...controls), path).toBeGreaterThanOrEqual(44);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("sorts every list that sorts, in its address", async () => {
    const shop = await shopWithCustomers(app.sql);
    const page = await openAs(app, shop.users.owner, "/customers", phone);
    for (const [path, label, first, then] of [
      ["/rewards", "Stock", "-stock", "stock"],
      ["/stores", "Nom", "name", "-name"],
      ["/campaigns", "Scans", "-scans", "scans"],
    ] as const) {
      await page.goto(path);
      await page.getByLabel("Trier par").selectOption({ label });
      await page.waitForURL((url) => url.searchParams.get("sort") === first);
      await page.getByRole("button", { name: /: inverser$/ }).click();
      await page.waitForURL((url) => url.searchParams.get("sort") === then);
      await page.getByLabel("Trier par").selectOption("Ordre habituel");
      await page.waitForURL((url) => !url.searchParams.has("sort"));
    }
  });
});
