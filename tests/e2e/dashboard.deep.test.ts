import { describe, expect, it } from "vitest";
import { daysAfter } from "#domain/text/calendar-day.ts";
import { typeset } from "#domain/text/typeset.ts";
import { createCampaign, createReward, createStore, giveRole } from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, haveCustomers, inPlain, openAs, place, words } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { suspiciousShop } from "./support/prize-checks.ts";
import { createShop, haveScannedForYears } from "./support/shop.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";

/** The dashboard where the latest words are, and the layout where the line is lost or somebody leaves. */

const app = setUpTestApp();

describe("the layout", () => {
  it("greets, names the plan, leads to the till and signs out", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const header = page.getByRole("banner");
    await header.getByText("Bonjour, Camille Martin").waitFor();
    await header.getByText("Votre plan : Pro").waitFor();
    await header.getByRole("link", { name: "Caisse" }).click();
    await arrives(page, "/encaisser");
    await page.getByRole("link", { name: "Accueil de Tournavis" }).click();
    // Its figures have come: what is asked for while a session ends is refused.
    await page.getByText("QR codes scannés").waitFor();
    await header.getByRole("button", { name: "Se déconnecter" }).click();
    await titled(page, "Connexion");
    expect(place(page)).toBe("/auth?redirect=%2Fdashboard");
  });

  it("says when signing out failed for want of a network", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/dashboard", {
      expected: unreachable("/auth/v1/logout"),
    });
    await titled(page, "Tableau de bord");
    await loseRequest(page, "**/auth/v1/logout**");
    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByText("Déconnexion impossible sans réseau. Réessayez.").waitFor();
  });
});

