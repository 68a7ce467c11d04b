import { describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { arrives, openAs } from "./support/member.ts";
import { choose, create, wheelOf } from "./support/new-campaign.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** A campaign that begins with prizes: a trade's, or those of another campaign (specification, section 2.14). */

const app = setUpTestApp();

describe("a second campaign", () => {
  it("with the rewards of the first takes three clicks and a name", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 7 } });
    const page = await openAs(app, shop.users.member, "/campaigns");
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
    const copied = await wheelOf(app.sql, shop.id, "La roue de Noël");
    expect(copied).toEqual(await wheelOf(app.sql, shop.id, "La roue du comptoir"));
    expect(copied[0]).toMatchObject({ prize: "Café offert", stock: 7, own: true, active: true });
  });
});

describe("a campaign from a template", () => {
  it("has its trade's prizes as they were adjusted, and says what is wrong with them", async () => {
    const shop = await createOrganization(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns/new", { expected: refusing(500) });
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
    const wheel = await wheelOf(app.sql, shop.id, "Rentrée");
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
