import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import {
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type User,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, failingToLoad } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/campaigns/{id}/edit` with the wheel, and what the list's menu does (specification, sections 2.13, 2.15, 5, 8, 9). */

const app = setUpTestApp();
const SAVE = "**/rpc/save_campaign";

type Options = Parameters<typeof app.desktop>[0];

async function open(user: User, path: string, options: Options = {}): Promise<Page> {
  const { page } = await app.desktop(options);
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

const editPath = (shop: Shop) => `/campaigns/${shop.campaign.id}/edit`;
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const segment = (page: Page, place: number) =>
  page.getByRole("group", { name: `Segment ${place}` });
const weight = (page: Page, place: number) => segment(page, place).getByLabel("Probabilité en %");
const handleOf = (page: Page, place: number, name: string) =>
  segment(page, place).getByRole("button", { name: `Déplacer ${name}` });
const save = (page: Page) => page.getByRole("button", { name: "Enregistrer", exact: true }).click();
const total = (page: Page, percent: number) => page.getByText(`Total : ${percent} %`).waitFor();

/** Waits until the segments have these odds, in order. */
async function shows(page: Page, percents: number[]): Promise<void> {
  const inputs = page.getByRole("spinbutton", { name: "Probabilité en %" });
  await expect
    .poll(() => inputs.evaluateAll((all) => all.map((one) => Number(Reflect.get(one, "value")))))
    .toEqual(percents);
}

/** Waits until the segments have these texts, in order. */
async function reads(page: Page, labels: string[]): Promise<void> {
  const inputs = page.getByRole("textbox", { name: "Texte" });
  await expect
    .poll(() => inputs.evaluateAll((all) => all.map((one) => Reflect.get(one, "value"))))
    .toEqual(labels);
}

/** Gives a shop a wheel of prizes with these weights. */
async function drawAnew(shop: Shop, weights: number[]): Promise<void> {
  await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
  const rewardId = shop.reward?.id ?? "";
  await drawWheel(
    app.sql,
    shop.campaign,
    weights.map((percent, place) => ({ weight: percent, rewardId, label: `Lot ${place + 1}` })),
  );
}

/** Whether an element is in sight, and nothing in front of it. */
function isSeen(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

async function stored(id: string) {
  const [row] = await app.sql`
    select name, slug, store_id, active, starts_at, ends_at, description, play_interval_days
    from public.campaigns where id = ${id}`;
  return row;
}

async function wheel(id: string) {
  const rows = await app.sql`
    select label, color, weight, reward_id is not null as wins from public.wheel_segments
    where campaign_id = ${id} order by position`;
  return rows.map(({ label, color, weight, wins }) => [label, color, weight, wins]);
}

describe("a campaign", () => {
  it("is edited field by field, in its store's time, and leaves the printed address alive", async () => {
    const shop = await createShop(app.sql);
    await createStore(app.sql, {
      orgId: shop.id,
      name: "Saint-Denis",
      timezone: "Indian/Reunion",
    });
    const rival = await createShop(app.sql, { campaign: { slug: "roue-d-ete" } });
    const page = await open(shop.users.member, editPath(shop));
    await titled(page, "Modifier la campagne");

    await field(page, "Nom de la campagne").fill("");
    await field(page, "Fin (facultatif)").fill("2027-06-01T08:00");
    await field(page, "Début (facultatif)").fill("2027-06-01T09:00");
    expect(await field(page, "Fin (facultatif)").getAttribute("min")).toBe("2027-06-01T09:00");
    await save(page);
    // Name and address, which followed it.
    await expect
      .poll(() => page.getByText("Veuillez remplir tous les champs obligatoires").count())
      .toBe(2);
    await page.getByText("La fin ne peut pas venir avant le début.").waitFor();
    await field(page, "Fin (facultatif)").fill("2027-08-31T23:00");
    await field(page, "Adresse publique").fill("Roue D'Été");
    await page.getByText("Uniquement lettres minuscules, chiffres et tirets").waitFor();
    await field(page, "Nom de la campagne").fill("Roue d'été");
    expect(await field(page, "Adresse publique").inputValue()).toBe("roue-d-ete");
    await page.getByText("Cette adresse est déjà prise.").waitFor();
    await field(page, "Nom de la campagne").fill("Roue de l'été");
    await page.getByText("Cette adresse est libre.").waitFor();
    await page.getByText("/c/roue-de-l-ete/review").waitFor();
    await page.getByText(`L'ancienne adresse /c/${shop.campaign.slug} continuera`).waitFor();
    await field(page, "Magasin").selectOption({
      label: "Saint-Denis · 1 rue de la Paix, 75002 Paris",
    });
    await page.getByText("Heure du magasin : La Réunion.").waitFor();
    await field(page, "Description interne (facultatif)").fill("Pour l'équipe");
    await field(page, "Jours entre deux participations d'une même personne").fill("7");
    await page.getByRole("switch", { name: "Campagne active" }).uncheck({ force: true });
    await save(page);
    await page.getByRole("status").getByText("Campagne mise à jour avec succès").waitFor();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "Roue de l'été" }).waitFor();
    expect(await stored(shop.campaign.id)).toMatchObject({
      name: "Roue de l'été",
      slug: "roue-de-l-ete",
      active: false,
      starts_at: new Date("2027-06-01T09:00:00+04:00"),
      ends_at: new Date("2027-08-31T23:00:00+04:00"),
      description: "Pour l'équipe",
      play_interval_days: 7,
    });
    expect(await stored(rival.campaign.id)).toMatchObject({ slug: "roue-d-ete" });
    expect((await wheel(shop.campaign.id)).map(([, , percent]) => percent)).toEqual([50, 0, 50, 0]);
  });

  it("shows on a phone what its chances add up to while any segment is changed", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop.users.member, editPath(shop), {
      context: { viewport: { width: 390, height: 844 } },
    });
    await total(page, 100);
    await weight(page, 4).fill("9");
    await weight(page, 4).scrollIntoViewIfNeeded();
    expect(await isSeen(page.locator("[data-total]"))).toBe(true);
    await total(page, 109);
  });

  it("keeps what was typed when saving fails, whatever the reason, and warns before it is lost", async () => {
    const shop = await createShop(app.sql, { plan: "free_trial" });
    const page = await open(shop.users.owner, editPath(shop), {
      expected: (problem) =>
        refusing(400, 409, 500)(problem) || lost("/rpc/save_campaign")(problem),
    });
    const name = field(page, "Nom de la campagne");
    await app.sql`
      insert into public.campaigns (org_id, store_id, name, slug, active)
      values (${shop.id}, ${shop.storeId}, 'Déjà là', 'deja-la-ailleurs', false)`;
    await name.fill("déjà là");
    await save(page);
    await page.getByText("Une campagne avec ce nom existe déjà").waitFor();
    await name.fill("Autre nom");
    await field(page, "Adresse publique").fill("deja-la-ailleurs");
    await save(page);
    await page.getByText("Une autre de vos campagnes a cette adresse.").waitFor();
    await name.fill("Autre nom");
    await loseRequest(page, SAVE);
    await save(page);
    await page
      .getByRole("alert")
      .getByText("Erreur lors de la mise à jour: pas de connexion.")
      .waitFor();
    const mend = await breakFunction(app.sql, "save_campaign");
    await save(page);
    await page.getByText("Erreur lors de la mise à jour: Erreur inconnue").waitFor();
    await mend();
    expect(await name.inputValue()).toBe("Autre nom");
    await page.getByRole("link", { name: "Annuler" }).click();
    const question = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
    await question.getByRole("button", { name: "Annuler" }).click();
    expect(await name.inputValue()).toBe("Autre nom");
    expect(await stored(shop.campaign.id)).toMatchObject({ name: "La roue du comptoir" });
  });

  it("of somebody else is not found, a cashier has none, and a load that fails can be tried again", async () => {
    const shop = await createShop(app.sql);
    const other = await createOrganization(app.sql);
    const { page } = await app.desktop({ expected: failingToLoad });
    await enter(app, page, other.users.owner);
    const mend = await breakFunction(app.sql, "campaign_editor");
    await page.goto(editPath(shop));
    await page.getByText("Erreur lors du chargement de la campagne").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, "Campagne non trouvée");
    await page.goto("/campaigns/pas-un-identifiant/edit");
    await titled(page, "Campagne non trouvée");
    await page.getByRole("link", { name: "Retour aux campagnes" }).click();
    await arrives(page, "/campaigns");
    const till = await open(shop.users.cashier, editPath(shop));
    await arrives(till, "/encaisser");
  });
});

