import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createReward, createRole } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { titled } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { enter, place } from "./support/member.ts";
import { holdRequests, loseAnswer } from "./support/network.ts";
import { FOUR, openReviews, panel, rows, shopWithReviews } from "./support/reviews.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

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
    // A form that is shut without a word leaves the review to the others at once.
    const holder = async () => {
      const [row] = await app.sql`
        select claimed_by from public.pre_spin_reviews where id = ${shop.reviewIds[0] ?? ""}`;
      return row?.claimed_by ?? null;
    };
    await expect.poll(holder).toBe(shop.users.admin.id);
    await one.getByRole("button", { name: "Fermer" }).click();
    await expect.poll(holder).toBe(null);
    await one.getByRole("button", { name: "Répondre" }).click();
    await expect.poll(holder).toBe(shop.users.admin.id);
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
    await app.sql`
      update auth.users set raw_user_meta_data = raw_user_meta_data || '{"full_name": "Karim Dubois"}'
      where id = ${shop.users.admin.id}`;
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

    // Its history says who did what to whom: taken over by oneself, ended for a colleague, and a colleague who has left.
    const follow = panel(page).getByLabel("Suivi par");
    await follow.selectOption({ label: "Personne" });
    await panel(page)
      .getByText(/a mis fin au suivi de l'avis$/)
      .waitFor();
    await follow.selectOption({ value: shop.users.admin.id });
    await panel(page)
      .getByText(/suit l'avis$/)
      .waitFor();
    await follow.selectOption({ value: shop.users.member.id });
    const assignee = async () => {
      const [row] = await app.sql`
        select assigned_to from public.pre_spin_reviews where id = ${shop.reviewIds[0] ?? ""}`;
      return row?.assigned_to;
    };
    await expect.poll(assignee).toBe(shop.users.member.id);
    await app.sql`delete from public.organization_members where user_id = ${shop.users.member.id}`;
    await page.reload();
    await expect.poll(() => follow.locator("option:checked").textContent()).toBe("Personne");

    // A role that loses the permission keeps its members' reviews, and the panel says so.
    const role = await createRole(app.sql, {
      orgId: shop.id,
      permissions: ["customers.read", "reviews.read", "reviews.write"],
    });
    await app.sql`
      insert into public.organization_members (org_id, user_id, role)
      values (${shop.id}, ${shop.users.member.id}, ${role})`;
    await page.reload();
    await follow.selectOption({ value: shop.users.member.id });
    await expect.poll(assignee).toBe(shop.users.member.id);
    await app.sql`
      delete from public.role_permissions where role = ${role} and permission = 'reviews.write'`;
    await page.reload();
    await expect
      .poll(() => follow.locator("option:checked").textContent())
      .toMatch(/ \(ne suit plus les avis\)$/);
  });
});

it("an answer that was sent and never heard of goes out once when it is sent again", async () => {
  const shop = await shopWithReviews(app.sql, FOUR.slice(3));
  const page = await openReviews(app, "desktop", shop.users.owner, "/reviews", {
    expected: lost("/rpc/answer_review"),
  });
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  // A shortcut of the browser is none of the page's.
  await page.evaluate(() =>
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "r", ctrlKey: true, bubbles: true }),
    ),
  );
  await page.getByRole("button", { name: "Répondre" }).click();
  await page.getByRole("textbox", { name: "Votre réponse" }).fill("Bonjour, revenez nous voir.");
  await loseAnswer(page, "**/rpc/answer_review");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
  const sent = await app.sql`
    select body from public.review_actions where org_id = ${shop.id} and kind = 'answer'`;
  expect(sent).toHaveLength(1);
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

