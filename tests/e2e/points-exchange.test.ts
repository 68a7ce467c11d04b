import { describe, expect, it } from "vitest";
import { createPointsReward, createReward, daysFromNow } from "../harness/fixtures.ts";
import { redeem, winPoints } from "../harness/journey.ts";
import { arriveAt, goToWheel, pressSpin, rate, somebody } from "./support/customer.ts";
import { enter, words } from "./support/member.ts";
import { createShop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

describe("points", () => {
  it("are worth something: what comes next, an exchange, and a code that is found again", async () => {
    const shop = await createShop(app.sql, {
      wheel: "points",
      reward: { metadata: { points: 80 } },
      campaign: { playIntervalDays: 30 },
    });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Café", cost: 50 });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Dessert", cost: 120 });
    const { page } = await app.phone();
    await rate(page, shop, 5, somebody());
    await arriveAt(page, "ready");
    await goToWheel(page);
    await pressSpin(page);
    await arriveAt(page, "win");
    const points = page.getByRole("region", { name: "Vos points" });
    await points.getByText("Encore 40 points avant « Dessert ».").waitFor();
    // Seen counting, and heard once as what it is.
    await points.locator("[aria-hidden]").getByText("80 points").waitFor();
    const heard = points.locator("[aria-live]").getByText("80 points");
    expect(await heard.evaluateAll((all) => all.map((one) => one.ariaHidden))).toEqual([
      null,
      "true",
    ]);

    await points.getByRole("button", { name: "Échanger contre Café" }).click();
    await points.getByRole("button", { name: "Annuler" }).click();
    await points.getByRole("button", { name: "Échanger contre Café" }).click();
    await points.getByText("Échanger 50 points contre « Café » ?").waitFor();
    await points.getByRole("button", { name: "Oui, échanger" }).click();
    const code = await points.locator("article code").textContent();
    expect(code).toMatch(/^PTS-[A-Z2-9]{8}$/);
    await points.locator("[aria-live]").getByText("30 points").first().waitFor();
    await points.getByText("Encore 20 points avant « Café ».").waitFor();

    // Found again where prizes are kept.
    await page.getByRole("link", { name: "Retrouver mes gains" }).click();
    await page.getByRole("heading", { level: 1, name: "Mes gains" }).waitFor();
    await page
      .getByRole("region", { name: "Vos points" })
      .getByText(code ?? "")
      .waitFor();
    expect(await page.getByText("Aucun gain n'attend sur ce téléphone.").count()).toBe(0);
    const spends = await app.sql`
      select reward_name, points, code, status from public.points_spends where org_id = ${shop.id}`;
    expect([...spends]).toEqual([{ reward_name: "Café", points: 50, code, status: "available" }]);

    // A second visit, once the wheel may be turned again, leads to them without a turn.
    await page.clock.setFixedTime(daysFromNow(30));
    await page.goto(shop.door);
    await arriveAt(page, "form");
    await page.getByRole("link", { name: "Retrouver mes gains" }).click();
    await page.getByRole("heading", { level: 1, name: "Mes gains" }).waitFor();
  });

  it("are exchanged by the team for somebody without their phone, and given back", async () => {
    const shop = await createShop(app.sql, {
      wheel: "points",
      reward: { metadata: { points: 80 } },
    });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Café", cost: 50, stock: 5 });
    await createPointsReward(app.sql, { orgId: shop.id, name: "Dessert", cost: 120 });
    const email = "habituee@exemple.fr";
    await winPoints(app.sql, { campaignId: shop.campaign.id, email });
    const [customer] = await app.sql`
      select id from public.customers where org_id = ${shop.id} and email = ${email}`;
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    await page.goto(`/customers/${customer?.id}`);
    await page.getByRole("button", { name: "Échanger des points" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Solde : 80 points").waitFor();
    expect(
      await dialog.getByRole("radio", { name: /Dessert.*il manque 40 points/ }).isDisabled(),
    ).toBe(true);
    await dialog.getByRole("button", { name: "Remettre le cadeau" }).click();
    await dialog.getByText("Choisissez un cadeau.").waitFor();
    await dialog.getByRole("radio", { name: /Café/ }).check();
    await dialog.getByRole("button", { name: "Remettre le cadeau" }).click();
    await dialog.getByText("Remettez « Café » : l'échange est fait.").waitFor();
    await dialog.getByText("Solde : 30 points").waitFor();
    const spends = () => app.sql`
      select s.status, s.by_team, r.stock from public.points_spends s
      join public.points_rewards r on r.id = s.points_reward_id where s.org_id = ${shop.id}`;
    expect([...(await spends())]).toEqual([{ status: "used", by_team: true, stock: 4 }]);

    await dialog.getByRole("button", { name: "Annuler l'échange" }).click();
    await dialog.getByText("L'échange est annulé, les points sont rendus.").waitFor();
    await dialog.getByText("Solde : 80 points").waitFor();
    expect([...(await spends())]).toEqual([{ status: "expired", by_team: true, stock: 5 }]);
    await dialog.getByRole("button", { name: "Fermer" }).click();
    await page.getByRole("heading", { name: "Points échangés" }).waitFor();
    await page.getByText(/Café · −50 points · Points rendus/).waitFor();
  });

  it("get a catalogue that a merchant fills, and what they owe", async () => {
    const shop = await createShop(app.sql, { wheel: "points" });
    const { page } = await app.desktop();
    await enter(app, page, shop.users.member);
    await page.goto("/rewards/points");
    await page.getByText("Les points gagnés ne s'échangent encore contre rien").waitFor();
    await page.getByRole("button", { name: "Nouveau cadeau" }).click();
    await page.getByLabel("Nom").fill("Café");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByText("Un nombre entier de 1 à 1 000 000.").waitFor();
    await page.getByLabel("Prix en points").fill("50");
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByRole("heading", { level: 2, name: "Café" }).waitFor();
    await page.getByText("50 points").waitFor();
    const rows = await app.sql`
      select name, cost, stock, active from public.points_rewards where org_id = ${shop.id}`;
    expect([...rows]).toEqual([{ name: "Café", cost: 50, stock: -1, active: true }]);

    // Stock that customers took while the name was corrected stays taken.
    await app.sql`update public.points_rewards set stock = 9 where org_id = ${shop.id}`;
    await page.reload();
    await page.getByRole("button", { name: "Actions pour Café" }).click();
    await page.getByRole("menuitem", { name: "Modifier" }).click();
    await page.getByLabel("Nom").fill("Café crème");
    await app.sql`update public.points_rewards set stock = 8 where org_id = ${shop.id}`;
    await page.getByRole("button", { name: "Enregistrer" }).click();
    await page.getByRole("heading", { level: 2, name: "Café crème" }).waitFor();
    const kept = await app.sql`select stock from public.points_rewards where org_id = ${shop.id}`;
    expect([...kept]).toEqual([{ stock: 8 }]);

    // One win of points, one of a code that is used: of the codes, all are.
    await winPoints(app.sql, { campaignId: shop.campaign.id });
    const gift = await createReward(app.sql, shop.campaign);
    await app.sql`
      update public.wheel_segments set reward_id = ${gift}
      where campaign_id = ${shop.campaign.id} and reward_id is not null`;
    const code = await winCode(app.sql, shop);
    await redeem(app.sql, { userId: shop.users.owner.id, code, storeId: shop.storeId });
    await page.goto("/rewards/points");
    await page.getByText("Clients qui en ont").waitFor();
    expect(await words(page)).toMatch(
      /Points à honorer 50 .*Clients qui en ont 1 Codes à remettre 0 /,
    );
    await page.goto("/rewards");
    const rate = page.locator("dl > div").filter({ hasText: "Taux de rédemption" });
    await rate.getByText(/^50\s%$/).waitFor();
    await rate.getByText(/Sans les gains en points : 100\s%/).waitFor();
    await page.goto(`/campaigns/${shop.campaign.id}`);
    await page.getByText(/sans eux, 100\s% de tous les gains sont utilisés/).waitFor();
  });
});
