import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, stat } from "node:fs/promises";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { readChoices, refuseChoices } from "../scripts/choices.ts";
import { makeFolder, openDatabase } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { say, table } from "./report.ts";
import { plant } from "./scale-plant.ts";

/**
 * `npm run bench:backup [-- --size=0.1] [--data=folder]`: a backup of the data set of `bench:scale`, and its return into an
 * empty database of the same server: time, memory, size. Fails where a table has another number of rows afterwards.
 */

const RESTORED = "bench_restored";
const PASSPHRASE = "une phrase de passe de banc";
const SAMPLE_MS = 100;

const USAGE = "npm run bench:backup -- [--size=<share of the design's size>] [--data=<folder>]";
const { values: options } = readChoices(USAGE, {
  size: { type: "string", default: "1" },
  data: { type: "string", default: "" },
});
if (!(Number(options.size) > 0)) refuseChoices(USAGE);

/** Runs the product's own command; answers how long it took, and the most memory that it held. */
async function run(argv: readonly string[], databaseUrl: string, dataFolder: string) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", new URL("../server/main.ts", import.meta.url).pathname, ...argv],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        TOURNAVIS_DATA: dataFolder,
        BACKUP_PASSPHRASE: PASSPHRASE,
      },
    },
  );
  const ended = once(child, "exit");
  let megabytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    if (peak !== undefined) megabytes = Number(peak) / 1024;
    await Promise.race([ended, delay(SAMPLE_MS)]);
  }
  if (child.exitCode !== 0) throw new Error(`${argv[0]} ended with ${child.exitCode}.`);
  return { seconds: (performance.now() - started) / 1000, megabytes };
}

/** Number of rows of every table. */
async function countAll(url: string): Promise<Map<string, number>> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const tables = await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('auth', 'storage', 'public', 'private') order by 1`;
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const [row] = await sql.unsafe<{ count: number }[]>(
        `select count(*)::float8 as count from ${name}`,
      );
      counts.set(name, row?.count ?? 0);
    }
    return counts;
  } finally {
    await sql.end();
  }
}

const folder = options.data ? resolve(options.data) : await makeFolder();
const cleanUp = createCleanUp();
if (!options.data) cleanUp.add(() => rm(folder, { recursive: true, force: true }));
try {
  await plant(folder, options.size);
  const { databaseUrl, stop: stopDatabase } = await openDatabase(folder);
  cleanUp.add(stopDatabase);
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await admin`drop database if exists ${admin(RESTORED)} with (force)`;
  await admin`create database ${admin(RESTORED)} template template0`;
  const [size] = await admin<{ megabytes: number }[]>`
    select pg_database_size(current_database()) / 1e6 as megabytes`;
  cleanUp.add(async () => {
    await admin`drop database if exists ${admin(RESTORED)} with (force)`;
    await admin.end();
  });
  const restoredUrl = new URL(databaseUrl);
  restoredUrl.pathname = `/${RESTORED}`;
  const file = join(folder, `backup-${process.pid}.zip`);
  const elsewhere = join(folder, `restored-${process.pid}`);
  cleanUp.add(
    () => rm(file, { force: true }),
    () => rm(elsewhere, { recursive: true, force: true }),
  );

  const made = await run(["backup", file], databaseUrl, join(folder, "data"));
  const { size: bytes } = await stat(file);
  const restored = await run(["restore", file], restoredUrl.href, elsewhere);
  const [before, after] = [await countAll(databaseUrl), await countAll(restoredUrl.href)];
  const different = [...before].filter(([name, count]) => after.get(name) !== count);
  const rows = [...before.values()].reduce((sum, count) => sum + count, 0);
  const load = loadavg().map((one) => one.toFixed(1));
  say(
    `\n${rows} rows, ${Number(size?.megabytes).toFixed(0)} MB in the database, ${(bytes / 1e6).toFixed(0)} MB in the file; load of the machine ${load.join(" ")}`,
  );
  table(
    ["", "s", "rows a second", "most memory, MB"],
    [["backup", made] as const, ["restore", restored] as const].map(([name, figures]) => [
      name,
      figures.seconds.toFixed(1),
      (rows / figures.seconds).toFixed(0),
      figures.megabytes.toFixed(0),
    ]),
  );
  if (different.length > 0) {
    say(`\nAnother number of rows: ${different.map(([name]) => name).join(", ")}`);
    process.exitCode = 1;
  }
} finally {
  await cleanUp.run();
}
