import { expect, it } from "vitest";
import {
  csvOf,
  type ExportTable,
  jsonOf,
} from "../../../supabase/functions/export-organization/rows.ts";
import { setUpTestDatabase } from "../../harness/database.ts";

/** A table of the export as its two files, also where its rows end with a portion of the cursor. */

const database = setUpTestDatabase();

async function read(parts: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function filesOf(table: Omit<ExportTable, "name">) {
  return database.sql.begin(async (sql) => {
    const csv = await read(csvOf(sql, { name: "t", ...table }));
    const json = await read(jsonOf(sql, { name: "t", ...table }));
    return { csv: csv.join(""), json: json.join(""), parts: json.length };
  });
}

const numbers = (count: number) => ({
  columns: ["n"],
  query: `select jsonb_build_object('n', n) as row from generate_series(1, ${count}) n`,
});

it.each([1, 199, 200, 201, 400])("has each of %i rows, one behind the other", async (count) => {
  const { csv, json, parts } = await filesOf(numbers(count));
  const all = Array.from({ length: count }, (_row, index) => index + 1);
  expect(JSON.parse(json)).toEqual(all.map((n) => ({ n })));
  expect(csv).toBe(`\uFEFF${["n", ...all].join("\r\n")}\r\n`);
  // A portion at a time, and the end.
  expect(parts).toBe(Math.ceil(count / 200) + 1);
});

it("an export without rows is a header line as CSV, and an empty list as JSON", async () => {
  expect(await filesOf(numbers(0))).toEqual({ csv: "\uFEFFn\r\n", json: "[]\n", parts: 1 });
});

it("says yes and no, nothing where nothing is, and the rest as it stands", async () => {
  const row = `jsonb_build_object('a', true, 'b', false, 'c', null, 'd', 1.5, 'e', 'Été', 'f', array[1, 2])`;
  const { csv } = await filesOf({
    columns: ["a", "b", "c", "d", "e", "f", "g"],
    query: `select ${row} as row`,
  });
  expect(csv).toBe('\uFEFFa;b;c;d;e;f;g\r\noui;non;;1,5;Été;"[1,2]";\r\n');
});
