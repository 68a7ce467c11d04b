import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { z } from "zod";
import { createConfirmedUser } from "../server/auth/create-user.ts";
import { readSecrets } from "../server/config/secrets.ts";
import { prepareDatabase } from "../server/postgres/prepare-database.ts";
import { type BenchApp, openDatabase } from "./bench-app.ts";
import { say } from "./report.ts";

const PASSWORD = "un-mot-de-passe-de-banc";
const token = z.object({ access_token: z.string() });

/** Of the large organisation, of the one with a page of each list, and of the empty one. */
const EMAILS = {
  large: "grand@exemple.fr",
  page: "moyen@exemple.fr",
  empty: "petit@exemple.fr",
};

/** File that marks a folder whose data set is complete. */
const DONE = "planted";

/**
 * PostgreSQL while the data is made, which is made anew when the machine stops meanwhile: nothing waits for the disk, and
 * tables that are filled in the transaction that emptied them leave no second copy in the log.
 */
const PLANTING = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  autovacuum: "off",
};

/** An owner of an organisation, and what their requests carry. */
export type Owner = { id: string; headers: Record<string, string> };

/** The owners of the three organisations. */
export type Owners = Record<keyof typeof EMAILS, Owner>;

async function ownerId(sql: Sql, email: string): Promise<string> {
  const ids: string[] = [];
  await sql.begin(async (transaction) => {
    const user = { email, password: PASSWORD, fullName: "Banc" };
    ids.push(await createConfirmedUser(transaction, user));
  });
  return ids[0] ?? "";
}

async function signIn(app: BenchApp, email: string): Promise<Owner> {
  const { publishableKey } = await readSecrets(app.dataFolder);
  const response = await fetch(`${app.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) {
    throw new Error(
      `${email} cannot sign in: the data set is older than its plan, make a new one.`,
    );
  }
  const { access_token } = token.parse(await response.json());
  return {
    id: await ownerId(app.sql, email),
    headers: {
      apikey: publishableKey,
      authorization: `Bearer ${access_token}`,
      "content-type": "application/json",
    },
  };
}

/** Signs in the owners of a planted data set. */
export async function signInOwners(app: BenchApp): Promise<Owners> {
  return {
    large: await signIn(app, EMAILS.large),
    page: await signIn(app, EMAILS.page),
    empty: await signIn(app, EMAILS.empty),
  };
}

/** Plants the data set of `scale.sql` in a folder, unless it is there. */
export async function plant(folder: string, size: string): Promise<void> {
  if (await isThere(join(folder, DONE))) {
    say(`The data set is that of ${folder}.`);
    return;
  }
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new Error(`${folder} holds no finished data set: name another folder, or empty it.`);
  }
  const began = performance.now();
  const database = await openDatabase(folder, PLANTING);
  try {
    await prepareDatabase(database.databaseUrl);
    await fill(database.databaseUrl, size);
  } finally {
    await database.stop();
  }
  await writeFile(join(folder, DONE), `${size}\n`);
  say(`made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function fill(databaseUrl: string, size: string): Promise<void> {
  const sql = postgres(databaseUrl, {
    max: 1,
    onnotice: ({ message }) => message?.startsWith("planting") && say(message),
  });
  await sql.unsafe(await readFile(new URL("./seed.sql", import.meta.url), "utf8")).simple();
  const owner = await ownerId(sql, EMAILS.large);
  const pageOwner = await ownerId(sql, EMAILS.page);
  const newcomer = await ownerId(sql, EMAILS.empty);
  await sql`
    select set_config('bench.size', ${size}, false), set_config('bench.owner', ${owner}, false),
      set_config('bench.page_owner', ${pageOwner}, false), set_config('bench.newcomer', ${newcomer}, false)`;
  await sql.unsafe(await readFile(new URL("./scale.sql", import.meta.url), "utf8")).simple();
  await sql`vacuum analyze`;
  const [counted] = await sql<{ events: string; customers: string; bytes: string }[]>`
    select sum(reltuples) filter (where relname <> 'customers')::bigint as events,
      sum(reltuples) filter (where relname = 'customers')::bigint as customers,
      pg_size_pretty(pg_database_size(current_database())) as bytes
    from pg_class
    where oid in ('public.scan_events'::regclass, 'public.pre_spin_reviews'::regclass, 'public.spins'::regclass,
      'public.redemptions'::regclass, 'public.customers'::regclass)`;
  await sql.end();
  say(`${counted?.events} events, ${counted?.customers} customers, ${counted?.bytes}`);
}
