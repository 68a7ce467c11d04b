import type { FunctionInfo } from "@supabase/lite";
import { refusalResponse } from "../supabase-lite/refusals.ts";
import { SCHEMA } from "./catalog.ts";

/** Names of a function's arguments; empty for the one that has none. */
export function argumentNames({ arg_names, arg_types }: FunctionInfo): string[] {
  return arg_types.map((_, index) => arg_names[index] ?? "");
}

/** Functions of a name that take arguments of these names: all those without a default, and no others. */
export function takers(
  candidates: readonly FunctionInfo[],
  names: readonly string[],
): readonly FunctionInfo[] {
  return candidates.filter((candidate) => {
    const known = argumentNames(candidate);
    const required = known.slice(0, known.length - candidate.arg_defaults);
    return (
      names.every((name) => known.includes(name)) && required.every((name) => names.includes(name))
    );
  });
}

/** The refusal of a call that several functions of a name could mean, which it lists by their arguments. */
export function ambiguous(name: string, candidates: readonly FunctionInfo[]): Response {
  const signatures = candidates
    .map((candidate) =>
      argumentNames(candidate).map((each, index) => `${each} => ${candidate.arg_types[index]}`),
    )
    .sort((one, other) => one.length - other.length || (one.join() < other.join() ? -1 : 1))
    .map((parts) => `${SCHEMA}.${name}(${parts.join(", ")})`);
  return refusalResponse(300, {
    code: "PGRST203",
    message: `Could not choose the best candidate function between: ${signatures.join(", ")}`,
    details: null,
    hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  });
}
