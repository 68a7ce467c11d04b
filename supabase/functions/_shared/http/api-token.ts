import { SignJWT } from "jose";
import * as z from "zod/mini";

/** Claims of an API token: a database role, and the key that SQL asks about at every statement. */
const tokenClaims = z.object({
  role: z.literal("authenticated"),
  api_key_id: z.guid(),
  aud: z.literal("authenticated"),
  sub: z.optional(z.undefined()),
});

/** Claims of a token that represents an API key for some seconds. It names no user: `auth.uid()` is null for it. */
export function apiTokenClaims(
  keyId: string,
  { now, seconds }: { now: Date; seconds: number },
): Record<string, unknown> {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { role: "authenticated", api_key_id: keyId, aud: "authenticated" };
  return { ...claims, iat, exp: iat + seconds };
}

/** Signs such a token with the project's secret. */
export function signApiToken(
  secret: string,
  keyId: string,
  times: { now: Date; seconds: number },
): Promise<string> {
  return new SignJWT(apiTokenClaims(keyId, times))
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));
}

/** Identifier of the API key that a token's claims name; null for every other token. */
export function apiKeyIdOf(claims: unknown): string | null {
  return tokenClaims.safeParse(claims).data?.api_key_id ?? null;
}
