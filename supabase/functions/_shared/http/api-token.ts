import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";

/** What a token of the API says: a database role, and the key that SQL asks about at every statement. */
const tokenClaims = z.object({
  role: z.literal("authenticated"),
  api_key_id: z.guid(),
  exp: z.number(),
  sub: z.optional(z.undefined()),
});

const HEADER = encode({ alg: "HS256", typ: "JWT" });

/** Signs a token that stands for a key for some seconds. It names no user: `auth.uid()` is null for it. */
export function signApiToken(
  secret: string,
  keyId: string,
  { now, seconds }: { now: Date; seconds: number },
): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const claims = {
    aud: "authenticated",
    role: "authenticated",
    api_key_id: keyId,
    iat: issuedAt,
    exp: issuedAt + seconds,
  };
  const content = `${HEADER}.${encode(claims)}`;
  return `${content}.${signatureOf(secret, content)}`;
}

/** Identifier of the key that a token of ours stands for; null for every other token. */
export function readApiToken(secret: string, token: string, now: Date): string | null {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const claims = tokenClaims.safeParse(decode(payload));
  if (!claims.success || claims.data.exp * 1000 <= now.getTime() || header !== HEADER) return null;
  const expected = Buffer.from(signatureOf(secret, `${header}.${payload}`));
  const given = Buffer.from(signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? claims.data.api_key_id : null;
}

function signatureOf(secret: string, content: string): string {
  return createHmac("sha256", secret).update(content).digest("base64url");
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
