import { quoteName } from "../postgres/quote.ts";
import { grouped } from "../supabase-lite/grouped.ts";
import { valueText } from "../supabase-lite/typed-values.ts";
import { type Catalog, type Column, SCHEMA, type Table } from "./catalog.ts";
import type { Asker } from "./claims.ts";
import type { Preferences } from "./preferences.ts";
import type { Filter, Query } from "./query.ts";
import { MAX_ROWS } from "./rpc.ts";
import { AS_ASKED, asRole } from "./transaction.ts";

/** A statement on a table; its one row has the answer's body, how many rows it has, and how many there are. */
export type TableStatement = { text: string; values: (string | null)[] };

/** Types that have no equality, or that filters of lists write otherwise. */
const UNEQUAL = /^(json|xml|point|_)/;
const TEXTS = new Set(["text", "varchar", "bpchar", "citext"]);

/** Values of a statement, passed as parameters and numbered by their place. */
class Values {
  readonly list: (string | null)[] = [];

  /** The place of a value of a column's type. */
  add(value: string | null, column: Column, isList = false): string {
    this.list.push(value);
    const type = isList ? `_${column.type}` : column.type;
    return `$${this.list.length}::${quoteName(column.typeSchema)}.${quoteName(type)}`;
  }

  /** The place of a number of rows. */
  addNumber(value: number): string {
    this.list.push(String(value));
    return `$${this.list.length}::bigint`;
  }
}

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

/** A condition in SQL; null for one that only the library words. */
function condition(
  { operator, value, isNegated, ...filter }: Filter,
  table: Table,
  values: Values,
) {
  const column = table.columns.get(filter.column);
  if (!column) return null;
  const positive = comparison(operator, value, column, values);
  return positive && (isNegated ? `not (${positive})` : positive);
}

function comparison(operator: string, value: string, column: Column, values: Values) {
  const name = quoteName(column.name);
  if (operator === "is") {
    if (value === "null") return `${name} is null`;
    const isTruth = column.type === "bool" && (value === "true" || value === "false");
    return isTruth ? `${name} is ${value}` : null;
  }
  if (UNEQUAL.test(column.type)) return null;
  if (operator === "in") {
    if (column.typeSchema !== "pg_catalog") return null;
    return `${name} = any (${values.add(value, column, true)})`;
  }
  if (operator === "like" || operator === "ilike") {
    if (!TEXTS.has(column.type)) return null;
    return `${name} ${operator} ${values.add(value.replaceAll("*", "%"), column)}`;
  }
  const sign = COMPARISONS[operator];
  return sign ? `${name} ${sign} ${values.add(value, column)}` : null;
}

/** All of a query's conditions, and that it is run as who asks; null for one that only the library words. */
function conditionsOf(query: Query, table: Table, values: Values, role: Asker["role"]) {
  const conditions = query.filters.map((filter) => condition(filter, table, values));
  const known = conditions.filter((each) => each !== null);
  return known.length === conditions.length ? [...known, asRole(role)].join(" and ") : null;
}

/** Columns of an answer; null where one of them is none of the table's. */
function columnsOf({ select }: Query, table: Table): string | null {
  if (!select) return "*";
  if (select.some(({ column }) => !table.columns.has(column))) return null;
  return select.map(({ column, name }) => `${quoteName(column)} as ${quoteName(name)}`).join(", ");
}

/** Rows as a list of JSON, and how many. (`answer` alone would be a column of that name.) */
const LISTED = "coalesce(json_agg(answer.*), '[]')::text as body, count(*)::text as rows";

function toldOf(role: Asker["role"]): string {
  return `(${asRole(role)})::text as ${AS_ASKED}`;
}

