import { describe, expect, it } from "vitest";
import { typeset } from "#domain/text/typeset.ts";
import { giveRole } from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, haveCustomers, inPlain, openAs, place, words } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { suspiciousShop } from "./support/prize-checks.ts";
import { createShop } from "./support/shop.ts";
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

    await earned.getByRole("button", { name: "Coût des cadeaux" }).click();
    const cost = earned.getByLabel("Coût d'un cadeau, en euros");
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
    await read.getByRole("button", { name: "Coût des cadeaux" }).click();
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
    const page = await openAs(app, shop.users.owner, "/dashboard", {
      device: "phone",
      context: { viewport: { width: 390, height: 844 } },
    });
    await page.getByText("QR codes scannés").waitFor();
    const parts = [
      ["De la porte à la caisse", "100 % de l'étape précédente"],
      ["Ce que ça rapporte", "Visites ramenées"],
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
    await earned.getByText("Visites ramenées").waitFor({ state: "hidden" });
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
});
