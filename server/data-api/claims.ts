import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** Roles that a request may take on. */
const ROLES = ["anon", "authenticated", "service_role"] as const;

/** Who a request acts as in the database, and what its token says. */
export type Asker = {
  role: (typeof ROLES)[number];
  /** The whole payload of the token, as policies read it. */
  claims: Readonly<Record<string, unknown>>;
};

/** Header of every token that the authentication service signs; one that says more is left to the library. */
const header = z.strictObject({ alg: z.literal("HS256"), typ: z.literal("JWT").optional() });

const payload = z.looseObject({
  role: z.enum(ROLES),
  sub: z.string().optional(),
  exp: z.number(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
});

const SIGNED = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Reads a token's part; undefined for what is no JSON. */
function readPart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Who a token stands for; null for every token that is not plainly good now. Why not, the library finds out and words:
 * its rules are these.
 */
export function readAsker(secret: string, token: string, now: Date): Asker | null {
  const [, head, body, signature] = SIGNED.exec(token) ?? [];
  if (head === undefined || body === undefined || signature === undefined) return null;
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  if (!header.safeParse(readPart(head)).success) return null;
  const read = payload.safeParse(readPart(body));
  if (!read.success) return null;
  const { role, exp, iat = 0, nbf = 0 } = read.data;
  const seconds = Math.floor(now.getTime() / 1000);
  if (exp <= seconds || iat > seconds || nbf > seconds) return null;
  return { role, claims: read.data };
}
