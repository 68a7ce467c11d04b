import { describe, expect, it } from "vitest";
import { spin } from "../harness/journey.ts";
import {
  arriveAt,
  field,
  giveDetails,
  goToWheel,
  press,
  pressSpin,
  rate,
  somebody,
  star,
  step,
} from "./support/customer.ts";
import { breakFunction } from "./support/faults.ts";
import { enter } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

const app = setUpTestApp();

/**
 * The French texts that the specification quotes, letter for letter, where a person meets them.
 * They are written out here on purpose: a slip in a copy file must fail.
 */

describe("the customer's form (specification, section 5)", () => {
  it("names each mistake, and forgets it when the field is edited", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    const mistakeOf = async (label: string) => {
      const ids = await field(page, label).getAttribute("aria-describedby");
      return ids === null ? null : page.locator(`#${ids}`).textContent();
    };
    await press(page, "Continuer");
    await page.getByText("Le prénom est requis", { exact: true }).waitFor();
    expect(await mistakeOf("Prénom")).toBe("Le prénom est requis");
    expect(await mistakeOf("Nom")).toBe("Le nom est requis");
    expect(await mistakeOf("Adresse e-mail")).toBe("L'email est requis");

    await field(page, "Prénom").fill("Z");
    await expect.poll(() => mistakeOf("Prénom")).toBeNull();
    expect(await mistakeOf("Nom")).toBe("Le nom est requis");
    await field(page, "Nom").fill("L");
    await field(page, "Adresse e-mail").fill("zoe@exemple");
    await press(page, "Continuer");
    await expect.poll(() => mistakeOf("Adresse e-mail")).toBe("Format d'email invalide");

    await page.getByText("Téléphone", { exact: true }).click();
    await press(page, "Continuer");
    await expect.poll(() => mistakeOf("Numéro de téléphone")).toBe("Le téléphone est requis");
    for (const wrong of ["06 12 34 56", "06.12.34.56.78", "zéro six douze"]) {
      await field(page, "Numéro de téléphone").fill(wrong);
      await press(page, "Continuer");
      await expect
        .poll(() => mistakeOf("Numéro de téléphone"), { message: wrong })
        .toBe("Format de téléphone invalide");
    }
    await field(page, "Numéro de téléphone").fill("(06) 12-34 56+78");
    await press(page, "Continuer");
    await arriveAt(page, "rating");
  });

  it("says how long the private message must be", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await rate(page, shop, 3);
    await field(page, "Votre message").fill("Trop court");
    await field(page, "Votre message").blur();
    expect(await page.getByRole("alert").textContent()).toBe(
      "Le message doit contenir au moins 20 caractères",
    );
  });
});

describe("the wheel (specification, sections 2.6 and 4.3)", () => {
  it("offers « Retour à l'avis » before the wheel and after it, and « Tester à nouveau »", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const back = page.getByRole("link", { name: "Retour à l'avis", exact: true });
    await page.goto(`${shop.door}/play`);
    await back.waitFor();
    await field(page, "Votre nom").fill("Zoé");
    await press(page, "Continuer");
    await back.waitFor();
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await back.waitFor();
    await pressSpin(page);
    await page.getByRole("button", { name: "Tester à nouveau", exact: true }).waitFor();
    expect(await back.getAttribute("href")).toBe(`${shop.door}/review`);
    await back.click();
    await arriveAt(page, "form");
  });

  it("offers the entry « Participer sans donner d'avis » on the first step", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto(shop.door);
    await page.getByRole("link", { name: "Participer sans donner d'avis", exact: true }).waitFor();
  });
});

