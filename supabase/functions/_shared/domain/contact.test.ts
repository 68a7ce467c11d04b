import { expect, it } from "vitest";
import { EMAIL_MAX_LENGTH } from "./constants.ts";
import { contactCopy } from "./contact.copy.ts";
import { email } from "./contact.ts";

/** A text on which a search for the shape of an address begins anew at every sign. */
const hostile = (length: number) => `a@${".".repeat(length - 3)}@`;

it.each([
  ["of the longest length", hostile(EMAIL_MAX_LENGTH), [contactCopy.emailInvalid]],
  // Its shape is not looked at any more: that would keep the whole server busy for seconds.
  ["one sign longer", hostile(EMAIL_MAX_LENGTH + 1), [contactCopy.tooLong]],
  ["as long as a body may be", hostile(65_000), [contactCopy.tooLong]],
])("says of an address %s what is wrong with it", (_, text, messages) => {
  expect(email.safeParse(text).error?.issues.map(({ message }) => message)).toEqual(messages);
});
