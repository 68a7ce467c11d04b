import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { access, chmod, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished } from "vitest";
import { databaseUser } from "../../server/postgres/system-user.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import { endChild, temporaryFolder } from "./program.ts";

/** Where Debian's package puts it. */
const PROGRAM = "/usr/sbin/pgbouncer";

const GUIDE = new URL("../../docs/scale.md", import.meta.url);

const PASSWORD = "mot-de-passe-d-essai";

/** An address of this machine's own, where nobody else takes a port. */
const HOST = "127.83.12.31";

/** Skips the test where PgBouncer is not installed. */
export async function needPgBouncer(skip: Skip): Promise<void> {
  const isMissing = await access(PROGRAM).then(
    () => false,
    () => true,
  );
  if (!isMissing) return;
  skipAloud(skip, `no PgBouncer of Debian is installed here (${PROGRAM})`);
}

/** A PgBouncer in transaction mode. */
export type PgBouncer = {
  /** Its address, as `DATABASE_POOL_URL` names it. */
  url: string;
  /** The same where each connection loses a setting of its account. */
  unlimitedUrl: string;
  start(): Promise<void>;
  /** Kills it; settles when it is gone. */
  kill(): Promise<void>;
};

/** Starts one in front of a database, with so many connections for each account. It ends with the test. */
export async function startPgBouncer(databaseUrl: string, poolSize: number): Promise<PgBouncer> {
  const folder = await temporaryFolder();
  const { hostname, port: databasePort, pathname } = new URL(databaseUrl);
  const asker = await makeAsker(databaseUrl);
  const port = await portOf(HOST);
  const target = `host=${hostname} port=${databasePort} dbname=${pathname.slice(1)}`;
  await writeFile(join(folder, "users.txt"), `"${asker}" "${PASSWORD}"\n`);
  await writeFile(
    join(folder, "pgbouncer.ini"),
    `[databases]
tournavis = ${target}
unlimited = ${target} connect_query='set statement_timeout = 0'

[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
auth_user = ${asker}
auth_query = select name, secret from ${asker}.secret_of($1)
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  );
  await chmod(folder, 0o755);
  const user = await databaseUser(folder);
  let child: ChildProcess | null = null;
  let said = "";
  const kill = () => endChild(child);
  const url = `postgres://${HOST}:${port}/tournavis`;
  const account = `postgres://${asker}:${PASSWORD}@${HOST}:${port}/tournavis`;
  const start = async () => {
    child = spawn(PROGRAM, [join(folder, "pgbouncer.ini")], {
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
      ...user,
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await expect
      .poll(() => answers(account), { timeout: 30_000, interval: 20, message: said })
      .toBe(true);
  };
  onTestFinished(kill);
  await start();
  return { url, unlimitedUrl: url.replace("/tournavis", "/unlimited"), start, kill };
}

/** Runs the commands of docs/scale.md for operators, for an account of this test's own; answers its name. */
async function makeAsker(databaseUrl: string): Promise<string> {
  const [, text] =
    /^```sql\n(create role pgbouncer .+?)^```$/ms.exec(await readFile(GUIDE, "utf8")) ?? [];
  if (text === undefined) throw new Error("no account of PgBouncer in docs/scale.md");
  const name = `pgbouncer_${randomUUID().replaceAll("-", "")}`;
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await sql.unsafe(text.replaceAll("pgbouncer", name).replace("'…'", `'${PASSWORD}'`)).simple();
  await sql.end();
  return name;
}

/** Whether a database, or a pooler in front of it, answers. */
export async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, prepare: false, fetch_types: false, backoff: false });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A port that is free on an address. */
export async function portOf(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
