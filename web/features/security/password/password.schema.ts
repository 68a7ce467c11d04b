import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import * as z from "zod/mini";
import { newPasswordTwice } from "#domain/rules/account.ts";
import { securityCopy } from "../security.copy.ts";

const copy = securityCopy.password;

/** Fields of a change of password; `nonce` is the code that the platform sends when it doubts. */
export type PasswordValues = {
  current: string;
  password: string;
  confirmation: string;
  nonce: string;
};

/** Checks the form, with the fields that are asked for. */
export function passwordResolver(hasPassword: boolean, isCodeNeeded: boolean) {
  const present = (message: string) => z.string().check(z.minLength(1, message));
  const proofs = z.object({
    current: hasPassword ? present(copy.required) : z.string(),
    nonce: isCodeNeeded ? present(copy.nonceRequired) : z.string(),
  });
  return standardSchemaResolver(z.intersection(proofs, newPasswordTwice(copy.required)));
}
