import { createHash } from "node:crypto";

/** SHA-256 of a text, hexadecimal: what is kept of a token or a key in its place, and the short name of a long text. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
