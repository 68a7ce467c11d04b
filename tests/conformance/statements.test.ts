import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPreparePolicy } from "../../server/data-api/prepare-policy.ts";
import { AS_ASKED, asRole, runAs } from "../../server/data-api/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

/** How the data API's own executor runs a statement: as who asks, in a transaction of its own, kept or not. */

describe("statements that connections keep", () => {
  it("are those asked for twice, up to a number, for an hour", () => {
    let now = 0;
    const isPrepared = createPreparePolicy(() => now);
    expect([isPrepared("a"), isPrepared("a"), isPrepared("a")]).toEqual([false, true, true]);
    for (let made = 0; made < 1_000; made += 1)
      for (const _ of [1, 2]) isPrepared(`made up ${made}`);
    expect([isPrepared("b"), isPrepared("b"), isPrepared("a")]).toEqual([false, false, true]);
    now = 3_600_000;
    expect([isPrepared("b"), isPrepared("a"), isPrepared("a")]).toEqual([true, false, true]);
  });
});

describe("the transaction of a statement", () => {
  const asker = {
    role: "authenticated",
    claims: { role: "authenticated", sub: "somebody" },
  } as const;
  const told = `(${asRole("authenticated")})::text as ${AS_ASKED}`;
  const writing = { isReading: false, request: { method: "POST", path: "/rpc/x", headers: "{}" } };

  let database: TestDatabase;
  /** One connection, so that whatever one request leaves on it the next would find. */
  let pool: Sql;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = postgres(database.url, { max: 1, onnotice: () => undefined });
    await database.sql.unsafe(`
    create table public.notes (note text);
    grant select, insert on public.notes to authenticated`);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  function run(text: string, on = pool) {
    return runAs(on, asker, { text, values: [], isPrepared: true }, writing);
  }

  /** Traces that a request would find of the one before it. */
  async function leftOnConnection() {
    const [left] = await pool`
    select current_user = session_user as is_own, coalesce(current_setting('request.jwt.claims', true), '') as claims,
      coalesce(current_setting('request.headers', true), '') as headers`;
    return left;
  }

  const NOTHING = { is_own: true, claims: "", headers: "" };

  const noteOf = (note: string) => `
  with answer as (insert into public.notes select '${note}' where ${asRole("authenticated")} returning 1)
  select count(*)::text as rows, ${told} from answer`;

  it("runs as who asks, and leaves nothing of it on the connection", async () => {
    const row = await run(
      `select current_setting('request.jwt.claims')::json ->> 'sub' as body, ${told}`,
    );
    expect(row).toMatchObject({ body: "somebody", [AS_ASKED]: "true" });
    expect(await leftOnConnection()).toEqual(NOTHING);
  });

  it.each([
    [
      "is refused while it runs",
      `select (1 / (select count(*) - count(*) from public.notes))::text as body, ${told}`,
      "22012",
    ],
    ["cannot be read", "select from public.nowhere", "42P01"],
    ["may not be asked", `select count(*)::text as body, ${told} from auth.users`, "42501"],
  ])("takes everything back when a statement %s", async (_, text, code) => {
    await expect(run(text)).rejects.toMatchObject({ code });
    expect(await leftOnConnection()).toEqual(NOTHING);
    expect(await run(noteOf("after"))).toMatchObject({ rows: "1" });
  });

  it("tells what the commit refuses, and keeps nothing", async () => {
    await database.sql.unsafe(`
    create table public.pairs (id int primary key, other int references public.pairs deferrable initially deferred);
    grant select, insert on public.pairs to authenticated`);
    const text = `
    with answer as (insert into public.pairs select 1, 2 where ${asRole("authenticated")} returning 1)
    select count(*)::text as rows, ${told} from answer`;
    await expect(run(text)).rejects.toMatchObject({ code: "23503" });
    expect(await database.sql`select from public.pairs`).toHaveLength(0);
    expect(await leftOnConnection()).toEqual(NOTHING);
  });

  it("is sent again, once, when PostgreSQL has forgotten its statements", async () => {
    await run(noteOf("kept"));
    await pool.unsafe("deallocate all");
    expect(await run(noteOf("kept"))).toMatchObject({ rows: "1" });
    expect(await database.sql`select from public.notes where note = 'kept'`).toHaveLength(2);
    expect(await leftOnConnection()).toEqual(NOTHING);
  });

  it("keeps statements without values, too", async () => {
    await run(noteOf("prepared"));
    const kept = await pool`select statement from pg_prepared_statements`;
    expect(kept.map(({ statement }) => statement)).toContain(noteOf("prepared"));
  });

  it("does nothing where the transaction has not begun", async () => {
    const withoutBegin = new Proxy(pool, {
      get: (target, name) => (name === "reserve" ? reserveWithoutBegin : Reflect.get(target, name)),
    });
    await expect(run(noteOf("outside"), withoutBegin)).rejects.toMatchObject({ code: "25P01" });
    expect(await database.sql`select from public.notes where note = 'outside'`).toHaveLength(0);
  });

  /** A connection on which `begin` was cancelled. */
  async function reserveWithoutBegin() {
    const reserved = await pool.reserve();
    return new Proxy(reserved, {
      get: (target, name) =>
        name === "unsafe"
          ? (
              text: string,
              ...rest: Parameters<Sql["unsafe"]> extends [string, ...infer R] ? R : []
            ) => target.unsafe(text === "begin" ? "select 1" : text, ...rest)
          : Reflect.get(target, name),
    });
  }
});
