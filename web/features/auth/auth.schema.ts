import * as z from "zod/mini";
import { newPassword, newPasswordTwice } from "#domain/rules/account.ts";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { contactCopy } from "#domain/rules/contact.copy.ts";
import { email, phone } from "#domain/rules/contact.ts";
import { authCopy } from "./auth.copy.ts";

const { rules, reset, forgot } = authCopy;

/** The password goes as typed: its spaces count. */
const anyPassword = z.string().check(z.minLength(1, rules.requiredFields));
const fullName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, rules.fullNameRequired),
    z.maxLength(NAME_MAX_LENGTH, contactCopy.tooLong),
  );

/** Values that the two tabs and the two ways share: switching between them loses no text. */
export type Credentials = { fullName: string; email: string; phone: string; password: string };

/** `signin` or `signup`. */
export type Mode = "signin" | "signup";

/** Identifier of an account. */
export type Method = "email" | "phone";

const typed = z.string();

/** Fields that each tab demands, by the way in. */
export const credentialsSchemas = {
  signin: {
    email: z.object({ fullName: typed, email, phone: typed, password: anyPassword }),
    phone: z.object({ fullName: typed, email: typed, phone, password: anyPassword }),
  },
  signup: {
    email: z.object({ fullName, email, phone: typed, password: newPassword(rules.requiredFields) }),
    phone: z.object({ fullName, email: typed, phone, password: newPassword(rules.requiredFields) }),
  },
} as const;

/** Values that confirm a sign-up in another browser than its own. */
export const confirmSchema = z.object({ fullName, password: newPassword(rules.requiredFields) });

/** Asking for a link to choose a new password. */
export const forgotSchema = z.object({
  email: z.pipe(
    z.string().check(z.trim(), z.minLength(1, { error: forgot.emailRequired, abort: true })),
    email,
  ),
});

/** Choosing it. */
export const resetSchema = newPasswordTwice(reset.fieldsRequired);
