import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import {
  alerts,
  checkLightAndDark,
  keptToken,
  newAddress,
  signUp,
  titled,
} from "./support/account.ts";
import { linkIn } from "./support/links.ts";
import { enter } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

/** Anybody can write an address and have somebody open it: none ends a session, and none brings one. */

const app = setUpTestApp();

const ERROR = "error=access_denied&error_code=otp_expired&error_description=No";

/** Endings that somebody may put behind the address of a page. */
async function ends(): Promise<string[]> {
  const attacker = await createUser(app.sql);
  const { client } = await app.server.signIn(attacker);
  const { data } = await client.auth.getSession();
  const theirs = new URLSearchParams({
    access_token: data.session?.access_token ?? "",
    refresh_token: data.session?.refresh_token ?? "",
    expires_in: "3600",
    expires_at: String(data.session?.expires_at),
    token_type: "bearer",
    type: "recovery",
  });
  return [
    `#${ERROR}&sb=`,
    `?${ERROR}`,
    "#error=x&error_description=y",
    "#access_token=x",
    "?access_token=x",
    `#${theirs}`,
    `?${theirs}`,
    "?code=00000000-0000-4000-8000-000000000000",
  ];
}

/** Whose session the page keeps. */
function keptUser(page: Page): Promise<string> {
  return page.evaluate(
    () => JSON.parse(localStorage.getItem("tournavis-session") ?? "{}").user?.id,
  );
}

describe("an open session outlives every address", () => {
  it.each([
    ["/dashboard", (page: Page) => titled(page, "Tableau de bord")],
    ["/encaisser", async (page: Page) => codeField(page).waitFor()],
    ["/auth", (page: Page) => titled(page, "Vous êtes toujours connecté")],
    [
      "/auth/reset-password",
      (page: Page) => alerts(page, "Lien de réinitialisation invalide ou expiré"),
    ],
  ])("at %s", async (path, hasCome) => {
    const { users } = await createShop(app.sql);
    // A code that the service does not know is asked about where this browser waits for one.
    const { page } = await app.desktop({ expected: refusing(404) });
    await enter(app, page, users.owner);
    await page.goto("/dashboard");
    await titled(page, "Tableau de bord");
    const token = await keptToken(page);
    for (const waits of [false, true]) {
      for (const end of await ends()) {
        await page.evaluate((isWaiting) => {
          const verifier = JSON.stringify("x".repeat(56));
          if (isWaiting) localStorage.setItem("tournavis-session-code-verifier", verifier);
        }, waits);
        await page.goto("about:blank");
        await page.goto(path + end);
        await hasCome(page);
        // It says it once.
        await expect.poll(() => new URL(page.url()).search + new URL(page.url()).hash).toBe("");
        expect(await keptUser(page), end).toBe(users.owner.id);
        expect(await keptToken(page), end).toBe(token);
      }
    }
    const [row] = await app.sql`
      select count(*)::int as sessions from auth.sessions where user_id = ${users.owner.id}`;
    expect(row?.sessions).toBe(2);
    await page.goto("/dashboard");
    await titled(page, "Tableau de bord");
  });

  it("a link that is over says so to who is signed in, and leads on", async () => {
    const { users } = await createShop(app.sql);
    const { page } = await app.phone();
    await enter(app, page, users.owner);
    await page.goto(`/auth?redirect=%2Fencaisser&${ERROR}`);
    await titled(page, "Vous êtes toujours connecté");
    await alerts(page, "Ce lien a expiré ou a déjà servi.");
    await checkLightAndDark(page, "a link that is over, signed in");
    await page.getByRole("button", { name: "Continuer" }).click();
    await codeField(page).waitFor();
  });
});

describe("nobody's address signs anybody in", () => {
  it("with somebody's tokens, which say that the link is over", async () => {
    const { page } = await app.phone();
    for (const end of (await ends()).filter((one) => one.includes("access_token"))) {
      await page.goto("about:blank");
      await page.goto(`/auth${end}`);
      await alerts(
        page,
        "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
      );
      expect(await keptUser(page)).toBeUndefined();
    }
  });

  it("what a link tells the start page is said where one signs in", async () => {
    const { page } = await app.phone();
    await page.goto(`/?${ERROR}#${ERROR}&sb=`);
    await alerts(
      page,
      "Ce lien a expiré ou a déjà servi. Connectez-vous, ou demandez-en un nouveau.",
    );
    expect(page.url()).toBe(`${app.server.url}/auth`);
  });
});

it("a confirmation asked for here still brings its own session, beside another that is open", async () => {
  const { users } = await createShop(app.sql);
  const email = newAddress();
  const { page } = await app.phone();
  await signUp(page, email);
  await titled(page, "Vérifiez votre boîte mail");
  const link = linkIn(app, await latestMail(app.server, email));
  await enter(app, page, users.owner);
  await page.goto("/dashboard");
  await titled(page, "Tableau de bord");
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === "/onboarding");
  const [made] = await app.sql<{ id: string }[]>`select id from auth.users where email = ${email}`;
  expect(await keptUser(page)).toBe(made?.id);
});
