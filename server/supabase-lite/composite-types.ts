import type { IntrospectResult } from "@supabase/lite";
import { grouped } from "./grouped.ts";

/** Fields of the types that consist of some, by the type's name with its schema and without. */
export type Composites = ReadonlyMap<string, readonly { name: string; type: string }[]>;

const read = new WeakMap<IntrospectResult["columns"], Composites>();

/** The composite types that a catalog knows: those created explicitly, and the row of each table and view. */
export function compositesOf({
  columns,
  custom_types,
}: Pick<IntrospectResult, "columns" | "custom_types">): Composites {
  const known = read.get(columns);
  if (known) return known;
  const inOrder = [...columns].sort((one, other) => one.ordinal_position - other.ordinal_position);
  const rows = grouped(inOrder, ({ schema, table }) => `${schema}.${table}`);
  const composites = new Map<string, readonly { name: string; type: string }[]>();
  for (const { schema, type, fields } of custom_types) {
    if (fields) composites.set(`${schema}.${type}`, fields);
  }
  for (const [name, row] of rows) {
    composites.set(
      name,
      row.map((column) => ({ name: column.name, type: columnType(column) })),
    );
  }
  // Types of arguments come without the schema in which every statement looks.
  for (const [name, fields] of [...composites]) {
    const [, bare] = /^public\.(.+)$/.exec(name) ?? [];
    if (bare !== undefined) composites.set(bare, fields);
  }
  read.set(columns, composites);
  return composites;
}

/** Name of a column's type, arrays with their brackets: the catalog has them with an underscore before. */
export function columnType({
  pg_type,
  udt_schema,
  type,
}: IntrospectResult["columns"][number]): string {
  if (pg_type?.startsWith("_")) return `${pg_type.slice(1)}[]`;
  return pg_type === undefined
    ? type
    : `${udt_schema ?? ""}.${pg_type}`.replace(/^pg_catalog\./, "");
}
