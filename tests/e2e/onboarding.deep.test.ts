import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createOrganization, createUser, type User } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { NEW_PASSWORD, newAddress, titled } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { linkIn } from "./support/links.ts";
import { arrives, enter, failingToLoad, place } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import {
  fillOrganization,
  fillStore,
  newcomer,
  organizationName,
  organize,
  submit,
} from "./support/onboarding.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** First steps by keyboard, pressed twice, on a slow or broken line, left half-way and corrected. */

const app = setUpTestApp();

describe("the way in", () => {
  it("greets by what stands before the at sign whoever gave no name", async () => {
    const { page, user } = await newcomer(app, { fullName: "" });
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
    const { page, user } = await newcomer(app);
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
    const { page } = await newcomer(app);
    const release = await holdRequests(page, "**/rpc/my_workspace");
    await page.goto("/dashboard");
    await page.getByRole("status").getByText("Chargement...", { exact: true }).waitFor();
    release();
    await titled(page, "Bienvenue sur Tournavis");
  });

  it("says when it cannot load, and tries again", async () => {
    const { page } = await newcomer(app, { expected: failingToLoad });
    const mend = await breakFunction(app.sql, "my_workspace");
    await page.goto("/onboarding");
    await page.getByRole("alert").getByText("Cette page ne se charge pas").waitFor();
    await mend();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await titled(page, "Bienvenue sur Tournavis");
  });
});

describe("leaving half-way", () => {
  it("comes back to the step that is missing, with the store as it was typed", async () => {
    const { page, user } = await newcomer(app);
    await organize(app, user, "commencee");
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

  it("keeps what was typed from the next person at the same computer", async () => {
    const { page } = await newcomer(app);
    await fillOrganization(page, "Maison Roy");
    await expect
      .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
      .toContain("Maison Roy");
    // The question about the address has its answer: none is asked without a session.
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await titled(page, "Connexion");
    await enter(app, page, await createUser(app.sql));
    await page.goto("/onboarding/organization");
    await organizationName(page).waitFor();
    expect(await organizationName(page).inputValue()).toBe("");
  });

  it("after the store, the way back corrects it", async () => {
    const { page, user } = await newcomer(app);
    await organize(app, user, "corrigee");
    await page.goto("/onboarding/store");
    await fillStore(page, "Bastile");
    await submit(page).click();
    await page.getByRole("link", { name: "Retour au magasin" }).click();
    await titled(page, "Corriger le magasin");
    await page.getByLabel("Nom du magasin").fill("Bastille");
    await page.getByRole("radio", { name: "Mode filtré" }).check();
    await submit(page, "Enregistrer et continuer").click();
    await page.getByText("Bastille : le magasin est prêt.").waitFor();
    const rows = await app.sql`
      select s.name, s.slug, s.review_mode as mode from public.stores s join public.organization_members m on m.org_id = s.org_id
      where m.user_id = ${user.id}`;
    expect([...rows]).toEqual([{ name: "Bastille", slug: "bastille", mode: "gating" }]);
  });
});

describe("the buttons at a screen's end", () => {
  it.each([
    ["/onboarding/organization", "Retour", "Continuer"],
    ["/onboarding/campaign", "Retour au magasin", "Aller au tableau de bord"],
    ["/onboarding/poster", "Retoucher la campagne", "Aller au tableau de bord"],
    ["/campaigns/new", "Annuler", "Créer la campagne"],
  ])(
    "of %s are reached by Tab as they are seen, the main one above on a phone",
    async (path, aside, main) => {
      const user = await beginnerAt(path);
      const computer = await app.desktop();
      const phone = await app.phone();
      for (const { page } of [computer, phone]) {
        const isOnPhone = page === phone.page;
        await enter(app, page, user);
        await page.goto(path);
        const control = (name: string) =>
          page.getByRole("main").getByRole("link", { name, exact: true }).or(submit(page, name));
        await control(main).waitFor();
        const [mainBox, asideBox] = [
          await control(main).boundingBox(),
          await control(aside).boundingBox(),
        ];
        if (mainBox === null || asideBox === null) throw new Error("A button is not shown.");
        if (isOnPhone) expect(mainBox.y + mainBox.height).toBeLessThan(asideBox.y);
        else expect(asideBox.x + asideBox.width).toBeLessThan(mainBox.x);
        const [first, second] = isOnPhone ? [main, aside] : [aside, main];
        await control(first).focus();
        await page.keyboard.press("Tab");
        await waitForFocus(control(second));
        await page.keyboard.press("Shift+Tab");
        await waitForFocus(control(first));
      }
    },
  );
});

/** Somebody whose way in has come as far as a screen. */
async function beginnerAt(path: string): Promise<Pick<User, "email">> {
  if (path === "/onboarding/organization") return createUser(app.sql, { fullName: "Nadia Roy" });
  if (path !== "/onboarding/campaign") return (await createShop(app.sql)).users.owner;
  return (await createOrganization(app.sql, { plan: "free_trial" })).users.owner;
}
