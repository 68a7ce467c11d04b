import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createCampaign, createPointsReward } from "../harness/fixtures.ts";
import { joined } from "./support/channels.ts";
import { arrives, enter } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

/** `/rewards/new` and `/rewards/{id}/edit`. */

const app = setUpTestApp();
const TABLE = "/rest/v1/rewards";

async function open(shop: Shop, path: string): Promise<Page> {
  const { page } = await app.desktop({ expected: lost(TABLE) });
  await enter(app, page, shop.users.member);
  await page.goto(path);
  return page;
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const submit = (page: Page, name: string) => page.getByRole("button", { name }).click();

/** Renews the paid period: open screens hear of it, and ask for all that they show. */
async function readAnew(page: Page, { id }: Shop, address: string): Promise<void> {
  const read = page.waitForResponse((answer) => answer.url().includes(address));
  await app.sql`
    update public.subscriptions set current_period_end = now() + interval '40 days' where org_id = ${id}`;
  await (await read).finished();
}

async function stored(shop: Shop, name: string) {
  const [row] = await app.sql`
    select type, reward_type, stock, max_per_user, metadata, code_template, value::text, campaign_id, picture
    from public.rewards where org_id = ${shop.id} and name = ${name}`;
  return row;
}

describe("a new reward", () => {
  it("asks for what is missing, shows the code to come, and keeps what was typed when saving fails", async () => {
    const shop = await createShop(app.sql);
    const { orgId, storeId } = shop.campaign;
    const closed = await createCampaign(app.sql, {
      orgId,
      storeId,
      name: "Campagne close",
      active: false,
    });
    const second = await createCampaign(app.sql, { orgId, storeId, name: "Rentrée" });
    const page = await open(shop, "/rewards/new");
    await submit(page, "Créer la récompense");
    await page.getByText("Donnez un nom à la récompense.").waitFor();
    await page.getByText("Choisissez la campagne où elle se gagne.").waitFor();
    // Only campaigns that are active can be chosen.
    expect(await field(page, "Campagne").locator(`option[value="${closed.id}"]`).count()).toBe(0);

    await field(page, "Nom").fill("Dix pour cent");
    await field(page, "Campagne").selectOption("Rentrée");
    for (const [label, wrong, sentence] of [
      ["Remise, en %", "101", "Un nombre de 1 à 100."],
      ["Stock", "0", "Un nombre entier à partir de 1, ou laissez vide."],
      ["Maximum par personne", "0", "Un nombre entier à partir de 1."],
      ["Validité du code, en jours", "0", "Un nombre entier de jours, de 1 à 3650."],
      ["Ce qu'elle vous coûte, en euros", "deux", "Un montant en euros, par exemple 2,50."],
      ["Modèle de code", "TEST-{random}", "TEST est réservé aux codes du mode test."],
    ] as const) {
      await field(page, label).fill(wrong);
      await field(page, label).blur();
      await page.getByText(sentence, { exact: true }).waitFor();
    }
    expect(await accessibilityProblems(page)).toEqual([]);

    await field(page, "Remise, en %").fill("12,5");
    await field(page, "Stock").fill("20");
    await field(page, "Maximum par personne").fill("2");
    await field(page, "Validité du code, en jours").fill("15");
    await field(page, "Ce qu'elle vous coûte, en euros").fill("2,50");
    await field(page, "Modèle de code").fill("ETE-{random}");
    await page.getByText("ETE-7K3M9QXA").waitFor();
    await field(page, "Modèle de code").fill("ETE");
    await page.getByText("ETE-7K3M9QXA").waitFor();

    // Proposed by name and type, until one is chosen.
    const pictures = page.getByRole("group", { name: "Image" });
    expect(await pictures.getByRole("radio", { name: "Pourcentage" }).isChecked()).toBe(true);
    await field(page, "Nom").fill("Un café");
    expect(await pictures.getByRole("radio", { name: "Café" }).isChecked()).toBe(true);
    await pictures.getByText("Dessert").click();
    await field(page, "Nom").fill("Dix pour cent");
    expect(await pictures.getByRole("radio", { name: "Dessert" }).isChecked()).toBe(true);

    await loseRequest(page, `**${TABLE}*`);
    await submit(page, "Créer la récompense");
    await page
      .getByRole("alert")
      .getByText("Erreur lors de la création de la récompense")
      .waitFor();
    expect(await field(page, "Nom").inputValue()).toBe("Dix pour cent");
    expect(await stored(shop, "Dix pour cent")).toBeUndefined();

    await submit(page, "Créer la récompense");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Dix pour cent")).toEqual({
      type: "coupon",
      reward_type: "coupon",
      stock: 20,
      max_per_user: 2,
      metadata: { discountPercent: 12.5, validityDays: 15 },
      code_template: "ETE",
      value: "2.5",
      campaign_id: second.id,
      picture: "dessert",
    });
  });

  it("of points needs no code, an unlimited stock no number, and the campaign is that one came from", async () => {
    const shop = await createShop(app.sql);
    const { orgId, storeId } = shop.campaign;
    const second = await createCampaign(app.sql, { orgId, storeId, name: "Rentrée" });
    const page = await open(shop, `/rewards/new?campaign=${second.id}`);
    await field(page, "Nom").fill("Cent points");
    await page.getByText("Points", { exact: true }).click();
    await page.getByText("Crédités automatiquement au client : pas de code à présenter.").waitFor();
    expect(await field(page, "Modèle de code").count()).toBe(0);
    await submit(page, "Créer la récompense");
    await page.getByText("Un nombre entier à partir de 1.", { exact: true }).waitFor();
    await field(page, "Points").last().fill("100");
    await submit(page, "Créer la récompense");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Cent points")).toMatchObject({
      stock: -1,
      metadata: { points: 100, validityDays: 365 },
      code_template: null,
      campaign_id: second.id,
      picture: "star",
    });
  });

  it("leads to a new campaign where none is active", async () => {
    const shop = await createShop(app.sql, { campaign: { active: false } });
    const page = await open(shop, "/rewards/new");
    await page.getByText("Aucune campagne active trouvée").waitFor();
    await page.getByRole("link", { name: "Créer une campagne" }).click();
    await arrives(page, "/campaigns/new");
  });

  it("warns before what was typed is lost", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop, "/rewards/new");
    await field(page, "Nom").fill("Brouillon");
    await page.getByRole("link", { name: "Annuler" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Annuler" }).click();
    expect(await field(page, "Nom").inputValue()).toBe("Brouillon");
    await page.getByRole("link", { name: "Annuler" }).click();
    await dialog.getByRole("button").last().click();
    await arrives(page, "/rewards");
    expect(await stored(shop, "Brouillon")).toBeUndefined();
  });
});

