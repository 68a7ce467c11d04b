import type { FunctionInfo, IntrospectResult } from "@supabase/lite";
import { isCallable } from "../supabase-lite/callable.ts";
import { type Composites, columnType, compositesOf } from "../supabase-lite/composite-types.ts";
import { grouped } from "../supabase-lite/grouped.ts";

/** The only schema whose tables and functions the data API offers. */
export const SCHEMA = "public";

/** Catalog of the database as the library has read it, arranged for looking things up. */
export type Catalog = {
  /** Fields of rows and of other composite types. */
  composites: Composites;
  /** Functions by their name: those that a request can reach at all. */
  functions: ReadonlyMap<string, readonly FunctionInfo[]>;
  /** Tables and views by their name. */
  tables: ReadonlyMap<string, Table>;
};

/** A table or a view, with the columns that the API may know of. */
export type Table = {
  name: string;
  isView: boolean;
  columns: ReadonlyMap<string, Column>;
  /** Columns of its primary key; empty where it has none. */
  key: readonly string[];
};

/** A column of a table. */
export type Column = {
  name: string;
  /** Its type as the catalog names it; those of arrays begin with an underscore. */
  type: string;
  typeSchema: string;
  /** The same as values are written of it (`typed-values.ts`). */
  written: string;
  isGenerated: boolean;
};

const arranged = new WeakMap<IntrospectResult, Catalog>();

/** The catalog as the library has it: both know the same tables and functions at any time. */
export function arrange(known: IntrospectResult): Catalog {
  const existing = arranged.get(known);
  if (existing) return existing;
  const catalog = {
    composites: compositesOf(known),
    functions: grouped(
      (known.functions ?? []).filter((each) => each.schema === SCHEMA && isCallable(each)),
      ({ name }) => name,
    ),
    tables: tablesOf(known),
  };
  arranged.set(known, catalog);
  return catalog;
}

function tablesOf({ tables, views, columns, primary_keys }: IntrospectResult): Map<string, Table> {
  const columnsOf = grouped(
    columns.filter(({ schema }) => schema === SCHEMA),
    ({ table }) => table,
  );
  const keys = new Map(
    primary_keys
      .filter(({ schema }) => schema === SCHEMA)
      .map((key) => [key.table, key.columns] as const),
  );
  const named = (kind: readonly { name: string; schema: string }[], isView: boolean) =>
    kind
      .filter(({ schema }) => schema === SCHEMA)
      .map(({ name }): [string, Table] => {
        const known = (columnsOf.get(name) ?? []).flatMap(readColumn);
        const byName = new Map(known.map((each) => [each.name, each]));
        return [name, { name, isView, columns: byName, key: keys.get(name) ?? [] }];
      });
  return new Map([...named(tables, false), ...named(views, true)]);
}

/** A column; none where its type is not known. */
function readColumn(column: IntrospectResult["columns"][number]): Column[] {
  const { name, pg_type: type, udt_schema: typeSchema, is_generated } = column;
  if (type === undefined || typeSchema === undefined) return [];
  const isGenerated = is_generated === true || column.is_identity;
  return [{ name, type, typeSchema, written: columnType(column), isGenerated }];
}