describe("the errors of the public flows (specification, section 8)", () => {
  it("Campagne non trouvée ou inactive · Réessayer", async () => {
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto("/c/rien-de-tel");
    await step(page, /^Campagne non trouvée ou inactive$/).waitFor();
    await Promise.all([page.waitForEvent("load"), press(page, "Réessayer")]);
    await step(page, /^Campagne non trouvée ou inactive$/).waitFor();
  });

  it("Erreur lors du chargement de la campagne", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(500, 503) });
    await withoutFunction("public.campaign_page(text)", async () => {
      await page.goto(`${shop.door}/review`);
      await step(page, /^Erreur lors du chargement de la campagne$/).waitFor();
    });
    await press(page, "Réessayer");
    await arriveAt(page, "form");
  });

  it("Erreur lors de l'envoi de l'avis", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await page.goto(shop.door);
    await giveDetails(page);
    await withoutFunction(RECORD_REVIEW, async () => {
      await star(page, 4).click();
      await page
        .getByRole("alert")
        .getByText("Erreur lors de l'envoi de l'avis", { exact: true })
        .waitFor();
    });
    await press(page, "Réessayer");
    await arriveAt(page, "ready");
  });

  it("Erreur lors de la création du client: {detail}", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await page.goto(shop.door);
    await giveDetails(page, { ...somebody(), firstName: "Refusée" });
    await app.sql`alter table public.customers add constraint no_such_name check (first_name <> 'Refusée')`;
    await star(page, 4).click();
    await page
      .getByRole("alert")
      .getByText(
        "Erreur lors de la création du client: ces coordonnées ne peuvent pas être enregistrées",
        { exact: true },
      )
      .waitFor();
    await app.sql`alter table public.customers drop constraint no_such_name`;
    await press(page, "Réessayer");
    await arriveAt(page, "ready");
  });

  it("Erreur lors de l'envoi du retour", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await rate(page, shop, 2);
    await field(page, "Votre message").fill("Le café était froid, l'attente longue.");
    await withoutFunction("public.record_feedback(uuid, text)", async () => {
      await press(page, "Envoyer");
      await page
        .getByRole("alert")
        .getByText("Erreur lors de l'envoi du retour", { exact: true })
        .waitFor();
    });
    await press(page, "Envoyer");
    await arriveAt(page, "ready");
  });

  it("Paramètres manquants · Veuillez scanner le QR code depuis le début", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(404) });
    for (const cut of ["", "0", "01a1fd21-2519-776b-92e7"]) {
      await page.goto(`${shop.door}/play?review_id=${cut}`);
      await step(page, /^Paramètres manquants$/).waitFor();
      await page
        .getByText("Veuillez scanner le QR code depuis le début", { exact: true })
        .waitFor();
    }
    await page.goto(`${shop.door}/play?review_id=01a1fd21-2519-4476-92e7-efbe3102ca12`);
    await pressSpin(page);
    await step(page, /^Veuillez scanner le QR code depuis le début$/).waitFor();
    await page.getByRole("link", { name: "Revenir au début" }).click();
    await arriveAt(page, "form");
  });

  it("Impossible de lancer la roue", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("spin_wheel") });
    await rate(page, shop, 4);
    await goToWheel(page);
    await loseRequest(page, "**/spin_wheel");
    await pressSpin(page);
    await page
      .getByRole("alert")
      .getByText("Impossible de lancer la roue", { exact: true })
      .waitFor();
    await arriveAt(page, "wheel");
  });

  it("Aucun segment avec probabilité > 0 disponible", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 1 } });
    const { page } = await app.phone({ expected: refusing(409) });
    await rate(page, shop, 4);
    await goToWheel(page);
    await spin(app.sql, { campaignId: shop.campaign.id });
    await pressSpin(page);
    await page
      .getByRole("alert")
      .getByText("Aucun segment avec probabilité > 0 disponible", { exact: true })
      .waitFor();
  });

  it("Erreur lors du tirage · Erreur lors de l'enregistrement", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: refusing(500) });
    await rate(page, shop, 4);
    await goToWheel(page);
    await withoutFunction(SPIN_WHEEL, async () => {
      await pressSpin(page);
      await page.getByRole("alert").getByText("Erreur lors du tirage", { exact: true }).waitFor();
      // A draw that brings no result back.
      await app.sql`
        create function public.spin_wheel(
          uuid, uuid, uuid, text, text, text, text, text, text, text,
          out outcome text, out body text, out retry_at timestamptz
        ) language sql as $$ select 'spun', null::text, null::timestamptz $$`;
      await app.sql`grant execute on function public.spin_wheel to service_role`;
      await press(page, "Réessayer");
      await page
        .getByRole("alert")
        .getByText("Erreur lors de l'enregistrement", { exact: true })
        .waitFor();
      await app.sql`drop function public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text, text, text)`;
    });
    await press(page, "Réessayer");
    await arriveAt(page, "win");
  });
});

describe("the application's own pages (specification, sections 2.1, 2.8 and 5)", () => {
  it("Page non trouvée, with a way home", async () => {
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto("/nulle/part");
    await step(page, /^Page non trouvée$/).waitFor();
    await page.getByText("Cette page n'existe pas ou a été déplacée.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Retour à l'accueil" }).click();
    await page.getByRole("link", { name: "Se connecter" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("Oops! Une erreur est survenue, with a way home and a way to try again", async () => {
    const { users } = await createShop(app.sql);
    const { page } = await app.phone({
      expected: (problem) => lost("/assets/")(problem) || problem.kind === "console",
    });
    await enter(app, page, users.owner);
    await loseRequest(page, /\/assets\/sessions-[^/]+\.js$/);
    await page.goto("/settings/sessions");
    await step(page, /^Oops! Une erreur est survenue$/).waitFor();
    await page.getByText(/problème technique/).waitFor();
    expect(await page.getByRole("link", { name: "Retour à l'accueil" }).getAttribute("href")).toBe(
      "/",
    );
    await press(page, "Réessayer");
    await step(page, /^Appareils connectés$/).waitFor();
  });

  it("Veuillez remplir tous les champs requis · Une erreur est survenue", async () => {
    const { page } = await app.phone({ expected: refusing(500) });
    await page.goto("/auth");
    await signIn(page, { email: "" }, "");
    expect(await page.getByRole("alert").textContent()).toBe(
      "Veuillez remplir tous les champs requis",
    );
    const mend = await breakFunction(app.sql, "private.count_auth_attempt");
    await signIn(page, { email: "zoe@exemple.fr" }, "secret");
    await expect.poll(() => page.getByRole("alert").textContent()).toBe("Une erreur est survenue");
    await mend();
  });

  it("Vérification de l'authentification... is what the guard says, word for word", async () => {
    const { page } = await app.phone();
    // The page stands still where it asks who is there.
    await page.addInitScript(() => {
      navigator.locks.request = () => new Promise(() => {});
    });
    await page.goto("/encaisser");
    await expect
      .poll(() => page.getByRole("status").textContent())
      .toBe("Vérification de l'authentification...");
  });
});

const RECORD_REVIEW =
  "public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text, text)";
const SPIN_WHEEL = "public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text, text, text)";

/** Takes a function of the database away for a while, so that the server fails in earnest. */
async function withoutFunction(signature: string, run: () => Promise<void>): Promise<void> {
  const [, name = "", parameters = ""] = /^public\.(\w+)(\(.*\))$/.exec(signature) ?? [];
  await app.sql.unsafe(`alter function ${signature} rename to ${name}_away`);
  try {
    await run();
  } finally {
    await app.sql.unsafe(`alter function public.${name}_away${parameters} rename to ${name}`);
  }
}
