import { createWriteStream, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { openPromise } from "yauzl";
import { ZipFile } from "yazl";
import { compareCatalogs, readCatalog } from "../../scripts/schema/catalog.ts";
import { runRestore } from "../../server/backup/commands.ts";
import { openBackup } from "../../server/backup/open-backup.ts";
import { readTables } from "../../server/backup/read-tables.ts";
import { migrationsOf, restoreBackup } from "../../server/backup/restore-backup.ts";
import { REFERENCE_TABLES } from "../../server/backup/restore-target.ts";
import { writeBackup } from "../../server/backup/write-backup.ts";
import type { Cluster } from "../../server/postgres/cluster.ts";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";
import { quoteName } from "../../server/postgres/quote.ts";
import { readReleases } from "../../server/postgres/releases.ts";
import { productVersion } from "../../server/product-version.ts";
import { ROOT } from "../../server/root.ts";
import { createWorld } from "../database/attempts.ts";
import { startTestCluster, temporaryFolder } from "../harness/cluster.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { smallDisk } from "./small-disk.ts";

const PASSPHRASE = "une phrase de passe d'essai";
const SECRETS = { "jwt-secret": "celui des essais", "hash-key": "celle-là" };

/** Text with signs that `COPY`, ZIP and JSON could each misread. */
const AWKWARD = 'Chez « Zoé » \\. \\N \\\\ "a,b" \t tab \r\n ligne\u2028 é 🥐 {}';

/** Lines that say all rows of every table, generated columns included, and where sequences stand. */
async function contentOf(sql: Sql): Promise<string[]> {
  const lines: string[] = [];
  for (const { schema, name } of await readTables(sql)) {
    const [row] = await sql.unsafe<{ line: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as line
       from ${quoteName(schema, name)} t`,
    );
    lines.push(`${schema}.${name} ${row?.line}`);
  }
  const sequences = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c where c.relkind = 'S' order by 1`;
  for (const { name } of sequences) {
    const [row] = await sql.unsafe<{ line: string }[]>(
      `select last_value || ' ' || is_called as line from ${name}`,
    );
    lines.push(`${name} ${row?.line}`);
  }
  return lines.sort();
}

let files: { folder: string; remove: () => Promise<void> };
let count = 0;
beforeAll(async () => {
  files = await temporaryFolder("tournavis-backup-test-");
});
afterAll(() => files.remove());

function newFile(): string {
  count += 1;
  return join(files.folder, `${count}.zip`);
}

/** An empty database of a server, closed with the test. */
async function emptyDatabase(serverUrl: string): Promise<{ url: string; sql: Sql }> {
  count += 1;
  const name = `${inject("database").template}_restored_${count}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server`create database ${server(name)} template template0`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end();
    await server`drop database if exists ${server(name)} with (force)`;
    await server.end();
  });
  return { url: url.href, sql };
}

/** Names of what a database holds of its own: nothing in one that was left alone. */
async function relationsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
  return rows.map(({ name }) => name);
}

/** All that a database is but its rows. */
async function schemaOf(sql: Sql) {
  return (await readCatalog(sql)).filter(({ kind }) => kind !== "row");
}

/** Content of an entry of a ZIP. */
async function entryOf(zipFile: string, name: string): Promise<Buffer> {
  const zip = await openPromise(zipFile, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === name) return await buffer(await zip.openReadStreamPromise(entry));
    }
    throw new Error(`${name} is not in it.`);
  } finally {
    zip.close();
  }
}

async function restoreFile(file: string, url: string) {
  const backup = await openBackup(file);
  try {
    await backup.verify(() => undefined);
    return await restoreBackup(url, backup);
  } finally {
    backup.close();
  }
}

/** A shop with rows in every table, and a backup of it. */
let source: TestDatabase;
let file: string;
let original: string[];
beforeAll(async () => {
  source = await createTestDatabase();
  const { ours } = await createWorld(source);
  await source.sql`
    insert into public.customers (org_id, name, email, note)
    values (${ours.id}, 'Zoé', 'zoe@exemple.fr', ${AWKWARD})`;
  // More at once than a stream holds: the driver stops reading from its connection there.
  await source.sql`
    insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
    select 'logos', ${ours.id} || '/' || n, decode(repeat('ab', 400000), 'hex'), 'image/webp', 'max-age=1', n::text
    from generate_series(1, 3) n`;
  original = await contentOf(source.sql);
  file = newFile();
  await writeBackup({ adminUrl: source.url, file, secrets: SECRETS, passphrase: PASSPHRASE });
});
afterAll(() => source.drop());

describe("a backup that is restored", { timeout: 240_000 }, () => {
  const others = ["pg15", "pg17"] as const;

  it.each(others)(
    "holds every row on %s, and again on the way back",
    async (packageName) => {
      const cluster: Cluster = await startTestCluster(packageName);
      onTestFinished(() => cluster.stop());
      const there = await emptyDatabase(cluster.adminUrl);
      const restored = await restoreFile(file, there.url);
      expect(await contentOf(there.sql)).toEqual(original);
      expect(restored.rows).toBeGreaterThan(100);

      // Made on that version, and brought back to ours.
      const second = newFile();
      await writeBackup({ adminUrl: there.url, file: second, secrets: {}, passphrase: PASSPHRASE });
      const back = await emptyDatabase(inject("database").adminUrl);
      await restoreFile(second, back.url);
      expect(await contentOf(back.sql)).toEqual(original);
    },
    240_000,
  );

  it("has the schema that a new database has, triggers and keys switched on", async () => {
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    await restoreFile(file, url);
    // (Test databases count their limits from a moment of their own.)
    const fresh = await emptyDatabase(inject("database").adminUrl);
    await prepareDatabase(fresh.url);
    expect(compareCatalogs(await schemaOf(sql), await schemaOf(fresh.sql))).toEqual([]);
    const triggers = (one: Sql) => one`
      select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger
      where not tgisinternal order by 1, 2`;
    expect(await triggers(sql)).toEqual(await triggers(fresh.sql));
    const keys = (one: Sql) => one`
      select conrelid::regclass::text as table, conname, convalidated, condeferrable from pg_constraint
      where contype = 'f' order by 1, 2`;
    expect(await keys(sql)).toEqual(await keys(fresh.sql));
    expect((await keys(sql)).length).toBeGreaterThan(30);
  });

  it("is loaded by an account that is no superuser and may not silence triggers", async () => {
    const { adminUrl } = inject("database");
    const account = `restorer_${process.pid}`;
    const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
    await admin.unsafe(`create role ${account} login createrole password 'essai'`);
    await admin.unsafe(`grant anon, authenticated, service_role to ${account} with admin option`);
    // After the database, which is registered later, has gone.
    onTestFinished(async () => {
      await admin.unsafe(`drop role ${account}`);
      await admin.end();
    });
    const { url, sql } = await emptyDatabase(adminUrl);
    await sql.unsafe(`alter schema public owner to ${account}`);
    const own = new URL(url);
    await admin.unsafe(`alter database ${quoteName(own.pathname.slice(1))} owner to ${account}`);
    own.username = account;
    own.password = "essai";
    await restoreFile(file, own.href);
    expect(await contentOf(sql)).toEqual(original);
  });

  it("has its secrets as soon as it has rows, also where the update to today's schema then fails", async () => {
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    // Changes of the schema fail from the moment at which others see the rows.
    await sql.unsafe(`
      create schema trap;
      create function trap.snap() returns event_trigger language plpgsql as $$
      declare v_is_filled boolean := false;
      begin
        if to_regclass('auth.users') is not null then
          execute 'select exists (select from auth.users)' into v_is_filled;
        end if;
        if v_is_filled then raise exception 'trapped'; end if;
      end $$;
      create event trigger snap on ddl_command_start execute function trap.snap();`);
    const data = join(files.folder, `moved-${count}`);
    await mkdir(data);
    const restored = runRestore({
      argv: [fileURLToPath(new URL("supabase/releases/1.0.0.zip", ROOT))],
      env: { DATABASE_URL: url, TOURNAVIS_DATA: data, BACKUP_PASSPHRASE: "tournavis-release" },
      cwd: data,
    });
    await expect(restored).rejects.toThrow("trapped");
    expect(await sql`select id from auth.users`).toHaveLength(1);
    expect(await readdir(join(data, "secrets"))).toContain("hash-key");
  });

  it("keeps rows that the schema itself brings as they were", async () => {
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    await prepareDatabase(url);
    const filled: string[] = [];
    for (const { schema, name } of await readTables(sql)) {
      const rows = await sql.unsafe(`select from ${quoteName(schema, name)} limit 1`);
      if (rows.length > 0) filled.push(`${schema}.${name}`);
    }
    expect(filled.sort()).toEqual([...REFERENCE_TABLES].sort());
    // A database with today's schema and nothing else is empty.
    await restoreFile(file, url);
    expect(await contentOf(sql)).toEqual(original);
  });

  it("gives back the secrets to whoever has the passphrase", async () => {
    const backup = await openBackup(file);
    onTestFinished(() => backup.close());
    expect(await backup.unseal(PASSPHRASE)).toEqual(SECRETS);
    const bytes = await readFile(file);
    for (const secret of Object.values(SECRETS)) expect(bytes.includes(secret)).toBe(false);
    // Nobody else of the machine reads it.
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is one instant, whatever is written meanwhile", async () => {
    const instant = newFile();
    let writing: Promise<unknown> = Promise.resolve();
    await source.sql.begin(async (sql) => {
      await sql`lock table public.stores in access exclusive mode`;
      await sql`update public.stores set address = address || ' bis'`;
      const secrets = {};
      writing = writeBackup({
        adminUrl: source.url,
        file: instant,
        secrets,
        passphrase: PASSPHRASE,
      });
      for (let isWaiting = false; !isWaiting; ) {
        const rows = await source.sql`
          select from pg_stat_activity where datname = current_database()
            and application_name = 'tournavis backup' and wait_event_type = 'Lock'`;
        isWaiting = rows.length > 0;
      }
    });
    await writing;
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    await restoreFile(instant, url);
    expect(await contentOf(sql)).toEqual(original);
    expect(await contentOf(source.sql)).not.toEqual(original);
  });
});

describe("what cannot be restored", { timeout: 240_000 }, () => {
  /** Tries a file, or one made of the good one, on an empty database, which must stay so. */
  async function expectRefused(
    code: string,
    bytes: Buffer,
    passphrase = PASSPHRASE,
  ): Promise<void> {
    const tried = newFile();
    await writeFile(tried, bytes);
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    const attempt = async () => {
      const backup = await openBackup(tried);
      try {
        await backup.unseal(passphrase);
        await backup.verify(() => undefined);
        await restoreBackup(url, backup);
      } finally {
        backup.close();
      }
    };
    await expect(attempt()).rejects.toMatchObject({ code });
    expect(await relationsOf(sql)).toEqual([]);
  }

  /** The good file with one bit turned, so far behind the first place where a text stands. */
  async function turned(text: string, behind: number): Promise<Buffer> {
    const bytes = Buffer.from(await readFile(file));
    const at = bytes.indexOf(text) + behind;
    bytes[at] = (bytes[at] ?? 0) ^ 0b100;
    return bytes;
  }

  it("is opened by no other passphrase", async () => {
    await expectRefused("backup_passphrase_wrong", await readFile(file), `${PASSPHRASE}.`);
  });

  it("is a file that ends too early, wherever", async () => {
    const bytes = await readFile(file);
    for (const length of [0, 10, Math.floor(bytes.length / 2), bytes.length - 1]) {
      await expectRefused("backup_damaged", bytes.subarray(0, length));
    }
  });

  it("is a file of which one bit has turned: in rows, in what it says of itself, in the secrets", async () => {
    await expectRefused("backup_damaged", await turned("tables/public.customers.copy", 60));
    await expectRefused("backup_damaged", await turned("manifest.json", 60));
    await expectRefused("backup_damaged", await turned("secrets.sealed", 60));
  });

  it("is no backup at all", async () => {
    await expectRefused("backup_damaged", Buffer.from("une autre sorte de fichier".repeat(50)));
  });

  it("was made by a later version", async () => {
    const later = newFile();
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(JSON.stringify({ format: 2, product: "9.1.0" })), "manifest.json");
    zip.addBuffer(Buffer.from("{}"), "secrets.sealed");
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(later));
    await expectRefused("backup_newer", await readFile(later));
  });

  it("has migrations of a later version, whatever else that one wrote as this code does", async () => {
    const backup = await openBackup(file);
    const { manifest } = backup;
    backup.close();
    // As an update backs up the database that it is about to migrate: the code from before takes it back.
    expect(await migrationsOf({ ...manifest, product: "9.1.0" })).toHaveLength(
      manifest.migrations.length,
    );
    const unknown = { version: "29990101000000", sha256: null };
    const later = { ...manifest, migrations: [...manifest.migrations, unknown] };
    const refused = (product: string) => migrationsOf({ ...later, product });
    await expect(refused("9.1.0")).rejects.toMatchObject({ code: "backup_newer" });
    await expect(refused(manifest.product)).rejects.toMatchObject({
      code: "backup_schema_unknown",
    });
  });

  it("is what somebody without the passphrase has changed", async () => {
    const backup = await openBackup(file);
    const { manifest } = backup;
    backup.close();
    const changed = newFile();
    const zip = new ZipFile();
    zip.addBuffer(
      Buffer.from(JSON.stringify({ ...manifest, tables: manifest.tables.slice(1) })),
      "manifest.json",
    );
    zip.addBuffer(await entryOf(file, "secrets.sealed"), "secrets.sealed");
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(changed));
    await expectRefused("backup_passphrase_wrong", await readFile(changed));
  });

  it("goes into no database that holds anything", async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    await other.sql`insert into public.organizations (name, slug) values ('Chez Jeanne', 'chez-jeanne')`;
    const before = await contentOf(other.sql);
    await expect(restoreFile(file, other.url)).rejects.toMatchObject({
      code: "restore_not_empty",
    });
    expect(await contentOf(other.sql)).toEqual(before);

    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    await sql`create table public.of_somebody_else (id integer)`;
    await expect(restoreFile(file, url)).rejects.toMatchObject({ code: "restore_not_empty" });
    expect(await relationsOf(sql)).toEqual(["of_somebody_else"]);
  });

  it("goes in once where two do it at once: what the first has brought stays", async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const tries = await Promise.allSettled([
      restoreFile(file, other.url),
      restoreFile(file, other.url),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    // A connection of the first may still be on its way out.
    expect(tries.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: expect.stringMatching(/^restore_(not_empty|in_use)$/) },
    });
    expect(await contentOf(other.sql)).toEqual(original);
  });

  it("goes into no database that a server works with", async () => {
    const { url } = await emptyDatabase(inject("database").adminUrl);
    const server = postgres(url, {
      max: 1,
      connection: { application_name: "tournavis functions" },
    });
    onTestFinished(() => server.end());
    await server`select 1`;
    await expect(restoreFile(file, url)).rejects.toMatchObject({ code: "restore_in_use" });
  });

  it("leaves no row where one of its rows is refused, the last one too", async () => {
    const { url, sql } = await emptyDatabase(inject("database").adminUrl);
    await prepareDatabase(url);
    await sql`alter table public.spins add constraint never check (id is null) not valid`;
    await expect(restoreFile(file, url)).rejects.toMatchObject({ code: "restore_failed" });
    expect(await sql`select from public.organizations`).toHaveLength(0);
    await sql`alter table public.spins drop constraint never`;
    // And nothing stands in the way of a second attempt.
    await restoreFile(file, url);
    expect(await contentOf(sql)).toEqual(original);
  });
});

describe("the backup that a release kept of itself", () => {
  /** Rows of a kept backup that a database does not hold, in the columns that the release had. The schema's own may change. */
  async function lostRows(file: string, sql: Sql): Promise<string[]> {
    const backup = await openBackup(file);
    onTestFinished(() => backup.close());
    const lost: string[] = [];
    for (const table of backup.manifest.tables) {
      if (REFERENCE_TABLES.includes(`${table.schema}.${table.name}`)) continue;
      const columns = table.columns.map((column) => quoteName(column)).join(", ");
      const now = await sql
        .unsafe(`copy (select ${columns} from ${quoteName(table.schema, table.name)}) to stdout`)
        .readable();
      // The driver goes on with its connection when it is asked for more (write-backup.ts).
      now.once("end", () => now._read(0));
      const kept = new Set((await text(now)).split("\n"));
      const rows = (await text(await backup.rowsOf(table))).split("\n");
      lost.push(...rows.filter((row) => !kept.has(row)).map((row) => `${table.name} ${row}`));
    }
    return lost;
  }

  it("is there for each that is out, comes to today's schema, and loses no value on the way", async () => {
    const current = await productVersion();
    for (const version of (await readReleases()).keys()) {
      const kept = fileURLToPath(new URL(`supabase/releases/${version}.zip`, ROOT));
      const isThere = await stat(kept).catch(() => null);
      // The version that is being made may change its schema until it is out.
      if (version === current && !isThere) continue;
      expect(isThere, `${version}.zip (CONTRIBUTING.md, « A release »)`).not.toBeNull();
      const { url, sql } = await emptyDatabase(inject("database").adminUrl);
      await restoreFile(kept, url);
      const fresh = await emptyDatabase(inject("database").adminUrl);
      await prepareDatabase(fresh.url);
      expect(compareCatalogs(await schemaOf(sql), await schemaOf(fresh.sql))).toEqual([]);
      expect(await sql`select from public.organizations`).not.toHaveLength(0);
      // As a backup writes them.
      await sql`select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, YMD', false),
        set_config('intervalstyle', 'postgres', false)`;
      const lost = await lostRows(kept, sql);
      expect(lost.filter((row) => !row.startsWith("sessions "))).toEqual([]);
      // A session that had no end has a year from the migration on; nothing else of it changes.
      const soon = await sql`
        select id from auth.sessions
        where not_after is null or not_after < now() + interval '364 days'`;
      expect(soon).toEqual([]);
      await sql`update auth.sessions set not_after = null`;
      expect(await lostRows(kept, sql)).toEqual([]);
    }
  });
});

describe("a backup that cannot be made", () => {
  it("is made although a process of the same number was killed while it wrote one", async () => {
    const file = newFile();
    const leftover = `${file}.${process.pid}.partial`;
    await writeFile(leftover, "la moitié");
    onTestFinished(() => rm(leftover, { force: true }));
    const options = { adminUrl: source.url, secrets: {}, passphrase: PASSPHRASE };
    await expect(writeBackup({ ...options, file })).resolves.toMatchObject({ file });
  });

  it("overwrites no file, and leaves none behind", async () => {
    const taken = newFile();
    await writeFile(taken, "d'avant");
    const options = { adminUrl: source.url, secrets: {}, passphrase: PASSPHRASE };
    await expect(writeBackup({ ...options, file: taken })).rejects.toMatchObject({
      code: "backup_exists",
    });
    expect(await readFile(taken, "utf8")).toBe("d'avant");
    // Another backup that took the name meanwhile is whole first.
    const raced = newFile();
    const lost = writeBackup({
      ...options,
      file: raced,
      onProgress: () => writeFileSync(raced, "d'un autre"),
    });
    await expect(lost).rejects.toMatchObject({ code: "backup_exists" });
    expect(await readFile(raced, "utf8")).toBe("d'un autre");
    expect((await readdir(files.folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
    const nowhere = join(taken, "backup.zip");
    await expect(writeBackup({ ...options, file: nowhere })).rejects.toMatchObject({
      code: "backup_unwritable",
    });
    const { url } = await emptyDatabase(inject("database").adminUrl);
    const nothing = newFile();
    await expect(writeBackup({ ...options, adminUrl: url, file: nothing })).rejects.toMatchObject({
      code: "backup_nothing_there",
    });
    expect(await stat(nothing).catch(() => null)).toBeNull();
  });

  /** A database whose rows hardly compress: a backup is in the midst of them for long. */
  async function largeSource(): Promise<TestDatabase> {
    const large = await createTestDatabase();
    onTestFinished(() => large.drop());
    const { ours } = await createWorld(large);
    await large.sql`
      insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
      select 'logos', ${ours.id} || '/' || n,
        (select decode(string_agg(md5(n || '.' || part), ''), 'hex') from generate_series(1, 25000) part),
        'image/webp', 'max-age=1', n::text
      from generate_series(1, 10) n`;
    return large;
  }

  it("says that the disk is full, and leaves it as it was", async ({ skip }) => {
    const disk = await smallDisk(skip, "1m");
    const { url } = await largeSource();
    const full = join(disk, "backup.zip");
    const options = { adminUrl: url, secrets: {}, passphrase: PASSPHRASE };
    await expect(writeBackup({ ...options, file: full })).rejects.toMatchObject({
      code: "backup_disk_full",
    });
    expect(await readdir(disk)).toEqual([]);
  });

  it("fails, and ends nothing but itself, where its connection is lost in the midst of rows", async () => {
    const { url, sql } = await largeSource();
    const lost = newFile();
    let cutting: Promise<unknown> | undefined;
    const writing = writeBackup({
      adminUrl: url,
      file: lost,
      secrets: {},
      passphrase: PASSPHRASE,
      onProgress: (part) => {
        if (part < 0.5) return;
        cutting ??= sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'tournavis backup'`.execute();
      },
    });
    await expect(writing).rejects.toThrow();
    await cutting;
    expect((await readdir(files.folder)).filter((name) => name.startsWith(basename(lost)))).toEqual(
      [],
    );
  });
});
