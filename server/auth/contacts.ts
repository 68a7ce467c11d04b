import { EMAIL_MAX_LENGTH } from "#domain/rules/constants.ts";
import { isEmailAddress } from "#domain/rules/email-address.ts";
import { invalid } from "./errors.ts";

/** An e-mail address as accounts keep it: in lower case. */
export function readEmail(text: string): string {
  const email = text.trim();
  if (email === "") throw invalid("An email address is required");
  if (email.length > EMAIL_MAX_LENGTH) throw invalid("An email address is too long");
  // As it was typed: some letters outside ASCII have a small form within it.
  if (!isEmailAddress(email)) throw invalid("Unable to validate email address: invalid format");
  return email.toLowerCase();
}

/** A phone number as accounts keep it: the digits of its international form. */
export function readPhone(text: string): string {
  const phone = text.replace(/^\s*\+/, "").replaceAll(" ", "");
  if (!/^[1-9][0-9]{1,14}$/.test(phone)) {
    throw invalid("Invalid phone number format (E.164 required)");
  }
  return phone;
}
