import { describe, expect, it } from "vitest";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { loseRequest } from "./support/network.ts";
import { refusing, setStage, unreachable } from "./support/stage.ts";

const stage = setStage(async () => ({
  GOOGLE_CLIENT_ID: "tournavis.apps.example",
  GOOGLE_CLIENT_SECRET: "un-secret-entre-nous",
}));

const FAILED = "Erreur lors de la connexion avec Google";
const GOOGLE = "https://accounts.google.example/o/oauth2/v2/auth?client_id=tournavis";

describe("signing in with Google", () => {
  it("goes to Google, and says when that ends without a session", async () => {
    const { page, outside } = await stage.phone({
      answering: "https://accounts.google.example/**",
    });
    await page.route("**/auth/v1/authorize**", (route) => route.fulfill({ json: { url: GOOGLE } }));
    await page.goto("/auth?redirect=%2Fencaisser");
    await titled(page, "Connexion");
    await checkLightAndDark(page, "sign-in with Google");
    const [asked] = await Promise.all([
      page.waitForRequest("**/auth/v1/authorize**"),
      page.getByRole("button", { name: "Continuer avec Google" }).click(),
    ]);
    const parameters = new URL(asked.url()).searchParams;
    expect(parameters.get("provider")).toBe("google");
    expect(parameters.get("redirect_to")).toBe(`${stage.server.url}/encaisser`);
    expect(parameters.get("code_challenge_method")).toBe("s256");
    await page.waitForURL(GOOGLE);
    expect(outside).toEqual([GOOGLE]);

    // Google's page was left by its « cancel ».
    await page.goto("/encaisser?error=access_denied&error_code=access_denied&error_description=No");
    await titled(page, "Connexion");
    await alerts(page, FAILED);
    expect(new URL(page.url()).search).toBe("?redirect=%2Fencaisser");
  });

  it("says when the platform refuses, or is not reached", async () => {
    const { page } = await stage.phone({
      expected: (problem) => refusing(400)(problem) || unreachable("/auth/v1/authorize")(problem),
    });
    await page.goto("/auth");
    await page.route(
      "**/auth/v1/authorize**",
      (route) =>
        route.fulfill({
          status: 400,
          json: { code: 400, error_code: "validation_failed", msg: "Unsupported provider" },
        }),
      { times: 1 },
    );
    await page.getByRole("button", { name: "Continuer avec Google" }).click();
    await alerts(page, FAILED);
    await loseRequest(page, "**/auth/v1/authorize**");
    await page.getByRole("button", { name: "Continuer avec Google" }).click();
    await alerts(page, FAILED);
    await checkLightAndDark(page, "Google failed");
  });
});

describe("without Google", () => {
  it("an error that a link brings is another sentence", async () => {
    const { page } = await stage.phone();
    await page.goto("/auth#error=access_denied&error_code=otp_expired&error_description=No");
    await alerts(
      page,
      "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
    );
  });
});
