/** Country that a number without one belongs to. */
const FRANCE = "+33";

/**
 * A phone number as the authentication service wants it: `+` and digits. A number that begins with
 * one zero is French; `00` is another way to write `+`, and « (0) » is not dialled after a country.
 */
export function internationalPhone(typed: string): string {
  const isInternational = /^\s*(\+|00)/.test(typed);
  const text = isInternational ? typed.replace(/\(\s*0\s*\)/, "") : typed;
  const digits = text.replace(/\D/g, "");
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  if (!isInternational && digits.startsWith("0")) return FRANCE + digits.slice(1);
  return `+${digits}`;
}

/** The end of a number, enough to know one's own phone by. */
export function phoneEnding(phone: string): string {
  return phone.replace(/\D/g, "").slice(-2);
}
