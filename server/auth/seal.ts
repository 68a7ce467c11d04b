import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { AuthDeps } from "./deps.ts";

/** Says how what follows is sealed, so that another way can take its place; texts from before it have none. */
const VERSION = "1.";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type SealDeps = Pick<AuthDeps, "keyedHash">;

/**
 * Encrypts a secret of one row (a factor's key, a provider's token) under a key of the
 * installation, so that a copy of the database is no use. The row's identifier is part of it:
 * put elsewhere, it opens nothing.
 */
export function seal(deps: SealDeps, rowId: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(deps), nonce).setAAD(Buffer.from(rowId));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Reads a sealed secret; throws when it was sealed under another key, for another row, or changed. */
export function unseal(deps: SealDeps, rowId: string, text: string): string {
  const bytes = Buffer.from(text.startsWith(VERSION) ? text.slice(VERSION.length) : text, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(deps), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
}

function keyOf({ keyedHash }: SealDeps): Buffer {
  return Buffer.from(keyedHash("key of sealed secrets", ""), "hex");
}
