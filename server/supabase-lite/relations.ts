import type { AnyAST, FunctionInfo, IntrospectResult } from "@supabase/lite";
import { isCallable } from "./callable.ts";
import { compositesOf } from "./composite-types.ts";
import { refuseMixedTrees } from "./embedded-conditions.ts";
import { type ReportedFailure, worded } from "./refusals.ts";

/** Connection of Supabase Lite, from which the data API learns how tables belong together. */
type Connection = {
  introspect(options?: { useCache?: boolean }): Promise<IntrospectResult>;
  onPostgrestAST(ast: AnyAST): Promise<AnyAST>;
};

type ForeignKey = IntrospectResult["foreign_keys"][number];
type Joins = NonNullable<AnyAST["join"]>;
/** A resource and what is embedded in it. */
type Resource = Pick<AnyAST, "select" | "join">;

/**
 * Lets `select=*,stores(name)` find its way as it does on a hosted project. Our foreign keys lead with the organisation
 * (`(org_id, store_id)`), and Supabase Lite reads such keys differently from PostgREST: named as a hint they join by
 * `org_id` alone. Every table with two of them passes for a junction, so that a plain reference is « ambiguous ».
 */
export function readRelations(connection: Connection): void {
  const introspect = connection.introspect.bind(connection);
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  const read = new WeakMap<IntrospectResult, IntrospectResult>();
  const known = async (options?: { useCache?: boolean }) => {
    const catalog = await introspect(options);
    const relations = read.get(catalog) ?? withOwnRelations(catalog);
    read.set(catalog, relations);
    return relations;
  };
  Object.defineProperty(connection, "introspect", { value: known });
  Object.defineProperty(connection, "onPostgrestAST", {
    value: async (ast: AnyAST) => {
      const catalog = await known({ useCache: true });
      const columns = catalog.columns.filter(({ table }) => table === ast.from);
      refuseMixedTrees(ast, new Set(columns.map(({ name }) => name)));
      if (ast.from) nameReferences(ast.from, ast, catalog);
      return onPostgrestAST(ast);
    },
  });
}

/** Schemas of the data API and of the storage. Tables of another one may have the same names, which the library mixes up. */
const OFFERED: ReadonlySet<string> = new Set(["public", "storage"]);

function withOwnRelations(catalog: IntrospectResult): IntrospectResult {
  const isOffered = ({ schema }: { schema: string }) => OFFERED.has(schema);
  const composites = compositesOf(catalog);
  // A function of a row is a column, or a relation, of its table.
  const isOfRow = ({ arg_types }: FunctionInfo) =>
    arg_types.length === 1 && composites.has(arg_types[0] ?? "");
  return {
    ...catalog,
    tables: catalog.tables.filter(isOffered),
    views: catalog.views.filter(isOffered),
    columns: catalog.columns.filter(isOffered),
    foreign_keys: tellingColumns(catalog.foreign_keys).filter(isOffered),
    functions: (catalog.functions ?? []).filter(
      (each) => isOffered(each) && (isCallable(each) || isOfRow(each)),
    ),
    // Of an index it knows the columns, not the expressions and conditions: constraints alone say what is unique.
    indexes: catalog.indexes.map((index) => ({ ...index, unique: false })),
  };
}

/** Of each foreign key its last column: an identifier, which identifies one row whatever columns precede it. */
function tellingColumns(keys: readonly ForeignKey[]): ForeignKey[] {
  const groupOf = (key: ForeignKey) =>
    [key.schema, key.table, key.foreign_key_group ?? key.foreign_key_name].join(" ");
  return [...new Map(keys.map((key) => [groupOf(key), key])).values()];
}

/** Says of every resource that is embedded by its table's name which reference is meant, where there is one. */
function nameReferences(table: string, resource: Resource, catalog: IntrospectResult): void {
  const keys = catalog.foreign_keys;
  if (!resource.select) return;
  resource.select = resource.select.map((entry) => {
    if (typeof entry === "string") return entry;
    let named = entry;
    for (const [alias, embedded] of Object.entries(entry)) {
      if (!("select" in embedded)) continue;
      const join: Joins[string] = resource.join?.[alias] ?? {};
      const target = join.from ?? alias;
      const direct = keys.filter((key) => connects(key, table, target));
      if (embedded.spread && isUnrelated(table, target, catalog)) throw unrelated(table, target);
      if (direct.length > 1 && join.hint === undefined) {
        if (target === table) throw ambiguousWithin(table, direct);
        // A name of the answer's is no hint: the library would take the column of that name for one, and refuse nothing.
        named = { [target]: embedded };
        continue;
      }
      const hint = hintOf(join, target, table, keys);
      if (hint !== join.hint) resource.join = { ...resource.join, [alias]: withHint(join, hint) };
      nameReferences(target, embedded, catalog);
    }
    return named;
  });
}

/** Whether no key leads from one to the other, nor a table between them; false where that is not known. */
function isUnrelated(
  table: string,
  target: string,
  { foreign_keys: keys, tables, views, functions = [] }: IntrospectResult,
): boolean {
  const isTable = (name: string) => tables.some((each) => each.name === name);
  const isOther =
    views.some(({ name }) => name === target) ||
    functions.some(({ name }) => name === target) ||
    keys.some((key) => [key.column, key.foreign_key_name].includes(target));
  if (!isTable(table) || isOther) return false;
  const leadsTo = (to: string) =>
    new Set(keys.filter((key) => key.ref_table === to).map((key) => key.table));
  const between = leadsTo(target);
  return (
    !keys.some((key) => connects(key, table, target)) &&
    ![...leadsTo(table)].some((each) => between.has(each))
  );
}

/** The refusal of a spread of what nothing relates to its table, of which the library says that it is no single row. */
function unrelated(table: string, target: string): ReportedFailure {
  return worded(400, {
    code: "PGRST200",
    message: `Could not find a relationship between '${table}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${table}' and '${target}' in the schema 'public', but no matches were found.`,
    hint: null,
  });
}

/** The refusal of rows within their own table that several keys could mean, of which the library would take the first. */
function ambiguousWithin(table: string, keys: readonly ForeignKey[]): ReportedFailure {
  const named = keys.map(({ column }) => `'${table}!${column}'`).join(", ");
  return worded(300, {
    code: "PGRST201",
    message: `Could not embed because more than one relationship was found for '${table}' and '${table}'`,
    details: keys.map(({ foreign_key_name, column, ref_column }) => ({
      cardinality: "one-to-many",
      embedding: `${table} with ${table}`,
      relationship: `${foreign_key_name} using ${table}(${ref_column}) and ${table}(${column})`,
    })),
    hint: `Try changing '${table}' to one of the following: ${named}. Find the desired relationship in the 'details' key.`,
  });
}

/**
 * The reference that embedding means. A table within itself means the rows that refer to a row; their column is a hint
 * that says the same, and that the library would read as the row referred to.
 */
function hintOf(
  { hint }: Joins[string],
  target: string,
  table: string,
  keys: readonly ForeignKey[],
): string | undefined {
  const [direct, ...others] = keys.filter((key) => connects(key, table, target));
  if (!direct || others.length > 0) return hint;
  if (target === table) return hint === direct.column ? undefined : hint;
  return hint ?? direct.foreign_key_name;
}

function withHint({ hint: _, ...join }: Joins[string], hint: string | undefined): Joins[string] {
  return hint === undefined ? join : { ...join, hint };
}

function connects({ table, ref_table }: ForeignKey, one: string, other: string): boolean {
  return (table === one && ref_table === other) || (table === other && ref_table === one);
}
