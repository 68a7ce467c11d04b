import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createOrganization } from "../harness/fixtures.ts";
import { titled } from "./support/account.ts";
import {
  editPath,
  field,
  isSeen,
  save,
  stored,
  total,
  weight,
  wheel,
} from "./support/campaign-editor.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, failingToLoad, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** The editor of a campaign on a phone, at a wrong address, and in two hands at once (specification, sections 2.15 and 8). */

const app = setUpTestApp();

describe("a campaign", () => {
  it("shows on a phone what its chances add up to while any segment is changed", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, editPath(shop), {
      context: { viewport: { width: 390, height: 844 } },
    });
    await total(page, 100);
    await weight(page, 4).fill("9");
    await weight(page, 4).scrollIntoViewIfNeeded();
    expect(await isSeen(page.locator("[data-total]"))).toBe(true);
    await total(page, 109);
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
    const till = await openAs(app, shop.users.cashier, editPath(shop));
    await arrives(till, "/encaisser");
  });
});

it("tells of a refused name where it is typed, though one saves from the wheel", async () => {
  const shop = await createShop(app.sql);
  const page = await openAs(app, shop.users.owner, `${editPath(shop)}?part=settings`, {
    expected: refusing(409),
  });
  await app.sql`
    insert into public.campaigns (org_id, store_id, name, slug, active)
    values (${shop.id}, ${shop.storeId}, 'Déjà là', 'deja-la', false)`;
  const name = field(page, "Nom de la campagne");
  await name.fill("Déjà là");
  await page.getByRole("link", { name: "Roue", exact: true }).click();
  await name.waitFor({ state: "hidden" });
  await save(page);
  await page.getByText("Une campagne avec ce nom existe déjà").waitFor();
  await waitForFocus(name);
});

describe("two people who edit at once", () => {
  it("the second learns that the first has deleted it", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, editPath(shop), { expected: refusing(403) });
    await field(page, "Description interne (facultatif)").fill("La mienne");
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    await app.sql`delete from public.rewards where campaign_id = ${shop.campaign.id}`;
    await app.sql`delete from public.campaigns where id = ${shop.campaign.id}`;
    await save(page);
    await page
      .getByText("cette campagne n'existe plus, ou vous n'avez pas le droit de la modifier.")
      .waitFor();
    expect(await field(page, "Description interne (facultatif)").inputValue()).toBe("La mienne");
  });

  it("the second sees what the first changed, loses nothing, and chooses", async () => {
    const shop = await createShop(app.sql);
    const first = await openAs(app, shop.users.owner, editPath(shop));
    const second = await openAs(app, shop.users.member, editPath(shop), {
      expected: refusing(400),
    });
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
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ description: "La leur" });
    expect(await accessibilityProblems(second)).toEqual([]);
    await alert.getByRole("button", { name: "Enregistrer quand même ma version" }).click();
    await arrives(second, "/campaigns");
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ description: "La mienne" });
    expect((await wheel(app.sql, shop.campaign.id)).map(([, , percent]) => percent)).toEqual([
      70, 0, 30, 0,
    ]);

    await second.goto(editPath(shop));
    await field(second, "Description interne (facultatif)").fill("Encore la mienne");
    await app.sql`update public.campaigns set description = 'Ailleurs' where id = ${shop.campaign.id}`;
    await save(second);
    await second.getByRole("button", { name: "Prendre l'autre version" }).click();
    await expect
      .poll(() => field(second, "Description interne (facultatif)").inputValue())
      .toBe("Ailleurs");
  });

  it("keeps what was typed, also where what tells of the other's changes did not load", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, editPath(shop), {
      expected: (problem) =>
        [refusing(400), lost("/assets/")].some((is) => is(problem)) || problem.kind === "console",
    });
    await page.route("**/assets/conflict-notice*.js", (route) => route.abort());
    const typed = field(page, "Description interne (facultatif)");
    await typed.fill("La mienne");
    await app.sql`update public.campaigns set description = 'La leur' where id = ${shop.campaign.id}`;
    await save(page);
    const alert = page.getByRole("alert");
    await alert.getByText("Quelqu'un d'autre a modifié cette campagne").waitFor();
    expect(await typed.inputValue()).toBe("La mienne");
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ description: "La leur" });
    await alert.getByRole("button", { name: "Prendre l'autre version" }).click();
    await expect.poll(() => typed.inputValue()).toBe("La leur");
  });
});
