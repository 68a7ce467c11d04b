import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createPointsReward } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import { languageOn, playInAnyLanguage } from "./support/any-language.ts";
import { editPath, save } from "./support/campaign-editor.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A merchant translates what they give; customers read it in their language. */

const app = setUpTestApp();
const ENGLISH = { locale: "en-GB" };

describe("a reward's translations", () => {
  it("are typed in its form, and read on wheel, ticket and kept prize", async () => {
    const shop = await createShop(app.sql);
    const office = await openAs(app, shop.users.owner, `/rewards/${shop.reward?.id}/edit`);
    const fold = office.locator("details").filter({ hasText: "Traductions (facultatif)" });
    await fold.locator("summary").click();
    const english = fold.getByLabel("Anglais", { exact: true });
    expect(await english.getAttribute("placeholder")).toBe("Café offert");
    await english.fill("  Free coffee ");
    await fold.getByLabel("Allemand", { exact: true }).fill("Gratis-Kaffee");
    await fold.getByText("2 sur 5").waitFor();
    await checkLightAndDark(office, "translations");
    expect(await accessibilityProblems(office)).toEqual([]);
    await office.getByRole("button", { name: "Enregistrer" }).click();
    await arrives(office, "/rewards");
    const [row] =
      await app.sql`select translations from public.rewards where id = ${shop.reward?.id ?? null}`;
    expect(row?.translations).toEqual({ en: "Free coffee", de: "Gratis-Kaffee" });

    const { page } = await app.phone({ context: ENGLISH });
    const seen: Record<string, string> = {};
    await playInAnyLanguage(page, shop, async (step) => {
      seen[step] = (await page.locator("main").textContent()) ?? "";
    });
    expect(seen.wheel).toContain("Free coffee");
    expect(seen.ticket).toContain("Free coffee");
    for (const text of Object.values(seen)) expect(text).not.toContain("Café offert");
    await page.reload();
    const ticket = page.getByRole("article");
    await ticket.getByText("Free coffee").waitFor();
    await page.goto(shop.door);
    await ticket.getByText("Free coffee").waitFor();
    await page.goto(`${shop.door}/gain`);
    await ticket.getByText("Free coffee").waitFor();

    // In another language it is called otherwise, and as the merchant calls it where nobody has translated it.
    for (const [name, tag, said] of [
      ["Deutsch", "de", "Gratis-Kaffee"],
      ["Italiano", "it", "Café offert"],
      ["Français", "fr", "Café offert"],
      ["English", "en", "Free coffee"],
    ] as const) {
      await page.locator("footer summary").click();
      await page.getByRole("link", { name }).click();
      await ticket.getByText(said, { exact: true }).waitFor();
      expect(await languageOn(page)).toBe(tag);
    }
    const [code] =
      await app.sql`select reward_name from public.redemptions where org_id = ${shop.id}`;
    expect(code?.reward_name).toBe("Café offert");
  });

  it("are ours at one press where its name is one that we propose; what was typed stays", async () => {
    const shop = await createShop(app.sql);
    const office = await openAs(app, shop.users.owner, `/rewards/${shop.reward?.id}/edit`);
    const fold = office.locator("details").filter({ hasText: "Traductions (facultatif)" });
    await fold.locator("summary").click();
    await fold.getByLabel("Allemand", { exact: true }).fill("Kaffee aufs Haus");
    const take = fold.getByRole("button", { name: "Reprendre nos traductions" });
    await take.waitFor();
    await checkLightAndDark(office, "proposed translations");
    expect(await accessibilityProblems(office)).toEqual([]);
    await take.press("Enter");
    await fold.getByText("5 sur 5").waitFor();
    expect(await take.count()).toBe(0);
    const english = fold.getByLabel("Anglais", { exact: true });
    expect(await english.inputValue()).toBe("Free coffee");
    await waitForFocus(english);
    expect(await fold.getByLabel("Allemand", { exact: true }).inputValue()).toBe(
      "Kaffee aufs Haus",
    );
    await english.fill("");
    await take.waitFor();
    await office.getByLabel("Nom", { exact: true }).fill("Un café gourmand du chef");
    await take.waitFor({ state: "detached" });
  });

  it("of the thing that it gives are read beside its name in the rules of the game", async () => {
    const shop = await createShop(app.sql);
    const office = await openAs(app, shop.users.owner, `/rewards/${shop.reward?.id}/edit`);
    const fold = office.locator("details").filter({ hasText: "Traductions de l’article" });
    const item = office.getByLabel("Article offert", { exact: true });
    await item.fill("Café offert");
    expect(await fold.count()).toBe(0);
    await item.fill("Un expresso ou un allongé");
    await fold.locator("summary").click();
    await fold.getByLabel("Anglais", { exact: true }).fill("An espresso or a long black");
    await fold.getByText("1 sur 5").waitFor();
    await checkLightAndDark(office, "translations of the item");
    expect(await accessibilityProblems(office)).toEqual([]);
    await office.getByRole("button", { name: "Enregistrer" }).click();
    await arrives(office, "/rewards");

    for (const [locale, said] of [
      ["en-GB", "An espresso or a long black"],
      ["nl-NL", "Un expresso ou un allongé"],
    ] as const) {
      const { page } = await app.phone({ context: { locale } });
      await page.goto(`${shop.door}/reglement`);
      await page.getByText(said, { exact: true }).waitFor();
    }
  });

  it("are printed on a poster in that language", async () => {
    const shop = await createShop(app.sql, {
      reward: { name: "Café offert", translations: { es: "Café gratis" } },
    });
    const office = await openAs(app, shop.users.owner, "/campaigns");
    await office.getByRole("button", { name: "Actions pour La roue du comptoir" }).click();
    await office.getByRole("menuitem", { name: "Affiches à imprimer" }).click();
    const preview = office.getByRole("img", { name: "Aperçu : Affiche A4" });
    await preview.getByText("Café offert").first().waitFor();
    await office.getByRole("dialog").getByText("Espagnol", { exact: true }).click();
    await preview.getByText("Café gratis").first().waitFor();
    expect((await preview.textContent()) ?? "").not.toContain("offert");
  });
});

