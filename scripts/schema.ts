import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listMigrations } from "../server/postgres/migrate.ts";
import { RELEASES, readReleases } from "../server/postgres/releases.ts";
import { productVersion } from "../server/product-version.ts";
import { startTestCluster } from "../tests/harness/cluster.ts";
import { compareCatalogs, readCatalog } from "./schema/catalog.ts";
import { fromMigrations, fromSchemas } from "./schema/databases.ts";
import { nextMigration } from "./schema/next-migration.ts";
import { BASELINE, baselineText, MIGRATIONS, migrationChecksums } from "./schema/sources.ts";

/**
 * Brings `supabase/migrations` to what `supabase/schemas` states, on a throw-away embedded PostgreSQL:
 *
 * - `npm run schema` writes the baseline anew while no release has it, and fails when a migration is due;
 * - `npm run schema -- <name>` writes that migration, to be read by a person;
 * - `npm run schema -- --release` writes down the migrations of the version in package.json.
 */

const NAME = /^[a-z][a-z0-9_]*$/;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The next version: the present moment, and always after the migrations that are there. */
async function nextVersion(): Promise<string> {
  const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const last = (await listMigrations(MIGRATIONS)).at(-1)?.version ?? "";
  return now > last ? now : String(BigInt(last) + 1n);
}

async function writeRelease(): Promise<void> {
  const version = await productVersion();
  if ((await readReleases()).has(version)) {
    throw new Error(`release ${version} is written down already: raise the version first`);
  }
  const migrations = await migrationChecksums();
  const file = new URL(`${version}.json`, RELEASES);
  await writeFile(file, `${JSON.stringify({ migrations }, null, 2)}\n`);
  say(`written: ${fileURLToPath(file)}`);
}

/** Whether the migrations make what the schemas state, once the due one is written (null: none is to be). */
async function checkOrWrite(name: string | null): Promise<boolean> {
  const cluster = await startTestCluster();
  try {
    let made = await fromMigrations(cluster);
    const stated = await fromSchemas(cluster);
    const wanted = await readCatalog(stated.sql);
    const next = name === null ? null : await nextMigration(made, stated);
    if (next) {
      const file = new URL(`${await nextVersion()}_${name}.sql`, MIGRATIONS);
      await writeFile(file, `-- Why: \n\n${next.text}`);
      say(
        `written: ${fileURLToPath(file)}\nRead it, say why on its first line, and run « npm run schema ».`,
      );
      for (const warning of next.warnings) say(`  ${warning}`);
      await made.sql.end();
      made = await fromMigrations(cluster);
    }
    const differences = compareCatalogs(await readCatalog(made.sql), wanted);
    await made.sql.end();
    await stated.sql.end();
    for (const difference of differences) say(difference);
    if (differences.length === 0) say("The migrations make what the schemas state.");
    else if (name === null)
      say("A migration is due (first: migrations, second: schemas): npm run schema -- <name>");
    else
      say(
        "This is left to be written by hand, at the migration's end (first: migrations, second: schemas).",
      );
    return differences.length === 0;
  } finally {
    await cluster.stop();
  }
}

const [argument = null, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (argument !== null && argument !== "--release" && !NAME.test(argument))) {
  say("npm run schema [-- <name_in_snake_case> | --release]");
  process.exitCode = 2;
} else {
  const released = [...(await readReleases()).values()];
  if (!released.some((migrations) => BASELINE in migrations)) {
    await writeFile(new URL(BASELINE, MIGRATIONS), await baselineText());
    say(`written: ${fileURLToPath(new URL(BASELINE, MIGRATIONS))}`);
  }
  const isWhole = await checkOrWrite(argument === "--release" ? null : argument);
  if (isWhole && argument === "--release") await writeRelease();
  if (!isWhole) process.exitCode = 1;
}
