import type { FunctionInfo } from "@supabase/lite";

/** Types of the one argument without a name that a request can give: its body, or what it gives no name to. */
const UNNAMED = new Set(["json", "jsonb", "text", "xml", "bytea"]);

/** Return types of trigger functions, which no request calls. */
const OF_TRIGGERS = new Set(["trigger", "event_trigger"]);

/**
 * Whether requests can call a function at all, by PostgREST's rule: its arguments have names, or it has a single one
 * without. All others it does not know.
 */
export function isCallable({ arg_names, arg_types, return_type }: FunctionInfo): boolean {
  if (OF_TRIGGERS.has(return_type)) return false;
  const named = arg_names.filter((name) => name !== "").length;
  if (named === arg_types.length) return true;
  return arg_types.length === 1 && UNNAMED.has(arg_types[0] ?? "");
}
