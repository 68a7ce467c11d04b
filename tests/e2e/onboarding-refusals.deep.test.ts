import { describe, expect, it } from "vitest";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { runUntil, stopClock } from "./support/clock.ts";
import { breakFunction, breakReading, emptyFunction, RAW_WORDS } from "./support/faults.ts";
import { arrives, enter, failingToLoad, place } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import {
  fillOrganization,
  fillStore,
  newcomer,
  organizationName,
  organizationSlug,
  organize,
  submit,
} from "./support/onboarding.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

/**
 * Refusals of the first steps, and the people who are led past them (specification, sections 2.20,
 * 4.4, 5 and 8).
 */

const app = setUpTestApp();

describe("whoever has an organisation", () => {
  it("and submits the first step again is shown it", async () => {
    const { page, user } = await newcomer(app, { expected: refusing(400, 409) });
    await fillOrganization(page, "Encore Une");
    // Made meanwhile, in another tab.
    await organize(app, user, "deja-la");
    await submit(page).click();
    await titled(page, "Vous avez déjà une organisation");
    expect(place(page)).toBe("/onboarding/existing");
    await page.getByText("Boulangerie Martin").waitFor();
    await page.getByText("/org/deja-la").waitFor();
    await checkLightAndDark(page, "existing");
    await page.getByRole("link", { name: "Paramètres" }).click();
    await arrives(page, "/settings");
    await page.goBack();
    await page.getByRole("link", { name: "Aller au tableau de bord" }).click();
    await arrives(page, "/onboarding/store");
  });

  it("is led to the first step when the organisation does not load", async () => {
    const { page } = await newcomer(app, { expected: lost("/rpc/my_workspace") });
    // Twice asked anew by itself before it gives up.
    for (let n = 0; n < 3; n += 1) await loseRequest(page, "**/rpc/my_workspace");
    await page.goto("/onboarding/existing");
    await arrives(page, "/onboarding/organization");
    await titled(page, "Votre organisation");
  });

  it("sees no onboarding; a cashier lands at the till", async () => {
    const shop = await createOrganization(app.sql);
    await createCampaign(app.sql, { orgId: shop.id, storeId: shop.storeId });
    const paths = [
      "/onboarding",
      "/onboarding/organization",
      "/onboarding/store",
      "/onboarding/campaign",
    ];
    const member = await app.desktop();
    await enter(app, member.page, shop.users.member);
    for (const path of paths) {
      await member.page.goto(path);
      await arrives(member.page, "/dashboard");
    }
    const cashier = await app.phone();
    await enter(app, cashier.page, shop.users.cashier);
    for (const path of ["/", "/dashboard", "/campaigns", "/onboarding", "/onboarding/existing"]) {
      await cashier.page.goto(path);
      await codeField(cashier.page).waitFor();
      expect(place(cashier.page)).toBe("/encaisser");
    }
  });
});

