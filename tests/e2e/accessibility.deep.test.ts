import { describe, expect, it } from "vitest";
import { createStore, createUser } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import {
  arriveAt,
  field,
  giveDetails,
  goToWheel,
  press,
  pressSpin,
  rate,
  star,
  step,
  win,
} from "./support/customer.ts";
import { lookEverywhere, nightRules } from "./support/looks.ts";
import { loseRequest, swallowRequest } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { checkCode, codeField, openTill, redeem, signIn, tillSays } from "./support/till.ts";

const app = setUpTestApp();

describe("axe finds nothing", () => {
  it("on the review page, step by step", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const { page } = await app.phone({ expected: lost("review_record") });
    await page.goto(shop.door);
    await arriveAt(page, "form");
    await lookEverywhere(page, "form");
    // By night as by day: whoever pays at a counter stands in the light.
    expect(await nightRules(page)).toEqual([]);
    for (const fold of await page.locator("summary").all()) await fold.click();
    await lookEverywhere(page, "rules and privacy");
    await press(page, "Continuer");
    await page.getByText("Le prénom est requis").waitFor();
    await lookEverywhere(page, "form with mistakes");
    await page.getByText("Téléphone", { exact: true }).click();
    await lookEverywhere(page, "form by phone");
    await page.getByText("E-mail", { exact: true }).click();
    await giveDetails(page);
    await lookEverywhere(page, "stars");
    await loseRequest(page, "**/review_record");
    await star(page, 4).click();
    await page.getByRole("alert").waitFor();
    await lookEverywhere(page, "stars with a problem");
    await press(page, "Réessayer");
    await arriveAt(page, "google");
    await lookEverywhere(page, "public review");
    await press(page, "Continuer sans avis public");
    await arriveAt(page, "ready");
    await lookEverywhere(page, "ready");
    await page.reload();
    await page.getByRole("button", { name: "Nouvelle visite ? Recommencer" }).waitFor();
    await lookEverywhere(page, "ready, taken up again");
  });

  it("on the private message", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("review_record") });
    await rate(page, shop, 2);
    await arriveAt(page, "feedback");
    await lookEverywhere(page, "message");
    await field(page, "Votre message").fill("Trop long.");
    await field(page, "Votre message").blur();
    await page.getByRole("alert").waitFor();
    await lookEverywhere(page, "message too short");
    await field(page, "Votre message").fill("Le café était froid et l'attente longue.");
    await loseRequest(page, "**/review_record");
    await press(page, "Envoyer");
    await page.getByRole("alert").waitFor();
    await lookEverywhere(page, "message with a problem");
    await press(page, "Envoyer");
    await arriveAt(page, "ready");
    await lookEverywhere(page, "ready, with the public review as an offer");
  });

  it("on the wheel page, up to the ticket", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("spin_wheel") });
    await page.goto(`${shop.door}/play?entry=libre`);
    await arriveAt(page, "name");
    await lookEverywhere(page, "name");
    await press(page, "Continuer");
    await page.getByText("Indiquez au moins 2 caractères").waitFor();
    await lookEverywhere(page, "name with a mistake");
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await arriveAt(page, "contact");
    await lookEverywhere(page, "contact");
    await press(page, "Continuer");
    await page.getByText("Indiquez un email ou un téléphone").waitFor();
    await lookEverywhere(page, "contact with a mistake");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    await lookEverywhere(page, "wheel");
    await loseRequest(page, "**/spin_wheel");
    await pressSpin(page);
    await page.getByRole("alert").waitFor();
    await lookEverywhere(page, "wheel with a problem");
    await press(page, "Réessayer");
    await arriveAt(page, "win");
    await page.getByRole("img", { name: /^QR code/ }).waitFor();
    await lookEverywhere(page, "ticket");
    await page.goto(shop.door);
    await press(page, "Voir le code");
    await page.getByRole("article").waitFor();
    await lookEverywhere(page, "kept ticket");
  });

  it("on the turning wheel, and on what comes of it besides a code", async () => {
    const loses = await createShop(app.sql, { wheel: "loses" });
    const { page } = await app.phone({ motion: "no-preference" });
    await rate(page, loses, 4);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await swallowRequest(page, "**/spin_wheel");
    await pressSpin(page);
    await arriveAt(page, "spinning");
    await lookEverywhere(page, "turning");
    // However long that took: the page gives an answer ten seconds.
    await page.reload();
    await pressSpin(page);
    await arriveAt(page, "loss");
    await lookEverywhere(page, "loss");

    const points = await createShop(app.sql, { wheel: "points" });
    const other = await app.phone();
    await rate(other.page, points, 4);
    await arriveAt(other.page, "ready");
    await goToWheel(other.page);
    await pressSpin(other.page);
    await arriveAt(other.page, "win");
    await lookEverywhere(other.page, "points");
  });

  it("on the test mode, a closed campaign, a resting wheel and an organisation", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto(`${shop.door}/play`);
    await arriveAt(page, "name");
    await lookEverywhere(page, "test mode");
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await win(page);
    await lookEverywhere(page, "ticket of the test mode");
    await page.goto(`${shop.door}/play?review_id=cut`);
    await step(page, "Paramètres manquants").waitFor();
    await lookEverywhere(page, "missing parameters");
    await page.goto(`/org/${shop.slug}`);
    await lookEverywhere(page, "organisation");
    await page.goto("/c/rien");
    await lookEverywhere(page, "closed campaign");

    const resting = await createShop(app.sql);
    await app.sql`delete from public.wheel_segments where campaign_id = ${resting.campaign.id}`;
    await app.sql`delete from public.rewards where campaign_id = ${resting.campaign.id}`;
    await page.goto(resting.door);
    await page.getByText("La roue se repose en ce moment").waitFor();
    await lookEverywhere(page, "form while the wheel rests");
    await page.goto(`${resting.door}/play?entry=libre`);
    await page.getByText("La roue se repose en ce moment").waitFor();
    await lookEverywhere(page, "wheel that rests");
    await app.sql`update public.campaigns set active = false where org_id = ${resting.id}`;
    await page.goto(`/org/${resting.slug}`);
    await lookEverywhere(page, "organisation without a campaign");
  });

  it("on the till, by day and by night", async () => {
    const shop = await createShop(app.sql);
    const other = await createStore(app.sql, { orgId: shop.id, name: "Belleville" });
    const code = await winCode(app.sql, shop);
    const expired = await winCode(app.sql, shop);
    await app.sql`update public.redemptions set expires_at = now() - interval '1 day' where code = ${expired}`;
    const { page } = await app.phone({
      expected: (problem) =>
        refusing(400, 404)(problem) || unreachable("/v1/")(problem) || lost("/v1/")(problem),
    });
    await page.goto("/il-n-y-a-rien-ici");
    await page.getByRole("heading", { name: "Page non trouvée" }).waitFor();
    await checkLightAndDark(page, "not found");
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await checkLightAndDark(page, "sign-in");
    await signIn(page, { email: "zoe@" }, "");
    await page.getByRole("alert").waitFor();
    await checkLightAndDark(page, "sign-in with mistakes");
    await openTill(app, page, shop.users.cashier);
    const store = page.getByRole("combobox", { name: "Magasin" });
    await store.selectOption(shop.storeId);
    await checkLightAndDark(page, "till");
    await checkCode(page, "-");
    await page.getByText("Tapez un code, ou scannez-le.").waitFor();
    await checkLightAndDark(page, "till without a code");
    await loseRequest(page, "**/rpc/lookup_code");
    await checkCode(page, code);
    await page.getByRole("alert").waitFor();
    await checkLightAndDark(page, "till without a network");

    const ask = async (asked: string, reason: string) => {
      await checkCode(page, asked);
      await tillSays(page, reason);
      await checkLightAndDark(page, reason);
    };
    const next = () => page.getByRole("button", { name: "Code suivant" }).click();
    await ask(expired, "Code expiré");
    await next();
    await ask("TEST-ABCDEFGH", "Code de test");
    await next();
    await ask("WINAAAAAAAA", "Code inconnu");
    await next();
    await store.selectOption(other);
    await ask(code, "Autre magasin");
    await next();
    await store.selectOption(shop.storeId);
    await ask(code, "Code valable");
    await loseRequest(page, "**/functions/v1/redeem");
    await redeem(page);
    await page.getByRole("alert").waitFor();
    await checkLightAndDark(page, "redemption without a network");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await tillSays(page, "C'est validé");
    await checkLightAndDark(page, "redeemed");
    await next();
    await ask(code, "Déjà utilisé");
    await next();
    await page.getByRole("button", { name: "Scanner le QR code" }).click();
    await page.getByText("Aucune caméra sur cet appareil. Tapez le code.").waitFor();
    await checkLightAndDark(page, "no camera");
    await page.getByRole("button", { name: "Taper le code" }).click();
    await page.getByRole("button", { name: "Se déconnecter" }).click();

    await signIn(page, await createUser(app.sql));
    await page.getByRole("heading", { name: "Pas encore d'équipe" }).waitFor();
    await checkLightAndDark(page, "no organisation");
  });

  it("on a computer, by day and by night", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.desktop();
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await checkLightAndDark(page, "sign-in");
    await openTill(app, page, shop.users.cashier);
    await checkLightAndDark(page, "till");
    await codeField(page).fill("WINAAAAAAAA");
    await codeField(page).press("Enter");
    await tillSays(page, "Code inconnu");
    await checkLightAndDark(page, "answer");
  });
});
