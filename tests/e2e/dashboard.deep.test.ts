import { describe, expect, it } from "vitest";
import { spin } from "../harness/journey.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, haveCustomers, openAs, place, words } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp, unreachable } from "./support/test-app.ts";

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
});
