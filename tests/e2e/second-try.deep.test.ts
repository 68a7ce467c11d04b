import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Problem } from "../harness/browser.ts";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { titled } from "./support/account.ts";
import { arrives, openAs } from "./support/member.ts";
import { loseAnswer } from "./support/network.ts";
import { create } from "./support/new-campaign.ts";
import { fillStore, newcomer, organize, submit } from "./support/onboarding.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** Rows whose answer is lost: a second try makes no second one, and keeps what was typed since. */

const app = setUpTestApp();

/** A lost answer, and the refusal of what stands already. */
const again = (address: string) => (problem: Problem) =>
  lost(address)(problem) || refusing(400, 409)(problem);

/** Presses twice, where the server handles the first time and its answer is lost. */
async function tryTwice(
  page: Page,
  address: string,
  button: Locator,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  await loseAnswer(page, address);
  await button.click();
  await page.getByRole("alert").waitFor();
  await between();
  await button.click();
}

const names = async (table: string, { id }: Organization | Shop) =>
  (
    await app.sql<{ name: string }[]>`
      select name from ${app.sql(table)} where org_id = ${id} order by created_at, id`
  ).map(({ name }) => name);

describe("a second try after a lost answer", () => {
  it("makes one store, under the address that was proposed", async () => {
    const shop = await createOrganization(app.sql);
    const before = await names("stores", shop);
    const page = await openAs(app, shop.users.owner, "/stores/new", {
      expected: lost("/rpc/create_store"),
    });
    await fillStore(page, "Annexe");
    const button = page.getByRole("button", { name: "Créer le magasin" });
    await tryTwice(page, "**/rpc/create_store", button, () =>
      page.getByLabel("Nom du magasin").fill("Annexe Nord"),
    );
    await arrives(page, "/stores");
    await page.getByText("Annexe Nord").first().waitFor();
    expect(await names("stores", shop)).toEqual([...before, "Annexe Nord"]);
  });

  it("makes the first store, where the plan has one", async () => {
    const { page, user } = await newcomer(app, { expected: lost("/rpc/create_store") });
    await organize(app, user, "seconde-fois");
    await page.goto("/onboarding/store");
    await fillStore(page);
    await tryTwice(page, "**/rpc/create_store", submit(page));
    await titled(page, "Félicitations !");
    const stores = await app.sql`
      select s.name, s.slug from public.stores s join public.organizations o on o.id = s.org_id
      where o.slug = 'seconde-fois'`;
    expect(stores).toEqual([{ name: "Bastille", slug: "bastille" }]);
  });

  it("makes one empty campaign, where the plan has one", async () => {
    const shop = await createOrganization(app.sql, { plan: "free_trial" });
    const page = await openAs(app, shop.users.owner, "/campaigns/new", {
      expected: again("/rest/v1/campaigns"),
    });
    await page.getByLabel("Nom de la campagne").fill("Rentrée");
    await tryTwice(page, "**/rest/v1/campaigns*", create(page), () =>
      page.getByLabel("Description").fill("Au comptoir"),
    );
    await arrives(page, "/campaigns");
    const rows = await app.sql`
      select name, description, active from public.campaigns where org_id = ${shop.id}`;
    expect(rows).toEqual([{ name: "Rentrée", description: "Au comptoir", active: true }]);
  });

  it("makes one copy of a campaign", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns", {
      expected: lost("/rpc/duplicate_campaign"),
    });
    await loseAnswer(page, "**/rpc/duplicate_campaign");
    const menu = page.getByRole("button", { name: /Actions .*La roue du comptoir$/ });
    const copy = async () => {
      await menu.click();
      await page.getByRole("menuitem", { name: "Dupliquer" }).click();
    };
    await copy();
    await page.getByRole("alert").waitFor();
    // The list says already that it was made.
    await page.getByRole("heading", { name: /copie/ }).waitFor();
    await copy();
    await titled(page, "Modifier la campagne");
    expect(await names("campaigns", shop)).toHaveLength(2);
  });

  it("makes one reward", async () => {
    const shop = await createShop(app.sql);
    const before = await names("rewards", shop);
    const page = await openAs(app, shop.users.owner, "/rewards/new", {
      expected: again("/rest/v1/rewards"),
    });
    await page.getByLabel("Nom", { exact: true }).fill("Thé");
    const button = page.getByRole("button", { name: "Créer la récompense" });
    await tryTwice(page, "**/rest/v1/rewards*", button, () =>
      page.getByLabel("Nom", { exact: true }).fill("Thé vert"),
    );
    await arrives(page, "/rewards");
    expect(await names("rewards", shop)).toEqual([...before, "Thé vert"]);
  });

  it("makes one gift of the points catalogue", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/rewards/points", {
      expected: again("/rest/v1/points_rewards"),
    });
    await page.getByRole("button", { name: "Nouveau cadeau" }).first().click();
    await page.getByLabel("Nom", { exact: true }).fill("Café");
    await page.getByLabel("Prix en points").fill("50");
    const button = page.getByRole("button", { name: "Enregistrer" });
    await tryTwice(page, "**/rest/v1/points_rewards*", button, () =>
      page.getByLabel("Prix en points").fill("60"),
    );
    await expect.poll(() => button.count()).toBe(0);
    const rows =
      await app.sql`select name, cost from public.points_rewards where org_id = ${shop.id}`;
    expect(rows).toEqual([{ name: "Café", cost: 60 }]);
  });
});
