import { normalizePhone } from "#domain/rules/phone-number.ts";

/** Country that a number without one belongs to. */
const FRANCE = "33";

/** A phone number as the authentication service wants it: `+` and digits. One that begins with one zero is French. */
export function internationalPhone(typed: string): string {
  const number = normalizePhone(typed) ?? "";
  return number.startsWith("+") ? number : `+${number.replace(/^0/, FRANCE)}`;
}

/** The end of a number, enough to know one's own phone by. */
export function phoneEnding(phone: string): string {
  return phone.replace(/\D/g, "").slice(-2);
}