/** Reads rows; null for what only the library words. */
export function readStatement(
  query: Query,
  table: Table,
  role: Asker["role"],
  isCounted: boolean,
): (TableStatement & { limit: number }) | null {
  const values = new Values();
  const columns = columnsOf(query, table);
  const where = conditionsOf(query, table, values, role);
  if (columns === null || where === null) return null;
  if (query.order.some(({ column }) => !table.columns.has(column))) return null;
  const source = `${quoteName(SCHEMA)}.${quoteName(table.name)}`;
  const order = query.order.map(
    ({ column, direction }) => `${quoteName(table.name)}.${quoteName(column)} ${direction}`,
  );
  const limit = Math.min(query.limit ?? MAX_ROWS, MAX_ROWS);
  const total = isCounted ? `(select count(*) from ${source} where ${where})::text` : "null";
  const text = `select ${LISTED}, ${total} as total, ${toldOf(role)}
    from (
      select ${columns} from ${source} where ${where}
      ${order.length > 0 ? `order by ${order.join(", ")}` : ""}
      limit ${values.addNumber(limit)} offset ${values.addNumber(query.offset)}
    ) answer`;
  return { text, values: values.list, limit };
}

/** Part of its rows that a write leaves for the answer. */
type Returned = "rows" | "nothing";

/** Writes as one statement with its answer; `known` counts, in SQL, which of the rows were there before it. */
function writing(
  writes: readonly string[],
  query: Query,
  table: Table,
  { role, returned }: { role: Asker["role"]; returned: Returned },
  known: readonly string[] = [],
): string | null {
  const columns = returned === "rows" ? columnsOf(query, table) : "1";
  if (columns === null) return null;
  const answer = returned === "rows" ? LISTED : "'[]' as body, count(*)::text as rows";
  const parts = writes.map((write, index) => `part${index} as (${write} returning ${columns})`);
  const rows = writes.map((_, index) => `select * from part${index}`).join(" union all ");
  const before = known.length > 0 ? `(${known.join(" + ")})::text as known, ` : "";
  return `with ${parts.join(", ")}, answer as (${rows}) select ${answer}, ${before}${toldOf(role)} from answer`;
}

/** How rows that are there already are found, and whether they stay as they are. */
type Conflict = { columns: readonly Column[]; isIgnored: boolean };

/**
 * Conflict clause for rows that exist already: undefined for none, null where the library has to
 * word it.
 */
function conflictOf(
  { conflict }: Query,
  table: Table,
  resolution: Preferences["resolution"],
): Conflict | null | undefined {
  if (resolution === null) return conflict === null ? undefined : null;
  const names = conflict ?? table.key;
  const columns = names.map((name) => table.columns.get(name));
  const known = columns.filter((column) => column !== undefined);
  if (known.length === 0 || known.length < columns.length) return null;
  return { columns: known, isIgnored: resolution === "ignore-duplicates" };
}

/** The end of an insertion: rows that are there already keep the columns by which they were found. */
function onConflict(conflict: Conflict | undefined, written: readonly string[]): string {
  if (!conflict) return "";
  const names = conflict.columns.map(({ name }) => name);
  const target = `on conflict (${names.map((name) => quoteName(name)).join(", ")})`;
  if (conflict.isIgnored) return `${target} do nothing`;
  const others = written.filter((name) => !names.includes(name));
  const changed = others.length > 0 ? others : names.slice(0, 1);
  const changes = changed.map((name) => `${quoteName(name)} = excluded.${quoteName(name)}`);
  return `${target} do update set ${changes.join(", ")}`;
}

/** The values of a row, in the order of its columns; null where one cannot be written. */
function cellsOf(
  row: Readonly<Record<string, unknown>>,
  table: Table,
  values: Values,
  catalog: Catalog,
): string[] | null {
  const cells = Object.entries(row).map(([name, value]) => {
    const column = table.columns.get(name);
    if (!column || column.isGenerated) return null;
    const text = valueText(value, column.written, catalog.composites);
    return values.add(text, column);
  });
  const known = cells.filter((cell) => cell !== null);
  return known.length > 0 && known.length === cells.length ? known : null;
}

type Write = {
  query: Query;
  table: Table;
  catalog: Catalog;
  role: Asker["role"];
  returned: Returned;
  resolution: Preferences["resolution"];
};

