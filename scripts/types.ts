import { writeFile } from "node:fs/promises";
import postgres from "postgres";
import { prepareDatabase } from "../server/postgres/prepare-database.ts";
import { API_FILE, apiDescription } from "../supabase/types/api-description.ts";
import { databaseTypes, TYPES_FILE } from "../supabase/types/database-types.ts";
import { startTestCluster } from "../tests/harness/cluster.ts";

/** `npm run types`: writes the types of a freshly migrated database, and the description of the API. */
const cluster = await startTestCluster();
try {
  const sql = postgres(cluster.adminUrl, { onnotice: () => {} });
  await prepareDatabase(cluster.adminUrl);
  await writeFile(TYPES_FILE, await databaseTypes(sql));
  await writeFile(API_FILE, await apiDescription(sql));
  await sql.end();
} finally {
  await cluster.stop();
}
