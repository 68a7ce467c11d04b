import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { breakFunction } from "./support/faults.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { codeField, openTill, signIn, tillSays } from "./support/till.ts";

const app = setUpTestApp();

/** The path and the query of a page. */
function place(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

describe("signing in", () => {
  it("is asked for at the till, remembers where one wanted to go, and goes there", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    await page.goto("/encaisser");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    expect(place(page.url())).toBe("/auth?redirect=%2Fencaisser");
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(place(page.url())).toBe("/encaisser");
    // The way back does not lead into the form again.
    await page.reload();
    await codeField(page).waitFor();
    await page.goto("/auth");
    await codeField(page).waitFor();
    expect(place(page.url())).toBe("/encaisser");
    await page.goto("/");
    await codeField(page).waitFor();
  });

  it("says that it checks while it does", async () => {
    const { page } = await app.phone({ expected: refusing(400) });
    // A stored session that is over is refreshed first.
    const release = await holdRequests(page, "**/auth/v1/token**");
    const shop = await createShop(app.sql);
    await page.goto("/auth");
    await page.evaluate(
      ([email]) => {
        const session = {
          access_token: "x.y.z",
          refresh_token: "gone",
          token_type: "bearer",
          expires_in: 3600,
          expires_at: 1,
          user: { id: "00000000-0000-4000-8000-000000000000", email },
        };
        localStorage.setItem("tournavis-session", JSON.stringify(session));
      },
      [shop.users.cashier.email],
    );
    await page.goto("/encaisser");
    await page.getByRole("status").getByText("Vérification de l'authentification...").waitFor();
    release();
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
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
      // What it says goes with the next attempt, so that the next wait cannot meet the last one's words.
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

  it("without a network says so, and works when it is back", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: unreachable("/auth/v1/token") });
    await page.goto("/auth");
    await loseRequest(page, "**/auth/v1/token**");
    await signIn(page, shop.users.cashier);
    await page
      .getByRole("alert")
      .getByText("Pas de connexion. Vérifiez le réseau, puis réessayez.")
      .waitFor();
    await page.getByRole("button", { name: "Se connecter" }).click();
    await codeField(page).waitFor();
  });

  it("that fails on the server's side says that something went wrong", async () => {
    const { page } = await app.phone({ expected: refusing(500) });
    await page.goto("/auth");
    const mend = await breakFunction(app.sql, "private.count_auth_attempt");
    await signIn(page, { email: "zoe@exemple.fr" }, "secret");
    await page.getByRole("alert").getByText("Une erreur est survenue", { exact: true }).waitFor();
    await mend();
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

  // Which targets are refused is tried in `web/lib/safe-redirect.test.ts`.
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
    await openTill(elsewhere.page, shop.users.cashier);
    const { page } = await app.phone();
    await openTill(page, shop.users.cashier);
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

  it("that cannot be ended for want of a network says so", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: unreachable("/auth/v1/logout") });
    await openTill(page, shop.users.cashier);
    await loseRequest(page, "**/auth/v1/logout**");
    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Se déconnecter" }).click();
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
  });

  it("that has expired leads to the form and back, with the code that was typed", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: refusing(400, 401, 403) });
    await page.clock.install();
    await openTill(page, shop.users.cashier);
    await codeField(page).fill(code);
    await app.sql`delete from auth.refresh_tokens where user_id::text = ${shop.users.cashier.id}`;
    await page.clock.fastForward("02:00:00");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    expect(place(page.url())).toBe("/auth?redirect=%2Fencaisser");
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
    await codeField(page).press("Enter");
    await tillSays(page, "Code valable");
  });

  it("that the server refuses leads to the form and back, with the code that was typed", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: refusing(401, 403, 404) });
    await openTill(page, shop.users.cashier);
    await page.route(
      "**/rpc/lookup_code",
      async (route) => {
        const headers = { ...route.request().headers(), authorization: "Bearer x.y.z" };
        await route.continue({ headers });
      },
      { times: 1 },
    );
    await codeField(page).fill(code);
    await codeField(page).press("Enter");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
  });
});
