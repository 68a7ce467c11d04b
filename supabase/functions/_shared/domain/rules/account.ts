import * as z from "zod/mini";
import { accountCopy } from "./account.copy.ts";

/** Fewest characters of a password (specification, section 5); those of everybody are refused besides. */
export const PASSWORD_MIN_LENGTH = 6;

/** Most bytes of a password in UTF-8: bcrypt reads no more. */
export const PASSWORD_MAX_BYTES = 72;

/** A new password, as typed: its spaces count. `required` is said where there is none. */
export function newPassword(required: string) {
  return z.string().check(
    z.minLength(1, { error: required, abort: true }),
    z.refine((text) => [...text].length >= PASSWORD_MIN_LENGTH, accountCopy.passwordTooShort),
    z.refine(
      (text) => new TextEncoder().encode(text).length <= PASSWORD_MAX_BYTES,
      accountCopy.passwordTooLong,
    ),
  );
}

/** A new password typed twice (specification, section 5). */
export function newPasswordTwice(required: string) {
  return z
    .object({
      password: newPassword(required),
      confirmation: z.string().check(z.minLength(1, required)),
    })
    .check(
      z.refine(({ password, confirmation }) => !confirmation || password === confirmation, {
        error: accountCopy.passwordsDiffer,
        path: ["confirmation"],
      }),
    );
}
