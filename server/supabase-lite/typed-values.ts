import type { AnyAST, IntrospectResult } from "@supabase/lite";
import { type Composites, columnType, compositesOf } from "./composite-types.ts";
import { arrayLiteral, type Item, rowLiteral } from "./literals.ts";
import { textsIn } from "./operands.ts";

/** Catalog of the database, as Supabase Lite has read it and as far as values are concerned. */
type Catalog = Pick<IntrospectResult, "columns" | "custom_types" | "functions" | "default_schema">;

/** The part of a connection that sees each request before a statement is made of it. */
type Connection = {
  introspect(options?: { useCache?: boolean }): Promise<IntrospectResult>;
  onPostgrestAST(ast: AnyAST): Promise<AnyAST>;
};

/**
 * Makes of each value that a request sends the text that PostgreSQL reads as a value of the type of its argument or
 * column: what `json_to_record`, by which PostgREST reads a body, would make of it. With the library and the driver
 * alone, an object sent as `jsonb` arrives as a text, and `true` cannot be stored in a text column. A number sent as a
 * timestamp fails in the driver instead of being refused.
 */
export function typeValues(connection: Connection): void {
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  Object.defineProperty(connection, "onPostgrestAST", {
    // `readRelations` wraps this method later, so that it runs before it.
    configurable: true,
    value: async (ast: AnyAST) => {
      const catalog = await connection.introspect({ useCache: true });
      // (A body's arguments are JSON, in which no word stands for another.)
      if (ast.httpMethod === "GET" && isNamed(ast.args)) ast.args = textsIn(ast.args);
      if (isNamed(ast.args)) ast.args = typedArguments(ast, ast.args, catalog);
      if (ast.values) ast.values = typedRows(ast, ast.values, catalog);
      readTexts(ast);
      return onPostgrestAST(ast);
    },
  });
}

/** Gives the filters of a resource, and of what is embedded in it, the texts that stand in the address. */
function readTexts(resource: Pick<AnyAST, "where" | "select">): void {
  if (resource.where) resource.where = textsIn(resource.where);
  for (const entry of resource.select ?? []) {
    if (typeof entry === "string") continue;
    for (const embedded of Object.values(entry)) if ("select" in embedded) readTexts(embedded);
  }
}

function isNamed(args: unknown): args is Readonly<Record<string, unknown>> {
  return isObject(args) && !("_raw" in args);
}

/** Arguments by their names, in an address the last text of each; those of a function of which nothing is known, or several things, stay as they are. */
function typedArguments(
  ast: AnyAST,
  args: Readonly<Record<string, unknown>>,
  catalog: Catalog,
): Record<string, unknown> {
  const schema = ast.schema ?? catalog.default_schema ?? "public";
  const names = Object.keys(args);
  const [called, ...others] = (catalog.functions ?? []).filter(
    (candidate) =>
      candidate.schema === schema &&
      candidate.name === ast.function &&
      !candidate.has_variadic &&
      names.every((name) => candidate.arg_names.includes(name)),
  );
  if (!called || others.length > 0) return { ...args };
  if (ast.httpMethod === "GET") {
    return Object.fromEntries(
      Object.entries(args).map(([name, text]) => [name, Array.isArray(text) ? text.at(-1) : text]),
    );
  }
  const typeOf = (name: string) => called.arg_types[called.arg_names.indexOf(name)] ?? "";
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      valueText(value, typeOf(name), compositesOf(catalog)),
    ]),
  );
}

/** Rows to be stored, by the types of their columns. */
function typedRows(ast: AnyAST, rows: object | object[], catalog: Catalog): object | object[] {
  const schema = ast.schema ?? catalog.default_schema ?? "public";
  const types = new Map(
    catalog.columns
      .filter((column) => column.table === ast.from && column.schema === schema)
      .map((column) => [column.name, columnType(column)]),
  );
  const composites = compositesOf(catalog);
  const typed = (row: unknown) =>
    isObject(row)
      ? Object.fromEntries(
          Object.entries(row).map(([name, value]) => {
            const type = types.get(name);
            return [name, type === undefined ? value : asColumn(value, type, composites)];
          }),
        )
      : row;
  return Array.isArray(rows) ? rows.map((row) => Object(typed(row))) : Object(typed(rows));
}

/** A value of a column. The library reads JSON out of what it takes for the text of some: such texts are wrapped once more. */
function asColumn(value: unknown, type: string, composites: Composites): string | null {
  const text = valueText(value, type, composites);
  return text !== null && isJson(type) ? JSON.stringify(text) : text;
}

function isJson(type: string): boolean {
  return type === "json" || type === "jsonb";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text of a value of JSON as a value of a type of PostgreSQL. */
export function valueText(value: unknown, type: string, composites: Composites): string | null {
  if (value === null || value === undefined) return null;
  if (isJson(type)) return JSON.stringify(value);
  if (typeof value === "string") return value;
  if (Array.isArray(value) && type.endsWith("[]")) {
    return arrayLiteral(asItems(value, type.slice(0, -"[]".length), composites));
  }
  const fields = isObject(value) ? composites.get(type) : undefined;
  if (!fields || !isObject(value)) return JSON.stringify(value);
  return rowLiteral(fields.map((field) => valueText(value[field.name], field.type, composites)));
}

/** Items of an array: one within another is its next dimension, unless it is a value of JSON. */
function asItems(values: readonly unknown[], type: string, composites: Composites): Item[] {
  return values.map((value) =>
    Array.isArray(value) && !isJson(type)
      ? asItems(value, type, composites)
      : valueText(value, type, composites),
  );
}
