import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import {
  type OpenIdProvider,
  type Person,
  startOpenIdProvider,
} from "../conformance/support/openid-provider.ts";
import type { Problem } from "../harness/browser.ts";
import { createUser } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark, NEW_PASSWORD, titled } from "./support/account.ts";
import { enter, place } from "./support/member.ts";
import { loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

/** The real page, in a real browser, against a real OpenID provider that stands in for Google. */

let provider: OpenIdProvider;

const app = setUpTestApp(async () => {
  const clientId = "tournavis.apps.exemple";
  const clientSecret = "un-secret-entre-nous-et-le-fournisseur";
  provider = await startOpenIdProvider(() => [
    { clientId, clientSecret, redirectUri: `${site()}/auth/v1/callback` },
  ]);
  return {
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_ISSUER: provider.issuer,
  };
});

afterAll(() => provider.stop());

/** The origin that the product gives itself on one's own machine, and that the provider sends people back to. */
const site = () => app.server.url.replace("127.0.0.1", "localhost");

const visitor = (device: "phone" | "desktop", expected?: (problem: Problem) => boolean) =>
  app[device]({
    expected: (problem) => ofProvider(problem) || expected?.(problem) === true,
    context: { baseURL: site() },
  });

const FAILED = "Erreur lors de la connexion avec Google";

/** The provider's own pages ask for letters of another house. */
function ofProvider(problem: Problem): boolean {
  return problem.kind === "third-party" && problem.url.startsWith("https://fonts.googleapis.com/");
}

function newPerson(facts: Partial<Person> = {}): Person {
  const subject = randomUUID();
  return { subject, email: `${subject}@exemple.fr`, name: "Nadia Roy", ...facts };
}

/** Waits for a page of the provider. */
async function atProvider(page: Page): Promise<void> {
  await page.waitForURL((url) => url.origin === provider.issuer);
}

/** Signs in at the provider, where nobody is signed in yet, and agrees. */
async function agree(page: Page, person: Person): Promise<void> {
  provider.know(person);
  await atProvider(page);
  await page.getByPlaceholder("Enter any login").fill(person.subject);
  await page.getByPlaceholder("and password").fill("peu importe");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Leaves the provider's page by its way back. */
async function decline(page: Page): Promise<void> {
  await atProvider(page);
  await page.getByRole("link", { name: "[ Cancel ]" }).click();
}

const press = (page: Page) => page.getByRole("button", { name: "Continuer avec Google" }).click();

async function accounts(email: string | undefined) {
  return app.sql<{ id: string; has_password: boolean; providers: string[] | null }[]>`
    select u.id, u.encrypted_password is not null as has_password,
      (select array_agg(i.provider order by i.provider) from auth.identities i where i.user_id = u.id)
        as providers
    from auth.users u where u.email = ${email ?? ""}`;
}

describe("signing in with Google", () => {
  it("makes a new account, which goes on to its first steps", async () => {
    const person = newPerson();
    const { page } = await visitor("phone");
    await page.goto("/auth");
    await titled(page, "Connexion");
    await checkLightAndDark(page, "sign-in with Google");
    await press(page);
    await agree(page, person);
    await page.waitForURL((url) => url.pathname === "/onboarding");
    // Nothing of the way back stays in the address.
    await expect.poll(() => place(page)).toBe("/onboarding");
    expect(await accounts(person.email)).toMatchObject([
      { has_password: false, providers: ["google"] },
    ]);
  });

  it("knows an account of the same address, and leads where one wanted to go", async () => {
    const { users } = await createShop(app.sql);
    const person = newPerson({ email: users.cashier.email });
    const { page } = await visitor("phone");
    await page.goto("/encaisser");
    await titled(page, "Connexion");
    await press(page);
    await agree(page, person);
    await codeField(page).waitFor();
    await expect.poll(() => place(page)).toBe("/encaisser");
    expect(await accounts(person.email)).toMatchObject([
      { id: users.cashier.id, has_password: true, providers: ["email", "google"] },
    ]);
  });

  it("keeps what is to be bought, and an invitation with its parameters", async () => {
    const person = newPerson();
    const { page } = await visitor("desktop");
    await page.goto("/checkout?plan=pro&billing=yearly");
    await titled(page, "Connexion");
    await press(page);
    await agree(page, person);
    await page.waitForURL((url) => url.searchParams.get("plan") === "pro");
    await expect.poll(() => place(page)).toBe("/checkout?plan=pro&billing=yearly");

    const other = await visitor("phone");
    const invitation = "/invitation?token=pas-une-vraie";
    await other.page.goto(`/auth?redirect=${encodeURIComponent(invitation)}`);
    await press(other.page);
    await agree(other.page, newPerson());
    await other.page.waitForURL((url) => url.pathname === "/invitation");
    await expect.poll(() => place(other.page)).toBe(invitation);
  });

  it("says that it failed when the person declines, and works at the second try", async () => {
    const person = newPerson();
    const { page } = await visitor("phone");
    await page.goto("/auth?redirect=%2Fsettings%2Fsessions");
    await press(page);
    await decline(page);
    await titled(page, "Connexion");
    await alerts(page, FAILED);
    expect(place(page)).toBe("/auth?redirect=%2Fsettings%2Fsessions");
    await checkLightAndDark(page, "Google declined");
    expect(await accounts(person.email)).toEqual([]);
    // Reloading does not say it again.
    await page.reload();
    await titled(page, "Connexion");
    expect(await page.getByRole("alert").count()).toBe(0);
    await press(page);
    await agree(page, person);
    await page.getByText("Cet appareil", { exact: true }).waitFor();
  });

  it("can be left by the browser's way back, with the button ready again", async () => {
    const { page } = await visitor("phone");
    await page.goto("/auth");
    await press(page);
    await atProvider(page);
    await page.goBack();
    await titled(page, "Connexion");
    expect(await page.getByRole("alert").count()).toBe(0);
    await press(page);
    await atProvider(page);
  });

  it("of an address that Google has not verified opens nobody's account", async () => {
    const user = await createUser(app.sql);
    const { page } = await visitor("phone");
    await page.goto("/auth");
    await press(page);
    await agree(page, newPerson({ email: user.email, emailVerified: false }));
    await alerts(page, FAILED);
    expect(await accounts(user.email)).toMatchObject([{ providers: ["email"] }]);
  });

  it("asks for the second factor of an account that has one", async () => {
    const user = await createUser(app.sql);
    await app.sql`
      insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, phone, created_at, updated_at)
      values (gen_random_uuid(), ${user.id}, 'Portable', 'phone', 'verified', '33639980178', now(), now())`;
    const { page } = await visitor("phone");
    await page.goto("/auth");
    await press(page);
    await agree(page, newPerson({ email: user.email }));
    await titled(page, "Deuxième étape");
  });

  it("says when the platform is not reached, and keeps what was typed", async () => {
    const { page } = await visitor("phone", lost("/auth/v1/settings"));
    await page.goto("/auth");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("nadia@exemple.fr");
    await loseRequest(page, "**/auth/v1/settings");
    await press(page);
    await alerts(page, FAILED);
    expect(await page.getByRole("textbox", { name: "Adresse e-mail" }).inputValue()).toBe(
      "nadia@exemple.fr",
    );
    await press(page);
    await atProvider(page);
  });
});

describe("linking Google to an account", () => {
  const open = async (page: Page) => {
    await page.goto("/settings/password");
    await page.getByRole("heading", { name: "Connexion avec Google" }).waitFor();
  };
  const link = (page: Page) =>
    page.getByRole("button", { name: "Associer mon compte Google" }).click();

  it("adds a way in, and takes it away again", async () => {
    const { users } = await createShop(app.sql);
    const person = newPerson();
    const { page } = await visitor("desktop");
    await enter(app, page, users.owner);
    await open(page);
    await checkLightAndDark(page, "Google not linked");
    await link(page);
    await agree(page, person);
    await page.getByText("Votre compte Google est associé.", { exact: true }).waitFor();
    await page.getByText(`Associé à ${person.email}.`, { exact: true }).waitFor();
    await expect.poll(() => place(page)).toBe("/settings/password");
    await checkLightAndDark(page, "Google linked");
    expect(await accounts(users.owner.email)).toMatchObject([
      { id: users.owner.id, has_password: true, providers: ["email", "google"] },
    ]);

    // It opens the account of another address.
    const other = await visitor("phone");
    await other.page.goto("/auth?redirect=%2Fsettings%2Fpassword");
    await press(other.page);
    await agree(other.page, person);
    await other.page.getByText(`Associé à ${person.email}.`, { exact: true }).waitFor();

    await page.getByRole("button", { name: "Dissocier" }).click();
    await checkLightAndDark(page, "unlinking Google");
    await page.keyboard.press("Escape");
    expect(await accounts(users.owner.email)).toMatchObject([{ providers: ["email", "google"] }]);
    await page.getByRole("button", { name: "Dissocier" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Dissocier" }).click();
    await page.getByText("Votre compte Google est dissocié.", { exact: true }).waitFor();
    expect(await accounts(users.owner.email)).toMatchObject([
      { has_password: true, providers: ["email"] },
    ]);
    expect(await accounts(person.email)).toEqual([]);
  });

  it("that the person declines, or that another account has, keeps the session and says why", async () => {
    const { users } = await createShop(app.sql);
    const person = newPerson();
    const other = await visitor("phone");
    await other.page.goto("/auth");
    await press(other.page);
    await agree(other.page, person);
    await other.page.waitForURL((url) => url.pathname === "/onboarding");

    const { page } = await visitor("phone");
    await enter(app, page, users.owner);
    await open(page);
    await link(page);
    await decline(page);
    await alerts(page, "Google n'a pas donné son accord. Réessayez.");
    expect(place(page)).toBe("/settings/password");
    await link(page);
    await agree(page, person);
    await alerts(page, "Ce compte Google est déjà associé à un compte Tournavis.");
    expect(await accounts(users.owner.email)).toMatchObject([{ providers: ["email"] }]);
  });

  it("stays while it is the only way in", async () => {
    const { page } = await visitor("phone");
    await page.goto("/auth?redirect=%2Fsettings%2Fpassword");
    await press(page);
    await agree(page, newPerson());
    await page.getByText(/C'est votre seule façon de vous connecter/).waitFor();
    expect(await page.getByRole("button", { name: "Dissocier" }).count()).toBe(0);
    await page.getByLabel("Nouveau mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel("Confirmez le mot de passe", { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Changer le mot de passe" }).click();
    await page.getByRole("button", { name: "Dissocier" }).waitFor();
  });
});

describe("with a provider that cannot be reached", () => {
  const dark = setUpTestApp(async () => ({
    GOOGLE_CLIENT_ID: "tournavis.apps.exemple",
    GOOGLE_CLIENT_SECRET: "un-secret-entre-nous-et-le-fournisseur",
    GOOGLE_ISSUER: "http://127.0.0.1:9",
  }));

  it("the way there leads back to the form, not to a page of code", async () => {
    const { page } = await dark.phone();
    await page.goto("/auth?redirect=%2Fencaisser");
    await press(page);
    await alerts(page, FAILED);
    expect(place(page)).toBe("/auth?redirect=%2Fencaisser");
  });
});
