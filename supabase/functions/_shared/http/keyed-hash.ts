import { createHmac } from "node:crypto";

/**
 * Makes the keyed hash of `Deps`: HMAC-SHA256, hexadecimal, of a purpose and a value. The same device or address cannot
 * be recognised across purposes, nor at all without the key.
 */
export function createKeyedHash(key: string): (purpose: string, value: string) => string {
  return (purpose, value) =>
    createHmac("sha256", key).update(purpose).update("\0").update(value).digest("hex");
}
