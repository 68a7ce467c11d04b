import * as z from "zod/mini";
import { VISIBLE } from "../text/seen-text.ts";
import {
  EMAIL_MAX_LENGTH,
  FEEDBACK_MAX_LENGTH,
  FEEDBACK_MIN_LENGTH,
  NAME_MAX_LENGTH,
  PHONE_MAX_LENGTH,
  PLAYER_NAME_MIN_LENGTH,
} from "./constants.ts";
import { contactCopy } from "./contact.copy.ts";
import { isEmailAddress } from "./email-address.ts";

/** Digits, spaces, hyphens, plus and parentheses only (specification, section 5). */
const PHONE_CHARACTERS = /^[\d\s\-+()]+$/;

/** Fewest characters of a phone number once its spaces are gone (specification, section 5). */
const PHONE_MIN_LENGTH = 10;

function isPhone(value: string): boolean {
  return (
    PHONE_CHARACTERS.test(value) &&
    /\d/.test(value) &&
    value.replace(/\s/g, "").length >= PHONE_MIN_LENGTH
  );
}

/** Marks of direction and unusual spaces, which lists of contacts copy along with a number. */
const pasted = z.overwrite((text: string) => text.replace(/\p{Cf}/gu, "").replace(/\s/g, " "));

function requiredText(message: string) {
  return z
    .string({ error: message })
    .check(z.trim(), z.regex(VISIBLE, message), z.maxLength(NAME_MAX_LENGTH, contactCopy.tooLong));
}

/** A first name: not blank, trimmed. */
export const firstName = requiredText(contactCopy.firstNameRequired);

/** A last name: not blank, trimmed. */
export const lastName = requiredText(contactCopy.lastNameRequired);

/** An e-mail address: not blank, address-shaped (`isEmailAddress`), trimmed. Its length is judged first, and alone. */
export const email = z
  .string({ error: contactCopy.emailRequired })
  .check(
    pasted,
    z.trim(),
    z.minLength(1, { error: contactCopy.emailRequired, abort: true }),
    z.maxLength(EMAIL_MAX_LENGTH, { error: contactCopy.tooLong, abort: true }),
    z.refine(isEmailAddress, contactCopy.emailInvalid),
  );

/**
 * A phone number as people type or paste it: not blank, at least 10 of the allowed characters. Every
 * kind of space becomes a plain one: which of the others are spaces, databases do not agree on.
 */
export const phone = z
  .string({ error: contactCopy.phoneRequired })
  .check(
    pasted,
    z.trim(),
    z.minLength(1, { error: contactCopy.phoneRequired, abort: true }),
    z.maxLength(PHONE_MAX_LENGTH, contactCopy.tooLong),
    z.refine(isPhone, contactCopy.phoneInvalid),
  );

/** The name asked on the wheel page: at least 2 characters after trimming. */
export const playerName = z
  .string({ error: contactCopy.nameTooShort })
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: contactCopy.nameTooShort, abort: true }),
    z.minLength(PLAYER_NAME_MIN_LENGTH, contactCopy.nameTooShort),
    z.maxLength(NAME_MAX_LENGTH, contactCopy.tooLong),
  );

/** Private feedback: at least 20 characters after trimming. Only visible characters count when it is stored (`cleanText`). */
export const feedback = z
  .string({ error: contactCopy.feedbackTooShort })
  .check(
    z.trim(),
    z.minLength(FEEDBACK_MIN_LENGTH, contactCopy.feedbackTooShort),
    z.maxLength(FEEDBACK_MAX_LENGTH, contactCopy.tooLong),
  );

/** How many characters are missing before feedback may be sent (0 when it may). */
export function feedbackMissing(text: string): number {
  return Math.max(0, FEEDBACK_MIN_LENGTH - [...text.trim()].length);
}
