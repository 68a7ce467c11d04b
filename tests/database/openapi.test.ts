import { readFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { apiCopy } from "#domain/schemas/api-description.copy.ts";
import { API_FILE, apiDescription } from "../../supabase/types/api-description.ts";
import { createTestDatabase } from "../harness/database.ts";
import { createWorld } from "./attempts.ts";

/** The description of the API: made from the catalog, and true. */

const database = await createTestDatabase();
const world = await createWorld(database);
afterAll(() => database.drop());

it("the OpenAPI description is checked in as the database makes it (else: npm run types)", async () => {
  expect(await readFile(API_FILE, "utf8")).toBe(await apiDescription(database.sql));
});

it.each(Object.keys(apiCopy.tables))("%s shows its rows to a reading key", async (table) => {
  const reader = { apiKeyId: world.ours.keyIds.read };
  const rows = await database.as(reader, (sql) =>
    sql.unsafe(`select from public.${table} limit 1`),
  );
  expect(rows).toHaveLength(1);
});
