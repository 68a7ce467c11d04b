import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import type { Log } from "../../server/log.ts";
import { startCluster } from "../../server/postgres/cluster.ts";
import { startServer } from "../../server/server.ts";
import { startupCopy } from "../../server/start/startup.copy.ts";
import { StartupError } from "../../server/start/startup-error.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { needOrdinaryPerson, startProgram, temporaryFolder } from "./program.ts";

type Start = { env?: Record<string, string>; argv?: string[] };

/** The code's own sentence, with anything where it has details. */
function sentenceOf(code: keyof typeof startupCopy): RegExp {
  const parts = startupCopy[code]
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^\\n]+")}$`);
}

/** Starts the program, which must refuse: a failure, and the code's own sentence on one line. */
async function expectExit(
  code: keyof typeof startupCopy,
  options: Parameters<typeof startProgram>[0],
): Promise<string> {
  const program = startProgram(options);
  const { code: exitCode } = await program.ended;
  const [line = "", ...rest] = program.complaint().split("\n");
  expect(line).toMatch(sentenceOf(code));
  expect(rest).toEqual([""]);
  expect(exitCode).toBeGreaterThan(0);
  return line;
}

/** Starts the server in this process, which must refuse with the code and its sentence. What a program makes of one is above. */
async function expectRefusal(
  code: keyof typeof startupCopy,
  { env = {}, argv = [] }: Start,
): Promise<string> {
  const starting = async () => {
    const config = readConfig({ env: { PORT: "0", ...env }, argv, cwd: process.cwd() });
    const server = await startServer(config, { log: silent });
    await server.stop();
  };
  const refusal = await starting().catch((error: unknown) => error);
  if (!(refusal instanceof StartupError)) throw new Error("It started.", { cause: refusal });
  expect(refusal.code).toBe(code);
  expect(refusal.message).toMatch(sentenceOf(code));
  return refusal.message;
}

const silent: Log = Object.assign(() => undefined, { flush: () => undefined });

describe("the program", () => {
  it("refuses a flag that it does not know", async () => {
    expect(await expectExit("unknown_argument", { argv: ["--frobnicate"] })).toContain(
      "--frobnicate",
    );
  });

  it("refuses a data folder that it may not write", async ({ skip }) => {
    needOrdinaryPerson(skip);
    const folder = await temporaryFolder({ mode: 0o555 });
    await expectExit("data_folder_unwritable", {
      env: { TOURNAVIS_DATA: join(folder, "data") },
      asNobody: true,
    });
  });

  it("refuses a data folder that another process uses, and leaves that one alone", async () => {
    const folder = await temporaryFolder();
    const cluster = await startCluster({ folder });
    onTestFinished(() => cluster.stop());
    await expectExit("data_folder_in_use", { env: { TOURNAVIS_DATA: folder } });
    const sql = postgres(cluster.adminUrl, { max: 1 });
    onTestFinished(() => sql.end());
    expect(await sql`select 1 as alive`).toEqual([{ alive: 1 }]);
  });
});

describe("without a database", () => {
  it("refuses a port that is taken, before it touches the data folder", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = address !== null && typeof address === "object" ? String(address.port) : "";
    const folder = await temporaryFolder();
    const complaint = await expectRefusal("port_taken", {
      env: { PORT: port, TOURNAVIS_DATA: folder },
    });
    expect(complaint).toContain(port);
    expect(await readdir(folder)).toEqual([]);
  });

  it("refuses production mode while mails cannot leave", async () => {
    await expectRefusal("mail_missing", { env: { PUBLIC_URL: "https://avis.exemple.fr" } });
  });

  it("refuses an address of another machine", async () => {
    await expectRefusal("host_unavailable", { env: { HOST: "192.0.2.1" } });
  });

  it("refuses a data folder that nobody can make, with the reason", async ({ skip }) => {
    if (process.platform !== "linux") skip("there is no /proc");
    const complaint = await expectRefusal("data_folder_unwritable", {
      env: { TOURNAVIS_DATA: "/proc/tournavis/data" },
    });
    expect(complaint).toContain("ENOENT");
  });

  it("refuses a data folder that is a file", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "data");
    await writeFile(file, "");
    await expectRefusal("data_folder_unwritable", { env: { TOURNAVIS_DATA: file } });
  });

  it("refuses a data folder of another PostgreSQL version", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "pg"), { mode: 0o700 });
    await writeFile(join(folder, "pg", "PG_VERSION"), "17\n");
    const complaint = await expectRefusal("data_folder_other_version", {
      env: { TOURNAVIS_DATA: folder },
    });
    expect(complaint).toContain("17");
  });
});

