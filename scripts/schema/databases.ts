import postgres, { type Sql } from "postgres";
import { applyPlatform, platformFingerprint } from "../../server/postgres/bootstrap.ts";
import type { Cluster } from "../../server/postgres/cluster.ts";
import { applyMigrations, listMigrations } from "../../server/postgres/migrate.ts";
import { MIGRATIONS, readSchemas, SCHEMAS } from "./sources.ts";

/** A database made for a comparison. */
export type Made = { url: string; sql: Sql };

let count = 0;

/** A database with the platform's part alone. */
export async function emptyDatabase(cluster: Cluster): Promise<Made> {
  count += 1;
  const name = `schema_${count}`;
  const admin = postgres(cluster.adminUrl, { max: 1, onnotice: () => undefined });
  await admin`create database ${admin(name)}`;
  await admin.end();
  const url = cluster.urlFor(name);
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await applyPlatform(sql, await platformFingerprint());
  return { url, sql };
}

/** A database as every installation makes it. */
export async function fromMigrations(cluster: Cluster, folder: URL = MIGRATIONS): Promise<Made> {
  const made = await emptyDatabase(cluster);
  await applyMigrations(made.sql, await listMigrations(folder));
  return made;
}

/** A database as the schemas say that it should be. */
export async function fromSchemas(cluster: Cluster, folder: URL = SCHEMAS): Promise<Made> {
  const made = await emptyDatabase(cluster);
  for (const { name, text } of await readSchemas(folder)) {
    await made.sql
      .unsafe(text)
      .simple()
      .catch((error: unknown) => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      });
  }
  await made.sql.unsafe("reset all");
  return made;
}