describe("a reward that exists", () => {
  it("is changed, in campaigns of any state, without touching what customers take from the stock", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 10 } });
    const { orgId, storeId } = shop.campaign;
    await createCampaign(app.sql, { orgId, storeId, name: "Close", active: false });
    const page = await open(shop, `/rewards/${shop.reward?.id}/edit`);
    expect(await field(page, "Stock").inputValue()).toBe("10");
    await field(page, "Campagne").getByText("Close (inactive)").waitFor({ state: "attached" });
    // Somebody wins one while the form is open.
    await app.sql`update public.rewards set stock = 9 where id = ${shop.reward?.id ?? ""}`;
    await field(page, "Nom").fill("Café gourmand");
    await submit(page, "Enregistrer");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Café gourmand")).toMatchObject({ stock: 9 });

    await page.goto(`/rewards/${shop.reward?.id}/edit`);
    await field(page, "Stock").fill("-1");
    await submit(page, "Enregistrer");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Café gourmand")).toMatchObject({ stock: -1 });
  });

  it("is not overwritten unseen when two people edit it", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop, `/rewards/${shop.reward?.id}/edit`);
    await field(page, "Nom").fill("Le mien");
    await app.sql`update public.rewards set name = 'Le leur' where id = ${shop.reward?.id ?? ""}`;
    await submit(page, "Enregistrer");
    await page.getByRole("alert").getByText("Quelqu'un d'autre a modifié").waitFor();
    expect(await field(page, "Nom").inputValue()).toBe("Le mien");
    expect(await stored(shop, "Le leur")).toBeDefined();
    await submit(page, "Recharger la récompense");
    await expect.poll(() => field(page, "Nom").inputValue()).toBe("Le leur");
    await field(page, "Nom").fill("Le nôtre");
    await submit(page, "Enregistrer");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Le nôtre")).toBeDefined();
  });

  it("is not overwritten unseen either where the page behind its form was read anew", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 10 } });
    const id = shop.reward?.id ?? "";
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    const openForm = async () => {
      const ready = joined(page, "activity");
      await page.goto(`/rewards/${id}/edit`);
      await field(page, "Nom").waitFor();
      await ready;
    };

    await openForm();
    await field(page, "Nom").fill("Café gourmand");
    await app.sql`update public.rewards set stock = 9 where id = ${id}`;
    await readAnew(page, shop, `id=eq.${id}`);
    await submit(page, "Enregistrer");
    await arrives(page, "/rewards");
    expect(await stored(shop, "Café gourmand")).toMatchObject({ stock: 9 });

    await openForm();
    await field(page, "Nom").fill("Le mien");
    await app.sql`update public.rewards set name = 'Le leur' where id = ${id}`;
    await readAnew(page, shop, `id=eq.${id}`);
    await submit(page, "Enregistrer");
    await page.getByRole("alert").getByText("Quelqu'un d'autre a modifié").waitFor();
    expect(await field(page, "Nom").inputValue()).toBe("Le mien");
    expect(await stored(shop, "Le leur")).toMatchObject({ stock: 9 });
  });

  it("stays in its campaign while it is on the wheel, and says why it cannot be saved", async () => {
    const shop = await createShop(app.sql);
    const { orgId, storeId } = shop.campaign;
    await createCampaign(app.sql, { orgId, storeId, name: "Rentrée" });
    const { page } = await app.desktop({
      expected: (problem) => problem.kind === "status" || lost(TABLE)(problem),
    });
    await enter(app, page, shop.users.member);
    await page.goto(`/rewards/${shop.reward?.id}/edit`);
    await field(page, "Campagne").selectOption("Rentrée");
    await submit(page, "Enregistrer");
    await page.getByRole("alert").getByText("est sur la roue de sa campagne").waitFor();
    expect(await stored(shop, "Café offert")).toMatchObject({ campaign_id: shop.campaign.id });

    await field(page, "Campagne").selectOption("La roue du comptoir");
    await loseRequest(page, `**${TABLE}?**`);
    await submit(page, "Enregistrer");
    await page
      .getByRole("alert")
      .getByText("Erreur lors de la mise à jour de la récompense")
      .waitFor();
  });

  it("cannot be loaded, and is when asked again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop({ expected: lost("/rest/v1/campaigns") });
    await enter(app, page, shop.users.member);
    for (let n = 0; n < 3; n += 1) await loseRequest(page, "**/rest/v1/campaigns?**");
    await page.goto(`/rewards/${shop.reward?.id}/edit`);
    await page.getByText("Erreur lors du chargement des campagnes").waitFor();
    await submit(page, "Réessayer");
    await field(page, "Nom").waitFor();
  });
});

