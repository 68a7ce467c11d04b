import { expect, it } from "vitest";
import { EMAIL_MAX_LENGTH } from "./constants.ts";
import { contactCopy } from "./contact.copy.ts";
import { email, firstName, lastName, phone, playerName } from "./contact.ts";

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

it.each([
  ["a first name", firstName, contactCopy.firstNameRequired],
  ["a last name", lastName, contactCopy.lastNameRequired],
  ["an address", email, contactCopy.emailRequired],
  ["a phone number", phone, contactCopy.phoneRequired],
  ["a player's name", playerName, contactCopy.nameTooShort],
])("asks in French for %s that is missing", (_, schema, message) => {
  for (const missing of [undefined, null, 33612345678]) {
    expect(schema.safeParse(missing).error?.issues.map((issue) => issue.message)).toEqual([
      message,
    ]);
  }
});

const UNSEEN = [
  "",
  "  ",
  "\u00a0",
  "\u3000",
  "\u200b",
  "\u2060\u200b",
  " \u200d \ufeff\u00ad",
  "\u0007",
  "\ufe0f\u034f",
  "\u3164\u2800",
];

it("takes an address and a number as a list of contacts gives them", () => {
  expect(phone.parse("\u202a06\u00a012 34 56 78\u202c")).toBe("06 12 34 56 78");
  expect(email.parse("\u200bmarie@exemple.fr\u2069 ")).toBe("marie@exemple.fr");
});

it.each([
  ["a first name", firstName, contactCopy.firstNameRequired],
  ["a last name", lastName, contactCopy.lastNameRequired],
  ["a player's name", playerName, contactCopy.nameTooShort],
])("asks for %s that one can see", (_, schema, message) => {
  for (const text of UNSEEN) {
    expect(schema.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  }
  for (const name of ["Zoé", " 小明\u00a0", "علي", "ن\u200cم"]) {
    expect(schema.safeParse(name).data).toBe(name.trim());
  }
});
