import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { databaseTypes, TYPES_FILE } from "../../supabase/types/database-types.ts";
import { setUpTestDatabase } from "../harness/database.ts";

const database = setUpTestDatabase();

it("the checked-in types are those of the migrated database (else: npm run types)", async () => {
  expect(await readFile(TYPES_FILE, "utf8")).toBe(await databaseTypes(database.sql));
});

it("the types follow the catalog", async () => {
  const before = await databaseTypes(database.sql);
  await database.sql`alter table public.stores add column opening_hours text`;
  const after = await databaseTypes(database.sql);
  await database.sql`alter table public.stores drop column opening_hours`;
  expect(before).not.toContain("opening_hours");
  expect(after).toContain("opening_hours: string | null");
  expect(await databaseTypes(database.sql)).toBe(before);
});
