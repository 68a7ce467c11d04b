import { createHash } from "node:crypto";

/** SHA-256 of a text, hexadecimal: what the database keeps of a token in its place. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