describe("two people who edit at once", () => {
  it("the second sees what the first changed, loses nothing, and chooses", async () => {
    const shop = await createShop(app.sql);
    const first = await open(shop.users.owner, editPath(shop));
    const second = await open(shop.users.member, editPath(shop), { expected: refusing(400) });
    await field(second, "Description interne (facultatif)").fill("La mienne");
    await weight(second, 1).fill("70");
    await weight(second, 3).fill("30");
    await field(first, "Description interne (facultatif)").fill("La leur");
    await weight(first, 1).fill("20");
    await weight(first, 2).fill("30");
    await save(first);
    await arrives(first, "/campaigns");

    await save(second);
    const alert = second.getByRole("alert");
    await alert.getByText("Quelqu'un d'autre a modifié cette campagne").waitFor();
    await alert.getByText("Description : « rien » est devenu « La leur »").waitFor();
    await alert.getByText("Pas de chance 30 %").waitFor();
    expect(await field(second, "Description interne (facultatif)").inputValue()).toBe("La mienne");
    expect(await stored(shop.campaign.id)).toMatchObject({ description: "La leur" });
    expect(await accessibilityProblems(second)).toEqual([]);
    await alert.getByRole("button", { name: "Enregistrer quand même ma version" }).click();
    await arrives(second, "/campaigns");
    expect(await stored(shop.campaign.id)).toMatchObject({ description: "La mienne" });
    expect((await wheel(shop.campaign.id)).map(([, , percent]) => percent)).toEqual([70, 0, 30, 0]);

    await second.goto(editPath(shop));
    await field(second, "Description interne (facultatif)").fill("Encore la mienne");
    await app.sql`update public.campaigns set description = 'Ailleurs' where id = ${shop.campaign.id}`;
    await save(second);
    await second.getByRole("button", { name: "Reprendre la sienne" }).click();
    await expect
      .poll(() => field(second, "Description interne (facultatif)").inputValue())
      .toBe("Ailleurs");
  });
});

