import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { User } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { latestMail } from "../harness/mailbox.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { enter, place } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** The inbox of reviews: from the alert to the answer, by keyboard alone, filtered, and by two colleagues at once. */

const app = setUpTestApp();

/** Reviews of a shop, the last one newest. */
async function shopWithReviews(
  reviews: readonly (Partial<Parameters<typeof review>[1]> & { words?: string })[],
): Promise<Shop & { reviewIds: string[] }> {
  const shop = await createShop(app.sql);
  const reviewIds: string[] = [];
  for (const { words, ...parts } of reviews) {
    const { review_id: id } = await review(app.sql, {
      campaignId: shop.campaign.id,
      rating: 2,
      ...parts,
    });
    if (words) await app.sql`select public.record_feedback(${id}, ${words})`;
    reviewIds.push(id ?? "");
  }
  return { ...shop, reviewIds };
}

const FIVE = [
  { firstName: "Denis", rating: 5 },
  { firstName: "Chloé", rating: 3 },
  { firstName: "Bruno", rating: 1, words: "Personne à l'accueil pendant dix minutes." },
  { firstName: "Anaïs", rating: 2, words: "Le café était froid, et le service très lent." },
];

const panel = (page: Page) => page.getByRole("region", { name: "Avis choisi" });
const rows = (page: Page) => page.getByRole("list", { name: "Avis" }).getByRole("listitem");

async function open(device: "phone" | "desktop", user: User, path = "/reviews", expected = {}) {
  const { page } = await app[device](expected);
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

it("are answered from the alert in at most three taps on a phone", async () => {
  const shop = await shopWithReviews([]);
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
  const page = await open("phone", owner, button.pathname + button.search);
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

it("are gone through, answered, closed and put back by keyboard alone", async () => {
  const shop = await shopWithReviews(FIVE);
  const page = await open("desktop", shop.users.member);
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

  // Whoever talks to their computer switches the letters off.
  await page.getByRole("button", { name: "Désactiver les raccourcis" }).click();
  await page.keyboard.press("j");
  await page.getByRole("button", { name: "Activer les raccourcis clavier" }).waitFor();
  await reads("Bruno Petit");
});

it("are filtered and searched, with the state in the address", async () => {
  const shop = await shopWithReviews(FIVE);
  const page = await open("desktop", shop.users.owner);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole("button", { name: "Tous", exact: true }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole("button", { name: "Filtres" }).click();
  await page.getByLabel("Étoiles").selectOption("1 étoile");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(place(page)).toBe("/reviews?state=all&rating=1");
  await page.reload();
  await page.getByRole("button", { name: "Bruno Petit" }).waitFor();
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await page.getByText("Avec un message").click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByPlaceholder("Mot, nom ou e-mail...").fill("cafe froid");
  await page.getByText("Aucun avis pour cette recherche").waitFor();
  await page.getByPlaceholder("Mot, nom ou e-mail...").fill("CAFÉ était");
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await panel(page).getByRole("heading", { name: "Anaïs Petit" }).waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("CAFÉ était");
});

describe("two colleagues at one review", () => {
  it("see who writes, and lose nothing when the other was first", async () => {
    const shop = await shopWithReviews(FIVE.slice(3));
    const [one, other] = [
      await open("desktop", shop.users.admin),
      await open("desktop", shop.users.member),
    ];
    for (const page of [one, other]) {
      await page.getByRole("button", { name: "Anaïs Petit" }).click();
    }
    await one.getByRole("button", { name: "Répondre" }).click();
    await waitForFocus(one.getByRole("textbox", { name: "Votre réponse" }));
    await expect
      .poll(async () => {
        const [row] = await app.sql`
          select claimed_by from public.pre_spin_reviews where id = ${shop.reviewIds[0] ?? ""}`;
        return row?.claimed_by;
      })
      .toBe(shop.users.admin.id);
    await other.getByRole("button", { name: "Répondre" }).click();
    await other.getByText(/est en train de répondre\.$/).waitFor();
    const answer = other.getByRole("textbox", { name: "Votre réponse" });
    await answer.fill("Bonjour, c'est encore moi qui vous écris.");
    await one.getByRole("button", { name: "Envoyer" }).click();
    await one.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
    await other.getByRole("button", { name: "Envoyer" }).click();
    await other.getByText(/vient de répondre à cet avis\./).waitFor();
    expect(await answer.inputValue()).toBe("Bonjour, c'est encore moi qui vous écris.");
    const sent = await app.sql`
      select body from public.review_actions where org_id = ${shop.id} and kind = 'answer'`;
    expect(sent).toHaveLength(1);
  });

  it("give it to each other, with notes that only the team reads", async () => {
    const shop = await shopWithReviews(FIVE.slice(3));
    const page = await open("desktop", shop.users.admin);
    await page.getByRole("button", { name: "Anaïs Petit" }).click();
    await panel(page).getByLabel("Note interne").fill("Cliente fidèle : l'appeler demain.");
    await page.getByRole("button", { name: "Ajouter la note" }).click();
    await panel(page).getByText("Cliente fidèle : l'appeler demain.").waitFor();
    await panel(page).getByLabel("Suivi par").selectOption({ value: shop.users.member.id });
    await panel(page)
      .getByText(/a confié l'avis à/)
      .waitFor();
    const other = await open("desktop", shop.users.member, "/reviews?mine=true");
    await other.getByText("Suivi par vous").waitFor();
  });
});

it("keep what was typed when sending fails, and between reviews", async () => {
  const shop = await shopWithReviews(FIVE);
  const page = await open("desktop", shop.users.owner, "/reviews", {
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
  await page.getByRole("button", { name: "Répondre" }).click();
  expect(await answer.inputValue()).toBe("Bonjour Bruno, nous sommes navrés.");
  // Leaving the inbox asks first.
  await page.getByRole("link", { name: "Clients" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByText("Réponse envoyée à Bruno Petit.").waitFor();
});

it("say plainly whom nobody can write to", async () => {
  const shop = await shopWithReviews([
    { firstName: "Emma", rating: 3, email: null, phone: "06 12 34 56 78" },
  ]);
  const page = await open("phone", shop.users.owner);
  await page.getByRole("button", { name: "Emma Petit" }).click();
  await panel(page).getByText("Ce client n'a pas laissé d'adresse e-mail.").waitFor();
  await panel(page).getByText("Ce client n'a pas laissé de message.").waitFor();
  expect(await panel(page).getByRole("button", { name: "Répondre" }).count()).toBe(0);
  const call = panel(page).getByRole("link", { name: "Appeler" });
  expect(await call.getAttribute("href")).toBe("tel:0612345678");
  await page.getByRole("button", { name: "Répondu autrement" }).click();
  await page.getByText("Marqué comme répondu.").waitFor();
});
