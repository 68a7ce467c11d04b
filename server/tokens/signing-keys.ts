import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from "node:crypto";
import { z } from "zod";
import { StartupError } from "../start/startup-error.ts";

/**
 * Role of a key, in the hosted platform's words: only the one in use signs, all of them are
 * believed.
 */
const status = z.enum(["standby", "in_use", "previously_used"]);

const base64url = z.string().regex(/^[\w-]+$/);
const kid = z.string().min(1).max(100);
/** Moment at which the key got its status. */
const since = z.iso.datetime();

const pair = z.strictObject({
  status,
  since,
  kid,
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  alg: z.literal("ES256"),
  x: base64url,
  y: base64url,
  d: base64url,
});

const shared = z.strictObject({
  status,
  since,
  /** Missing in the secret of release 1.0.0, whose tokens name no key. */
  kid: kid.optional(),
  kty: z.literal("oct"),
  alg: z.literal("HS256"),
  k: base64url,
});

/** A key that signs access tokens, as a JSON Web Key with its private part. */
export type SigningKey = z.infer<typeof pair> | z.infer<typeof shared>;

/** The public part of a key, as `.well-known/jwks.json` shows it. */
export type PublicJwk = Pick<z.infer<typeof pair>, "kid" | "kty" | "crv" | "alg" | "x" | "y"> & {
  use: "sig";
  key_ops: ["verify"];
  ext: true;
};

const signingKeys = z
  .array(z.discriminatedUnion("kty", [pair, shared]))
  .refine((keys) => keys.filter(({ status }) => status === "in_use").length === 1)
  .refine((keys) => keys.filter(({ status }) => status === "standby").length <= 1)
  .refine((keys) => new Set(keys.map((key) => key.kid)).size === keys.length)
  .refine((keys) => keys.every(isWhole));

/** Algorithms of keys. */
export type Algorithm = SigningKey["alg"];

/**
 * How long a key that no longer signs is believed, in milliseconds: its last token holds for an hour. Minutes more for
 * clocks that differ, and for processes that hear of it late.
 */
const BELIEVED_MS = 75 * 60 * 1000;

/** The keys that a text holds; null for one that does not. */
export function parseSigningKeys(text: string): readonly SigningKey[] | null {
  try {
    return signingKeys.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Makes a key. */
export function makeSigningKey(
  alg: Algorithm,
  state: Pick<SigningKey, "status"> & { now: Date },
): SigningKey {
  const made = { status: state.status, since: state.now.toISOString(), kid: randomUUID() };
  if (alg === "HS256")
    return { ...made, kty: "oct", alg, k: randomBytes(32).toString("base64url") };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return pair.parse({ ...made, alg, ...privateKey.export({ format: "jwk" }) });
}

/** The secret of release 1.0.0 as the one key: it stays in use until a rotation. */
export function keyOfSecret(secret: string): SigningKey {
  return {
    status: "in_use",
    since: new Date(0).toISOString(),
    kty: "oct",
    alg: "HS256",
    k: Buffer.from(secret).toString("base64url"),
  };
}

/** The keys with a standby key, which others can learn before it signs. */
export function withStandby(
  keys: readonly SigningKey[],
  alg: Algorithm,
  now: Date,
): readonly SigningKey[] {
  if (keys.some(({ status }) => status === "standby"))
    throw new StartupError("keys_standby_exists");
  return [...keys, makeSigningKey(alg, { status: "standby", now })];
}

/** The keys once the standby key signs; the previous one stays valid until it is revoked. */
export function rotated(keys: readonly SigningKey[], now: Date): readonly SigningKey[] {
  if (!keys.some(({ status }) => status === "standby")) throw new StartupError("keys_no_standby");
  const since = now.toISOString();
  return keys.map((key) => {
    if (key.status === "standby") return { ...key, status: "in_use", since };
    return key.status === "in_use" ? { ...key, status: "previously_used", since } : key;
  });
}

/**
 * The keys without one that signs no more. Tokens that it signed less than an hour ago are refused at once: `isUrgent`,
 * for a stolen key, takes that.
 */
export function withoutKey(
  keys: readonly SigningKey[],
  name: string,
  { now, isUrgent }: { now: Date; isUrgent: boolean },
): readonly SigningKey[] {
  const found = keys.find((key) => nameOf(key) === name);
  if (!found) throw new StartupError("keys_unknown", { name });
  if (found.status === "in_use") throw new StartupError("keys_in_use", { name });
  const believedUntil = new Date(new Date(found.since).getTime() + BELIEVED_MS);
  if (found.status === "previously_used" && now < believedUntil && !isUrgent) {
    throw new StartupError("keys_still_believed", { name, until: believedUntil.toISOString() });
  }
  return keys.filter((key) => key !== found);
}

/** The name under which a person speaks of a key. */
export function nameOf({ kid }: SigningKey): string {
  return kid ?? "jwt-secret";
}

/** Public part of a key; a shared one has none. */
export function publicJwk(key: SigningKey): PublicJwk | null {
  if (key.kty !== "EC") return null;
  const { kid, kty, crv, alg, x, y } = key;
  return { alg, crv, ext: true, key_ops: ["verify"], kid, kty, use: "sig", x, y };
}

/** A key pair ready for use; throws for an invalid key. */
export function openPair({ kty, crv, x, y, d }: z.infer<typeof pair>): {
  privateKey: KeyObject;
  publicKey: KeyObject;
} {
  return {
    privateKey: createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" }),
    publicKey: createPublicKey({ key: { kty, crv, x, y }, format: "jwk" }),
  };
}

/** Whether a key's halves belong together: what the one signs, others could not check by another. */
function isWhole(key: SigningKey): boolean {
  if (key.kty !== "EC") return true;
  try {
    const { privateKey, publicKey } = openPair(key);
    const probe = Buffer.from(key.kid);
    return verify("sha256", probe, publicKey, sign("sha256", probe, privateKey));
  } catch {
    return false;
  }
}
