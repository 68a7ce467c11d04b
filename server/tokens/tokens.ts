import { createHmac, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { openPair, type PublicJwk, publicJwk, type SigningKey } from "./signing-keys.ts";

/** Claims of a valid token. */
type Claims = z.infer<typeof claims>;

/** The keys of this installation as they are now; the same list until they change. */
export type KeyRing = { keys(): readonly SigningKey[] };

/** How tokens are signed and checked, for every service. */
export type Tokens = {
  /** Signs with the key in use. */
  sign(claims: Record<string, unknown>): Promise<string>;
  /** Claims of a token that a key of ours signed and that holds now; null for every other. */
  check(token: string): Claims | null;
  /**
   * A token of ours as Supabase Lite reads it, which knows one secret that no token of ours is signed with; null for what
   * none of our keys signed. Whether it still holds, the library finds out and words.
   */
  handOn(token: string): string | null;
  /** A token for Supabase Lite alone. */
  lend(claims: Record<string, unknown>): string;
  /** The public keys that verify tokens. */
  publicKeys(): PublicJwk[];
};

/** A token that names more than that (`crit`, a key of its own) is none of ours. */
const header = z.strictObject({
  alg: z.enum(["HS256", "ES256"]),
  typ: z.literal("JWT").optional(),
  kid: z.string().optional(),
});

const claims = z.looseObject({
  /** Seconds, as all of these. */
  exp: z.number(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
});

const SIGNED = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Seconds by which the clock of the host that issued a token may be ahead of ours, as PostgREST allows. */
const AHEAD_S = 30;

/** Header of the tokens for Supabase Lite. */
const LENT = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");

/** Tokens with a good signature by a key pair that are remembered, since each check takes 0.1 ms: those of 2,000 people. */
const REMEMBERED = 2_000;

/** Longest token that is remembered, in characters; ours have about 900. */
const CACHED_TOKEN_MAX_LENGTH = 4_000;

/** A key ready for use. */
type Prepared = { key: SigningKey; secret: Uint8Array | KeyObject; isSignature: Check };
type Check = (signed: string, signature: Buffer) => boolean;

/**
 * The one home of « how a token is checked ». A token names its key and its algorithm, and both must be those of a key of
 * ours: neither `none`, nor a public key's text as a secret, nor another key's name is worth anything.
 */
export function createTokens({
  ring,
  librarySecret,
  now,
}: {
  ring: KeyRing;
  /** Secret that Supabase Lite knows. */
  librarySecret: string;
  now(): Date;
}): Tokens {
  let prepared: readonly Prepared[] = [];
  let of: readonly SigningKey[] = [];
  const remembered = new Map<string, Claims>();

  const keys = (): readonly Prepared[] => {
    const present = ring.keys();
    if (present !== of) {
      of = present;
      prepared = present.map(prepare);
      // Tokens that a removed key has signed are forgotten.
      remembered.clear();
    }
    return prepared;
  };

  const keyOf = (head: string): Prepared | undefined => {
    const named = header.safeParse(readPart(head)).data;
    return named && keys().find(({ key }) => key.kid === named.kid && key.alg === named.alg);
  };

  /** The payload of a token of ours, whether it holds or not. */
  const payloadOf = (token: string): { part: string; alg: SigningKey["alg"] } | null => {
    const [, head, part, signature] = SIGNED.exec(token) ?? [];
    if (head === undefined || part === undefined || signature === undefined) return null;
    const signer = keyOf(head);
    if (!signer?.isSignature(`${head}.${part}`, Buffer.from(signature, "base64url"))) return null;
    return { part, alg: signer.key.alg };
  };

  const read = (token: string): Claims | null => {
    // Also forgets what is no longer believed.
    keys();
    const known = remembered.get(token);
    if (known) return known;
    const payload = payloadOf(token);
    const found = payload && claims.safeParse(readPart(payload.part)).data;
    if (!found) return null;
    if (payload.alg === "ES256" && token.length <= CACHED_TOKEN_MAX_LENGTH) {
      const [oldest] = remembered.keys();
      if (oldest !== undefined && remembered.size >= REMEMBERED) remembered.delete(oldest);
      remembered.set(token, found);
    }
    return found;
  };

  const presentSecond = () => Math.floor(now().getTime() / 1000);

  /** A payload whose times are not ahead of our clock by seconds: the library allows none. */
  const dated = (part: string): string => {
    const { data } = claims.safeParse(readPart(part));
    const present = presentSecond();
    const isAhead = (time = 0) => time > present && time <= present + AHEAD_S;
    if (!data || !(isAhead(data.iat) || isAhead(data.nbf))) return part;
    return encodePart({
      ...data,
      ...(isAhead(data.iat) && { iat: present }),
      ...(isAhead(data.nbf) && { nbf: present }),
    });
  };

  const lendPart = (part: string) => {
    const signature = createHmac("sha256", librarySecret).update(`${LENT}.${part}`);
    return `${LENT}.${part}.${signature.digest("base64url")}`;
  };

  return {
    sign(content) {
      const signer = keys().find(({ key }) => key.status === "in_use");
      if (!signer) throw new Error("There is no key to sign with.");
      const { alg, kid } = signer.key;
      return new SignJWT(content)
        .setProtectedHeader({ alg, typ: "JWT", ...(kid !== undefined && { kid }) })
        .sign(signer.secret);
    },
    check(token) {
      const found = read(token);
      if (!found) return null;
      const present = presentSecond();
      const latest = present + AHEAD_S;
      const { exp, iat = 0, nbf = 0 } = found;
      return exp <= present || iat > latest || nbf > latest ? null : found;
    },
    handOn(token) {
      keys();
      const part = remembered.has(token) ? token.split(".")[1] : payloadOf(token)?.part;
      return part === undefined ? null : lendPart(dated(part));
    },
    lend: (content) => lendPart(encodePart(content)),
    publicKeys: () => keys().flatMap(({ key }) => publicJwk(key) ?? []),
  };
}

function encodePart(content: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

function prepare(key: SigningKey): Prepared {
  if (key.kty === "oct") {
    const secret = Buffer.from(key.k, "base64url");
    const isSignature: Check = (signed, given) => {
      const expected = createHmac("sha256", secret).update(signed).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    return { key, secret, isSignature };
  }
  const { privateKey, publicKey } = openPair(key);
  const verifier = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  return {
    key,
    secret: privateKey,
    isSignature: (signed, given) => verify("sha256", Buffer.from(signed), verifier, given),
  };
}

/** Reads a token's part; undefined for what is no JSON. */
function readPart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
