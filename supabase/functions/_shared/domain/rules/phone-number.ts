/** A French number in its international form: nine digits after the country, whose trunk zero is not dialled. */
const FRENCH_ABROAD = /^330*([1-9]\d{8})$/;

/** A French number as one dials it in France. */
const FRENCH_AT_HOME = /^0([1-9]\d{8})$/;

/** A French number in its one spelling. */
const FRENCH = /^\+33([1-9]\d{8})$/;

/** Spellings with as many digits as numbers have: nine behind France's 33, elsewhere 7 to 15 (E.164), and none whose country is open. */
const WHOLE = /^(\+33[1-9]\d{8}|\+(?!33)[1-9]\d{6,14}|[1-9]\d{6,14})$/;

/**
 * Whether a phone number has a digit too many or too few, or starts with 0 and is not French. A question to ask and never a refusal:
 * the specification takes it (section 5).
 */
export function isOddPhone(text: string): boolean {
  return !WHOLE.test(normalizePhone(text) ?? "");
}

/**
 * One spelling of a phone number, to recognise a person: `+` and digits where the country is known, else its digits; null
 * without a digit. `+33`, `0033` and `33` are France, and so are ten digits that start with one zero; « (0) » after a country
 * is not dialled. `private.normalize_phone` says the same in SQL, and a test compares the two.
 */
export function normalizePhone(text: string): string | null {
  const trunk = /^ *\( *0 *\)/.test(text) ? "0" : "";
  const digits = text.replace(/\( *0 *\)/g, trunk).replace(/[^0-9]/g, "");
  const isInternational = /^[ (]*\+/.test(text) || digits.startsWith("00");
  // No country code starts with 0: leading zeros are the prefix dialled instead of the plus.
  const number = isInternational ? digits.replace(/^0+/, "") : digits;
  const [, french] = FRENCH_ABROAD.exec(number) ?? FRENCH_AT_HOME.exec(number) ?? [];
  if (french !== undefined) return `+33${french}`;
  if (number === "") return null;
  return isInternational ? `+${number}` : number;
}

/**
 * A phone number as one dials it in France, `06 12 34 56 78` or `00 32475123456`; as it was typed where its country is unknown.
 * Spreadsheets take it for a text: without the spaces they drop its first zeros, and a plus begins a formula.
 */
export function phoneToDial(text: string): string {
  const number = normalizePhone(text);
  if (!number?.startsWith("+")) return text;
  const [, french] = FRENCH.exec(number) ?? [];
  return french === undefined
    ? `00 ${number.slice(1)}`
    : `0${french}`.replace(/\d\d(?=\d)/g, "$& ");
}
