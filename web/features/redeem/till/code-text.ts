import { CODE_MAX_LENGTH } from "#domain/rules/constants.ts";

/** QR codes of other things that carry no address: Wi-Fi, visiting cards, phones, places. */
const OTHER_THINGS = /:\/\/|^(?:wifi|begin|mecard|mailto|tel|sms|smsto|geo):/i;

/**
 * The code as it is sent, freed of what a paste or a scanner adds unseen. Case, spaces and dashes
 * stay as typed: they do not matter to the server, which alone decides what a code is.
 */
export function cleanCode(typed: string): string {
  // Invisible characters first: they may be between two spaces, or between a letter and its accent.
  const code = typed
    .replace(/(?!\s)[\p{Cf}\p{Cc}]/gu, "")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();
  return code.slice(0, CODE_MAX_LENGTH).trim();
}

/** Whether a cleaned text has nothing in it that identifies a code. */
export function isBlankCode(code: string): boolean {
  return !/[A-Za-z0-9]/.test(code);
}

/** The code in a QR code that the camera read, or `null` where it is plainly something else. */
export function codeFromScan(text: string): string | null {
  const isOther = text.trim().length > CODE_MAX_LENGTH || OTHER_THINGS.test(text.trim());
  const code = cleanCode(text);
  return isOther || isBlankCode(code) ? null : code;
}
