import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createCampaign, createReward } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { place } from "./support/member.ts";
import { FOUR, openReviews, panel, rows, shopWithReviews } from "./support/reviews.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** The inbox of reviews: from the alert to the answer, by keyboard alone, and filtered. */

const app = setUpTestApp();

it("reviews are answered from the alert in at most three taps on a phone", async () => {
  const shop = await shopWithReviews(app.sql, []);
  const { owner } = shop.users;
  await app.sql`
    insert into public.notification_preferences (org_id, user_id, low_ratings)
    values (${shop.id}, ${owner.id}, true)
    on conflict (org_id, user_id) do update set low_ratings = true`;
  const { review_id: id } = await review(app.sql, {
    campaignId: shop.campaign.id,
    firstName: "Anaïs",
    email: "anais@exemple.fr",
    rating: 2,
  });
  await app.sql`select public.record_feedback(${id}, 'Le café était froid, et le service lent.')`;
  const alert = await latestMail(app.server, owner.email, { template: "low_rating" });
  expect(alert.text).toContain("« Le café était froid, et le service lent. »");
  const button = new URL(alert.links.find((link) => link.includes("/reviews")) ?? "");

  // The first tap is the one on the mail's button.
  let taps = 1;
  const page = await openReviews(app, "phone", owner, button.pathname + button.search);
  await panel(page).getByText("Le café était froid, et le service lent.").waitFor();
  const answer = page.getByRole("textbox", { name: "Votre réponse" });
  await waitForFocus(answer);
  expect(await answer.inputValue()).toMatch(/^Bonjour Anaïs,\n\n[\s\S]*Le Comptoir des Halles$/);
  await checkLightAndDark(page, "an answer on a phone");
  await page.getByRole("button", { name: "Envoyer" }).click();
  taps += 1;
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
  expect(taps).toBeLessThanOrEqual(3);

  const mail = await latestMail(app.server, "anais@exemple.fr", { template: "review_answer" });
  expect(mail.subject).toBe("Le Comptoir des Halles vous répond");
  expect(mail.text).toContain("Bonjour Anaïs,\n\nMerci d'avoir pris le temps");
  await panel(page).getByText("Répondu", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Tous les avis" }).click();
  await page.getByText("Rien à traiter").waitFor();
});

it("reviews are gone through, answered, closed and put back by keyboard alone", async () => {
  const shop = await shopWithReviews(app.sql, FOUR);
  const page = await openReviews(app, "desktop", shop.users.member);
  await titled(page, "Avis");
  await page.getByText("3 avis à lire").first().waitFor({ state: "attached" });
  await expect.poll(() => rows(page).count()).toBe(3);
  const name = panel(page).getByRole("heading", { level: 2 }).first();
  const reads = (who: string) => expect.poll(() => name.textContent()).toBe(who);
  await page.keyboard.press("j");
  await reads("Anaïs Petit");
  await page.keyboard.press("j");
  await reads("Bruno Petit");
  await page.keyboard.press("k");
  await reads("Anaïs Petit");
  await checkLightAndDark(page, "the inbox");

  await page.keyboard.press("r");
  const answer = page.getByRole("textbox", { name: "Votre réponse" });
  await waitForFocus(answer);
  // Letters are letters there.
  await page.keyboard.press("Control+a");
  await page.keyboard.type("je reviens vers vous");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press("j");
  await reads("Bruno Petit");
  await page.keyboard.press("e");
  await page.getByText("Avis clos.").waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole("button", { name: "Annuler" }).press("Enter");
  await page.getByText("Avis rouvert.").waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  const [bruno] = await app.sql`
    select handling from public.pre_spin_reviews where id = ${shop.reviewIds[2] ?? ""}`;
  expect(bruno).toEqual({ handling: "open" });

  // A person who talks to their computer switches the letters off.
  await page.getByRole("button", { name: "Désactiver les raccourcis" }).click();
  await page.keyboard.press("j");
  await page.getByRole("button", { name: "Activer les raccourcis clavier" }).waitFor();
  await reads("Bruno Petit");
});

it("reviews are filtered and searched, with the state in the address", async () => {
  const shop = await shopWithReviews(app.sql, FOUR);
  const page = await openReviews(app, "desktop", shop.users.owner);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole("button", { name: "Tous", exact: true }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole("button", { name: "Filtres" }).click();
  await page.getByLabel("Étoiles").selectOption("1 étoile");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(place(page)).toBe("/reviews?state=all&rating=1");
  await page.reload();
  await page.getByRole("button", { name: "Bruno Petit" }).waitFor();
  // The words that were searched for stay, as the state does.
  await page.getByPlaceholder("Mot, nom ou e-mail...").fill("petit");
  await expect.poll(() => place(page)).toBe("/reviews?q=petit&state=all&rating=1");
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await expect.poll(() => place(page)).toBe("/reviews?q=petit&state=all");
  await page.getByText("Avec un message").click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByPlaceholder("Mot, nom ou e-mail...").fill("cafe froid");
  await page.getByText("Aucun avis pour cette recherche").waitFor();
  await page.getByPlaceholder("Mot, nom ou e-mail...").fill("CAFÉ était");
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await panel(page).getByRole("heading", { name: "Anaïs Petit" }).waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("CAFÉ était");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Exporter" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^avis-\d{4}-\d\d-\d\d\.csv$/);
  const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(';2;"Le café était froid, et le service très lent.";Anaïs Petit;');
});

it("keep what was typed when sending fails, and between reviews", async () => {
  const shop = await shopWithReviews(app.sql, FOUR);
  const page = await openReviews(app, "desktop", shop.users.owner, "/reviews", {
    expected: refusing(500),
  });
  await page.getByRole("button", { name: "Bruno Petit" }).click();
  await page.getByRole("button", { name: "Répondre" }).click();
  const answer = page.getByRole("textbox", { name: "Votre réponse" });
  await answer.fill("Bonjour Bruno, nous sommes navrés.");
  const repair = await breakFunction(app.sql, "answer_review");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByRole("alert").waitFor();
  expect(await answer.inputValue()).toBe("Bonjour Bruno, nous sommes navrés.");
  await repair();
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await panel(page).getByRole("heading", { name: "Anaïs Petit" }).waitFor();
  await page.getByRole("button", { name: "Bruno Petit" }).click();
  await panel(page).getByRole("heading", { name: "Bruno Petit" }).waitFor();
  await page.getByRole("button", { name: "Répondre" }).click();
  expect(await answer.inputValue()).toBe("Bonjour Bruno, nous sommes navrés.");
  // Leaving the inbox asks first.
  await page.getByRole("link", { name: "Clients" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByText("Réponse envoyée à Bruno Petit.").waitFor();
  // On to the next one, without a way back to the list.
  await page.getByRole("button", { name: "Avis suivant" }).click();
  await panel(page).getByRole("heading", { name: "Chloé Petit" }).waitFor();
});

describe("a code for whoever wrote one", () => {
  it("leaves with the answer, in four taps from the alert, as a ticket", async () => {
    const shop = await shopWithReviews(app.sql, [
      { firstName: "Anaïs", rating: 2, email: "anais.geste@exemple.fr" },
    ]);
    await createReward(app.sql, shop.campaign, { name: "Café offert", stock: 12 });
    const summer = await createCampaign(app.sql, {
      orgId: shop.id,
      storeId: shop.storeId,
      name: "Autre vitrine",
    });
    await createReward(app.sql, summer, { name: "Café offert", stock: 12 });
    const [named] = await app.sql<{ id: string; campaign: string }[]>`
      select private.alias_of(${shop.reviewIds[0] ?? ""}) as id,
        (select name from public.campaigns where id = ${shop.campaign.id}) as campaign`;
    // The first tap is the one on the alert's button, two choose the reward.
    const page = await openReviews(app, "phone", shop.users.owner, `/reviews?answer=${named?.id}`);
    const answer = page.getByRole("textbox", { name: "Votre réponse" });
    await waitForFocus(answer);
    const prizes = page.getByLabel("Geste commercial (facultatif)");
    // Two campaigns give the same prize: each stands under its campaign, that of the review first.
    const groups = prizes.locator("optgroup");
    expect(await groups.evaluateAll((all) => all.map((one) => one.getAttribute("label")))).toEqual([
      named?.campaign,
      "Autre vitrine",
    ]);
    await prizes.selectOption("Café offert (12 restants)");
    await page.getByText(/^Un geste ne peut pas dépendre d'un avis public/).waitFor();
    await checkLightAndDark(page, "a code with an answer on a phone");
    await page.getByRole("button", { name: "Envoyer" }).click();
    const gesture = panel(page).getByRole("region", { name: "Geste commercial" });
    await gesture.getByText("Geste commercial : Café offert").waitFor();
    const code = (await gesture.locator("code").textContent()) ?? "";
    const mail = await latestMail(app.server, "anais.geste@exemple.fr", {
      template: "review_gesture",
    });
    expect(mail.subject).toBe("Le Comptoir des Halles vous répond, avec une attention");
    expect(mail.text).toContain(`Café offert\nVotre code : ${code}\nValable jusqu'au `);
    expect(mail.text).toContain("vous n'avez pas à changer ou retirer un avis public");
    await panel(page).getByText("a offert un code").waitFor();
    await checkLightAndDark(page, "a review with its code on a phone");
    // One a review.
    await page.getByRole("button", { name: "Répondre" }).click();
    await waitForFocus(answer);
    expect(await page.getByLabel("Geste commercial (facultatif)").count()).toBe(0);
  });

  it("is shown to hand on where there is no address, and what was chosen stays when giving fails", async () => {
    const shop = await shopWithReviews(app.sql, [
      { firstName: "Emma", rating: 2, email: null, phone: "06 12 34 56 78" },
    ]);
    await createReward(app.sql, shop.campaign, { name: "Café offert" });
    const page = await openReviews(app, "desktop", shop.users.member, "/reviews", {
      expected: refusing(500),
    });
    await page.getByRole("button", { name: "Emma Petit" }).click();
    await panel(page).getByRole("button", { name: "Offrir un code" }).click();
    await panel(page).getByRole("button", { name: "Créer le code" }).click();
    await panel(page).getByText("Choisissez une récompense.", { exact: true }).last().waitFor();
    await page.getByLabel("Récompense offerte").selectOption("Café offert");
    await checkLightAndDark(page, "a code to hand on");
    const repair = await breakFunction(app.sql, "give_goodwill_code");
    await page.getByRole("button", { name: "Créer le code" }).click();
    await panel(page).getByRole("alert").waitFor();
    await repair();
    await page.getByRole("button", { name: "Créer le code" }).click();
    const gesture = panel(page).getByRole("region", { name: "Geste commercial" });
    const code = (await gesture.locator("code").textContent()) ?? "";
    const text = await gesture.getByRole("link", { name: "Envoyer par SMS" }).getAttribute("href");
    expect(decodeURIComponent(text ?? "")).toContain(
      `sms:0612345678?body=Le Comptoir des Halles vous offre : Café offert. Montrez le code ${code} `,
    );
    await checkLightAndDark(page, "a code that was given");
    // Its last day is the store's, in whichever time zone it is read.
    await app.sql`update public.stores set timezone = 'America/Martinique' where id = ${shop.storeId}`;
    await app.sql`
      update public.redemptions set expires_at = '2099-12-12 23:59:59-04' where org_id = ${shop.id}`;
    await page.reload();
    await gesture.getByText("Valable jusqu'au 12 décembre 2099", { exact: true }).waitFor();
    const link = await gesture.getByRole("link", { name: "Envoyer par SMS" }).getAttribute("href");
    expect(decodeURIComponent(link ?? "")).toMatch(/ jusqu'au 12 décembre 2099\.$/);
    const [given] = await app.sql`
      select count(*)::integer as codes from public.redemptions where org_id = ${shop.id}`;
    expect(given).toEqual({ codes: 1 });
  });
});
