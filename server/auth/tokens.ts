import { z } from "zod";
import type { AuthDeps } from "./deps.ts";
import { jsonObject } from "./json.ts";
import type { UserRow } from "./users.ts";

/** How long an access token holds. */
export const ACCESS_TOKEN_S = 3600;

/** How a user proved who they are, in the words of the protocol. */
export const AMR_METHODS = [
  "password",
  "otp",
  "oauth",
  "totp",
  "mfa/phone",
  "mfa/webauthn",
  "recovery",
  "anonymous",
  "invite",
  "email/signup",
  "magiclink",
  "email_change",
  "web3",
  "passkey",
] as const;
export type AmrMethod = (typeof AMR_METHODS)[number];

/** How sure we are: one proof, or two of different kinds. */
export type Aal = "aal1" | "aal2";

/** A proof and when it was given (seconds). */
export type AmrClaim = { method: string; timestamp: number };

const accessClaims = z.object({
  iss: z.string(),
  sub: z.uuid(),
  aud: z.literal("authenticated"),
  exp: z.number(),
  iat: z.number(),
  email: z.string(),
  phone: z.string(),
  app_metadata: jsonObject,
  user_metadata: jsonObject,
  role: z.literal("authenticated"),
  aal: z.enum(["aal1", "aal2"]),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })),
  session_id: z.uuid(),
  is_anonymous: z.boolean(),
});

/** Claims of an access token, as on the hosted platform. */
export type AccessClaims = z.infer<typeof accessClaims>;

const sessionClaims = z.looseObject({
  sub: z.uuid(),
  role: z.literal("authenticated"),
  session_id: z.uuid(),
  aal: z.string().default("aal1"),
  /** Seconds. */
  exp: z.number(),
});

/**
 * Claims of a token about its session; the database has the rest. Other claims stay, since policies
 * may read them.
 */
export type SessionClaims = z.infer<typeof sessionClaims>;

type TokenDeps = Pick<AuthDeps, "now" | "tokens" | "settings">;

/** Dependencies of checking a token. */
export type VerifierDeps = { tokens: Pick<AuthDeps["tokens"], "check"> };

/** Address of the service: who signed a token. */
export function issuerOf({ settings }: Pick<AuthDeps, "settings">): string {
  return `${settings.siteUrl}/auth/v1`;
}

/** Signs an access token for a session; `expiresAt` in seconds. */
export async function issueAccessToken(
  deps: TokenDeps,
  session: { id: string; aal: Aal },
  user: UserRow,
  amr: readonly AmrClaim[],
): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(deps.now().getTime() / 1000);
  const claims: AccessClaims = {
    iss: issuerOf(deps),
    sub: user.id,
    aud: "authenticated",
    exp: issuedAt + ACCESS_TOKEN_S,
    iat: issuedAt,
    email: user.email ?? "",
    phone: user.phone ?? "",
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: "authenticated",
    aal: session.aal,
    amr: [...amr],
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  };
  return { token: await deps.tokens.sign(claims), expiresAt: claims.exp };
}

/** Claims of a token; null for one that is forged, expired or no access token of a user. */
export function verifyAccessToken({ tokens }: VerifierDeps, token: string): AccessClaims | null {
  return accessClaims.safeParse(tokens.check(token)).data ?? null;
}

/** For whom and in which session a token acts; null for one that is forged, expired or not of a user. */
export function verifySession({ tokens }: VerifierDeps, token: string): SessionClaims | null {
  return sessionClaims.safeParse(tokens.check(token)).data ?? null;
}