describe("the wheel", () => {
  it("is composed by keyboard: weights, order, colours, segments in and out, and balanced", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Tarte du jour" });
    const page = await open(shop.users.member, editPath(shop));
    await total(page, 100);
    const slider = segment(page, 1).getByRole("slider");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await shows(page, [51, 0, 49, 0]);
    await total(page, 100);
    await weight(page, 1).fill("400");
    await total(page, 149);
    const wrong = "Le total des probabilités doit être égal à 100% (actuellement 149%)";
    await page.getByText(wrong).waitFor();
    await save(page);
    await waitForFocus(page.locator("[data-total]"));

    const handle = handleOf(page, 1, "Café offert");
    await handle.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("Café offert : place 2 sur 4").waitFor();
    expect(await segment(page, 2).getByLabel("Texte").inputValue()).toBe("Café offert");
    await waitForFocus(handleOf(page, 2, "Café offert"));

    await page.getByRole("button", { name: "Ajouter Tarte du jour" }).click();
    expect(await segment(page, 5).getByLabel("Texte").inputValue()).toBe("Tarte du jour");
    await weight(page, 5).fill("50");
    await segment(page, 5).getByLabel("Couleur").fill("#123456");
    await page.getByRole("button", { name: "Ajouter un segment" }).click();
    await page.keyboard.press("Control+Enter");
    await save(page);
    await page.getByText("Donnez un texte à ce segment.").waitFor();
    await checkLightAndDark(page, "wheel with mistakes");
    await segment(page, 6).getByRole("button", { name: "Retirer le segment 6" }).click();
    await page.getByRole("button", { name: "Équilibrer" }).click();
    await total(page, 100);
    await page.getByText("La roue est complète.").waitFor();
    await save(page);
    await arrives(page, "/campaigns");
    expect(await wheel(shop.campaign.id)).toEqual([
      ["Pas de chance", "#6B7280", 0, false],
      ["Café offert", "#8B5CF6", 50, true],
      ["Café offert", "#F59E0B", 25, true],
      ["La prochaine fois", "#6B7280", 0, false],
      ["Tarte du jour", "#123456", 25, true],
    ]);
  });

  it("keeps its total while a slider moves, but for what is locked, and takes changes back", async () => {
    const shop = await createShop(app.sql);
    await drawAnew(shop, [20, 60, 20]);
    const page = await open(shop.users.member, editPath(shop));
    await shows(page, [20, 60, 20]);
    const undo = page.getByRole("button", { name: "Revenir en arrière" });
    const slider = segment(page, 1).getByRole("slider");
    await slider.focus();
    await page.keyboard.press("End");
    await shows(page, [100, 0, 0]);
    await page.getByText("Tous les clients gagnent").waitFor();
    // Nothing is forgotten on the way: the others come back as they were.
    await slider.fill("20");
    await shows(page, [20, 60, 20]);
    await slider.fill("40");
    await shows(page, [40, 45, 15]);
    await undo.click();
    await shows(page, [20, 60, 20]);

    await segment(page, 2).getByRole("button", { name: "Verrouiller la part de Lot 2" }).click();
    expect(await segment(page, 2).getByRole("slider").isDisabled()).toBe(true);
    await slider.fill("90");
    await shows(page, [40, 60, 0]);
    await segment(page, 3).getByRole("button", { name: "Verrouiller la part de Lot 3" }).click();
    await slider.fill("10");
    await shows(page, [40, 60, 0]);
    await total(page, 100);
    await segment(page, 3).getByRole("button", { name: "Retirer Lot 3" }).click();
    await reads(page, ["Lot 1", "Lot 2"]);
    await undo.click();
    await reads(page, ["Lot 1", "Lot 2", "Lot 3"]);
    await weight(page, 1).fill("30");
    await total(page, 90);
    await page.getByRole("button", { name: "Équilibrer" }).click();
    await shows(page, [40, 60, 0]);
    await save(page);
    await arrives(page, "/campaigns");
    expect((await wheel(shop.campaign.id)).map(([, , percent]) => percent)).toEqual([40, 60, 0]);
  });

  it("is put in order by dragging, by finger as by mouse, and by a menu", async () => {
    const shop = await createShop(app.sql);
    await drawAnew(shop, [20, 60, 20]);
    const page = await open(shop.users.member, editPath(shop));
    await reads(page, ["Lot 1", "Lot 2", "Lot 3"]);
    const first = handleOf(page, 1, "Lot 1");
    const drag = async (by: number) => {
      await first.scrollIntoViewIfNeeded();
      const box = await first.boundingBox();
      if (!box) throw new Error("The handle is nowhere.");
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y + by / 2);
      await page.mouse.move(x, y + by);
    };
    await drag(150);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await reads(page, ["Lot 1", "Lot 2", "Lot 3"]);
    expect(await page.getByRole("menu").count()).toBe(0);
    await drag(150);
    await page.mouse.up();
    await reads(page, ["Lot 2", "Lot 3", "Lot 1"]);
    await page.getByText("Lot 1 : place 3 sur 3").waitFor();
    await waitForFocus(handleOf(page, 3, "Lot 1"));
    expect(await page.getByRole("menu").count()).toBe(0);

    await handleOf(page, 3, "Lot 1").click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "Mettre en premier" }).click();
    await reads(page, ["Lot 1", "Lot 2", "Lot 3"]);
    await waitForFocus(handleOf(page, 1, "Lot 1"));
    await page.keyboard.press("End");
    await reads(page, ["Lot 2", "Lot 3", "Lot 1"]);
  });

  it("says how many win and what a turn costs, and warns of one that always or never wins", async () => {
    const shop = await createShop(app.sql);
    const cake = await createReward(app.sql, shop.campaign, { name: "Gâteau" });
    await app.sql`
      update public.rewards set value = case when id = ${cake} then 30 else 2.6 end
      where campaign_id = ${shop.campaign.id}`;
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    await drawWheel(app.sql, shop.campaign, [
      { weight: 10, label: "Café", rewardId: shop.reward?.id ?? "" },
      { weight: 88 },
      { weight: 2, label: "Gâteau", rewardId: cake },
    ]);
    const page = await open(shop.users.member, editPath(shop));
    await page.getByText("1 client sur 8 gagne, 0,86 € le tour").waitFor();
    await page.getByText("12 % de chances").waitFor();
    const slider = (place: number) => segment(page, place).getByRole("slider");
    await slider(2).fill("0");
    await page.getByText("Cette roue fait gagner à chaque tour.").waitFor();
    await slider(2).fill("100");
    await page.getByText("Aucun client ne gagne").waitFor();
    await page.getByText("Cette roue ne fait jamais gagner.").waitFor();
    await checkLightAndDark(page, "wheel that never wins");

    await app.sql`update public.rewards set value = null, stock = 5 where id = ${cake}`;
    await app.sql`update public.rewards set stock = 0 where id = ${shop.reward?.id ?? ""}`;
    await page.reload();
    await page.getByText("1 client sur 50 gagne", { exact: true }).waitFor();
    await page.getByText("Coût non renseigné, donc non compté :").waitFor();
    await page.getByRole("link", { name: "Gâteau" }).waitFor();
  });

  it("has seven segments on one screen of a computer, and fits the smallest phone", async () => {
    const shop = await createShop(app.sql);
    await drawAnew(shop, [40, 10, 10, 10, 10, 10, 10]);
    const page = await open(shop.users.member, editPath(shop), {
      context: { viewport: { width: 1280, height: 800 } },
    });
    await weight(page, 7).waitFor();
    const button = page.getByRole("button", { name: "Enregistrer", exact: true });
    // The bar to save stays, from the first field on.
    expect(await isSeen(button)).toBe(true);
    const rows = page.getByRole("list", { name: "Segments de la roue" }).getByRole("listitem");
    const heights = await rows.evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.max(...heights)).toBeLessThanOrEqual(58);
    await page.getByRole("heading", { name: "La roue" }).evaluate((one) => one.scrollIntoView());
    for (const place of [1, 7]) expect(await isSeen(weight(page, place))).toBe(true);
    expect(await isSeen(button)).toBe(true);

    await page.setViewportSize({ width: 320, height: 568 });
    // The page hears of its new width a moment later.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const small = await rows.first().evaluate((row) =>
      [...row.querySelectorAll("button, input, select")].flatMap((control) => {
        const { width, height } = control.getBoundingClientRect();
        return width < 44 || height < 44 ? [control.outerHTML] : [];
      }),
    );
    expect(small).toEqual([]);
  });

  it("is tried for the eyes alone, without motion where none is wanted", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop.users.member, editPath(shop));
    await page.getByRole("button", { name: "Essayer la roue" }).click();
    await page.getByText("La roue s'arrête sur « Café offert ».").waitFor();
    await weight(page, 1).fill("0");
    await weight(page, 3).fill("0");
    await page.getByText("Aucun segment avec probabilité > 0 disponible").waitFor();
    const rows = await app.sql`select 1 from public.spins where org_id = ${shop.id}`;
    expect(rows.length).toBe(0);
  });

  it("begins with the rewards in equal shares, or with an example where there is none", async () => {
    const shop = await createShop(app.sql);
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    const page = await open(shop.users.member, editPath(shop));
    await page.getByText("Personne n'a encore composé cette roue").waitFor();
    expect(await weight(page, 1).inputValue()).toBe("100");
    expect(await segment(page, 2).getByLabel("Texte").inputValue()).toBe("Pas de chance");
    await app.sql`delete from public.rewards where campaign_id = ${shop.campaign.id}`;
    await page.reload();
    await page.getByText("Rien à gagner pour l'instant").waitFor();
    await field(page, "Nom de la campagne").fill("Sans roue");
    await save(page);
    await arrives(page, "/campaigns");
  });
});

