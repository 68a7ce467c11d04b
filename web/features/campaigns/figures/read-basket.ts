import { readCents } from "../../../lib/read-cents.ts";

/** An average basket as it was typed, « 24,50 », in euros; null when nothing was, undefined of what is none: 0 is none. */
export function readBasket(typed: string): number | null | undefined {
  if (/^[\s€]*$/.test(typed)) return null;
  const cents = readCents(typed);
  return cents ? cents / 100 : undefined;
}
