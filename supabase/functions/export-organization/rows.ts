import type { TransactionSql } from "postgres";
import { BYTE_ORDER_MARK, type Cell, csvLine } from "../_shared/http/csv.ts";
import { EXPORT_BATCH } from "../_shared/http/export.ts";
import { exportOrganizationCopy as copy } from "./export-organization.copy.ts";

/** A table of the export, as the SQL function `export_organization` describes it. */
export type ExportTable = { name: string; columns: string[]; query: string };

type Row = Readonly<Record<string, unknown>>;

/**
 * The rows of a query, a portion at a time; a portion is a question of its own, so that one may stop between two. Each kind of
 * rows has a cursor of its own: the driver remembers by the question what its answers are.
 */
async function* portions<T>(
  sql: TransactionSql,
  name: "export_rows" | "export_texts",
  query: string,
): AsyncGenerator<T[]> {
  const cursor = sql.unsafe(name);
  await sql.unsafe(`declare ${name} no scroll cursor for ${query}`);
  for (;;) {
    const rows = await sql<{ row: T }[]>`fetch ${sql.unsafe(String(EXPORT_BATCH))} from ${cursor}`;
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < EXPORT_BATCH) break;
  }
  await sql`close ${cursor}`;
}

/** A table for spreadsheets. */
export async function* csvOf(sql: TransactionSql, table: ExportTable): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(table.columns);
  for await (const rows of portions<Row>(sql, "export_rows", table.query)) {
    yield rows.map((row) => csvLine(table.columns.map((column) => cellOf(row[column])))).join("");
  }
}

/** A table for programs: rows as the database words them, which nobody has to read and write again. */
export async function* jsonOf(sql: TransactionSql, { query }: ExportTable): AsyncGenerator<string> {
  let before = "[\n";
  const worded = `select shown."row"::text as "row" from (${query}) shown`;
  for await (const rows of portions<string>(sql, "export_texts", worded)) {
    yield before + rows.join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? copy.yes : copy.no;
  if (typeof value === "string" || typeof value === "number") return value;
  return JSON.stringify(value);
}
