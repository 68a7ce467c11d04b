import { describe, expect, it } from "vitest";
import { breakFunction } from "./support/faults.ts";
import { place } from "./support/member.ts";
import { holdRequests, loseRequest } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { refusing, setUpTestApp, unreachable } from "./support/test-app.ts";
import { codeField, openTill, signIn, tillSays } from "./support/till.ts";

/**
 * Obstacles between a person and their session: a network, a server, an end that nobody asked for.
 */

const app = setUpTestApp();

describe("signing in", () => {
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

  it.each([-2, 2])("counts its hour by its own clock, which is %i hours off", async (hours) => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const offset = hours * 3_600_000;
    await page.addInitScript({
      content: `{
        const now = Date.now;
        globalThis.Date = class extends Date {
          constructor(...given) {
            super(...(given.length === 0 ? [now() + ${offset}] : given));
          }
          static now = () => now() + ${offset};
        };
      }`,
    });
    const tokens: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/auth/v1/token")) tokens.push(new URL(request.url()).search);
    });
    await page.goto("/auth");
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    const left = await page.evaluate(() => {
      const kept: { expires_at: number } = JSON.parse(
        localStorage.getItem("tournavis-session") ?? "",
      );
      return kept.expires_at - Date.now() / 1000;
    });
    expect(left / 3_600).toBeCloseTo(1, 1);
    await page.reload();
    await codeField(page).waitFor();
    expect(tokens).toEqual(["?grant_type=password"]);
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
});

describe("a session", () => {
  it("that cannot be ended for want of a network says so", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: unreachable("/auth/v1/logout") });
    await openTill(app, page, shop.users.cashier);
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
    await openTill(app, page, shop.users.cashier);
    await codeField(page).fill(code);
    await app.sql`delete from auth.refresh_tokens where user_id::text = ${shop.users.cashier.id}`;
    await page.clock.fastForward("02:00:00");
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    expect(place(page)).toBe("/auth?redirect=%2Fencaisser");
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
    await openTill(app, page, shop.users.cashier);
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
