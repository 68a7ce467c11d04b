import { writeFile } from "node:fs/promises";
import postgres from "postgres";
import { prepareDatabase } from "../server/postgres/prepare-database.ts";
import { startTestCluster } from "../tests/harness/cluster.ts";
import { API_FILE, apiDescription } from "./types/api-description.ts";
import { databaseTypes, TYPES_FILE } from "./types/database-types.ts";

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
