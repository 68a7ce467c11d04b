import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { findBinaries } from "../../server/postgres/binaries.ts";
import { applyPlatform } from "../../server/postgres/bootstrap.ts";
import { databaseUser, type SystemUser } from "../../server/postgres/system-user.ts";
import { listen } from "./listen.ts";
import { EXTENSIONS, PROJECT_SQL } from "./project-sql.ts";

/** A database as a new hosted project has one. */
export type ProjectDatabase = {
  /** As the account that a project's owner gets: no superuser. */
  url: string;
  /** As the platform's own superuser. */
  adminUrl: string;
  admin: Sql;
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL 17 as a hosted project has it: the platform's roles, schemas and grants, an account for the owner that
 * is no superuser, and the extensions of `project-sql.ts` on request.
 */
export async function startProjectDatabase(folder: string): Promise<ProjectDatabase> {
  const user = await databaseUser(folder);
  const shipped = dirname(dirname((await findBinaries("pg17", user)).postgres));
  const programs = join(folder, "postgresql");
  await cp(shipped, programs, { recursive: true, verbatimSymlinks: true });
  const extensions = join(programs, "share", "postgresql", "extension");
  for (const [name, { control, sql }] of Object.entries(EXTENSIONS)) {
    await writeFile(
      join(extensions, `${name}.control`),
      `default_version = '1.0'\ntrusted = true\n${control}`,
    );
    await writeFile(join(extensions, `${name}--1.0.sql`), sql);
  }
  await openTo(programs, user);
  const data = join(folder, "pg17");
  await mkdir(data, { mode: 0o700 });
  if (user) await chown(data, user.uid, user.gid);

  const program = (name: string, args: readonly string[]) =>
    spawn(join(programs, "bin", name), args, { cwd: "/", stdio: "ignore", ...user });
  const initdb = program("initdb", [
    ...["-D", data, "-U", "supabase_admin", "-A", "trust"],
    ...["-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
  ]);
  const [code] = await once(initdb, "exit");
  if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  const port = await freePort();
  const server = program("postgres", [
    ...["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1"],
    ...["-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "wal_level=minimal"],
    ...["-c", "max_wal_senders=0", "-c", "max_connections=200"],
  ]);
  const url = (account: string) =>
    `postgresql://${account}@127.0.0.1:${port}/postgres?sslmode=disable`;
  const admin = postgres(url("supabase_admin"), { max: 2, onnotice: () => {} });
  for (let isReady = false; !isReady; ) {
    isReady = await admin`select 1`.then(
      () => true,
      () => server.exitCode !== null,
    );
    if (!isReady) await delay(100);
  }
  await applyPlatform(admin, "hosted");
  await admin.unsafe(PROJECT_SQL).simple();
  return {
    url: url("postgres"),
    adminUrl: url("supabase_admin"),
    admin,
    stop: async () => {
      await admin.end({ timeout: 1 });
      if (server.exitCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGINT");
      await ended;
    },
  };
}

async function openTo(folder: string, user: SystemUser | null): Promise<void> {
  if (!user) return;
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openTo(path, user);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  return port;
}
