import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFile, chown, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import { expect, onTestFinished } from "vitest";
import { databaseUser, type SystemUser } from "../../server/postgres/system-user.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import { answers, portOf } from "./pgbouncer.ts";
import { endChild, temporaryFolder } from "./program.ts";

/** Where Debian's packages `postgresql-<version>` put their programs. */
const PACKAGES = "/usr/lib/postgresql";

const PASSWORD = "mot-de-passe-d-essai";

/** Addresses of this machine's own, one a host, whose ports nobody else takes. */
const ADDRESSES = ["127.83.12.21", "127.83.12.22"] as const;

const SETTINGS = {
  max_connections: "120",
  unix_socket_directories: "",
  // Room for what a standby has not got yet.
  wal_keep_size: "256MB",
  shared_buffers: "64MB",
};

/** Folder of the programs of the oldest PostgreSQL that Debian has installed here; skips the test where there is none. */
export async function needDebianPostgres(skip: Skip): Promise<string> {
  const versions = await readdir(PACKAGES).catch(() => []);
  const [oldest] = versions.filter((name) => Number(name) >= 15).sort();
  if (oldest === undefined) {
    skipAloud(skip, `no PostgreSQL of Debian is installed here (${PACKAGES})`);
  }
  return join(PACKAGES, oldest ?? "", "bin");
}

/** One PostgreSQL among several that hold the same data. */
export type Host = {
  host: string;
  port: number;
  /** Administrator's address, there alone. */
  url: string;
  folder: string;
  /** Starts it; settles when it answers. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
};

/** A primary, and where its standby may be made. */
export type Pair = {
  hosts: readonly [Host, Host];
  /** Address that names both, as `DATABASE_URL` does. */
  url: string;
  /** Makes a host anew as the standby of another, which answers no commit without it. */
  follow(standby: Host, primary: Host): Promise<void>;
  /** Makes the primary of a standby, which waits for nobody. */
  promote(standby: Host): Promise<void>;
  /** Connections of the administrator to one of them, closed with the test. */
  open(host: Host): Sql;
};

/** Makes a PostgreSQL with an empty database; its standby is made by `follow`. */
export async function makePair(programs: string): Promise<Pair> {
  const root = await temporaryFolder();
  const user = await databaseUser(root);
  if (user) await chown(root, user.uid, user.gid);
  const run = (program: string, argv: readonly string[]) =>
    promisify(execFile)(join(programs, program), argv, { cwd: "/", env: {}, ...user });
  const [first, second] = await Promise.all(
    ADDRESSES.map((address, index) => makeHost(programs, join(root, String(index)), address, user)),
  );
  if (!first || !second) throw new Error("two hosts");

  const passwordFile = join(root, "password");
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  await run("initdb", [
    ...["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--no-locale", `--pgdata=${first.folder}`],
  ]);
  await appendFile(
    join(first.folder, "pg_hba.conf"),
    "host all,replication all 127.0.0.0/8 scram-sha-256\n",
  );
  await first.start();
  const open = ({ url }: Host) => {
    const sql = postgres(url, { max: 2, onnotice: () => undefined });
    onTestFinished(() => sql.end({ timeout: 1 }));
    return sql;
  };
  const server = postgres(first.url.replace("/tournavis", "/postgres"), { max: 1 });
  await server`create database tournavis`;
  await server.end();

  return {
    hosts: [first, second],
    url: `postgres://postgres:${PASSWORD}@${first.host}:${first.port},${second.host}:${second.port}/tournavis`,
    open,
    async follow(standby, primary) {
      await standby.kill();
      await rm(standby.folder, { recursive: true, force: true });
      await run("pg_basebackup", [
        ...[`--pgdata=${standby.folder}`, "--write-recovery-conf", "--checkpoint=fast"],
        `--dbname=host=${primary.host} port=${primary.port} user=postgres password=${PASSWORD}`,
      ]);
      await standby.start();
      const sql = postgres(primary.url, { max: 1, onnotice: () => undefined });
      await sql`alter system set synchronous_standby_names = '*'`;
      await sql`select pg_reload_conf()`;
      await expect
        .poll(() => sql`select sync_state from pg_stat_replication`, { timeout: 30_000 })
        .toEqual([{ sync_state: "sync" }]);
      await sql.end();
    },
    async promote(standby) {
      const sql = postgres(standby.url, { max: 1, onnotice: () => undefined });
      await sql`select pg_promote()`;
      await sql.end();
    },
  };
}

async function makeHost(
  programs: string,
  folder: string,
  host: string,
  user: SystemUser | null,
): Promise<Host> {
  const port = await portOf(host);
  const url = `postgres://postgres:${PASSWORD}@${host}:${port}/tournavis`;
  let child: ChildProcess | null = null;
  const kill = () => endChild(child);
  onTestFinished(kill);
  return {
    host,
    port,
    url,
    folder,
    kill,
    async start(settings = {}) {
      const given = { ...SETTINGS, listen_addresses: host, port: String(port), ...settings };
      const argv = Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      child = spawn(join(programs, "postgres"), ["-D", folder, ...argv], {
        cwd: "/",
        env: {},
        stdio: "ignore",
        ...user,
      });
      const server = url.replace("/tournavis", "/postgres");
      await expect.poll(() => answers(server), { timeout: 60_000, interval: 20 }).toBe(true);
    },
  };
}