describe("an organisation that is refused", () => {
  it("because its name is taken says so, above the form and beside the field, and keeps what was typed", async () => {
    const shop = await createOrganization(app.sql);
    const { page } = await newcomer(app, { expected: refusing(400, 409) });
    await fillOrganization(page, "Autre Maison");
    await organizationSlug(page).fill(shop.slug);
    await page
      .getByRole("status")
      .getByText("Cette adresse est prise, ou des affiches y mènent encore.")
      .waitFor();
    await submit(page).click();
    await alerts(page, "Ce nom d'organisation est déjà pris. Veuillez en choisir un autre.");
    expect(await organizationName(page).inputValue()).toBe("Autre Maison");
    await organizationSlug(page).fill("Pas Un Slug");
    await page.getByText("Uniquement lettres minuscules, chiffres et tirets").waitFor();
    await checkLightAndDark(page, "refused");
    await organizationSlug(page).fill("autre-maison");
    await submit(page).click();
    await titled(page, "Votre magasin");
  });

  it("by the database says which of its steps failed, and keeps what was typed", async () => {
    const { page, user } = await newcomer(app, { expected: refusing(400, 403, 500) });
    await fillOrganization(page, "Refusée");
    for (const [code, sentence] of [
      ["42501", "Permissions insuffisantes. Vérifiez votre authentification."],
      ["TV021", "Erreur ajout membre: réessayez dans un instant."],
      ["TV022", "Erreur abonnement: réessayez dans un instant."],
      ["XX000", "Erreur base de données: réessayez dans un instant."],
      ["23514", "Erreur base de données: une valeur n'est pas acceptée. Vérifiez les champs."],
    ] as const) {
      const mend = await breakFunction(app.sql, "create_organization", code);
      await submit(page).click();
      await alerts(page, sentence);
      await mend();
    }
    expect(await page.getByText(RAW_WORDS).count()).toBe(0);
    expect(await organizationName(page).inputValue()).toBe("Refusée");
    const rows = await app.sql`
      select 1 from public.organization_members where user_id = ${user.id}`;
    expect(rows.length).toBe(0);
  });

  it("without data, and without a network, says so", async () => {
    const { page } = await newcomer(app, { expected: lost("create_organization") });
    await fillOrganization(page, "Sans Réponse");
    const mend = await emptyFunction(app.sql, "create_organization");
    await submit(page).click();
    await alerts(page, "Aucune donnée retournée lors de la création de l'organisation");
    await mend();
    await loseRequest(page, "**/rpc/create_organization");
    await submit(page).click();
    await alerts(
      page,
      "Erreur base de données: pas de connexion. Vérifiez le réseau, puis réessayez.",
    );
    await submit(page).click();
    await titled(page, "Votre magasin");
  });

  it("is asked for once the typing pauses, and the answer of an earlier text is given up", async () => {
    const { page } = await newcomer(app);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("is_slug_free")) asked.push(request.postData() ?? "");
    });
    await page.goto("/onboarding/organization");
    await organizationName(page).waitFor();
    // The page's own clock stands still meanwhile: how fast this machine types does not count.
    await stopClock(page);
    const release = await holdRequests(page, "**/rpc/is_slug_free");
    await organizationName(page).pressSequentially("Maison");
    await page.clock.runFor(300);
    expect(asked).toEqual([]);
    await page.clock.runFor(100);
    await expect.poll(() => asked.length).toBe(1);
    await organizationName(page).pressSequentially(" Tapée");
    await page.clock.runFor(300);
    expect(asked).toHaveLength(1);
    // By hand to the end: a clock that runs again has once left an answer unshown.
    await page.clock.runFor(100);
    await expect.poll(() => asked.length).toBe(2);
    release();
    const free = page.getByRole("status").getByText("Cette adresse est libre.");
    await runUntil(page, 20, () => free.count(), 1);
    expect(asked).toEqual([
      expect.stringContaining('"maison"'),
      expect.stringContaining('"maison-tapee"'),
    ]);
  });
});

describe("a store that is refused", () => {
  it("for what is written wrong says it beside the field", async () => {
    const { page, user } = await newcomer(app);
    await organize(app, user, "mal-ecrite");
    await page.goto("/onboarding/store");
    expect(await submit(page).getAttribute("aria-disabled")).toBe("true");
    await fillStore(page);
    await page.getByLabel("Lien vers votre page d'avis").fill("g.page/moi");
    await page.getByLabel("Identifiant").fill("");
    await submit(page).click();
    await page.getByText("Collez une adresse complète, qui commence par https://").waitFor();
    await page.getByText("Choisissez un identifiant.").waitFor();
    await checkLightAndDark(page, "store with mistakes");
  });

  it("by the database says why, and keeps what was typed", async () => {
    const { page, user } = await newcomer(app, { expected: refusing(400, 403, 404, 409, 500) });
    await organize(app, user, "refus");
    await page.goto("/onboarding/store");
    await fillStore(page);
    const other = "Erreur création magasin:";
    for (const [code, sentence] of [
      ["23505", "Ce nom de magasin est déjà pris dans votre organisation."],
      ["TV023", "Aucune organisation trouvée pour cet utilisateur"],
      ["TV050", "Organisation non trouvée. Erreur: réessayez dans un instant."],
      ["TV003", `${other} votre plan comprend un seul magasin. Changez de plan pour en ajouter.`],
      ["42501", `${other} vous n'en avez pas le droit. Demandez à votre responsable.`],
      ["XX000", `${other} réessayez dans un instant.`],
    ] as const) {
      const mend = await breakFunction(app.sql, "create_store", code);
      await submit(page).click();
      await alerts(page, sentence);
      await mend();
    }
    // The platform says yes, and nothing of the store.
    const mend = await emptyFunction(app.sql, "create_store");
    await submit(page).click();
    await alerts(page, "Erreur lors de la création du magasin");
    await mend();
    expect(await page.getByText(RAW_WORDS).count()).toBe(0);
    expect(await page.getByLabel("Nom du magasin").inputValue()).toBe("Bastille");
  });

  it("because it cannot be corrected for want of its organisation says what went wrong", async () => {
    const { page, user } = await newcomer(app, { expected: failingToLoad });
    await organize(app, user, "introuvable");
    await page.goto("/onboarding/store");
    await fillStore(page);
    await submit(page).click();
    const back = page.getByRole("link", { name: "Retour au magasin" });
    await back.waitFor();
    const mend = await breakReading(app.sql, "public.stores");
    await back.click();
    await page.getByRole("alert").getByText("Cette page ne se charge pas").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, "Corriger le magasin");
  });
});
