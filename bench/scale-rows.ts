import type { Sql } from "postgres";
import { z } from "zod";
import { processorMs } from "./processor.ts";

/**
 * Cost of an answer's rows by themselves. An empty shop's answer has hardly any, so that its call
 * does not measure them. They are read from columns that hold them, and written as JSON, which is
 * the least that any call spends on them.
 */

const document = z.json();
type Json = z.infer<typeof document>;
type Row = { [key: string]: Json };

/** Times that the rows are written, so that the clock's steps do not show. */
const TIMES = 20;

const isRow = (value: Json): value is Row =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Every list of objects in an answer; lists within a row are part of it. */
function listsOf(value: Json): Row[][] {
  if (Array.isArray(value)) {
    const rows = value.filter(isRow);
    return rows.length > 0 ? [rows] : [];
  }
  return isRow(value) ? Object.values(value).flatMap(listsOf) : [];
}

const parsed = (answer: string) => listsOf(document.parse(JSON.parse(answer || "null")));

/** How many rows an answer has, in all of its lists. */
export function countRows(answer: string): number {
  return parsed(answer).flat().length;
}

/** Processor time of PostgreSQL in milliseconds for writing the rows of an answer, once they are found. */
export async function rowsAlone(sql: Sql, answer: string): Promise<number> {
  let spent = 0;
  await sql.begin(async (transaction) => {
    const [backend] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const processes = [backend?.pid ?? 0];
    for (const [index, rows] of parsed(answer).entries()) {
      const columns = Object.keys(rows[0] ?? {}).map((key) => ({
        key: key.replaceAll("'", "''"),
        name: `"${key.replaceAll('"', '""')}"`,
        type: typeOf(rows.map((each) => each[key] ?? null)),
      }));
      if (columns.length === 0) continue;
      const list = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      await transaction.unsafe(
        `create temp table rows_${index} on commit drop as
          select row_number() over () as "#", each.* from jsonb_to_recordset($1::text::jsonb) each (${list})`,
        [JSON.stringify(rows)],
      );
      const pairs = columns.map(({ key, name }) => `'${key}', each.${name}`).join(", ");
      const written = (condition: string) =>
        `select json_agg(json_build_object(${pairs}) order by each."#")::text from rows_${index} each where ${condition}`;
      for (const [condition, sign] of [
        ["true", 1],
        ["false", -1],
      ] as const) {
        await transaction.unsafe(written(condition), [], { prepare: true });
        const began = await processorMs(processes);
        for (let time = 0; time < TIMES; time += 1) {
          await transaction.unsafe(written(condition), [], { prepare: true });
        }
        spent += (sign * ((await processorMs(processes)) - began)) / TIMES;
      }
    }
  });
  return Math.max(spent, 0);
}

function typeOf(values: Json[]): string {
  const value = values.find((each) => each !== null);
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "numeric";
  if (typeof value === "boolean") return "boolean";
  return "jsonb";
}
