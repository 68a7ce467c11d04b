import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization, createReward, createRole, type User } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { arrives, enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** A campaign that begins with prizes: a trade's, or those of another campaign (specification, section 2.14). */

const app = setUpTestApp();

async function open(user: User, path: string, options: Parameters<typeof app.desktop>[0] = {}) {
  const { page } = await app.desktop(options);
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

const create = (page: Page) => page.getByRole("button", { name: "Créer la campagne" });
const choose = (page: Page, origin: string) => page.getByText(origin, { exact: true }).click();

/** The segments of a campaign with what they win. */
const wheelOf = async (orgId: string, name: string) => [
  ...(await app.sql`
    select w.label, w.weight::int, r.name as prize, r.stock, r.campaign_id = c.id as own, c.active
    from public.campaigns c join public.wheel_segments w on w.campaign_id = c.id
    left join public.rewards r on r.id = w.reward_id
    where c.org_id = ${orgId} and c.name = ${name} order by w.position`),
];

describe("a second campaign", () => {
  it("with the rewards of the first takes three clicks and a name", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 7 } });
    const page = await open(shop.users.member, "/campaigns");
    let clicks = 0;
    const click = async (run: () => Promise<void>) => {
      clicks += 1;
      await run();
    };
    await click(() => page.getByRole("link", { name: "Nouvelle campagne" }).click());
    await titled(page, "Nouvelle campagne");
    await click(() => choose(page, "Une autre campagne"));
    await page.getByLabel("Campagne à copier").waitFor();
    await checkLightAndDark(page, "copy");
    await page.getByLabel("Nom de la campagne").fill("La roue de Noël");
    await click(() => create(page).click());
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "La roue de Noël" }).waitFor();
    expect(clicks).toBe(3);
    const copied = await wheelOf(shop.id, "La roue de Noël");
    expect(copied).toEqual(await wheelOf(shop.id, "La roue du comptoir"));
    expect(copied[0]).toMatchObject({ prize: "Café offert", stock: 7, own: true, active: true });
  });

  it("has the stock that is chosen, which has to be a number", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 2 } });
    const page = await open(shop.users.owner, "/campaigns/new");
    await choose(page, "Une autre campagne");
    await page
      .getByLabel("Stock des récompenses")
      .selectOption({ label: "Un nombre pour chacune" });
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    await page.getByLabel("Nombre pour chaque récompense").fill("beaucoup");
    await create(page).click();
    await page.getByText("Indiquez un nombre, à partir de 1.").waitFor();
    expect(await wheelOf(shop.id, "Rentrée")).toEqual([]);
    await page.getByLabel("Nombre pour chaque récompense").fill("30");
    await create(page).click();
    await arrives(page, "/campaigns");
    const stocks = (await wheelOf(shop.id, "Rentrée")).map(({ stock }) => stock);
    expect(stocks).toEqual([30, null, 30, null]);
  });

  it("cannot copy where nothing can be won yet", async () => {
    const shop = await createOrganization(app.sql);
    const page = await open(shop.users.owner, "/campaigns/new");
    await choose(page, "Une autre campagne");
    await page.getByText("Aucune de vos campagnes n'a encore de récompense à reprendre.").waitFor();
    await page.getByLabel("Nom de la campagne").fill("Copie de rien");
    await create(page).click();
    await page.getByText("Choisissez la campagne à copier.").waitFor();
    const rows = await app.sql`select 1 from public.campaigns where org_id = ${shop.id}`;
    expect(rows.length).toBe(0);
  });
});

describe("a campaign from a template", () => {
  it("has its trade's prizes as they were adjusted, and says what is wrong with them", async () => {
    const shop = await createOrganization(app.sql);
    const page = await open(shop.users.owner, "/campaigns/new", { expected: refusing(500) });
    await choose(page, "Un modèle");
    await page.getByRole("combobox", { name: "Votre métier" }).selectOption({ label: "Coiffeur" });
    await page.getByText("Ajuster les gains et la roue").click();
    await page.getByText("0,68 € le tour").waitFor();
    await checkLightAndDark(page, "template");
    await page.getByLabel("Ce que lit le client").first().fill("");
    await page.getByText("Ajuster les gains et la roue").click();
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    await create(page).click();
    await page.getByText("Donnez un texte à ce segment.").waitFor();
    await page.getByLabel("Ce que lit le client").first().fill("Masque offert");
    const mend = await breakFunction(app.sql, "start_campaign");
    await create(page).click();
    await alerts(page, "Erreur lors de la création de la campagne");
    await mend();
    await create(page).click();
    await arrives(page, "/campaigns");
    const wheel = await wheelOf(shop.id, "Rentrée");
    expect(wheel.map(({ label, weight, prize }) => [label, weight, prize])).toEqual([
      ["Masque offert", 8, "Masque offert"],
      ["Produit miniature", 6, "Produit miniature"],
      ["Pas de chance", 39, null],
      ["Brushing offert", 1, "Brushing offert"],
      ["10\u00a0% la prochaine fois", 8, "10\u00a0% la prochaine fois"],
      ["La prochaine fois", 38, null],
    ]);
    expect(await page.getByText("Rien à gagner", { exact: true }).count()).toBe(0);
  });
});

describe("an empty campaign", () => {
  const warning =
    "Sans récompense, la roue reste vide : active, cette campagne ne recueille que des avis.";

  it("says so before it is switched on, in the list, on its page and in its editor", async () => {
    const shop = await createOrganization(app.sql);
    const page = await open(shop.users.owner, "/campaigns/new");
    await page.getByText(warning).waitFor();
    await choose(page, "Un modèle");
    await page.getByText(warning).waitFor({ state: "detached" });
    await choose(page, "Zéro");
    await page.getByText(warning).waitFor();
    await checkLightAndDark(page, "empty");
    await page.getByLabel("Nom de la campagne").fill("Vide");
    await create(page).click();
    await arrives(page, "/campaigns");
    const badge = page.getByText("Rien à gagner", { exact: true });
    await badge.waitFor();
    const [campaign] = await app.sql<{ id: string; slug: string }[]>`
      select id, slug from public.campaigns where org_id = ${shop.id}`;
    const id = campaign?.id ?? "";
    await page.goto(`/campaigns/${id}`);
    await badge.waitFor();
    await page.goto(`/campaigns/${id}/edit`);
    await page.getByText(warning).waitFor();

    await createReward(app.sql, { id, orgId: shop.id });
    await page.goto(`/campaigns/${id}`);
    await titled(page, "Vide");
    expect(await badge.count()).toBe(0);
  });

  it("is all that somebody can make who may make no rewards", async () => {
    const shop = await createOrganization(app.sql);
    const role = await createRole(app.sql, {
      orgId: shop.id,
      permissions: ["activity.read", "campaigns.read", "campaigns.write", "stores.read"],
    });
    const { member } = shop.users;
    await app.sql`update public.organization_members set role = ${role} where user_id = ${member.id}`;
    const page = await open(member, "/campaigns/new");
    await page.getByText(warning).waitFor();
    expect(await page.getByText("Un modèle", { exact: true }).count()).toBe(0);
  });
});
