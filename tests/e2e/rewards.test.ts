import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createReward, type User } from "../harness/fixtures.ts";
import { arrives, enter, place } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop, type Shop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** `/rewards`: the list, its switch, its menu. */

const app = setUpTestApp();
const LIST = "/rest/v1/rpc/reward_list";

type Visitor = Parameters<typeof app.desktop>[0];

async function open(user: User, path = "/rewards", options: Visitor = {}): Promise<Page> {
  const { page } = await app.desktop(options);
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

const card = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
const toggle = (page: Page, name: string) =>
  page.getByRole("switch", { name: `${name} peut être gagnée` });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions pour ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function rewardOf(name: string, shop: Shop) {
  const [row] = await app.sql<{ active: boolean; archived_at: Date | null }[]>`
    select active, archived_at from public.rewards where org_id = ${shop.id} and name = ${name}`;
  return row;
}

describe("the list of rewards", () => {
  it("shows what each is and how it does, in the specification's words", async () => {
    const shop = await createShop(app.sql, { reward: { codeTemplate: "NOEL-{random}" } });
    const { sql } = app;
    await createReward(sql, shop.campaign, {
      name: "Dix pour cent",
      type: "coupon",
      stock: 3,
      maxPerUser: 2,
      metadata: { discountPercent: 10, validityDays: 15 },
      active: false,
    });
    await createReward(sql, shop.campaign, { name: "Cinquante points", type: "points" });
    await winCode(sql, shop);

    const page = await open(shop.users.member);
    await page.getByRole("heading", { level: 1, name: "Récompenses" }).waitFor();
    const coffee = card(page, "Café offert");
    for (const text of ["Cadeau", "Active", "Illimité", "La roue du comptoir", "NOEL-{random}"]) {
      await coffee.getByText(text, { exact: true }).waitFor();
    }
    const coupon = card(page, "Dix pour cent");
    for (const text of ["Coupon", "Inactive", "3 restant(s)", "15 jours", "10 %", "WIN{random}"]) {
      await coupon.getByText(text, { exact: true }).waitFor();
    }
    const points = card(page, "Cinquante points");
    await points.getByText("Points", { exact: true }).first().waitFor();
    expect(await points.getByText("Taux d'utilisation").count()).toBe(0);
    for (const [name, value] of [
      ["Récompenses", "3"],
      ["Gains", "1"],
      ["Codes utilisés", "0"],
      ["Taux de rédemption", "0 %"],
    ] as const) {
      const figure = page.locator("dl").first().locator("div").filter({ hasText: name });
      const shown = await figure.locator("dd").first().textContent();
      expect(shown?.replaceAll(/\s/g, " ")).toBe(value);
    }

    await page.getByRole("button", { name: "Actions pour Café offert" }).click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await arrives(page, `/rewards/${shop.reward?.id}/stats`);
  });

  it("finds by name and campaign, keeps the search in the address, and says when nothing matches", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Thé glacé" });
    const page = await open(shop.users.owner);
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

describe("the switch", () => {
  it("saves at once, and is undone visibly when that fails", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop.users.member, "/rewards", { expected: lost("/rest/v1/rewards") });
    await toggle(page, "Café offert").click({ force: true });
    await card(page, "Café offert").getByText("Inactive", { exact: true }).waitFor();
    await expect.poll(async () => (await rewardOf("Café offert", shop))?.active).toBe(false);

    await loseRequest(page, "**/rest/v1/rewards?**");
    await toggle(page, "Café offert").click({ force: true });
    await page
      .getByRole("alert")
      .getByText("Non enregistré : la récompense reste inactive.")
      .waitFor();
    expect(await toggle(page, "Café offert").isChecked()).toBe(false);
    expect((await rewardOf("Café offert", shop))?.active).toBe(false);
  });
});

describe("removing", () => {
  it("deletes what nobody ever won, and archives the rest, saying so before", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Essai" });
    await winCode(app.sql, shop);
    const page = await open(shop.users.admin);

    await choose(page, "Essai", "Supprimer");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("n'a jamais été gagnée et n'est sur aucune roue").waitFor();
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await card(page, "Essai").waitFor({ state: "detached" });
    expect(await rewardOf("Essai", shop)).toBeUndefined();

    await choose(page, "Café offert", "Supprimer");
    await dialog.getByRole("heading", { name: "Archiver « Café offert » ?" }).waitFor();
    await dialog.getByText("Elle a déjà été gagnée").waitFor();
    await dialog.getByText("Elle est sur la roue de sa campagne").waitFor();
    await dialog.getByRole("button", { name: "Archiver" }).click();
    await page.getByText("Aucune récompense créée").waitFor();
    expect((await rewardOf("Café offert", shop))?.archived_at).toBeInstanceOf(Date);

    await page.getByText("Archivées (1)").click();
    await page.getByRole("button", { name: "Remettre en service" }).click();
    await page.getByText("Aucune récompense archivée").waitFor();
    expect((await rewardOf("Café offert", shop))?.archived_at).toBeNull();

    // The way back stays where nothing is archived any more.
    await page.getByText("En service", { exact: true }).click();
    await card(page, "Café offert").waitFor();
  });

  it("is refused when somebody wins it meanwhile, and then offers to archive", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Essai" });
    const page = await open(shop.users.owner, "/rewards", { expected: refusing(400, 409, 500) });
    await choose(page, "Essai", "Supprimer");
    await app.sql`
      update public.wheel_segments set reward_id = (
        select id from public.rewards where org_id = ${shop.id} and name = 'Essai')
      where campaign_id = ${shop.campaign.id} and reward_id is not null`;
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await dialog
      .getByRole("alert")
      .getByText("vient d'être gagnée ou posée sur une roue")
      .waitFor();
    await dialog.getByRole("button", { name: "Archiver" }).waitFor();
    expect((await rewardOf("Essai", shop))?.archived_at).toBeNull();
  });
});

describe("who sees it", () => {
  it("a member removes nothing, a cashier has the till", async () => {
    const shop = await createShop(app.sql);
    const page = await open(shop.users.member);
    await page.getByRole("button", { name: "Actions pour Café offert" }).click();
    await page.getByRole("menuitem", { name: "Modifier" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Supprimer" }).count()).toBe(0);
    const till = await open(shop.users.cashier);
    await arrives(till, "/encaisser");
  });
});
