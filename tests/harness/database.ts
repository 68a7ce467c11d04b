import { randomBytes } from "node:crypto";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterAll, beforeAll, inject } from "vitest";

/** A signed-in user. */
export type UserCaller = { userId: string; sessionId?: string; aal?: "aal1" | "aal2" };

/**
 * Whom a statement is run for: a key without a session, the server's own role, a signed-in user, or a
 * merchant's own key of the API.
 * A user of `fixtures.ts` has one session from the start, which bears the user's own identifier.
 */
export type Caller = "anon" | "service_role" | UserCaller | { apiKeyId: string };

/** A migrated database for one test file. */
export type TestDatabase = {
  name: string;
  /** Administrator's address: what `DATABASE_URL` would be. */
  url: string;
  /** Administrator's connections: row-level security does not apply to them. */
  sql: Sql;
  /**
   * Runs statements in one transaction the way the API does for a caller: under its database role
   * and with its session in the settings that `auth.uid()` reads. Commits when `run` succeeds.
   */
  as<T>(caller: Caller, run: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /** Closes the connections and removes the database: call it in `afterAll`. */
  drop(): Promise<void>;
};

/**
 * Watcher of every test database from its making to its end, while mutants are tried
 * (scripts/mutate/switch.ts).
 */
type Watch = {
  begin(server: Sql, name: string): Promise<void>;
  end(url: string): Promise<void>;
};

declare global {
  var testDatabaseWatch: Watch | undefined;
}

/** Opens connections to a database, silent about notices. */
function connect(url: string, max: number): Sql {
  return postgres(url, { max, onnotice: () => {} });
}

function claimsOf(caller: Caller) {
  if (typeof caller === "string") return {};
  if ("apiKeyId" in caller) return { api_key_id: caller.apiKeyId };
  const { userId, sessionId = userId, aal = "aal1" } = caller;
  return { sub: userId, session_id: sessionId, aal };
}

/** Makes the statements that follow in a transaction those of a caller. */
export async function become(sql: TransactionSql, caller: Caller): Promise<void> {
  const role = typeof caller === "string" ? caller : "authenticated";
  const claims = { role, ...claimsOf(caller) };
  await sql`
    select
      set_config('request.jwt.claim.sub', ${"sub" in claims ? claims.sub : ""}, true),
      set_config('request.jwt.claim.role', ${role}, true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('role', ${role}, true)`;
}

/** Hands a value out of a callback whose own answer the library unwraps. */
async function outcomeOf<T>(run: (hold: (value: T) => void) => Promise<unknown>): Promise<T> {
  const held: { value: T }[] = [];
  await run((value) => held.push({ value }));
  const [outcome] = held;
  if (outcome === undefined) throw new Error("The transaction ended without an outcome.");
  return outcome.value;
}

class Undo extends Error {}

/**
 * Runs statements in a transaction, or in a part of one, and rolls it back, unless the outcome is to be committed.
 */
export function undone<T>(
  sql: Sql | TransactionSql,
  run: (sql: TransactionSql) => Promise<T>,
  isKept: (outcome: T) => boolean = () => false,
): Promise<T> {
  return outcomeOf<T>(async (hold) => {
    const runAndUndo = async (inner: TransactionSql) => {
      const outcome = await run(inner);
      hold(outcome);
      if (!isKept(outcome)) throw new Undo();
    };
    const running = "begin" in sql ? sql.begin(runAndUndo) : sql.savepoint(runAndUndo);
    await running.catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  });
}

/**
 * Attempts are counted in windows of time, whose edges are those of the clock: in a test database they begin with it, so
 * that no window of ten minutes or more ends between two attempts of a test. A program on a database of its own needs it
 * where a test reaches a limit.
 */
export async function beginWindows(sql: Sql): Promise<void> {
  await sql.unsafe(`
    do $do$ begin
      execute format($f$
        create or replace function private.window_start(p_window interval) returns timestamptz
        language sql stable parallel safe
        return date_bin(p_window, now(), %L)$f$, now());
    end $do$`);
}

/** Copies the run's migrated template, which takes milliseconds: dropped by the caller, unlike that of `setUpTestDatabase`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject("database");
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  const server = connect(adminUrl, 1);
  await server`create database ${server(name)} template ${server(template)} strategy file_copy`;
  await globalThis.testDatabaseWatch?.begin(server, name);
  const address = new URL(adminUrl);
  address.pathname = `/${name}`;
  const sql = connect(address.href, 4);
  await beginWindows(sql);
  return {
    name,
    url: address.href,
    sql,
    as: (caller, run) =>
      outcomeOf((hold) =>
        sql.begin(async (transaction) => {
          await become(transaction, caller);
          hold(await run(transaction));
        }),
      ),
    async drop() {
      await sql.end();
      await globalThis.testDatabaseWatch?.end(address.href);
      await server`drop database ${server(name)} with (force)`;
      await server.end();
    },
  };
}

/** Gives a test file a database from its first test to its last. */
export function setUpTestDatabase(): TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  const here = () => {
    if (database === undefined) throw new Error("The database exists once `beforeAll` has run.");
    return database;
  };
  return {
    get name() {
      return here().name;
    },
    get url() {
      return here().url;
    },
    get sql() {
      return here().sql;
    },
    as: (caller, run) => here().as(caller, run),
    drop: () => here().drop(),
  };
}
