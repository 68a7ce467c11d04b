import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

/** Somebody who has an account at the provider. */
export type Person = {
  subject: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
  picture?: string;
};

/** An app that the provider knows. */
type App = { clientId: string; clientSecret: string; redirectUri: string };

/** An OpenID provider that people can sign in to, on this machine. */
export type OpenIdProvider = {
  issuer: string;
  /** Gives somebody an account here; any password will do. */
  know(person: Person): void;
  /**
   * Does what a browser and a person would, from an address of the provider on: signs in, agrees
   * (or declines), and answers the address that the provider leads to in the end.
   */
  visit(address: string, person: Person, options?: { declines?: boolean }): Promise<URL>;
  /** A token that the provider gave to an app about somebody, as an app on a phone gets it. */
  tokensFor(
    app: App,
    person: Person,
    nonce?: string,
  ): Promise<{ id_token: string; access_token: string }>;
  /** Signs any claims with the provider's own key. */
  sign(claims: JWTPayload): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts it for the apps given, which may be told later, when their own addresses are known: nobody asks before. Call
 * this in `beforeAll`.
 */
export async function startOpenIdProvider(
  apps: readonly App[] | (() => readonly App[]),
): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${portOf(server.address())}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: "RS256", kid: "essais", use: "sig" };
  const open = () =>
    new Provider(issuer, {
      jwks: { keys: [key] },
      clients: (typeof apps === "function" ? apps() : apps).map((app) => ({
        client_id: app.clientId,
        client_secret: app.clientSecret,
        redirect_uris: [app.redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      })),
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
      // As Google does: who somebody is stands in the token itself.
      conformIdTokenClaims: false,
      pkce: { required: () => false },
      cookies: { keys: ["a key of the tests"] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      findAccount: (_context, subject) => {
        const person = people.get(subject);
        if (person === undefined) return undefined;
        return { accountId: subject, claims: () => ({ ...claimsOf(person), sub: subject }) };
      },
    });
  let answer: ReturnType<Provider["callback"]> | undefined;
  server.on("request", (request, response) => {
    answer ??= open().callback();
    void answer(request, response);
  });

  const know = (person: Person) => void people.set(person.subject, person);
  const visit: OpenIdProvider["visit"] = async (address, person, { declines = false } = {}) => {
    know(person);
    const browse = newBrowser();
    let page = await browse(address);
    for (;;) {
      if (page.leadsTo) {
        if (page.leadsTo.origin !== issuer) return page.leadsTo;
        page = await browse(page.leadsTo.href);
        continue;
      }
      const action = /<form[^>]*action="([^"]+)"/.exec(page.html)?.[1];
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.html)?.[1];
      if (!action || !prompt) throw new Error(`The provider showed: ${page.html.slice(0, 500)}`);
      page = declines
        ? await browse(new URL(`${action}/abort`, issuer).href)
        : await browse(new URL(action, issuer).href, {
            prompt,
            login: person.subject,
            password: "peu importe",
          });
    }
  };

  return {
    issuer,
    know,
    visit,
    async tokensFor({ clientId, clientSecret, redirectUri }, person, nonce) {
      const address = new URL("/auth", issuer);
      address.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid email profile",
        ...(nonce !== undefined && { nonce }),
      }).toString();
      const back = await visit(address.href, person);
      const response = await fetch(new URL("/token", issuer), {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: back.searchParams.get("code") ?? "",
          redirect_uri: redirectUri,
          client_id: clientId,
          client_secret: clientSecret,
        }),
      });
      const tokens: { id_token: string; access_token: string } = await response.json();
      return tokens;
    },
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "essais" }).sign(privateKey),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  return address.port;
}

function claimsOf({ email, emailVerified = true, name, picture }: Person) {
  return {
    ...(email !== undefined && { email, email_verified: emailVerified }),
    ...(name !== undefined && { name }),
    ...(picture !== undefined && { picture }),
  };
}

type Page = { html: string; leadsTo: URL | null };

/** A browser with cookies of its own that follows no redirect automatically. */
function newBrowser(): (address: string, form?: Record<string, string>) => Promise<Page> {
  const cookies = new Map<string, string>();
  return async (address, form) => {
    const response = await fetch(address, {
      redirect: "manual",
      method: form ? "POST" : "GET",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return { html: await response.text(), leadsTo: location ? new URL(location, address) : null };
  };
}
