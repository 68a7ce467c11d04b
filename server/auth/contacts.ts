import { invalid } from "./errors.ts";

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const LONGEST_EMAIL = 255;

/** An e-mail address as accounts keep it: in lower case. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === "") throw invalid("An email address is required");
  if (email.length > LONGEST_EMAIL) throw invalid("An email address is too long");
  if (!EMAIL.test(email)) throw invalid("Unable to validate email address: invalid format");
  return email;
}

/** A phone number as accounts keep it: the digits of its international form. */
export function readPhone(text: string): string {
  const phone = text.replace(/^\s*\+/, "").replaceAll(" ", "");
  if (!/^[1-9][0-9]{1,14}$/.test(phone)) {
    throw invalid("Invalid phone number format (E.164 required)");
  }
  return phone;
}
