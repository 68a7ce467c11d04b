import { createHash } from "node:crypto";
import type { Context } from "hono";
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { sha256 } from "../../../supabase/functions/_shared/http/sha256.ts";
import { requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import { checkCaptcha } from "../captcha.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { countAttempt, requireAttempt } from "../limits.ts";
import { requireAssurance } from "../mfa/assurance.ts";
import { type SessionAnswer, startSession } from "../sessions.ts";
import { linkProfile, signInWithProfile } from "./accounts.ts";
import { openGoogle, readProfile } from "./google.ts";
import { OAuthRefusal } from "./oauth-refusal.ts";
import { GOOGLE, type GoogleSettings } from "./providers.ts";

const idTokenGrant = z.object({
  provider: optionalText,
  client_id: optionalText,
  issuer: optionalText,
  id_token: z.string().max(16_384).nullish(),
  access_token: optionalText,
  nonce: optionalText,
  link_identity: z.boolean().nullish(),
});
type IdTokenGrant = z.infer<typeof idTokenGrant>;

/** Google signs its tokens under either name. */
const OTHER_ISSUERS: Readonly<Record<string, readonly string[]>> = {
  "https://accounts.google.com": ["accounts.google.com"],
};

/** `grant_type=id_token`: a session for a token that the provider gave to an app. */
export async function grantIdToken(context: Context, deps: AuthDeps): Promise<SessionAnswer> {
  requireAttempt(deps, "sign_in", context.req.raw);
  await checkCaptcha(context, deps);
  const asked = await readBody(context, idTokenGrant);
  const idToken = asked.id_token ?? "";
  if (idToken === "") throw new OAuthRefusal("invalid request", "id_token required");
  if (asked.provider === "" && (asked.client_id === "" || asked.issuer === "")) {
    throw new OAuthRefusal("invalid request", "provider or client_id and issuer required");
  }
  await countAttempt(deps, { kind: "sign_in", request: context.req.raw });
  const linkingTo = asked.link_identity ? await linkingUser(context, deps) : null;
  const google = acceptedProvider(deps, asked);
  const claims = await readIdToken(deps, google, idToken);
  checkAudience(claims, google);
  checkNonce(claims, asked.nonce);
  if (asked.access_token !== "") checkAccessToken(claims, asked.access_token);
  const profile = readProfile(google.issuer, claims);
  return deps.sql.begin(async (sql) => {
    const user =
      linkingTo === null
        ? await signInWithProfile(sql, deps, profile)
        : await linkProfile(sql, deps, linkingTo, profile);
    return startSession(sql, deps, { user, method: "oauth", request: context.req.raw });
  });
}

async function linkingUser(context: Context, deps: AuthDeps): Promise<string> {
  const who = await requireUser(context, deps);
  await requireAssurance(deps.sql, who);
  return who.user.id;
}

function acceptedProvider({ settings }: AuthDeps, asked: IdTokenGrant): GoogleSettings {
  const { google } = settings;
  if (asked.provider === GOOGLE || (google !== null && asked.issuer === google.issuer)) {
    if (google !== null) return google;
  }
  throw new AuthError(
    400,
    "provider_disabled",
    `Provider (issuer "${issuerNameOf(asked)}") is not enabled`,
  );
}

function issuerNameOf({ provider, issuer }: IdTokenGrant): string {
  return provider === GOOGLE ? "https://accounts.google.com" : issuer.slice(0, 200);
}

/** Checks signature, issuer and time; the provider's keys are read when a token names a new one. */
async function readIdToken(
  deps: AuthDeps,
  google: GoogleSettings,
  idToken: string,
): Promise<JWTPayload> {
  const configuration = await openGoogle(deps, google);
  const { jwks_uri: keys } = configuration.serverMetadata();
  if (keys === undefined) {
    throw new AuthError(500, "unexpected_failure", "The external provider publishes no keys");
  }
  try {
    const { payload } = await jwtVerify(idToken, keySet(deps, keys), {
      issuer: [google.issuer, ...(OTHER_ISSUERS[google.issuer] ?? [])],
      // Shared secrets are refused: an attacker could sign with a public key used as a secret.
      algorithms: ["RS256", "PS256", "ES256"],
      requiredClaims: ["sub", "exp", "iat", "aud"],
      currentDate: deps.now(),
    });
    return payload;
  } catch {
    throw new OAuthRefusal("invalid request", "Bad ID token");
  }
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

function keySet(deps: AuthDeps, address: string): ReturnType<typeof createRemoteJWKSet> {
  const kept = keySets.get(address);
  if (kept) return kept;
  const made = createRemoteJWKSet(new URL(address), {
    [customFetch]: (url, options) => deps.fetch(url, options),
  });
  keySets.set(address, made);
  return made;
}

/** A token for another app says who its holder is to that app, not to us. */
function checkAudience({ aud }: JWTPayload, { clientId }: GoogleSettings): void {
  const audience = [aud ?? []].flat();
  if (audience.includes(clientId)) return;
  throw new OAuthRefusal(
    "invalid request",
    `Unacceptable audience in id_token: [${audience.join(" ")}]`,
  );
}

/** The app hands on the hash of a nonce that only it knows: an overheard token is worth nothing. */
function checkNonce({ nonce }: JWTPayload, given: string): void {
  const stated = typeof nonce === "string" ? nonce : "";
  if ((stated === "") !== (given === "")) {
    throw new OAuthRefusal(
      "invalid request",
      "Passed nonce and nonce in id_token should either both exist or not.",
    );
  }
  if (given === "") return;
  const hash = sha256(given);
  if (hash !== stated) throw new OAuthRefusal("invalid nonce", "Nonces mismatch");
}

function checkAccessToken({ at_hash: stated }: JWTPayload, accessToken: string): void {
  if (typeof stated !== "string") return;
  const half = createHash("sha256").update(accessToken).digest().subarray(0, 16);
  if (half.toString("base64url") === stated) return;
  throw new OAuthRefusal("invalid request", "Bad ID token");
}
