import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { review } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { breakFunction, breakWriting } from "./support/faults.ts";
import { arrives, enter, failingToLoad, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** `/settings`: what is saved, told, taken along and ended (specification, section 2.19). */

const app = setUpTestApp();

describe("the settings", () => {
  it("save the name, the address and the wanted notifications", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop({
      expected: (problem) => failingToLoad(problem) || refusing(500)(problem),
    });
    await enter(app, page, shop.users.owner);
    const mend = await breakFunction(app.sql, "settings");
    await page.goto("/settings");
    await page.getByText("Erreur lors de la récupération de l'abonnement.").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();

    const organization = page.getByRole("region", { name: "Organisation" });
    const save = organization.getByRole("button", { name: "Enregistrer" });
    await organization.getByLabel("Nom de l'organisation").fill(" ");
    await expect.poll(() => save.getAttribute("aria-disabled")).toBe("true");
    await organization.getByLabel("Nom de l'organisation").fill("Le Comptoir d'Été");
    await expect.poll(() => save.getAttribute("aria-disabled")).toBeNull();
    await organization.getByLabel("Identifiant").fill(`${shop.slug}-ete`);
    await organization.getByText("Cette adresse est libre.").waitFor();
    const repair = await breakWriting(app.sql, "public.organizations", "update");
    await save.click();
    await organization.getByText("Rien n'a été enregistré. Réessayez dans un instant.").waitFor();
    expect(await organization.getByLabel("Nom de l'organisation").inputValue()).toBe(
      "Le Comptoir d'Été",
    );
    await repair();
    await save.click();
    await organization.getByText("Enregistré.").waitFor();
    // The poster's address leads to the new one.
    const former = await page.request.get(`/org/${shop.slug}`, { maxRedirects: 0 });
    expect(former.headers().location).toBe(`/org/${shop.slug}-ete`);

    // One's own former version is nobody else's.
    await organization.getByLabel("Nom de l'organisation").fill("Le Comptoir d'Hiver");
    await save.click();
    await organization.getByText("Enregistré.").waitFor();
    await expect
      .poll(() => app.sql`select name from public.organizations where id = ${shop.id}`)
      .toEqual([{ name: "Le Comptoir d'Hiver" }]);

    // Somebody else saves meanwhile: nothing is overwritten.
    await app.sql`update public.organizations set name = 'Ailleurs' where id = ${shop.id}`;
    await organization.getByLabel("Nom de l'organisation").fill("Perdu");
    await save.click();
    await organization.getByText("L'organisation vient d'être modifiée ailleurs.").waitFor();
    await organization.getByRole("button", { name: "Recharger" }).click();
    await expect
      .poll(() => organization.getByLabel("Nom de l'organisation").inputValue())
      .toBe("Ailleurs");

    await page.getByRole("link", { name: "Notifications" }).click();
    await expect.poll(() => place(page)).toBe("/settings?section=notifications");
    const told = page.getByRole("region", { name: "Notifications" });
    await told.getByText("Alerte immédiate pour un avis de 3 étoiles ou moins").click();
    await told.getByText("Chaque semaine").click();
    await told.getByText("Chaque lundi à 8 h, les chiffres de la semaine passée.").waitFor();
    await told.getByRole("button", { name: "Enregistrer" }).click();
    await told.getByText("Enregistré.").waitFor();

    // The mail goes out, and its link ends it.
    const { review_id: id } = await review(app.sql, { campaignId: shop.campaign.id, rating: 2 });
    await app.sql`select public.record_feedback(${id}, 'Vingt minutes pour un café tiède.')`;
    const mail = await latestMail(app.server, shop.users.owner.email, { template: "low_rating" });
    expect(mail.subject).toBe("Un avis 2/5 chez Le Comptoir des Halles");
    expect(mail.text).toContain("« Vingt minutes pour un café tiède. »");
    const link = mail.links.find((address) => address.includes("/unsubscribe?"));
    const { pathname, search } = new URL(link ?? "");
    await page.goto(pathname + search.replaceAll("&amp;", "&"));
    await page.getByRole("button", { name: "Confirmer" }).click();
    await page.getByText("Vous ne recevrez plus ces messages.").waitFor();
    const [wanted] = await app.sql`
      select low_ratings, summary from public.notification_preferences
      where user_id = ${shop.users.owner.id}`;
    expect(wanted).toMatchObject({ low_ratings: false, summary: "weekly" });
  });

  it("let the owner take everything along, end the organisation, and change their mind", async () => {
    const shop = await createShop(app.sql);
    await review(app.sql, { campaignId: shop.campaign.id, rating: 4 });
    const { page, problems } = await app.desktop();
    await enter(app, page, shop.users.owner);
    await page.goto("/settings?section=data");
    const data = page.getByRole("region", { name: "Vos données" });
    const file = page.waitForEvent("download");
    await data.getByRole("button", { name: "Télécharger toutes les données" }).click();
    expect((await file).suggestedFilename()).toMatch(/^tournavis-donnees-.*\.zip$/);
    await data.getByText("Le fichier est dans vos téléchargements.").waitFor();

    await data.getByRole("button", { name: "Supprimer l'organisation" }).click();
    const dialog = page.getByRole("dialog", { name: `Supprimer ${shop.name} ?` });
    await dialog.getByText("1 campagne").waitFor();
    await dialog.getByText("1 avis").waitFor();
    const confirm = dialog.getByRole("button", { name: "Supprimer l'organisation" });
    await dialog.getByRole("textbox").fill("autre chose");
    await confirm.click();
    await dialog.getByText("Ce n'est pas le nom de l'organisation.").waitFor();
    expect(problems.splice(0)).toMatchObject([{ kind: "status", status: 400 }]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("textbox").fill(shop.name);
    await confirm.click();
    await page.getByText("Ses pages publiques sont fermées.").waitFor();
    expect((await page.request.get(`/org/${shop.slug}`)).status()).toBe(404);
    await page.getByRole("link", { name: "Créer une autre organisation" }).click();
    await arrives(page, "/onboarding/organization");
    await page.getByLabel("Nom de l'organisation").waitFor();
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Annuler la suppression" }).click();
    await page
      .getByRole("button", { name: "Annuler la suppression" })
      .waitFor({ state: "detached" });
    const [kept] = await app.sql`
      select erase_at from public.organizations where id = ${shop.id}`;
    expect(kept?.erase_at).toBeNull();
  });
});
