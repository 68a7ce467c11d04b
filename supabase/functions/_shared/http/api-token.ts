import { decodeJwt, jwtVerify, SignJWT } from "jose";
import * as z from "zod/mini";

/** What a token of the API says: a database role, and the key that SQL asks about at every statement. */
const tokenClaims = z.object({
  role: z.literal("authenticated"),
  api_key_id: z.guid(),
  sub: z.optional(z.undefined()),
});

const AUDIENCE = "authenticated";

/** Signs a token that stands for a key for some seconds. It names no user: `auth.uid()` is null for it. */
export function signApiToken(
  secret: string,
  keyId: string,
  { now, seconds }: { now: Date; seconds: number },
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ role: "authenticated", api_key_id: keyId })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(new TextEncoder().encode(secret));
}

/** Identifier of the key that a token of ours stands for; null for every other token. */
export async function readApiToken(
  secret: string,
  token: string,
  now: Date,
): Promise<string | null> {
  try {
    // Members' tokens, which are most of all, are told apart before anything is computed.
    if (!tokenClaims.safeParse(decodeJwt(token)).success) return null;
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      audience: AUDIENCE,
      requiredClaims: ["exp"],
      currentDate: now,
    });
    return tokenClaims.parse(payload).api_key_id;
  } catch {
    return null;
  }
}
