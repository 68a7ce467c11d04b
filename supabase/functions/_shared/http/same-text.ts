import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";

/** Compares a secret in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
