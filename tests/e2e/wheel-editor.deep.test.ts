import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { createReward, drawWheel } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import {
  editPath,
  field,
  isSeen,
  save,
  segment,
  total,
  weight,
  wheel,
} from "./support/campaign-editor.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, openAs } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The wheel in `/campaigns/{id}/edit` (specification, sections 2.15, 5, 8, 9). */

const app = setUpTestApp();
const handleOf = (page: Page, place: number, name: string) =>
  segment(page, place).getByRole("button", { name: `Déplacer ${name}` });

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

describe("the wheel", () => {
  it("is composed by keyboard: weights, order, colours, segments in and out, and balanced", async () => {
    const shop = await createShop(app.sql);
    await createReward(app.sql, shop.campaign, { name: "Tarte du jour" });
    const page = await openAs(app, shop.users.member, editPath(shop));
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
    expect(await wheel(app.sql, shop.campaign.id)).toEqual([
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
    const page = await openAs(app, shop.users.member, editPath(shop));
    await shows(page, [20, 60, 20]);
    const undo = page.getByRole("button", { name: "Annuler la modification" });
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

    await segment(page, 2).getByRole("button", { name: "Verrouiller la part : Lot 2" }).click();
    expect(await segment(page, 2).getByRole("slider").isDisabled()).toBe(true);
    await slider.fill("90");
    await shows(page, [40, 60, 0]);
    await segment(page, 3).getByRole("button", { name: "Verrouiller la part : Lot 3" }).click();
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
    expect((await wheel(app.sql, shop.campaign.id)).map(([, , percent]) => percent)).toEqual([
      40, 60, 0,
    ]);
  });

  it("is put in order by dragging, by finger as by mouse, and by a menu", async () => {
    const shop = await createShop(app.sql);
    await drawAnew(shop, [20, 60, 20]);
    const page = await openAs(app, shop.users.member, editPath(shop));
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

  it("says how many win and what a spin costs, and warns of one that always or never wins", async () => {
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
    const page = await openAs(app, shop.users.member, editPath(shop));
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
    const page = await openAs(app, shop.users.member, editPath(shop), {
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
    // A prize is read whole on a usual phone, too.
    await page.setViewportSize({ width: 390, height: 844 });
    const prize = rows.first().getByLabel("Ce qu'on gagne");
    await expect.poll(async () => (await prize.boundingBox())?.width ?? 0).toBeGreaterThan(280);
  });

  it("is tried for the eyes alone, without motion where none is wanted", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, editPath(shop));
    await page.getByRole("button", { name: "Essayer la roue" }).click();
    await page.getByText("La roue s'arrête sur « Café offert ».").waitFor();
    await weight(page, 1).fill("0");
    await weight(page, 3).fill("0");
    await page.getByText("Aucun segment avec probabilité > 0 disponible").waitFor();
    const rows = await app.sql`select 1 from public.spins where org_id = ${shop.id}`;
    expect(rows.length).toBe(0);
  });

  it("is drawn as customers see it, without a prize that was stopped or archived", async () => {
    const shop = await createShop(app.sql);
    const tart = await createReward(app.sql, shop.campaign, { name: "Tarte" });
    const tea = await createReward(app.sql, shop.campaign, { name: "Thé" });
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    await drawWheel(app.sql, shop.campaign, [
      { weight: 40, rewardId: tart, label: "Tarte" },
      { weight: 30, rewardId: tea, label: "Thé" },
      { weight: 20, rewardId: shop.reward?.id ?? "", label: "Café offert" },
      { weight: 10, label: "Pas de chance" },
    ]);
    const page = await openAs(app, shop.users.member, editPath(shop));
    const picture = page.getByRole("img", { name: "Aperçu de la roue" });
    await picture.getByText("Tarte").waitFor();
    await app.sql`update public.rewards set active = false where id = ${tart}`;
    await app.sql`update public.rewards set archived_at = now() where id = ${tea}`;
    await page.reload();
    await picture.getByText("Café offert").waitFor();
    expect(await picture.getByText(/Tarte|Thé/).count()).toBe(0);
    expect(await segment(page, 1).getByLabel("Texte").inputValue()).toBe("Tarte");
  });

  it("begins with the rewards in equal shares, or with an example where there is none", async () => {
    const shop = await createShop(app.sql);
    await app.sql`delete from public.wheel_segments where campaign_id = ${shop.campaign.id}`;
    const page = await openAs(app, shop.users.member, editPath(shop));
    await page.getByText("Cette roue n'est pas encore réglée").waitFor();
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