describe("with DATABASE_URL", () => {
  let database: TestDatabase;
  let dataFolder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The database's address with parts of it changed. */
  async function start(change: (url: URL) => void): Promise<Start> {
    dataFolder = await temporaryFolder();
    const url = new URL(database.url);
    change(url);
    return { env: { DATABASE_URL: url.href, TOURNAVIS_DATA: dataFolder }, argv: ["--no-demo"] };
  }

  it("refuses what is no address", async () => {
    await expectRefusal("invalid_database_url", { env: { DATABASE_URL: "ma-base" } });
  });

  it("refuses a server that does not answer", async () => {
    const options = await start((url) => {
      url.port = "1";
    });
    expect(await expectRefusal("database_unreachable", options)).toContain("ECONNREFUSED");
  });

  it("refuses a server that does not exist", async () => {
    const options = await start((url) => {
      url.hostname = "base.invalid";
    });
    await expectRefusal("database_unreachable", options);
  });

  it("refuses a wrong password", async () => {
    const options = await start((url) => {
      url.password = "faux";
    });
    expect(await expectRefusal("database_refused", options)).not.toContain("faux");
  });

  it("refuses a database that does not exist", async () => {
    const options = await start((url) => {
      url.pathname = "/aucune_base";
    });
    expect(await expectRefusal("database_missing", options)).toContain("aucune_base");
  });

  it("refuses an account that may not make what is needed", async () => {
    const role = `plain_${randomBytes(4).toString("hex")}`;
    await database.sql.unsafe(`create role ${role} login password 'plain'`);
    onTestFinished(async () => {
      await database.sql.unsafe(`drop role ${role}`);
    });
    const options = await start((url) => {
      url.username = role;
      url.password = "plain";
    });
    // The right, in the words of PostgreSQL.
    expect(await expectRefusal("database_rights", options)).toMatch(/permission denied|must be/);
  });

  it("refuses a database newer than the code, and changes nothing", async () => {
    const newer = await createTestDatabase();
    onTestFinished(() => newer.drop());
    await newer.sql`
      insert into supabase_migrations.schema_migrations (version, name)
      values ('29990101000000', 'from_the_future')`;
    await newer.sql`delete from supabase_migrations.platform`;
    const folder = await temporaryFolder();
    const complaint = await expectRefusal("database_newer", {
      env: { DATABASE_URL: newer.url, TOURNAVIS_DATA: folder },
    });
    expect(complaint).toContain("29990101000000");
    expect(await newer.sql`select from supabase_migrations.platform`).toHaveLength(0);
  });

  it("refuses a database from before the first release, and changes nothing", async () => {
    const early = await createTestDatabase();
    onTestFinished(() => early.drop());
    await early.sql`
      delete from supabase_migrations.schema_migrations
      where version > (select min(version) from supabase_migrations.schema_migrations)`;
    await early.sql`
      update supabase_migrations.schema_migrations set version = '20261121100000', name = 'schemas_and_defaults'`;
    await early.sql`delete from supabase_migrations.platform`;
    const folder = await temporaryFolder();
    const complaint = await expectRefusal("database_before_releases", {
      env: { DATABASE_URL: early.url, TOURNAVIS_DATA: folder },
    });
    expect(complaint).toContain("20261121100000");
    expect(await early.sql`select from supabase_migrations.platform`).toHaveLength(0);
  });

  it("refuses PostgreSQL 14", async () => {
    const old = await createTestDatabase();
    onTestFinished(() => old.drop());
    // The same question gets the answer of an older server.
    await old.sql.unsafe(`
      create schema older;
      create function older.current_setting(text) returns text language sql
      return case $1 when 'server_version_num' then '140011' else '14.11' end;
      alter database "${old.name}" set search_path = older, pg_catalog, public;`);
    const complaint = await expectRefusal("database_too_old", {
      env: { DATABASE_URL: old.url, TOURNAVIS_DATA: await temporaryFolder() },
    });
    expect(complaint).toContain("14.11");
  });
});
