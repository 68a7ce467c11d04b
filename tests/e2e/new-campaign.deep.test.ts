import { describe, expect, it } from "vitest";
import { createOrganization, createReward, giveRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, openAs } from "./support/member.ts";
import { choose, create, wheelOf } from "./support/new-campaign.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** A campaign that begins with a chosen stock, with nothing, or by somebody who may make no rewards. */

const app = setUpTestApp();

describe("a second campaign", () => {
  it("has the stock that is chosen, which has to be a number", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 2 } });
    const page = await openAs(app, shop.users.owner, "/campaigns/new");
    await choose(page, "Une autre campagne");
    await page
      .getByLabel("Stock des récompenses")
      .selectOption({ label: "Un nombre pour chacune" });
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    await page.getByLabel("Nombre pour chaque récompense").fill("beaucoup");
    await create(page).click();
    await page.getByText("Indiquez un nombre, à partir de 1.").waitFor();
    expect(await wheelOf(app.sql, shop.id, "Rentrée")).toEqual([]);
    await page.getByLabel("Nombre pour chaque récompense").fill("1 000");
    await create(page).click();
    await arrives(page, "/campaigns");
    const stocks = (await wheelOf(app.sql, shop.id, "Rentrée")).map(({ stock }) => stock);
    expect(stocks).toEqual([1000, null, 1000, null]);
  });

  it("cannot copy where nothing can be won yet", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new");
    await choose(page, "Une autre campagne");
    await page.getByText("Aucune de vos campagnes n'a encore de récompense à reprendre.").waitFor();
    await page.getByLabel("Nom de la campagne").fill("Copie de rien");
    await create(page).click();
    await page.getByText("Choisissez la campagne à copier.").waitFor();
    const rows = await app.sql`select 1 from public.campaigns where org_id = ${shop.id}`;
    expect(rows.length).toBe(0);
  });
});

describe("an empty campaign", () => {
  const warning =
    "Sans récompense, la roue reste vide : active, cette campagne ne recueille que des avis.";

  it("says so before it is switched on, in the list, on its page and in its editor", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new");
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
    const { member } = shop.users;
    await giveRole(app.sql, member, {
      orgId: shop.id,
      permissions: ["activity.read", "campaigns.read", "campaigns.write", "stores.read"],
    });
    const page = await openAs(app, member, "/campaigns/new");
    await page.getByText(warning).waitFor();
    expect(await page.getByText("Un modèle", { exact: true }).count()).toBe(0);
  });
});
