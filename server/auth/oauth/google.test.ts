import { expect, it } from "vitest";
import { AuthError } from "../errors.ts";
import { readProfile } from "./google.ts";

it.each([
  ["nobody", { email: "zoe@exemple.fr" }],
  ["an empty subject", { sub: "" }],
  ["an address that is none", { sub: "1", email: 7 }],
  ["nothing", null],
])("claims of %s are no profile", (_, claims) => {
  expect(() => readProfile("https://accounts.google.com", claims)).toThrow(AuthError);
});

it("claims of a person are their profile, with what is too long left out", () => {
  const claims = {
    sub: "1",
    email: " Zoe@Exemple.fr ",
    email_verified: "true",
    name: "x".repeat(301),
  };
  expect(readProfile("https://accounts.google.com", claims)).toEqual({
    issuer: "https://accounts.google.com",
    subject: "1",
    email: "zoe@exemple.fr",
    isVerified: true,
    name: null,
    picture: null,
  });
});
