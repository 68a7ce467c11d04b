import type { Configuration } from "openid-client";
import { z } from "zod";
import { isLocalHost } from "../../network/local-host.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import type { GoogleSettings } from "./providers.ts";

/** How long another house may take to answer. */
const TIMEOUT_S = 10;

/** Profile of a person at a provider. */
export type Profile = {
  issuer: string;
  subject: string;
  /** In lower case; null when the person kept it to themselves. */
  email: string | null;
  /** Whether the provider says that this address is the person's own. */
  isVerified: boolean;
  name: string | null;
  picture: string | null;
};

/** Tokens and profile that a sign-in at the provider yields. */
export type ProviderTokens = { profile: Profile; accessToken: string; refreshToken: string | null };

type GoogleDeps = Pick<AuthDeps, "fetch">;

/** The provider's own description, read once a process. It decides nothing that could differ between processes. */
const known = new WeakMap<GoogleSettings, Promise<Configuration>>();

/** Address and keys of the provider, as it publishes them. */
export async function openGoogle(deps: GoogleDeps, google: GoogleSettings): Promise<Configuration> {
  const reading = known.get(google) ?? discover(deps, google);
  known.set(google, reading);
  try {
    return await reading;
  } catch {
    // The next call fetches again.
    known.delete(google);
    throw new AuthError(500, "unexpected_failure", "Unable to reach the external provider");
  }
}

async function discover(
  deps: GoogleDeps,
  { issuer, clientId, clientSecret }: GoogleSettings,
): Promise<Configuration> {
  const client = await import("openid-client");
  const server = new URL(issuer);
  const isLocal = server.protocol === "http:" && isLocalHost(server.hostname);
  return client.discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    execute: isLocal ? [client.allowInsecureRequests] : [],
    [client.customFetch]: (url, { method, headers, redirect, body, signal }) =>
      deps.fetch(url, {
        method,
        headers,
        redirect,
        // The library sends forms only.
        ...(body instanceof URLSearchParams && { body }),
        ...(signal && { signal }),
      }),
  });
}

/** Values with which a sign-in begins and must end. */
type Checks = { state: string; nonce: string; verifier: string };

/** Address at the provider where a person signs in. */
export async function signInAddress(
  deps: GoogleDeps,
  google: GoogleSettings,
  options: Checks & { callback: string; scopes: string; hints: Record<string, string> },
): Promise<string> {
  const client = await import("openid-client");
  const configuration = await openGoogle(deps, google);
  const scopes = new Set(["openid", "email", "profile", ...options.scopes.split(/[\s,]+/)]);
  scopes.delete("");
  return client.buildAuthorizationUrl(configuration, {
    ...options.hints,
    redirect_uri: options.callback,
    scope: [...scopes].join(" "),
    state: options.state,
    nonce: options.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(options.verifier),
    code_challenge_method: "S256",
  }).href;
}

/** Exchanges what the provider sent with the person for who they are. */
export async function readSignIn(
  deps: GoogleDeps,
  google: GoogleSettings,
  callback: URL,
  { state, nonce, verifier }: Checks,
): Promise<ProviderTokens> {
  const client = await import("openid-client");
  const configuration = await openGoogle(deps, google);
  const tokens = await client
    .authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    .catch(() => {
      throw new AuthError(500, "unexpected_failure", "Unable to exchange external code");
    });
  const claims = tokens.claims();
  const subject = claims?.sub ?? "";
  const facts =
    claims?.email === undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, subject)
      : claims;
  return {
    profile: readProfile(google.issuer, facts),
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
  };
}

const facts = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(255).nullish(),
  // Some write it as a text.
  email_verified: z.union([z.boolean(), z.enum(["true", "false"])]).nullish(),
  name: z.string().max(300).nullish().catch(null),
  picture: z.string().max(2000).nullish().catch(null),
});

/** Reads the claims of a provider. */
export function readProfile(issuer: string, claims: unknown): Profile {
  const parsed = facts.safeParse(claims);
  if (!parsed.success) {
    throw new AuthError(
      500,
      "unexpected_failure",
      "Error getting user profile from external provider",
    );
  }
  const { sub, email, email_verified, name, picture } = parsed.data;
  return {
    issuer,
    subject: sub,
    email: email?.trim().toLowerCase() || null,
    isVerified: email_verified === true || email_verified === "true",
    name: name || null,
    picture: picture || null,
  };
}