it("a gift of the points catalogue is not overwritten unseen, nor made again where somebody removed it", async () => {
  const shop = await createShop(app.sql, { wheel: "points" });
  const { id } = await createPointsReward(app.sql, { orgId: shop.id, name: "Café", stock: 10 });
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  const gifts = async () => {
    const rows = await app.sql`
      select name, stock from public.points_rewards where org_id = ${shop.id}`;
    return [...rows];
  };
  const openForm = async () => {
    const ready = joined(page, "activity");
    await page.goto("/rewards/points");
    await page.getByRole("button", { name: /^Actions/ }).click();
    await page.getByRole("menuitem", { name: "Modifier" }).click();
    await ready;
  };
  const save = async () => {
    await readAnew(page, shop, "points_catalogue");
    await submit(page, "Enregistrer");
  };

  await openForm();
  await field(page, "Nom").fill("Thé");
  await app.sql`update public.points_rewards set stock = 9 where id = ${id}`;
  await save();
  await page.getByRole("heading", { level: 2, name: "Thé" }).waitFor();
  expect(await gifts()).toEqual([{ name: "Thé", stock: 9 }]);

  await openForm();
  await field(page, "Nom").fill("Le mien");
  await app.sql`update public.points_rewards set name = 'Le leur' where id = ${id}`;
  await save();
  await page.getByRole("alert").getByText("Quelqu'un a modifié").waitFor();
  expect(await gifts()).toEqual([{ name: "Le leur", stock: 9 }]);

  await submit(page, "Recharger");
  await expect.poll(() => field(page, "Nom").inputValue()).toBe("Le leur");
  await field(page, "Nom").fill("Le mien");
  await app.sql`delete from public.points_rewards where id = ${id}`;
  await save();
  await page.getByRole("alert").getByText("Quelqu'un a modifié").waitFor();
  expect(await gifts()).toEqual([]);
});

it("a reward that is made after the wheel says that nobody wins it, and proposes a segment", async () => {
  const shop = await createShop(app.sql);
  const page = await open(shop, `/rewards/new?campaign=${shop.campaign.id}`);
  await field(page, "Nom").fill("Thé offert");
  await submit(page, "Créer la récompense");
  await arrives(page, "/rewards");
  await page.getByText("« Thé offert » est enregistrée.").waitFor();
  await page.getByText("Elle n'est pas encore sur la roue").waitFor();
  // One that is on the wheel has nothing to say.
  await page.getByText("Sur aucun segment de la roue").first().waitFor();
  expect(await page.getByText("Sur aucun segment de la roue").count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole("link", { name: "Mettre sur la roue : Thé offert" }).click();
  await arrives(page, `/campaigns/${shop.campaign.id}/edit`);
  await page.getByText("« Thé offert » est proposée à 20 %").waitFor();
  await page.getByText("Total : 100 %").waitFor();
  const segments = () => app.sql`
    select weight, r.name from public.wheel_segments w left join public.rewards r on r.id = w.reward_id
    where w.campaign_id = ${shop.campaign.id} order by position`;
  // Nothing is on the wheel before its odds were seen and saved.
  expect(await segments()).toHaveLength(4);
  expect(await accessibilityProblems(page)).toEqual([]);
  await submit(page, "Enregistrer");
  await page.getByText("Campagne mise à jour avec succès").waitFor();
  expect(await segments()).toMatchObject([
    { weight: 40 },
    { weight: 0 },
    { weight: 40 },
    { weight: 0 },
    { weight: 20, name: "Thé offert" },
  ]);
});
