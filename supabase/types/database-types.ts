import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import type { Sql } from "postgres";

/** Where the generated types are checked in. */
export const TYPES_FILE = new URL("./database.types.ts", import.meta.url);

const HEADER = [
  "/**",
  " * Types of the database's public schema, made from its catalog by `npm run types`. Never edited",
  " * by hand: a test fails when they differ from what the migrations make.",
  " */",
  "",
  "",
].join("\n");

/** TypeScript types of the public schema in the shape that `@supabase/supabase-js` takes. */
export async function databaseTypes(sql: Sql): Promise<string> {
  const catalog = await introspect(
    { query: async (text) => ({ rows: await sql.unsafe(text) }) },
    { includedSchemas: ["public"] },
  );
  const code = await generateTypescript(sortGeneratorMetadata(catalog), {
    detectOneToOneRelationships: true,
  });
  return HEADER + code;
}
