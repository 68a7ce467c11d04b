import { describe, expect, it } from "vitest";
import { createReward } from "../harness/fixtures.ts";
import { arrives, enter, openAs, place } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { choose, rewardOf } from "./support/rewards.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/rewards`: the search, an empty or broken list, what was won meanwhile, who sees it. */

const app = setUpTestApp();
const LIST = "/rest/v1/rpc/reward_list";

describe("the list of rewards", () => {
  it("finds by name and campaign, keeps the search in the address, and says when nothing matches", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Thé glacé" });
    const page = await openAs(app, shop.users.owner, "/rewards");
    const field = page.getByRole("searchbox", { name: "Rechercher une récompense" });
    await page.getByText("Café offert").waitFor();
    await field.fill("thé");
    await page.getByText("Café offert").waitFor({ state: "detached" });
    expect(place(page)).toBe("/rewards?q=th%C3%A9");
    await page.reload();
    await page.getByText("Thé glacé").waitFor();
    expect(await field.inputValue()).toBe("thé");
    await field.fill("comptoir");
    await page.getByText("Café offert").waitFor();
    await field.fill("introuvable");
    await page.getByText("Aucune récompense trouvée pour cette recherche").waitFor();
    await page.getByRole("button", { name: "Effacer la recherche" }).last().click();
    await page.getByText("Café offert").waitFor();
    expect(place(page)).toBe("/rewards");
  });

  it("says what to do where there is none, and when it cannot be loaded", async () => {
    const shop = await createShop(app.sql);
    await app.sql`delete from public.wheel_segments where org_id = ${shop.id}`;
    await app.sql`delete from public.rewards where org_id = ${shop.id}`;
    const { page } = await app.desktop({ expected: lost(LIST) });
    await enter(app, page, shop.users.owner);
    // Twice asked anew by itself before it gives up.
    for (let n = 0; n < 3; n += 1) await loseRequest(page, `**${LIST}`);
    await page.goto("/rewards");
    await page.getByText("Erreur lors du chargement des données").waitFor();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await page.getByText("Aucune récompense créée").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Nouvelle récompense" }).last().click();
    await arrives(page, "/rewards/new");
  });

  it("names a campaign that is gone", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await enter(app, page, shop.users.owner);
    // Not by any way of ours, which all keep a campaign that has rewards.
    await app.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`delete from public.campaigns where id = ${shop.campaign.id}`;
    });
    await page.goto("/rewards");
    await page.getByText("Campagne supprimée").waitFor();
  });
});

describe("removing", () => {
  it("is refused when somebody wins it meanwhile, and then offers to archive", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Essai" });
    const page = await openAs(app, shop.users.owner, "/rewards", {
      expected: refusing(400, 409, 500),
    });
    await choose(page, "Essai", "Supprimer");
    await app.sql`
      update public.wheel_segments set reward_id = (
        select id from public.rewards where org_id = ${shop.id} and name = 'Essai')
      where campaign_id = ${shop.campaign.id} and reward_id is not null`;
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await dialog
      .getByRole("alert")
      .getByText("vient d'être gagnée ou placée sur une roue")
      .waitFor();
    await dialog.getByRole("button", { name: "Archiver" }).waitFor();
    expect((await rewardOf(app.sql, "Essai", shop))?.archived_at).toBeNull();
  });
});

describe("who sees it", () => {
  it("a member removes nothing, a cashier has the till", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, "/rewards");
    await page.getByRole("button", { name: "Actions pour Café offert" }).click();
    await page.getByRole("menuitem", { name: "Modifier" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Supprimer" }).count()).toBe(0);
    const till = await openAs(app, shop.users.cashier, "/rewards");
    await arrives(till, "/encaisser");
  });
});
