import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField, openTill, signIn } from "./support/till.ts";

const app = setUpTestApp();

describe("signing in", () => {
  it("is asked for at the till, remembers where one wanted to go, and goes there", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    expect(place(page)).toBe("/auth?redirect=%2Fencaisser");
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(place(page)).toBe("/encaisser");
    // The way back does not lead into the form again.
    await page.reload();
    await codeField(page).waitFor();
    await page.goto("/auth");
    await codeField(page).waitFor();
    expect(place(page)).toBe("/encaisser");
    await page.goto("/");
    await codeField(page).waitFor();
  });

  it("asks for all fields, and says which is no address, keeping what was typed", async () => {
    const { page } = await app.phone();
    await page.goto("/auth");
    const address = page.getByRole("textbox", { name: "Adresse e-mail" });
    const incomplete = page.getByRole("alert").getByText("Veuillez remplir tous les champs requis");
    const wrong = page.getByText("Format d'email invalide");
    for (const [email, password] of [
      ["", ""],
      ["zoe@exemple.fr", ""],
      ["", "secret"],
    ] as const) {
      await signIn(page, { email }, password);
      await incomplete.waitFor();
      expect(await address.inputValue()).toBe(email);
      // The message disappears with the next attempt, so that the next wait cannot meet the last
      // one's words.
      await signIn(page, { email: "zoe@" }, "secret");
      await wrong.waitFor();
      expect(await incomplete.count()).toBe(0);
    }
  });

  it("with a wrong password, or an unknown address, says the same and keeps what was typed", async () => {
    const user = await createUser(app.sql);
    const { page } = await app.phone({ expected: refusing(400) });
    await page.goto("/auth");
    for (const email of [user.email, "personne@exemple.fr"]) {
      await signIn(page, { email }, "pas-le-bon");
      await page.getByRole("alert").getByText("E-mail ou mot de passe incorrect.").waitFor();
      expect(await page.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(email);
      expect(await page.getByLabel("Mot de passe", { exact: true }).inputValue()).toBe(
        "pas-le-bon",
      );
    }
  });

  it("shows the password when asked", async () => {
    const { page } = await app.phone();
    await page.goto("/auth");
    const password = page.getByLabel("Mot de passe", { exact: true });
    await password.fill("secret");
    await page.getByRole("button", { name: "Afficher le mot de passe" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Masquer le mot de passe" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("password");
  });

  // Which targets are refused is tried in `web/lib/auth/safe-redirect.test.ts`.
  it("never leads to another site", async () => {
    const shop = await createShop(app.sql);
    const { page, outside } = await app.phone();
    await page.goto(`/auth?redirect=${encodeURIComponent("/\\mechant.example")}`);
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(page.url()).toBe(`${app.server.url}/encaisser`);
    expect(outside).toEqual([]);
  });
});

describe("a session", () => {
  it("ends when one signs out, on every tab, and only on this device", async () => {
    const shop = await createShop(app.sql);
    const elsewhere = await app.phone();
    await openTill(app, elsewhere.page, shop.users.cashier);
    const { page } = await app.phone();
    await openTill(app, page, shop.users.cashier);
    const second = await page.context().newPage();
    await second.goto("/encaisser");
    await codeField(second).waitFor();

    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await second.getByRole("heading", { name: "Connexion" }).waitFor();
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await elsewhere.page.reload();
    await codeField(elsewhere.page).waitFor();
  });
});