/** Adds a row; null for what only the library words. */
export function insertStatement(
  row: Readonly<Record<string, unknown>>,
  { query, table, catalog, resolution, ...how }: Write,
): TableStatement | null {
  const values = new Values();
  const cells = cellsOf(row, table, values, catalog);
  const conflict = conflictOf(query, table, resolution);
  if (!cells || conflict === null || query.filters.length > 0) return null;
  if (query.columns?.some((name) => !table.columns.has(name))) return null;
  const given = Object.keys(row);
  const names = given.map((name) => quoteName(name));
  const target = `${quoteName(SCHEMA)}.${quoteName(table.name)}`;
  const isSame = (conflict?.columns ?? []).map(
    ({ name }) => `${quoteName(name)} = ${cells[given.indexOf(name)] ?? "null"}`,
  );
  const text = writing(
    [
      `insert into ${target} (${names.join(", ")})
        select ${cells.join(", ")} where ${asRole(how.role)} ${onConflict(conflict, query.columns ?? given)}`,
    ],
    query,
    table,
    how,
    conflict && !conflict.isIgnored
      ? [`(select count(*) from ${target} where ${isSame.join(" and ")})`]
      : [],
  );
  return text === null ? null : { text, values: values.list };
}

/** Sets of columns that the rows of one list may name: each is a part of the statement. */
const MAX_COLUMN_SETS = 50;

/**
 * Adds a list of rows, each column that a row leaves out with its default: rows that name the same columns are added
 * together. Null for what only the library words.
 */
export function insertListStatement(
  rows: readonly Readonly<Record<string, unknown>>[],
  { query, table, resolution, ...how }: Write,
): TableStatement | null {
  const conflict = conflictOf(query, table, resolution);
  if (conflict === null) return null;
  const groups = grouped(rows, (row) => JSON.stringify(Object.keys(row).sort()));
  // Without a list of columns all rows have to name the same.
  if (groups.size > (query.columns ? MAX_COLUMN_SETS : 1) || query.filters.length > 0) return null;
  const target = `${quoteName(SCHEMA)}.${quoteName(table.name)}`;
  const values: string[] = [];
  const counts: string[] = [];
  const written = query.columns ?? Object.keys(rows[0] ?? {});
  if (written.some((name) => !table.columns.has(name))) return null;
  const writes = [...groups.values()].map((group) => {
    const columns = Object.keys(group[0] ?? {}).map((name) => table.columns.get(name));
    const known = columns.filter((column) => column !== undefined);
    if (known.length === 0 || known.length < columns.length) return null;
    const names = known.map(({ name }) => quoteName(name)).join(", ");
    const types = known.map(
      ({ name, type, typeSchema }) =>
        `${quoteName(name)} ${quoteName(typeSchema)}.${quoteName(type)}`,
    );
    values.push(JSON.stringify(group));
    const source = `json_to_recordset($${values.length}::json) as given (${types.join(", ")})`;
    if (conflict && !conflict.isIgnored && conflict.columns.every((each) => known.includes(each))) {
      const key = conflict.columns.map(({ name }) => quoteName(name)).join(", ");
      counts.push(`(select count(*) from ${target} join ${source} using (${key}))`);
    }
    return `insert into ${target} (${names}) select ${names}
      from ${source} where ${asRole(how.role)} ${onConflict(conflict, written)}`;
  });
  const known = writes.filter((write) => write !== null);
  if (known.length === 0 || known.length < writes.length) return null;
  const text = writing(known, query, table, how, counts);
  return text === null ? null : { text, values };
}

/** Changes rows; null for what only the library words. */
export function updateStatement(
  row: Readonly<Record<string, unknown>>,
  { query, table, catalog, ...how }: Write,
): TableStatement | null {
  const values = new Values();
  const cells = cellsOf(row, table, values, catalog);
  const where = conditionsOf(query, table, values, how.role);
  if (!cells || where === null) return null;
  const names = Object.keys(row).map((name) => quoteName(name));
  const target = `${quoteName(SCHEMA)}.${quoteName(table.name)}`;
  const changes = cells.map((value, index) => `${names[index]} = ${value}`).join(", ");
  const text = writing([`update ${target} set ${changes} where ${where}`], query, table, how);
  return text === null ? null : { text, values: values.list };
}

/** Removes rows; null for what only the library words. */
export function deleteStatement({ query, table, ...how }: Write): TableStatement | null {
  const values = new Values();
  const where = conditionsOf(query, table, values, how.role);
  if (where === null) return null;
  const target = `${quoteName(SCHEMA)}.${quoteName(table.name)}`;
  const text = writing([`delete from ${target} where ${where}`], query, table, how);
  return text === null ? null : { text, values: values.list };
}
