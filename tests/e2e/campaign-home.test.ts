import { describe, expect, it } from "vitest";
import { createCampaign, createReward, drawWheel } from "../harness/fixtures.ts";
import { review, scan } from "../harness/journey.ts";
import { titled } from "./support/account.ts";
import { field, save, segment, stored, wheel } from "./support/campaign-editor.ts";
import { arrives, openAs, place, words } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** `/campaigns/{id}`: the home of a campaign, its checklist and its tabs (specification, section 2.16). */

const app = setUpTestApp();

describe("the home of a campaign", () => {
  it("says what is missing, one step after the other, until customers can play", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { id: orgId, storeId } = shop;
    const campaign = await createCampaign(app.sql, {
      orgId,
      storeId,
      name: "Neuve",
      active: false,
    });
    const page = await openAs(app, shop.users.owner, `/campaigns/${campaign.id}`);
    const list = page.getByRole("region", { name: "Prête pour vos clients ?" });
    await list.waitFor();
    expect(await words(page, list)).toBe(
      "Prête pour vos clients ? 0 sur 6 " +
        "À faire : Ajoutez une première récompense Ajouter " +
        "À faire : Donnez une chance de gagner sur la roue Régler la roue " +
        "À faire : Indiquez où vos clients laissent un avis public Ajouter le lien " +
        "À faire : Activez-la quand tout est prêt Régler " +
        "À faire : Téléchargez une affiche et imprimez-la Choisir une affiche " +
        "À faire : Posez l'affiche, puis scannez-la avec votre téléphone Revoir les affiches",
    );
    for (const [link, path] of [
      ["Ajouter", `/rewards/new?campaign=${campaign.id}`],
      ["Régler la roue", `/campaigns/${campaign.id}/edit?part=wheel`],
      ["Ajouter le lien", `/stores/${storeId}/edit`],
      ["Régler", `/campaigns/${campaign.id}/edit?part=settings`],
      ["Choisir une affiche", `/campaigns/${campaign.id}?tab=posters`],
    ] as const) {
      const way = list.getByRole("link", { name: link, exact: true });
      expect(await way.getAttribute("href")).toBe(path);
    }

    const rewardId = await createReward(app.sql, campaign, { name: "Café offert" });
    await drawWheel(app.sql, campaign, [{ weight: 100, rewardId }]);
    await app.sql`update public.campaigns set active = true where id = ${campaign.id}`;
    await app.sql`update public.stores set google_review_url = 'https://g.page/r/x' where id = ${storeId}`;
    await page.reload();
    await list.getByText("4 sur 6").waitFor();
    expect(await list.getByRole("link").allTextContents()).toEqual([
      "Choisir une affiche",
      "Revoir les affiches",
    ]);

    // Paper in hand, the scan is what is left.
    await list.getByRole("link", { name: "Choisir une affiche" }).click();
    const downloaded = page.waitForEvent("download");
    await page.getByRole("button", { name: "Télécharger le PDF" }).click();
    await downloaded;
    await page.getByRole("link", { name: "Vue d'ensemble" }).click();
    await list.getByText("5 sur 6").waitFor();
    expect(await list.getByRole("link").allTextContents()).toEqual(["Revoir les affiches"]);
  });

  it("asks for nothing more once a customer has scanned", async () => {
    const shop = await createShop(app.sql);
    const list = { name: "Prête pour vos clients ?" };
    await scan(app.sql, { slug: shop.campaign.slug });
    const page = await openAs(app, shop.users.owner, `/campaigns/${shop.campaign.id}`);
    await page.getByText("Total scans").waitFor();
    expect(await page.getByRole("region", list).count()).toBe(0);
  });

  it("keeps what was typed from one tab of the form to the other, and is where saving leads", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.member, `/campaigns/${shop.campaign.id}`);
    const tabs = page.getByRole("navigation", { name: "Pages de la campagne" });
    await tabs.getByRole("link", { name: "Réglages" }).click();
    await titled(page, "La roue du comptoir");
    expect(place(page)).toBe(`/campaigns/${shop.campaign.id}/edit?part=settings`);
    await field(page, "Nom de la campagne").fill("La roue du midi");
    expect(await page.getByRole("heading", { name: "La roue", exact: true }).isVisible()).toBe(
      false,
    );

    await tabs.getByRole("link", { name: "Roue", exact: true }).click();
    await page.getByRole("heading", { name: "La roue", exact: true }).waitFor();
    expect(await field(page, "Nom de la campagne").isVisible()).toBe(false);
    await segment(page, 1).getByLabel("Texte", { exact: true }).fill("Un café");
    await save(page);
    await page.getByRole("status").getByText("Campagne mise à jour avec succès").waitFor();
    await arrives(page, `/campaigns/${shop.campaign.id}`);
    await titled(page, "La roue du midi");
    expect(await stored(app.sql, shop.campaign.id)).toMatchObject({ name: "La roue du midi" });
    expect((await wheel(app.sql, shop.campaign.id))[0]).toContain("Un café");
  });

  it("shows its posters, and the reviews of no other campaign", async () => {
    const shop = await createShop(app.sql);
    const { id: orgId, storeId } = shop;
    const other = await createCampaign(app.sql, { orgId, storeId, name: "L'autre" });
    await review(app.sql, { campaignId: shop.campaign.id, email: "ana@exemple.fr", rating: 2 });
    await review(app.sql, { campaignId: other.id, email: "zoe@exemple.fr", rating: 1 });
    const page = await openAs(app, shop.users.owner, `/campaigns/${shop.campaign.id}`);
    const tabs = page.getByRole("navigation", { name: "Pages de la campagne" });
    await tabs.getByRole("link", { name: "Affiches" }).click();
    await page.getByRole("img", { name: /^Aperçu/ }).waitFor();
    await tabs.getByRole("link", { name: "Avis" }).click();
    const reviews = page.getByRole("list", { name: "Avis", exact: true });
    await reviews.waitFor();
    expect(await reviews.getByRole("listitem").count()).toBe(1);
    await reviews.getByRole("button").first().click();
    await expect.poll(() => place(page)).toMatch(/tab=reviews.*review=|review=.*tab=reviews/);
    await page.goBack();
    await expect.poll(() => place(page)).not.toContain("review=");
  });
});
