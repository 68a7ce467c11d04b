import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createCampaign, createOrganization, createUser, type User } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { alerts, checkLightAndDark, NEW_PASSWORD, newAddress, titled } from "./support/account.ts";
import { stopClock } from "./support/clock.ts";
import { breakFunction, breakReading, emptyFunction, RAW_WORDS } from "./support/faults.ts";
import { showsFocus, tabTo } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { arrives, enter, failingToLoad, place } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

/** A merchant's first steps (specification, sections 2.20, 4.4, 5 and 8). */

const app = setUpTestApp();

type Options = Parameters<typeof app.desktop>[0];

/** Somebody without an organisation, on a computer, signed in. */
async function newcomer(options: Options & { fullName?: string } = {}) {
  const { fullName = "Nadia Roy", ...rest } = options;
  const user = await createUser(app.sql, { fullName });
  const { page } = await app.desktop(rest);
  await enter(app, page, user);
  return { user, page };
}

const organizationName = (page: Page) => page.getByLabel("Nom de l'organisation");
const organizationSlug = (page: Page) => page.getByLabel("Adresse publique");
const submit = (page: Page, name = "Continuer") => page.getByRole("button", { name, exact: true });

async function fillOrganization(page: Page, name: string): Promise<void> {
  await page.goto("/onboarding/organization");
  await organizationName(page).fill(name);
}

async function fillStore(page: Page, name = "Bastille"): Promise<void> {
  await page.getByLabel("Nom du magasin").fill(name);
  await page.getByLabel("Adresse", { exact: true }).fill("12 rue de la Roquette, 75011 Paris");
}

