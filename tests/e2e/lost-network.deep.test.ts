import { describe, expect, it } from "vitest";
import {
  arriveAt,
  codeOn,
  field,
  giveDetails,
  goToWheel,
  press,
  pressSpin,
  rate,
  star,
  writeDetails,
} from "./support/customer.ts";
import { loseAnswer, loseRequest, swallowRequest } from "./support/network.ts";
import { activity, createShop, PUBLIC_REVIEWS, storedReviews } from "./support/shop.ts";
import { callsTo, lost, setUpTestApp } from "./support/test-app.ts";
import { redeemAtTheTill } from "./support/till.ts";

const app = setUpTestApp();

const COMPLAINT = "Le café était froid et l'attente bien trop longue.";
const OFFLINE = "Connexion interrompue. Rien n'est perdu : réessayez dès qu'elle revient.";

/** The two ways to lose a call: the server never hears of it, or has handled it already. */
const LOSSES = [
  { what: "request", lose: loseRequest, handled: 0 },
  { what: "answer", lose: loseAnswer, handled: 1 },
] as const;

describe.each(LOSSES)("a lost $what", ({ lose, handled }) => {
  it("of the star is asked for again, stored once, and opens the public page once", async () => {
    const shop = await createShop(app.sql);
    const { page, outside } = await app.phone({ expected: lost("review_record") });
    const calls = callsTo(page, "review_record");
    await page.goto(shop.door);
    await giveDetails(page);
    await lose(page, "**/review_record");
    await star(page, 5).click();
    const problem = page.getByRole("alert");
    await problem.getByText("Erreur lors de l'envoi de l'avis").waitFor();
    await problem.getByText(OFFLINE).waitFor();
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: handled, clicks: 0 });

    const clicked = page.waitForResponse("**/public_review_click");
    await press(page, "Réessayer");
    await clicked;
    await arriveAt(page, "ready");
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(outside).toEqual([PUBLIC_REVIEWS]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 1, customers: 1 });
  });

  it("of the star survives a reload", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const { page } = await app.phone({ expected: lost("review_record") });
    await page.goto(shop.door);
    await giveDetails(page);
    await lose(page, "**/review_record");
    await star(page, 4).click();
    await page.getByRole("alert").waitFor();
    await page.getByText("Votre note, 4 sur 5, est gardée ici.").waitFor();
    await page.reload();
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ rating: 4 }]);
  });

  it("of the private message is asked for again and stored once, its text kept", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("review_record") });
    await rate(page, shop, 2);
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill(COMPLAINT);
    await lose(page, "**/review_record");
    await press(page, "Envoyer");
    const problem = page.getByRole("alert");
    await problem.getByText("Erreur lors de l'envoi du retour").waitFor();
    await problem.getByText(OFFLINE).waitFor();
    expect(await field(page, "Votre message").inputValue()).toBe(COMPLAINT);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, feedback: handled });
    await press(page, "Envoyer");
    await arriveAt(page, "ready");
    expect(await storedReviews(app.sql, shop)).toMatchObject([{ review_text: COMPLAINT }]);
  });

  it("of the public click holds nobody up", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("public_review_click") });
    await lose(page, "**/public_review_click");
    await page.goto(shop.door);
    await giveDetails(page);
    const click = page.waitForRequest("**/public_review_click");
    await star(page, 5).click();
    await click;
    await arriveAt(page, "ready");
    expect(await page.getByRole("alert").count()).toBe(0);
    await goToWheel(page);
    await pressSpin(page);
    await arriveAt(page, "win");
    // Nobody waits for the click: the server may hear of it after all the rest.
    await expect
      .poll(() => activity(app.sql, shop))
      .toMatchObject({ reviews: 1, clicks: handled, codes: 1 });
  });

  it("of the spin after a review brings the one draw when asked again", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 5 } });
    // A phone whose screen is too low for the wheel and what is said above it.
    const context = { viewport: { width: 360, height: 640 } };
    const { page } = await app.phone({ expected: lost("spin_wheel"), context });
    const calls = callsTo(page, "spin_wheel");
    await rate(page, shop, 5);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await lose(page, "**/spin_wheel");
    await pressSpin(page);
    const problem = page.getByRole("alert");
    await problem.getByText("Impossible de lancer la roue").waitFor();
    await problem.getByText(OFFLINE).waitFor();
    await arriveAt(page, "wheel");
    // The details stand in the review, which is kept.
    expect(await page.getByRole("button", { name: "Modifier mes coordonnées" }).count()).toBe(0);
    // It is in sight, above the wheel to which the page was scrolled.
    const isInSight = () =>
      problem.evaluate((notice) => {
        const { top, bottom } = notice.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInSight).toBe(true);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: handled, codes: handled });

    await press(page, "Réessayer");
    await arriveAt(page, "win");
    expect(calls[1]).toEqual(calls[0]);
    expect(
      await app.sql`
        select d.code, r.stock from public.redemptions d join public.rewards r on r.id = d.reward_id
        where d.campaign_id = ${shop.campaign.id}`,
    ).toEqual([{ code: await codeOn(page), stock: 4 }]);
    await redeemAtTheTill(app, shop, await codeOn(page));
  });

  it("of the spin without a review brings the one draw, even in another tab", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("spin_wheel") });
    const calls = callsTo(page, "spin_wheel");
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await lose(page, "**/spin_wheel");
    await pressSpin(page);
    await page.getByRole("alert").getByText("Impossible de lancer la roue").waitFor();
    await page.getByRole("button", { name: "Modifier mes coordonnées" }).waitFor();

    const again = await page.context().newPage();
    await page.close();
    await again.goto(`${shop.door}/play?entry=libre`);
    await field(again, "Votre nom").fill("Zoé");
    await press(again, "Continuer");
    await field(again, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(again, "Continuer");
    await pressSpin(again);
    await arriveAt(again, "win");
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(await activity(app.sql, shop)).toMatchObject({ customers: 1, spins: 1, codes: 1 });
  });
});

describe("a lost network", () => {
  it("that swallows the call is noticed after ten seconds", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    await page.clock.install();
    await giveDetails(page);
    await swallowRequest(page, "**/review_record");
    await star(page, 4).click();
    await page.getByText("Envoi de votre avis…").waitFor();
    await page.clock.fastForward(10_000);
    await page.getByRole("alert").getByText(OFFLINE).waitFor();
    await press(page, "Réessayer");
    await arriveAt(page, "ready");
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1 });
  });

  it("before the next step has been loaded keeps the form and goes on when it is back", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("/assets/") });
    await page.goto(shop.door);
    await page.waitForLoadState("load");
    await page.route("**/assets/lazy-parts*.js", (route) => route.abort("connectionreset"));
    await writeDetails(page, { firstName: "Zoé", lastName: "Lambert", email: "zoe@exemple.fr" });
    await press(page, "Continuer");
    await page.getByRole("alert").getByText(OFFLINE).waitFor();
    expect(await field(page, "Prénom").inputValue()).toBe("Zoé");
    await page.unroute("**/assets/lazy-parts*.js");
    await press(page, "Continuer");
    await arriveAt(page, "rating");
  });
});