describe("the list's menu", () => {
  it("duplicates, restores, archives what has a history and deletes what has none", async () => {
    const shop = await createShop(app.sql);
    await spin(app.sql, { campaignId: shop.campaign.id });
    const { page } = await app.phone();
    await enter(app, page, shop.users.admin);
    await page.goto("/campaigns");
    const actions = page.getByRole("button", { name: "Actions pour La roue du comptoir" });
    await actions.click();
    await page.getByRole("menuitem", { name: "Supprimer" }).waitFor();
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
      "Voir statistiques",
      "Modifier",
      "Dupliquer",
      "QR Code",
      "Affiches à imprimer",
      "Supprimer",
    ]);
    await page.getByRole("menuitem", { name: "Dupliquer" }).click();
    await titled(page, "Modifier la campagne");
    await expect
      .poll(() => field(page, "Nom de la campagne").inputValue())
      .toBe("Copie de La roue du comptoir");
    expect(await page.getByRole("switch", { name: "Campagne active" }).isChecked()).toBe(false);

    await page.goto("/campaigns");
    await page.getByRole("button", { name: "Actions pour Copie de La roue du comptoir" }).click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const deletion = page.getByRole("dialog", { name: "Supprimer Copie de La roue du comptoir ?" });
    await deletion.getByText("sa roue et sa récompense seront supprimées").waitFor();
    await deletion.getByText("/c/copie-de-la-roue-du-comptoir").waitFor();
    await deletion.getByRole("button", { name: "Supprimer" }).click();
    await deletion.waitFor({ state: "detached" });

    await actions.click();
    await page.getByRole("menuitem", { name: "Supprimer" }).click();
    const archiving = page.getByRole("dialog", { name: "Archiver La roue du comptoir ?" });
    await archiving.getByText("Des clients ont déjà participé").waitFor();
    await archiving.getByRole("button", { name: "Archiver" }).click();
    await page.getByText("Aucune campagne créée").waitFor();
    await page.getByText("Archivées (1)").click();
    await page.getByRole("heading", { name: "La roue du comptoir" }).waitFor();
    expect(await stored(shop.campaign.id)).toMatchObject({ active: false });
    await page.goto(editPath(shop));
    await page.getByRole("button", { name: "Restaurer la campagne" }).click();
    await field(page, "Nom de la campagne").waitFor();
    const left = await app.sql`select archived_at from public.campaigns where org_id = ${shop.id}`;
    expect([...left]).toEqual([{ archived_at: null }]);
  });
});