/** An organisation made by its owner, without a store yet. */
async function organize(user: User, slug: string): Promise<void> {
  await app.sql.begin(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      insert into public.organizations (name, slug) values ('Boulangerie Martin', ${slug}) returning id`;
    const id = row?.id ?? "";
    await sql`insert into public.subscriptions (org_id, plan, trial_end) values (${id}, 'free_trial', now() + interval '14 days')`;
    await sql`insert into public.organization_members (org_id, user_id, role) values (${id}, ${user.id}, 'owner')`;
  });
}

describe("the way in", () => {
  it("leads from an account without organisation to the dashboard and a first campaign", async () => {
    const { page, user } = await newcomer();
    await page.goto("/dashboard");
    await titled(page, "Bienvenue sur Tournavis");
    expect(place(page)).toBe("/onboarding");
    await page.getByText("Bonjour Nadia Roy,").waitFor();
    for (const feature of [
      "Collecte d'avis",
      "Roue des cadeaux",
      "Gestion des clients",
      "Statistiques",
    ]) {
      await page.getByRole("heading", { level: 3, name: feature }).waitFor();
    }
    expect(await page.getByRole("listitem").filter({ hasText: /^Vo/ }).count()).toBe(5);
    await page.getByText("14 jours d'essai gratuit, sans carte bancaire.").waitFor();
    await checkLightAndDark(page, "welcome");

    await page.getByRole("link", { name: "Commencer" }).click();
    await titled(page, "Votre organisation");
    await page.getByText("Étape 1 sur 5").waitFor();
    await page.getByText("20%", { exact: true }).waitFor();
    const progress = page.getByRole("progressbar", { name: "Progression de l'installation" });
    expect(await progress.getAttribute("aria-valuenow")).toBe("20");
    expect(await submit(page).getAttribute("aria-disabled")).toBe("true");
    await submit(page).press("Enter");
    await page.getByText("Indiquez le nom de votre organisation.").waitFor();
    await organizationName(page).fill("Boulangerie Œuvrée & Fils");
    expect(await organizationSlug(page).inputValue()).toBe("boulangerie-oeuvree-fils");
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    await checkLightAndDark(page, "organisation");
    await submit(page).click();

    await titled(page, "Votre magasin");
    await page.getByText("Étape 2 sur 5").waitFor();
    await page.getByText("40%", { exact: true }).waitFor();
    expect(await page.getByRole("radio", { name: "Mode conforme" }).isChecked()).toBe(true);
    await fillStore(page);
    expect(await page.getByLabel("Identifiant").inputValue()).toBe("bastille");
    await page.getByRole("status").getByText("Cet identifiant est libre.").waitFor();
    await page.getByRole("radio", { name: "Mode filtré" }).check();
    await page.getByText("La plateforme d'avis interdit ce filtrage.").waitFor();
    await checkLightAndDark(page, "store");
    await page.getByRole("radio", { name: "Mode conforme" }).check();
    await submit(page).click();

    await titled(page, "Félicitations !");
    await page.getByText("Étape 3 sur 5").waitFor();
    await page.getByText("60%", { exact: true }).waitFor();
    await checkLightAndDark(page, "ready");
    await page.getByRole("link", { name: "Aller au tableau de bord" }).click();

    await titled(page, "Tableau de bord");
    await page.getByRole("link", { name: "Nouvelle campagne" }).click();
    await page.getByLabel("Nom de la campagne").fill("La roue de Noël");
    await submit(page, "Créer la campagne").click();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "La roue de Noël" }).waitFor();
    const [row] = await app.sql`
      select o.slug, s.review_mode, c.slug as campaign, c.active, m.role
      from public.organization_members m join public.organizations o on o.id = m.org_id
      join public.stores s on s.org_id = o.id join public.campaigns c on c.org_id = o.id
      where m.user_id = ${user.id}`;
    expect(row).toEqual({
      slug: "boulangerie-oeuvree-fils",
      review_mode: "compliant",
      campaign: "la-roue-de-noel",
      active: true,
      role: "owner",
    });
  });

  it("greets by what stands before the at sign whoever gave no name", async () => {
    const { page, user } = await newcomer({ fullName: "" });
    await page.goto("/onboarding");
    await page.getByText(`Bonjour ${user.email.split("@")[0]},`).waitFor();
  });

  it("goes from the sign-up to the dashboard by keyboard alone, on a phone", async () => {
    const email = newAddress();
    const { page } = await app.phone();
    const { keyboard } = page;
    /** Comes to a control, which shows it, and types there. */
    const type = async (control: Locator, text: string) => {
      await tabTo(page, control);
      expect(await showsFocus(page)).toBe(true);
      await keyboard.type(text);
    };
    const press = async (control: Locator, key = "Enter") => {
      await tabTo(page, control);
      expect(await showsFocus(page)).toBe(true);
      await keyboard.press(key);
    };
    await page.goto("/");
    await press(page.getByRole("link", { name: "Se connecter" }));
    await titled(page, "Connexion");
    await press(page.getByRole("tab", { name: "Connexion" }), "ArrowRight");
    await titled(page, "Créer un compte");
    await type(page.getByLabel("Nom complet"), "Nadia Roy");
    await type(page.getByRole("textbox", { name: "Adresse e-mail" }), email);
    await type(page.getByLabel("Mot de passe", { exact: true }), NEW_PASSWORD);
    await keyboard.press("Enter");
    await titled(page, "Vérifiez votre boîte mail");
    await page.goto(linkIn(app, await latestMail(app.server, email)));

    await titled(page, "Bienvenue sur Tournavis");
    await press(page.getByRole("link", { name: "Commencer" }));
    await titled(page, "Votre organisation");
    await type(organizationName(page), "Clavier");
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    await keyboard.press("Enter");
    await titled(page, "Votre magasin");
    await type(page.getByLabel("Nom du magasin"), "Clavier");
    await type(page.getByLabel("Adresse", { exact: true }), "1 rue des Touches");
    await press(page.getByRole("radio", { name: "Mode conforme" }), "ArrowDown");
    await page.getByText("La plateforme d'avis interdit ce filtrage.").waitFor();
    await keyboard.press("ArrowUp");
    await press(submit(page));
    await titled(page, "Félicitations !");
    await press(page.getByRole("link", { name: "Aller au tableau de bord" }));
    await titled(page, "Tableau de bord");
    expect(place(page)).toBe("/dashboard");
  });

  it("takes a double click, and the way back, as nothing", async () => {
    const { page, user } = await newcomer();
    await page.goto("/onboarding");
    await page.getByRole("link", { name: "Commencer" }).click();
    await organizationName(page).fill("Deux Fois");
    const release = await holdRequests(page, "**/rpc/create_organization");
    await submit(page).dblclick();
    await submit(page).click({ force: true });
    release();
    await titled(page, "Votre magasin");
    await fillStore(page);
    await submit(page).dblclick();
    await titled(page, "Félicitations !");
    await page.goBack();
    await arrives(page, "/dashboard");
    await page.goto("/onboarding/organization");
    await arrives(page, "/dashboard");
    const [row] = await app.sql`
      select count(*)::int as stores from public.stores s
      join public.organization_members m on m.org_id = s.org_id where m.user_id = ${user.id}`;
    expect(row).toEqual({ stores: 1 });
  });

  it("says that it loads while it does", async () => {
    const { page } = await newcomer();
    const release = await holdRequests(page, "**/rpc/my_workspace");
    await page.goto("/dashboard");
    await page.getByRole("status").getByText("Chargement...", { exact: true }).waitFor();
    release();
    await titled(page, "Bienvenue sur Tournavis");
  });

  it("says when it cannot load, and tries again", async () => {
    const { page } = await newcomer({ expected: failingToLoad });
    const mend = await breakFunction(app.sql, "my_workspace");
    await page.goto("/onboarding");
    await page.getByRole("alert").getByText("Cette page ne se charge pas").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, "Bienvenue sur Tournavis");
  });
});

describe("leaving half-way", () => {
  it("keeps what was typed, for that user alone", async () => {
    const { page } = await newcomer();
    await fillOrganization(page, "Maison Commencée");
    await organizationSlug(page).fill("ma-maison");
    await page.goto("/");
    await page.getByRole("link", { name: "Reprendre" }).click();
    expect(await organizationName(page).inputValue()).toBe("Maison Commencée");
    expect(await organizationSlug(page).inputValue()).toBe("ma-maison");
    // Written by hand, the slug no longer follows the name.
    await organizationName(page).fill("Maison Finie");
    expect(await organizationSlug(page).inputValue()).toBe("ma-maison");
    const other = await createUser(app.sql);
    await enter(app, page, other);
    await page.goto("/onboarding/organization");
    await titled(page, "Votre organisation");
    expect(await organizationName(page).inputValue()).toBe("");
  });

  it("comes back to the step that is missing, with the store as it was typed", async () => {
    const { page, user } = await newcomer();
    await organize(user, "commencee");
    await page.goto("/");
    await arrives(page, "/onboarding/store");
    await fillStore(page, "Presque");
    await page.getByRole("radio", { name: "Mode filtré" }).check();
    await page.reload();
    await titled(page, "Votre magasin");
    expect(await page.getByLabel("Nom du magasin").inputValue()).toBe("Presque");
    expect(await page.getByRole("radio", { name: "Mode filtré" }).isChecked()).toBe(true);
    for (const path of ["/onboarding", "/onboarding/organization", "/onboarding/campaign"]) {
      await page.goto(path);
      await arrives(page, "/onboarding/store");
    }
  });

  it("after the store, the way back corrects it", async () => {
    const { page, user } = await newcomer();
    await organize(user, "corrigee");
    await page.goto("/onboarding/store");
    await fillStore(page, "Bastile");
    await submit(page).click();
    await page.getByRole("link", { name: "Retour au magasin" }).click();
    await titled(page, "Corriger le magasin");
    await page.getByLabel("Nom du magasin").fill("Bastille");
    await submit(page, "Enregistrer et continuer").click();
    await page.getByText("Bastille est prêt.").waitFor();
    const rows = await app.sql`
      select s.name, s.slug from public.stores s join public.organization_members m on m.org_id = s.org_id
      where m.user_id = ${user.id}`;
    expect([...rows]).toEqual([{ name: "Bastille", slug: "bastille" }]);
  });
});

describe("whoever has an organisation", () => {
  it("and submits the first step again is shown it", async () => {
    const { page, user } = await newcomer({ expected: refusing(400, 409) });
    await fillOrganization(page, "Encore Une");
    // Made meanwhile, in another tab.
    await organize(user, "deja-la");
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
    const { page } = await newcomer({ expected: lost("/rpc/my_workspace") });
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
    const { page } = await newcomer({ expected: refusing(400, 409) });
    await fillOrganization(page, "Autre Maison");
    await organizationSlug(page).fill(shop.slug);
    await page.getByRole("status").getByText("Cette adresse est déjà prise.").waitFor();
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
    const { page, user } = await newcomer({ expected: refusing(400, 403, 500) });
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
    const { page } = await newcomer({ expected: lost("create_organization") });
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
    const { page } = await newcomer();
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
    await page.clock.resume();
    await expect.poll(() => asked.length).toBe(2);
    release();
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    expect(asked).toEqual([
      expect.stringContaining('"maison"'),
      expect.stringContaining('"maison-tapee"'),
    ]);
  });
});

describe("a store that is refused", () => {
  it("for what is written wrong says it beside the field", async () => {
    const { page, user } = await newcomer();
    await organize(user, "mal-ecrite");
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
    const { page, user } = await newcomer({ expected: refusing(400, 403, 404, 409, 500) });
    await organize(user, "refus");
    await page.goto("/onboarding/store");
    await fillStore(page);
    const other = "Erreur création magasin:";
    for (const [code, sentence] of [
      ["23505", "Ce nom de magasin est déjà pris dans votre organisation."],
      ["TV023", "Aucune organisation trouvée pour cet utilisateur"],
      ["TV050", "Organisation non trouvée. Erreur: réessayez dans un instant."],
      ["TV003", `${other} votre plan comprend un seul magasin.`],
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
    const { page, user } = await newcomer({ expected: failingToLoad });
    await organize(user, "introuvable");
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