describe("the dashboard", () => {
  it("shows the latest words, which lead to that review, and a funnel that never grows", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 4] });
    for (let entry = 0; entry < 4; entry += 1) {
      await spin(app.sql, { campaignId: shop.campaign.id });
    }
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const written = page.getByRole("region", { name: "Derniers avis écrits" });
    await written.getByText("Personne n'a encore laissé de message.").waitFor();
    const [first] = await app.sql<{ id: string }[]>`
      select id from public.pre_spin_reviews where org_id = ${shop.id} and rating = 4`;
    await app.sql`select public.record_feedback(${first?.id ?? ""}, 'Service rapide, terrasse très agréable.')`;
    await page.reload();
    expect(await words(page, written)).toContain(
      "4 sur 5 Anaïs · Le Comptoir des Halles · il y a < 1 min Service rapide, terrasse très agréable.",
    );
    const funnel = await words(page);
    expect(funnel).toContain("Participations 2 · 100 % de l'étape précédente");
    expect(funnel).toContain("À côté, 4 participations sans avis : 4 gains, 0 code utilisé.");
    await checkLightAndDark(page, "dashboard with words");
    await written.getByRole("link", { name: "Ouvrir cet avis : Anaïs, 4 sur 5" }).click();
    await arrives(page, "/reviews");
    await page.getByRole("heading", { name: "Anaïs Le Goff 2" }).waitFor();
  });

  it("shows figures and changes of which no two are equal, of the days that were chosen", async () => {
    const shop = await createShop(app.sql);
    const { id: orgId, storeId, campaign } = shop;
    await haveCustomers(app.sql, campaign, { cashier: shop.users.cashier, ratings: [5] });
    await app.sql`update public.stores set average_basket = 20 where org_id = ${orgId}`;
    await app.sql`update public.subscriptions set billing = 'monthly' where org_id = ${orgId}`;
    for (let n = 0; n < 4; n += 1) await createStore(app.sql, { orgId });
    const [{ today = "" } = {}] = await app.sql<{ today: string }[]>`
      select private.now_in('Europe/Paris')::date::text as today`;
    const past = [
      { ago: 3, scans: 9, reviews: 4, rating: 13, five: 1, spins: 3, wins: 2, used: 1, points: 1 },
      { ago: 10, scans: 8, reviews: 2, rating: 7, five: 1, spins: 6, wins: 5, used: 1, points: 0 },
      {
        ago: 35,
        scans: 20,
        reviews: 14,
        rating: 50,
        five: 7,
        spins: 12,
        wins: 10,
        used: 9,
        points: 0,
      },
    ];
    for (const day of past) {
      await app.sql`
        insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, scans, reviews, rating_sum,
          five_star_reviews, spins, wins, redemptions, points_wins)
        values (${orgId}, ${campaign.id}, ${storeId}, ${daysAfter(today, -day.ago)}, 0, ${day.scans}, ${day.reviews},
          ${day.rating}, ${day.five}, ${day.spins}, ${day.wins}, ${day.used}, ${day.points})`;
    }
    const page = await openAs(app, shop.users.owner, "/dashboard");
    await page.getByText("QR codes scannés").waitFor();
    const text = await words(page);
    for (const figure of [
      "Scans totaux 38 QR codes scannés -10 % en 30 jours",
      "Avis collectés 21 10 avis 5 étoiles (47,6 %) -50 % en 30 jours",
      "Satisfaction 47,6 % Moyenne 3,6/5 -7,1 pts en 30 jours",
      "-52,5 pts en 30 jours",
      "Abonnement -146,96 € 149 € HT par mois, pour 30 jours",
    ]) {
      expect(text).toContain(typeset(figure));
    }
    await page.getByRole("link", { name: "Voir les 5 magasins" }).waitFor();

    const figures = page.getByRole("region", { name: "Vos chiffres" });
    await figures.getByText("7 jours").click();
    await page.getByRole("heading", { name: "Les 7 derniers jours" }).waitFor();
    const week = await words(page);
    for (const figure of [
      "Scans 10 +25 % par rapport aux jours précédents",
      "Avis 5 +150 % par rapport aux jours précédents",
      "Avis 5 étoiles 40 % -10 pts par rapport aux jours précédents",
      "Gains utilisés 66,7 % +46,7 pts par rapport aux jours précédents",
      "sans eux, 100 % de tous les gains sont utilisés",
      "149 € HT par mois, pour 7 jours",
      "Abonnement -34,29 €",
    ]) {
      expect(week).toContain(typeset(figure));
    }
    // Each end of the dates is one.
    await figures.getByText("Dates", { exact: true }).click();
    await figures.getByLabel("Du", { exact: true }).fill(daysAfter(today, -10));
    await figures.getByLabel("Au", { exact: true }).fill(daysAfter(today, -10));
    await figures.getByRole("button", { name: "Afficher" }).click();
    await expect.poll(() => words(page, figures)).toContain("Scans 8 ");
    await figures.getByLabel("Au", { exact: true }).fill(daysAfter(today, -3));
    await figures.getByRole("button", { name: "Afficher" }).click();
    await expect.poll(() => words(page, figures)).toContain("Scans 17 ");
  });

  it("overwrites no assumption that somebody else changed meanwhile, and keeps what was typed", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5] });
    await app.sql`update public.stores set average_basket = 20 where org_id = ${shop.id}`;
    await app.sql`update public.rewards set value = 2 where org_id = ${shop.id}`;
    const page = await openAs(app, shop.users.owner, "/dashboard", {
      expected: (problem) => refusing(400)(problem) || refusing(409)(problem),
    });
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    const share = earned.getByLabel("Vrais retours, en %");
    await share.fill("120");
    await share.press("Enter");
    await earned.getByText("Un nombre entier de 0 à 100.").waitFor();
    await share.fill("70");
    await app.sql`update public.organizations set return_share = 90 where id = ${shop.id}`;
    await share.press("Enter");
    await earned.getByRole("alert").getByText("Quelqu'un d'autre a changé cette part").waitFor();
    await earned.getByText("16,00 €").waitFor();
    expect(await share.inputValue()).toBe("70");
    await share.press("Enter");
    await earned.getByText("12,00 €").waitFor();

    await earned.getByRole("button", { name: "Coût des récompenses" }).click();
    const cost = earned.getByLabel("Coût d'une récompense, en euros");
    await cost.fill("4");
    await app.sql`update public.rewards set value = 3 where org_id = ${shop.id}`;
    await cost.press("Enter");
    await earned
      .getByRole("alert")
      .getByText("Quelqu'un d'autre a changé cette récompense")
      .waitFor();
    await earned.getByText("1 utilisation · 3,00 €").waitFor();
    expect(await cost.inputValue()).toBe("4");
    await cost.press("Enter");
    await earned.getByText("1 utilisation · 4,00 €").waitFor();
    const [saved] = await app.sql<{ value: number }[]>`
      select value::float from public.rewards where id = ${shop.reward?.id ?? ""}`;
    expect(saved).toEqual({ value: 4 });

    // A member who may only read sees the same figures, and no form.
    await giveRole(app.sql, shop.users.member, {
      orgId: shop.id,
      permissions: ["activity.read", "rewards.read"],
    });
    const other = await openAs(app, shop.users.member, "/dashboard");
    const read = other.getByRole("region", { name: "Ce que ça rapporte" });
    await read.getByText("70 % de 1 visite").waitFor();
    await read.getByRole("button", { name: "Coût des récompenses" }).click();
    await read.getByText("1 utilisation · 4,00 €").waitFor();
    expect(await read.getByRole("textbox").count()).toBe(0);
    expect(await read.getByRole("link", { name: "Changer de plan" }).count()).toBe(0);
  });

  it("begins on a phone with what is to be done, above every figure", async () => {
    const { shop } = await suspiciousShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [2] });
    await app.sql`update public.rewards set stock = 2 where id = ${shop.reward?.id ?? ""}`;
    const page = await openAs(app, shop.users.owner, "/dashboard", {
      device: "phone",
      context: { viewport: { width: 390, height: 844 } },
    });
    await page.getByText("QR codes scannés").waitFor();
    // Titles of parts and of what is to be done, not of single reviews.
    const headings = await page.getByRole("main").locator("h1, h2, h3").allInnerTexts();
    expect(
      headings
        .map(inPlain)
        .filter((title) => !title.startsWith("Anaïs"))
        .slice(0, 4),
    ).toEqual(
      [
        "Tableau de bord",
        "Un avis à 2 étoiles vous attend",
        "Des gains sont à vérifier",
        "« Café offert » : plus que 2 en stock",
      ].map(inPlain),
    );
    const top = async (text: string) => (await page.getByText(text).first().boundingBox())?.y ?? 0;
    // On the first screen, before anything is scrolled.
    const todo = await top("À faire maintenant");
    expect(todo).toBeLessThan(844 / 2);
    for (const figure of ["Scans totaux", "Vos chiffres", "Campagnes actives"]) {
      expect(await top(figure), figure).toBeGreaterThan(await top("plus que 2 en stock"));
    }
  });

  it("shows on a phone the titles of what is looked at less often, and each part when its title is pressed", async () => {
    const shop = await createShop(app.sql);
    await haveCustomers(app.sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5] });
    await haveScannedForYears(app.sql, shop.id);
    const page = await openAs(app, shop.users.owner, "/dashboard", {
      device: "phone",
      context: { viewport: { width: 390, height: 844 } },
    });
    await page.getByText("QR codes scannés").waitFor();
    const parts = [
      ["De la porte à la caisse", "100 % de l'étape précédente"],
      ["Ce que ça rapporte", "Visites de retour"],
      ["Rapport du mois", "Télécharger le PDF"],
      ["Page publique", "Aucun relevé"],
      ["Derniers avis écrits", "Voir tous les avis"],
    ] as const;
    for (const [title, content] of parts) {
      const part = page.getByRole("region", { name: title });
      const inside = part.getByText(typeset(content)).first();
      expect(await inside.isVisible(), title).toBe(false);
      const button = part.getByRole("button", { name: title, exact: true });
      expect(await button.getAttribute("aria-expanded")).toBe("false");
      await button.press("Enter");
      await inside.waitFor();
      expect(await button.getAttribute("aria-expanded")).toBe("true");
    }
    await checkLightAndDark(page, "dashboard with its parts unfolded");
    // Text that was typed stays where its part is folded again.
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    await earned.getByLabel("Panier moyen, en euros").fill("23");
    await earned.getByRole("button", { name: "Ce que ça rapporte" }).click();
    await earned.getByText("Visites de retour").waitFor({ state: "hidden" });
    await earned.getByRole("button", { name: "Ce que ça rapporte" }).click();
    expect(await earned.getByLabel("Panier moyen, en euros").inputValue()).toBe("23");
    // On a wider screen nothing folds.
    await page.setViewportSize({ width: 1024, height: 768 });
    for (const [title, content] of parts) {
      const part = page.getByRole("region", { name: title });
      await part.getByText(typeset(content)).first().waitFor();
      expect(await part.getByRole("button", { name: title, exact: true }).count()).toBe(0);
    }
  });

  it("keeps the store whose basket was saved, though those without one come first", async () => {
    const shop = await createShop(app.sql);
    const other = await createStore(app.sql, { orgId: shop.id, name: "Café de la Gare" });
    const counters = await createCampaign(app.sql, { orgId: shop.id, storeId: other });
    await app.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, redemptions)
      values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, now()::date - 1, 0, 5),
        (${shop.id}, ${counters.id}, ${other}, now()::date - 1, 0, 3)`;
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    const stores = earned.getByRole("list", { name: "Paniers moyens" });
    const pressed = stores.getByRole("button", { pressed: true });
    await pressed.waitFor();
    const first = inPlain(await pressed.textContent());
    expect(first).not.toBe("Café de la Gare");
    await earned.getByLabel("Panier moyen, en euros").fill("24,50");
    await earned.getByRole("button", { name: "Enregistrer" }).click();
    await earned.getByText("122,50 €").first().waitFor();
    expect(await words(page, stores.getByRole("listitem").first())).toContain("Café de la Gare");
    expect(inPlain(await pressed.textContent())).toBe(first);
    await earned.getByText("Panier moyen enregistré.").waitFor();
    expect(await earned.getByLabel("Panier moyen, en euros").inputValue()).toBe("24,50");
    await stores.getByRole("button", { name: "Café de la Gare" }).click();
    expect(await earned.getByLabel("Panier moyen, en euros").inputValue()).toBe("");
  });

  it("keeps what is typed while a basket is saved", async () => {
    const shop = await createShop(app.sql);
    await app.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, redemptions)
      values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, now()::date - 1, 0, 5)`;
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    const basket = earned.getByLabel("Panier moyen, en euros");
    const release = await holdRequests(page, "**/rest/v1/rpc/set_average_basket");
    await basket.fill("12");
    await basket.press("Enter");
    await basket.fill("12,50");
    release();
    await earned.getByText("Panier moyen enregistré.").waitFor();
    expect(await basket.inputValue()).toBe("12,50");
    await basket.press("Enter");
    await expect
      .poll(() => app.sql`select average_basket from public.stores where id = ${shop.storeId}`)
      .toMatchObject([{ average_basket: "12.5" }]);
  });

  it("tells rewards of the same name apart by their campaigns, where several cost something", async () => {
    const shop = await createShop(app.sql);
    const campaigns = [
      await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Terrasse" }),
      await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId, name: "Comptoir" }),
    ];
    const rewards: string[] = [];
    for (const campaign of campaigns) {
      rewards.push(await createReward(app.sql, campaign, { name: "Café offert" }));
    }
    await app.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, redemptions)
      values (${shop.id}, ${shop.campaign.id}, ${shop.storeId}, now()::date - 1, 0, 3)`;
    const use = (reward = "", uses: number) => app.sql`
      insert into private.recent_figures (org_id, reward_id, day, redemptions)
      values (${shop.id}, ${reward}, now()::date - 1, ${uses})`;
    await use(rewards[0], 2);
    const page = await openAs(app, shop.users.owner, "/dashboard");
    const earned = page.getByRole("region", { name: "Ce que ça rapporte" });
    const named = async () => {
      await earned.getByRole("button", { name: "Coût des récompenses" }).click();
      const list = earned.getByRole("list", { name: "Récompenses utilisées" });
      await list.waitFor();
      return (await list.getByRole("button").allTextContents()).map(inPlain);
    };
    expect(await named()).toEqual(["Café offert"]);
    await use(rewards[1], 1);
    await page.reload();
    expect(await named()).toEqual(["Café offert (Terrasse)", "Café offert (Comptoir)"]);
    await earned.getByText("« Café offert (Terrasse) »").waitFor();
  });
});
