import { readFileSync } from "node:fs";
import { type Operator, operator, unknownOperator } from "#domain/operator.ts";
import { errorCode } from "../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "./startup-error.ts";

/** Reads the file in which the operator says who they are; without one, nobody has said anything. */
export function readOperator(file: string | null): Operator {
  if (file === null) return unknownOperator;
  try {
    return operator.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT";
    throw new StartupError(isMissing ? "operator_file_missing" : "invalid_operator_file", { file });
  }
}
