import { writeFile } from "node:fs/promises";
import postgres from "postgres";
import { prepareDatabase } from "../server/postgres/prepare-database.ts";
import { startTestCluster } from "../tests/harness/cluster.ts";
import { databaseTypes, TYPES_FILE } from "./database-types.ts";

/** `npm run types`: writes the types of a freshly migrated database. */
const cluster = await startTestCluster();
try {
  const sql = postgres(cluster.adminUrl, { onnotice: () => {} });
  await prepareDatabase(cluster.adminUrl);
  await writeFile(TYPES_FILE, await databaseTypes(sql));
  await sql.end();
} finally {
  await cluster.stop();
}
