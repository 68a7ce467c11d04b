import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { isEmailAddress } from "#domain/rules/email-address.ts";
import { type OperatorFile, operatorFile } from "#domain/schemas/operator.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";

const emailAddress = z._default(z.nullable(z.string().check(z.refine(isEmailAddress))), null);

/**
 * Schema of the operator's file; pages, which read the same from the server, leave addresses
 * unjudged.
 */
const checkedFile = z.extend(operatorFile, {
  contact_email: emailAddress,
  dpo_email: emailAddress,
});

/** Reads the file in which the operator says who they are; without one, every field is empty. */
export function readOperator(file: string | null): OperatorFile {
  if (file === null) return operatorFile.parse({});
  try {
    return checkedFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT";
    throw new StartupError(isMissing ? "operator_file_missing" : "invalid_operator_file", { file });
  }
}
