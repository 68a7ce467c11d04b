import type { FunctionInfo } from "@supabase/lite";
import { quoteName } from "../postgres/quote.ts";
import { valueText } from "../supabase-lite/typed-values.ts";
import { type Catalog, SCHEMA } from "./catalog.ts";
import type { Asker } from "./claims.ts";
import { AS_ASKED, asRole } from "./transaction.ts";

/** What a function answers: nothing, a value, a row, or any number of either. */
type Kind = "nothing" | "value" | "row" | "values" | "rows";

/** A call of a function, as a statement. */
export type Call = { text: string; values: (string | null)[]; kind: Kind };

/** Most rows of an answer, whatever is asked: the library's own bound. */
export const MOST_ROWS = 1_000;

/** Types whose name alone means a single character or bit, and pseudo-types: the library has its own ways with them. */
const UNCOVERED = /^(character|bit|"char"|any.*|internal|trigger|event_trigger|cstring)(\[\])?$/;

/**
 * The call that a request's named arguments mean; null where they mean no function, several, or one that takes or
 * answers what only the library knows.
 */
export function callOf(
  catalog: Catalog,
  name: string,
  args: Readonly<Record<string, unknown>>,
  role: Asker["role"],
): Call | null {
  const names = Object.keys(args);
  const [called, ...others] = (catalog.functions.get(name) ?? []).filter((candidate) =>
    takes(candidate, names),
  );
  if (!called || others.length > 0) return null;
  const kind = kindOf(called);
  const types = names.map((each) => called.arg_types[called.arg_names.indexOf(each)] ?? "");
  if (!kind || called.has_variadic || types.some((type) => UNCOVERED.test(type))) return null;
  const values = names.map((each, index) =>
    valueText(args[each], types[index] ?? "", catalog.known.custom_types),
  );
  const passed = names.map((each, index) => `${quoteName(each)} := $${index + 1}::${types[index]}`);
  const call = `${quoteName(SCHEMA)}.${quoteName(name)}(${passed.join(", ")})`;
  return { text: statementOf(call, called, kind, role), values, kind };
}

/** A function's arguments are all named, those without a default are given, and no others. */
function takes({ arg_names, arg_types, arg_defaults }: FunctionInfo, names: string[]): boolean {
  if (arg_names.length !== arg_types.length || arg_names.includes("")) return false;
  const required = arg_names.slice(0, arg_types.length - arg_defaults);
  return (
    names.every((name) => arg_names.includes(name)) &&
    required.every((name) => names.includes(name))
  );
}

function kindOf(called: FunctionInfo): Kind | null {
  const { return_typtype, return_type, return_is_setof, has_out_args } = called;
  if (return_type === "void" && !has_out_args) return return_is_setof ? null : "nothing";
  const isRow = has_out_args || return_typtype === "c" || return_type === "record";
  // Domains may stand for a type of media.
  if (!isRow && (!["b", "e", "r", "m"].includes(return_typtype) || UNCOVERED.test(return_type))) {
    return null;
  }
  // Without names for its columns a record cannot be read.
  if (return_type === "record" && !has_out_args) return null;
  if (return_is_setof) return isRow ? "rows" : "values";
  return isRow ? "row" : "value";
}

/** What a function says of the answer beside its value, once it has run. */
const RESPONSE = `current_setting('response.status', true) as status,
  current_setting('response.headers', true) as headers`;

function statementOf(
  call: string,
  { return_type }: FunctionInfo,
  kind: Kind,
  role: Asker["role"],
): string {
  const guard = asRole(role);
  const told = `(${guard})::text as ${AS_ASKED}, ${RESPONSE}`;
  if (kind === "rows" || kind === "values") {
    const source =
      kind === "rows"
        ? `select * from ${call} as answered where ${guard} limit ${MOST_ROWS}`
        : `select ${call} as value where ${guard} limit ${MOST_ROWS}`;
    const item = kind === "rows" ? "answer.*" : "answer.value";
    return `select coalesce(json_agg(${item}), '[]')::text as body, count(*)::text as rows, ${told}
      from (${source}) answer`;
  }
  if (kind === "row") {
    return `select row_to_json(answer.*)::text as body, '1' as rows, ${told}
      from (select * from ${call} as answered where ${guard} offset 0) answer`;
  }
  const body =
    kind === "nothing"
      ? "null"
      : return_type === "json" || return_type === "jsonb"
        ? "answer.value::text"
        : "to_json(answer.value)::text";
  return `select ${body} as body, '1' as rows, ${told}
    from (select ${call} as value where ${guard} offset 0) answer`;
}