it("the name of a campaign is translated under it, and read at the head of its pages", async () => {
  const shop = await createShop(app.sql);
  const office = await openAs(app, shop.users.owner, `${editPath(shop)}?part=settings`);
  const fold = office.locator("details").filter({ hasText: "Traductions (facultatif)" });
  await fold.locator("summary").click();
  await fold.getByLabel("Anglais", { exact: true }).fill(" The counter wheel ");
  await fold.getByText("1 sur 5").waitFor();
  await checkLightAndDark(office, "campaign translations");
  await save(office);
  await office.getByText("Campagne mise à jour avec succès").waitFor();

  for (const [locale, name] of [
    ["en-GB", "The counter wheel"],
    ["it-IT", "La roue du comptoir"],
  ] as const) {
    const { page } = await app.phone({ context: { locale } });
    for (const path of [`${shop.door}/review`, `/org/${shop.slug}`]) {
      await page.goto(path);
      await page.getByText(name, { exact: true }).waitFor();
    }
  }
});

describe("the texts of a wheel", () => {
  it("that are no reward's name are translated in the editor", async () => {
    const shop = await createShop(app.sql, { wheel: "loses" });
    const office = await openAs(app, shop.users.owner, editPath(shop));
    const foldOf = (text: string) =>
      office.locator("details").filter({ hasText: `Traductions de « ${text} »` });
    await foldOf("Pas de chance").locator("summary").click();
    await foldOf("Pas de chance").getByLabel("Anglais", { exact: true }).fill("Bad luck");
    await foldOf("La prochaine fois").locator("summary").click();
    await foldOf("La prochaine fois").getByLabel("Anglais", { exact: true }).fill("Next time");
    expect(await foldOf("Café offert").count()).toBe(0);
    await save(office);
    await office.getByText("Campagne mise à jour avec succès").waitFor();

    const { page } = await app.phone({ context: ENGLISH });
    await page.goto(`${shop.door}/play?entry=libre`);
    const submit = page.locator("main button[type=submit]");
    await page.locator("input[name=name]").fill("Zoé");
    await submit.click();
    await page.locator("input[name=email]").fill("zoe@exemple.fr");
    await submit.click();
    await page.locator("main:has([data-wheel]) button:not([role=switch])").first().click();
    await page
      .getByText(/“(Bad luck|Next time)”/)
      .last()
      .waitFor();
  });
});

describe("the catalogue of points", () => {
  it("is translated in its form, and read in the phone's language", async () => {
    const shop = await createShop(app.sql, { wheel: "points" });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Thé glacé", cost: 30 });
    const office = await openAs(app, shop.users.owner, "/rewards/points");
    await office.getByRole("button", { name: "Actions pour Thé glacé" }).click();
    await office.getByRole("menuitem", { name: "Modifier" }).click();
    await office.getByText("Traductions (facultatif)").click();
    await office.getByLabel("Anglais", { exact: true }).fill("Iced tea");
    await office.getByRole("button", { name: "Enregistrer" }).click();
    await office.getByRole("button", { name: "Enregistrer" }).waitFor({ state: "detached" });

    const { page } = await app.phone({ context: ENGLISH });
    await page.goto(`${shop.door}/play?entry=libre`);
    const submit = page.locator("main button[type=submit]");
    await page.locator("input[name=name]").fill("Zoé");
    await submit.click();
    await page.locator("input[name=email]").fill("zoe@exemple.fr");
    await submit.click();
    await page.locator("main:has([data-wheel]) button:not([role=switch])").first().click();
    await page.getByText("Iced tea").first().waitFor();
  });
});
