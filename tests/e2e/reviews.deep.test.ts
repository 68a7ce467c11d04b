import { describe, expect, it } from "vitest";
import { waitForFocus } from "./support/keyboard.ts";
import { FOUR, openReviews, panel, shopWithReviews } from "./support/reviews.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** The inbox of reviews in the hands of two colleagues, and where nobody can be written to. */

const app = setUpTestApp();

describe("two colleagues at one review", () => {
  it("see who writes, and lose nothing when the other was first", async () => {
    const shop = await shopWithReviews(app.sql, FOUR.slice(3));
    const [one, other] = [
      await openReviews(app, "desktop", shop.users.admin),
      await openReviews(app, "desktop", shop.users.member),
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
    const shop = await shopWithReviews(app.sql, FOUR.slice(3));
    const page = await openReviews(app, "desktop", shop.users.admin);
    await page.getByRole("button", { name: "Anaïs Petit" }).click();
    await panel(page).getByLabel("Note interne").fill("Cliente fidèle : l'appeler demain.");
    await page.getByRole("button", { name: "Ajouter la note" }).click();
    await panel(page).getByText("Cliente fidèle : l'appeler demain.").waitFor();
    await panel(page).getByLabel("Suivi par").selectOption({ value: shop.users.member.id });
    await panel(page)
      .getByText(/a confié l'avis à/)
      .waitFor();
    const other = await openReviews(app, "desktop", shop.users.member, "/reviews?mine=true");
    await other.getByText("Suivi par vous").waitFor();
  });
});

it("say plainly whom nobody can write to", async () => {
  const shop = await shopWithReviews(app.sql, [
    { firstName: "Emma", rating: 3, email: null, phone: "06 12 34 56 78" },
  ]);
  const page = await openReviews(app, "phone", shop.users.owner);
  await page.getByRole("button", { name: "Emma Petit" }).click();
  await panel(page).getByText("Ce client n'a pas laissé d'adresse e-mail.").waitFor();
  await panel(page).getByText("Ce client n'a pas laissé de message.").waitFor();
  expect(await panel(page).getByRole("button", { name: "Répondre" }).count()).toBe(0);
  const call = panel(page).getByRole("link", { name: "Appeler" });
  expect(await call.getAttribute("href")).toBe("tel:0612345678");
  await page.getByRole("button", { name: "Répondu autrement" }).click();
  await page.getByText("Marqué comme répondu.").waitFor();
});