describe("the texts that answers begin with", () => {
  it("are worded anew, kept, filled in without a first name too, and put back", async () => {
    const shop = await shopWithReviews(app.sql, FOUR.slice(2));
    await app.sql`
      update public.customers set first_name = null where org_id = ${shop.id} and first_name = 'Bruno'`;
    const page = await openReviews(app, "desktop", shop.users.owner);
    const answer = page.getByRole("textbox", { name: "Votre réponse" });
    const dialog = page.getByRole("dialog", { name: "Vos modèles de réponse" });
    const edit = async () => {
      await page.getByRole("button", { name: "Modifier les modèles" }).click();
      await dialog.waitFor();
    };
    await page.getByRole("button", { name: "Anaïs Petit" }).click();
    await page.getByRole("button", { name: "Répondre" }).click();
    await edit();
    expect(await dialog.getByRole("textbox").count()).toBe(6);
    await dialog.getByLabel("Nom du modèle 2").fill("Offrir un café");
    await dialog.getByLabel("Texte du modèle 2").fill(" ");
    await dialog.getByRole("button", { name: "Enregistrer" }).click();
    await dialog.getByText(/^Donnez un nom/).waitFor();
    await dialog
      .getByLabel("Texte du modèle 2")
      .fill("Bonjour {prénom}, un café vous attend chez {magasin}.");
    await dialog.getByRole("button", { name: "Enregistrer" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Offrir un café" }).click();
    const [store] = await app.sql`select name from public.stores where id = ${shop.storeId}`;
    expect(await answer.inputValue()).toBe(
      `Bonjour Anaïs, un café vous attend chez ${store?.name}.`,
    );

    // They are the organisation's: another review has them, and a customer without a first name leaves no gap.
    await page.reload();
    await page.getByRole("button", { name: "Bruno Petit" }).click();
    await panel(page).getByRole("heading", { name: "Bruno Petit" }).waitFor();
    await page.getByRole("button", { name: "Répondre" }).click();
    await page.getByRole("button", { name: "Offrir un café" }).click();
    expect(await answer.inputValue()).toBe(`Bonjour, un café vous attend chez ${store?.name}.`);
    const kept = await app.sql`
      select name from public.answer_templates where org_id = ${shop.id} order by position`;
    expect(kept.map(({ name }) => name)).toEqual([
      "Présenter des excuses",
      "Offrir un café",
      "Remercier",
    ]);

    await edit();
    await dialog.getByRole("button", { name: "Revenir aux modèles d'origine" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Inviter à revenir" }).waitFor();
    expect(await page.getByRole("button", { name: "Offrir un café" }).count()).toBe(0);
    expect(
      await app.sql`select from public.answer_templates where org_id = ${shop.id}`,
    ).toHaveLength(0);
    // The begun answer stays.
    expect(await answer.inputValue()).toContain("un café vous attend");
  });
});

it("an answer that does not arrive is said at the review, with what was written", async () => {
  const shop = await shopWithReviews(app.sql, FOUR.slice(3));
  const page = await openReviews(app, "desktop", shop.users.owner);
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await page.getByRole("button", { name: "Répondre" }).click();
  await page.getByRole("textbox", { name: "Votre réponse" }).fill("Bonjour, revenez nous voir.");
  await page.getByRole("button", { name: "Envoyer" }).click();
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
  const notice = panel(page).getByText(/^Votre dernière réponse n'est pas arrivée/);
  // As the outbox leaves a mail that the server of its address refuses for good.
  await app.sql`
    update private.outbox o set state = 'failed', last_error = '550', data = '{}', settled_at = now()
    from public.review_actions a where a.org_id = ${shop.id} and o.id = a.message_id`;
  await page.goto("/reviews?state=answered");
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await notice.waitFor();
  await panel(page).getByText("Non distribuée").waitFor();
  await panel(page).getByText("Bonjour, revenez nous voir.").waitFor();
});

it("a note that was begun stays between reviews, and leaving asks first", async () => {
  const shop = await shopWithReviews(app.sql, FOUR);
  const page = await openReviews(app, "phone", shop.users.owner);
  const note = panel(page).getByLabel("Note interne");
  await page.getByRole("button", { name: "Bruno Petit" }).click();
  await note.fill("Le rappeler lundi.");
  await page.goBack();
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  await panel(page).getByRole("heading", { name: "Anaïs Petit" }).waitFor();
  expect(await note.inputValue()).toBe("");
  await page.getByRole("button", { name: "Tous les avis" }).click();
  await page.getByRole("button", { name: "Bruno Petit" }).click();
  await panel(page).getByRole("heading", { name: "Bruno Petit" }).waitFor();
  expect(await note.inputValue()).toBe("Le rappeler lundi.");
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
  expect(await note.inputValue()).toBe("Le rappeler lundi.");
});

it("what was sent while another review is read is a draft no more", async () => {
  const shop = await shopWithReviews(app.sql, FOUR);
  const page = await openReviews(app, "desktop", shop.users.owner, "/reviews?state=all");
  const open = async (name: string) => {
    await page.getByRole("button", { name }).click();
    await panel(page).getByRole("heading", { name }).waitFor();
  };
  await open("Bruno Petit");
  const answer = page.getByRole("textbox", { name: "Votre réponse" });
  await page.getByRole("button", { name: "Répondre" }).click();
  const given = await answer.inputValue();
  await answer.fill("Bonjour Bruno, nous sommes navrés.");
  const note = panel(page).getByLabel("Note interne");
  await note.fill("Le rappeler lundi.");
  const letGo = await holdRequests(page, /rpc\/(answer|note)_review$/);
  await page.getByRole("button", { name: "Ajouter la note" }).click();
  await page.getByRole("button", { name: "Envoyer" }).click();
  await open("Anaïs Petit");
  letGo();
  const kinds = async () => {
    const rows = await app.sql<{ kind: string }[]>`
      select kind from public.review_actions where org_id = ${shop.id} and kind in ('answer', 'note')`;
    return rows.map(({ kind }) => kind).sort();
  };
  await expect.poll(kinds).toEqual(["answer", "note"]);
  await open("Bruno Petit");
  await panel(page).getByText("Bonjour Bruno, nous sommes navrés.").waitFor();
  await panel(page).getByText("Le rappeler lundi.").waitFor();
  await expect.poll(() => note.inputValue()).toBe("");
  await page.getByRole("button", { name: "Répondre" }).click();
  await expect.poll(() => answer.inputValue()).toBe(given);
  // Nothing is left to lose.
  await page.getByRole("link", { name: "Clients" }).click();
  await titled(page, "Clients");
});

it("keep what is typed while a note is saved and while an answer is sent", async () => {
  const shop = await shopWithReviews(app.sql, FOUR.slice(3));
  const page = await openReviews(app, "desktop", shop.users.owner, "/reviews?state=all");
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  const note = panel(page).getByLabel("Note interne");
  await note.fill("L'appeler demain.");
  const letNoteGo = await holdRequests(page, /rpc\/note_review$/);
  const add = page.getByRole("button", { name: "Ajouter la note" });
  await add.click();
  await note.fill("Et lui offrir un café.");
  letNoteGo();
  await panel(page).getByText("L'appeler demain.").waitFor();
  await expect.poll(() => add.getAttribute("aria-busy")).not.toBe("true");
  expect(await note.inputValue()).toBe("Et lui offrir un café.");

  await page.getByRole("button", { name: "Répondre" }).click();
  const answer = page.getByRole("textbox", { name: "Votre réponse" });
  await answer.fill("Bonjour, merci.");
  const letAnswerGo = await holdRequests(page, /rpc\/answer_review$/);
  await page.getByRole("button", { name: "Envoyer" }).click();
  await answer.fill("Bonjour, merci. À bientôt.");
  letAnswerGo();
  await page.getByText("Réponse envoyée à Anaïs Petit.").waitFor();
  await panel(page).getByText("Bonjour, merci.", { exact: true }).waitFor();
  await page.getByRole("button", { name: /Répondre/ }).click();
  expect(await answer.inputValue()).toBe("Bonjour, merci. À bientôt.");
});

it("a form that is shut at once leaves the review to the others, though it was taken late", async () => {
  const shop = await shopWithReviews(app.sql, FOUR.slice(3));
  const page = await openReviews(app, "desktop", shop.users.admin);
  await page.getByRole("button", { name: "Anaïs Petit" }).click();
  const letGo = await holdRequests(page, /rpc\/claim_review$/);
  const holds: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/claim_review")) holds.push(request.postDataJSON().p_hold);
  });
  await page.getByRole("button", { name: "Répondre" }).click();
  await waitForFocus(page.getByRole("textbox", { name: "Votre réponse" }));
  await page.getByRole("button", { name: "Fermer" }).click();
  await page.getByRole("button", { name: "Répondre" }).waitFor();
  // On a poor line whichever of the two was there first counted: the second waits for the first.
  expect(holds).toEqual(["take"]);
  letGo();
  await expect.poll(() => holds).toEqual(["take", "release"]);
});

it("those that one takes care of stay on the screen after a reload, and every word of them", async () => {
  const words = Array.from({ length: 60 }, (_, index) => `Ligne ${index + 1} de mon avis.`).join(
    "\n",
  );
  const shop = await shopWithReviews(app.sql, [
    ...FOUR.slice(2),
    { firstName: "Zélie", rating: 1, words },
  ]);
  await app.sql`
    update public.pre_spin_reviews set assigned_to = ${shop.users.owner.id} where id = ${shop.reviewIds[2] ?? ""}`;
  const page = await openReviews(app, "desktop", shop.users.owner);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole("button", { name: "Filtres" }).click();
  const mine = page.getByRole("switch", { name: "Suivis par moi" });
  await page.getByText("Suivis par moi").click();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(place(page)).toBe("/reviews?mine=true");
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await mine.isChecked()).toBe(true);
  const text = rows(page).getByText("Ligne 1 de mon avis.");
  const [shown, whole] = await text.evaluate((element) => [
    element.clientHeight,
    element.scrollHeight,
  ]);
  expect(shown).toBe(whole);
  expect(whole).toBeGreaterThan(60 * 16);
  await page.getByText("Suivis par moi").click();
  await expect.poll(() => rows(page).count()).toBe(3);
  expect(place(page)).toBe("/reviews");
});

it("say how to get the first one, and nothing of choosing one", async () => {
  const shop = await shopWithReviews(app.sql, []);
  const page = await openReviews(app, "desktop", shop.users.owner);
  await page.getByText("Pas encore d'avis", { exact: true }).waitFor();
  expect(await page.getByText("Choisissez un avis pour le lire.").isVisible()).toBe(false);
  await page.getByRole("link", { name: "Voir mes affiches" }).click();
  await page.waitForURL(`**/campaigns/${shop.campaign.id}?tab=posters`);
  await review(app.sql, { campaignId: shop.campaign.id, rating: 5 });
  await page.goto("/reviews");
  // There are some, and none to deal with: another thing to say.
  await page.getByText("Rien à traiter", { exact: true }).waitFor();
});

it("one is answered, with a code, by the keyboard alone", async () => {
  const shop = await shopWithReviews(app.sql, [
    { firstName: "Anaïs", rating: 2, email: "anais.clavier@exemple.fr" },
  ]);
  await createReward(app.sql, shop.campaign, { name: "Thé offert" });
  const page = await openReviews(app, "desktop", shop.users.owner);
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.keyboard.press("j");
  await panel(page).getByRole("heading", { name: "Anaïs Petit" }).waitFor();
  await page.keyboard.press("r");
  await waitForFocus(page.getByRole("textbox", { name: "Votre réponse" }));
  const gesture = page.getByLabel("Geste commercial (facultatif)");
  await tabTo(page, gesture);
  expect(await showsFocus(page)).toBe(true);
  await page.keyboard.type("Thé");
  await page.getByText(/^Un geste ne peut pas dépendre d'un avis public/).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Envoyer" }));
  expect(await showsFocus(page)).toBe(true);
  await page.keyboard.press("Enter");
  await panel(page).getByText("Geste commercial : Thé offert").waitFor();
  const given = await app.sql`
    select reward_name from public.redemptions where org_id = ${shop.id}`;
  expect([...given]).toEqual([{ reward_name: "Thé offert" }]);
});

it("one that is longer than the screen is read to its end beside a longer list, and the next from its beginning", async () => {
  const shop = await shopWithReviews(app.sql, Array(16).fill(FOUR[3]));
  const { page } = await app.desktop({ context: { viewport: { width: 1024, height: 600 } } });
  await enter(app, page, shop.users.owner);
  await page.goto("/reviews");
  await expect.poll(() => rows(page).count()).toBe(16);
  await page.keyboard.press("j");
  await panel(page).getByRole("link", { name: "Voir sa fiche" }).waitFor();
  const isInSight = (element: Locator) =>
    element.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  for (const control of [
    page.getByRole("button", { name: "Ajouter la note" }),
    page.getByRole("link", { name: "Voir sa fiche" }),
    page.getByRole("button", { name: "Désactiver les raccourcis" }),
  ]) {
    await control.focus();
    expect(await isInSight(control), String(control)).toBe(true);
  }
  await page.keyboard.press("j");
  const name = panel(page).getByRole("heading", { level: 2 }).first();
  await expect.poll(() => isInSight(name)).toBe(true);
});

it.each([320, 360, 390])(
  "the search of a campaign says at %i px what it looks for",
  async (width) => {
    const shop = await shopWithReviews(app.sql, FOUR.slice(3));
    const { page } = await app.phone({ context: { viewport: { width, height: 700 } } });
    await enter(app, page, shop.users.owner);
    await page.goto(`/campaigns/${shop.campaign.id}?tab=reviews`);
    const search = page.getByRole("searchbox", { name: "Rechercher un avis" });
    await search.waitFor();
    await page.evaluate(() => document.fonts.ready);
    const room = await search.evaluate((field) => {
      if (!(field instanceof HTMLInputElement)) return null;
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = document.createElement("canvas").getContext("2d");
      if (!pen) return null;
      pen.font = font;
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      return field.clientWidth - padding - pen.measureText(field.placeholder).width;
    });
    expect(room).toBeGreaterThanOrEqual(0);
  },
);
