import type { FunctionInfo } from "@supabase/lite";
import { quoteName } from "../postgres/quote.ts";
import { refusalResponse } from "../supabase-lite/refusals.ts";
import { valueText } from "../supabase-lite/typed-values.ts";
import { type Catalog, SCHEMA } from "./catalog.ts";
import type { Asker } from "./claims.ts";
import { AS_ASKED, asRole } from "./transaction.ts";

/** Shape of a function's result: nothing, a value, a row, or any number of either. */
export type Kind = "nothing" | "value" | "row" | "values" | "rows";

/** A call of a function, as a statement. */
export type Call = { text: string; values: (string | null)[]; kind: Kind };

/** Most rows of an answer, whatever is asked: the library's own bound. */
export const MAX_ROWS = 1_000;

/** Types whose name alone means a single character or bit, and pseudo-types: the library has its own ways with them. */
const UNCOVERED = /^(character|bit|"char"|any.*|internal|trigger|event_trigger|cstring)(\[\])?$/;

/**
 * Arguments that a request gives a function by name: values of JSON, or texts of an address as they
 * are. An empty name is that of an argument without one.
 */
export type Given =
  | { values: Readonly<Record<string, unknown>>; isText: false }
  | { values: Readonly<Record<string, string>>; isText: true };

/**
 * The call that a request's arguments mean, or the refusal of one that means several functions; null where they mean none
 * that takes them by name, or one that takes or answers what only the library knows.
 */
export function callOf(
  catalog: Catalog,
  name: string,
  given: Given,
  { role, isCounted, isBounded }: { role: Asker["role"]; isCounted: boolean; isBounded: boolean },
): Call | Response | null {
  const names = Object.keys(given.values);
  const candidates = takers(catalog.functions.get(name) ?? [], names);
  const [called, ...others] = candidates;
  if (!called) return null;
  if (others.length > 0) return ambiguous(name, candidates);
  const kind = kindOf(called);
  const known = argumentNames(called);
  const types = names.map((each) => called.arg_types[known.indexOf(each)] ?? "");
  if (!kind || called.has_variadic || types.some((type) => UNCOVERED.test(type))) return null;
  if (isBounded && !called.return_is_setof) return noRows();
  const values = names.map((each, index) =>
    given.isText
      ? (given.values[each] ?? null)
      : valueText(given.values[each], types[index] ?? "", catalog.composites),
  );
  const passed = names.map(
    (each, index) => `${each === "" ? "" : `${quoteName(each)} := `}$${index + 1}::${types[index]}`,
  );
  const call = `${quoteName(SCHEMA)}.${quoteName(name)}(${passed.join(", ")})`;
  return {
    text: statementOf(call, called, { kind, role, isCounted: isCounted || isBounded }),
    values,
    kind,
  };
}

/** The refusal of a number of rows for a function that answers one value. */
function noRows(): Response {
  return refusalResponse(400, {
    code: "PGRST128",
    message:
      "Function must return SETOF or TABLE when max-affected preference is used with handling=strict",
    details: null,
    hint: null,
  });
}

function kindOf(called: FunctionInfo): Kind | null {
  const { return_typtype, return_type, return_is_setof, has_out_args } = called;
  if (return_type === "void" && !has_out_args) return return_is_setof ? null : "nothing";
  const isRow = has_out_args || return_typtype === "c" || return_type === "record";
  // Domains may represent a media type.
  if (!isRow && (!["b", "e", "r", "m"].includes(return_typtype) || UNCOVERED.test(return_type))) {
    return null;
  }
  // Without names for its columns a record cannot be read.
  if (return_type === "record" && !has_out_args) return null;
  if (return_is_setof) return isRow ? "rows" : "values";
  return isRow ? "row" : "value";
}

/** Settings by which a function describes the answer beside its value, once it has run. */
const RESPONSE = `current_setting('response.status', true) as status,
  current_setting('response.headers', true) as headers`;

function statementOf(
  call: string,
  { return_type }: FunctionInfo,
  { kind, role, isCounted }: { kind: Kind; role: Asker["role"]; isCounted: boolean },
): string {
  const guard = asRole(role);
  const told = `(${guard})::text as ${AS_ASKED}, ${RESPONSE}`;
  if (kind === "rows" || kind === "values") {
    const source =
      kind === "rows"
        ? `select * from ${call} as answered where ${guard}`
        : `select ${call} as value where ${guard}`;
    const item = kind === "rows" ? "answer.*" : "answer.value";
    const body = `coalesce(json_agg(${item}), '[]')::text as body, count(*)::text as rows`;
    // Counted or not, the function runs once.
    return isCounted
      ? `with whole as materialized (${source})
        select ${body}, (select count(*) from whole)::text as total, ${told}
        from (select * from whole limit ${MAX_ROWS}) answer`
      : `select ${body}, ${told} from (${source} limit ${MAX_ROWS}) answer`;
  }
  if (kind === "row") {
    return `select row_to_json(answer.*)::text as body, '1' as rows, '1' as total, ${told}
      from (select * from ${call} as answered where ${guard} offset 0) answer`;
  }
  const body =
    kind === "nothing"
      ? "null"
      : return_type === "json" || return_type === "jsonb"
        ? "answer.value::text"
        : "to_json(answer.value)::text";
  return `select ${body} as body, '1' as rows, '1' as total, ${told}
    from (select ${call} as value where ${guard} offset 0) answer`;
}

/** Names of a function's arguments; empty for the one that has none. */
function argumentNames({ arg_names, arg_types }: FunctionInfo): string[] {
  return arg_types.map((_, index) => arg_names[index] ?? "");
}

/** Functions of a name that take arguments of these names: all those without a default, and no others. */
function takers(
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
function ambiguous(name: string, candidates: readonly FunctionInfo[]): Response {
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
