import { Buffer } from "node:buffer";
import { createECDH } from "node:crypto";
import * as z from "zod/mini";

/**
 * The pair of keys by which a browser's push service knows an installation (VAPID, RFC 8292), as
 * `npx web-push generate-vapid-keys --json` writes it: P-256, base64url, the public one uncompressed.
 */
const vapidKeys = z.object({
  publicKey: z.string().check(z.regex(/^B[\w-]{86}$/)),
  privateKey: z.string().check(z.regex(/^[\w-]{43}$/)),
});
export type VapidKeys = z.infer<typeof vapidKeys>;

/** Makes a pair. */
export function makeVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // A number that begins with zeros comes without them.
  const bytes = pair.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]).toString("base64url");
  return { publicKey, privateKey };
}

/** The same from a text; null from one that does not hold a pair. */
export function parseVapidKeys(text: string): VapidKeys | null {
  try {
    const keys = vapidKeys.parse(JSON.parse(text));
    const pair = createECDH("prime256v1");
    // Bytes, since the hosted platform's Deno reads no text here.
    pair.setPrivateKey(Buffer.from(keys.privateKey, "base64url"));
    return pair.getPublicKey("base64url") === keys.publicKey ? keys : null;
  } catch {
    return null;
  }
}

/** Whom a push service may write to about our messages: it wants a mailbox or an https address. */
export function vapidSubject(contactEmail: string | null, siteUrl: string): string {
  if (contactEmail !== null) return `mailto:${contactEmail}`;
  const { protocol, hostname, origin } = new URL(siteUrl);
  return protocol === "https:" ? origin : `mailto:exploitant@${hostname}`;
}
