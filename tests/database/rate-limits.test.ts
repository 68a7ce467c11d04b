import { randomUUID } from "node:crypto";
import postgres, { type ISql, type TransactionSql } from "postgres";
import { describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import { counted } from "./support/counted.ts";

/** How attempts are counted, and what is known of accounts that nobody has proven. A transaction has one time. */

const database = setUpTestDatabase();

const within = <T>(run: (sql: TransactionSql) => Promise<T>) => undone(database.sql, run);

async function attempt(sql: ISql, keys: string[], limits: number[], pause = "1 hour") {
  const [row] = await sql<{ wait: number | null }[]>`
    select private.count_attempt(${keys}, ${limits}, ${pause}::interval) as wait`;
  return row?.wait ?? null;
}

describe("attempts", () => {
  it("are as many as the limit says, on whichever connections, in one window and under one key", async () => {
    await within(async (sql) => {
      await counted(sql, "a", 2);
      await counted(sql, "a", 100, "1 hour");
      await counted(sql, "b", 100);
      expect(await attempt(sql, ["a"], [3])).toBeNull();
      expect(await attempt(sql, ["a"], [3])).toBeGreaterThan(0);
      expect(await attempt(sql, ["c"], [1])).toBeNull();
    });
  });

  it("are as many as the limit says below 600, however few of them came by this connection", async () => {
    await within(async (sql) => {
      await counted(sql, "a", 598);
      expect(await attempt(sql, ["a"], [599])).toBeNull();
      expect(await attempt(sql, ["a"], [599])).toBeGreaterThan(0);
    });
  });

  it("are as many as the limit says also when all come at once", async () => {
    const crowd = postgres(database.url, { max: 30, onnotice: () => {} });
    try {
      // One that only looks opens each connection first.
      await Promise.all(Array.from({ length: 30 }, () => crowd`select pg_sleep(0.05)`));
      const keys = [randomUUID(), randomUUID()];
      const waits = await Promise.all(
        Array.from({ length: 30 }, () => crowd.begin((sql) => attempt(sql, keys, [600, 20]))),
      );
      expect(waits.filter((wait) => wait === null)).toHaveLength(20);
    } finally {
      await crowd.end();
    }
  });

  it("are counted under each key with its own limit, also after one has refused", async () => {
    await within(async (sql) => {
      expect(await attempt(sql, ["a", "b"], [5, 1])).toBeNull();
      expect(await attempt(sql, ["a", "b"], [5, 1])).toBeGreaterThan(0);
      expect(await attempt(sql, ["b", "a"], [9, 2])).toBeGreaterThan(0);
      expect(await attempt(sql, ["b"], [3])).toBeGreaterThan(0);
    });
  });

  it("are possible again when the window is over: in whole seconds, never none", async () => {
    await within(async (sql) => {
      for (const [since, wait] of [
        ["0", 3600],
        ["59 minutes 58.5 seconds", 2],
        ["1 hour", 1],
      ] as const) {
        await sql.unsafe(`
          create or replace function private.window_start(p_window interval) returns timestamptz
          language sql stable return now() - interval '${since}'`);
        const key = randomUUID();
        expect(await attempt(sql, [key], [0])).toBe(wait);
        const [row] = await sql<{ is: boolean }[]>`
          select expires_at = now() - ${since}::interval + interval '1 hour' as is
          from private.rate_limits where key = ${key}`;
        expect(row?.is).toBe(true);
      }
    });
  });

  it("that are over are swept by one window in a hundred; those that count are not", async () => {
    await within(async (sql) => {
      await counted(sql, "over", 1, "2 hours");
      await counted(sql, "open", 3);
      await sql`select setseed(0.5)`;
      await sql`
        select private.count_attempt(array['one of many ' || n], '{9}', interval '1 hour')
        from generate_series(1, 2000) n`;
      const left = await sql`
        select key, hits from private.rate_limits where key in ('over', 'open')`;
      expect([...left]).toEqual([{ key: "open", hits: 3 }]);
    });
  });
});

describe("attempts to sign in", () => {
  const sign = async (sql: ISql, keys: string[], limits: number[]) => {
    const [row] = await sql`
      select seconds, refused_key as key, remaining_ms as ms
      from private.count_auth_attempt(${keys}, ${limits}, interval '1 hour')`;
    return row;
  };
  const hitsOf = async (sql: ISql, key: string) => {
    const [row] = await sql<{ hits: number }[]>`
      select coalesce(sum(hits), 0)::integer as hits from private.rate_limits where key = ${key}`;
    return row?.hits;
  };

  it("are counted under one key after the other, up to the one that refuses", async () => {
    await within(async (sql) => {
      await sql`
        create or replace function private.window_start(p_window interval) returns timestamptz
        language sql stable return now() - interval '30 minutes 0.0004 seconds'`;
      const fine = { seconds: null, key: null, ms: null };
      expect(await sign(sql, ["a", "b", "c"], [9, 1, 9])).toEqual(fine);
      // Of a window that is over, and of one that began later, elsewhere.
      await counted(sql, "auth b", 1, "2 hours");
      await sql`
        insert into private.rate_limits (key, window_start, shard, hits, expires_at)
        values ('auth b', now(), 3, 1, now() + interval '50 minutes'), ('auth z', now(), 3, 1, now() + interval '1 second')`;
      expect(await sign(sql, ["a", "b", "c"], [9, 1, 9])).toEqual({
        seconds: 1800,
        key: "b",
        ms: 1_799_999,
      });
      expect(await hitsOf(sql, "auth a")).toBe(2);
      expect(await hitsOf(sql, "auth c")).toBe(1);
    });
  });

  it("are forgotten under the keys that are named", async () => {
    await within(async (sql) => {
      await sign(sql, ["a", "b", "c"], [9, 9, 9]);
      await attempt(sql, ["a"], [9]);
      await sql`select private.reset_auth_attempts(array['a', 'b'])`;
      const hits = [];
      for (const key of ["auth a", "auth b", "auth c", "a"]) hits.push(await hitsOf(sql, key));
      expect(hits).toEqual([0, 0, 1, 1]);
    });
  });
});

describe("accounts that nobody has proven", () => {
  const signUp = async (sql: ISql, columns: Record<string, string | Date | null> = {}) => {
    const id = randomUUID();
    const account = { id, email: `${id}@exemple.fr`, encrypted_password: "x", ...columns };
    await sql`insert into auth.users ${sql(account)}`;
    return id;
  };
  const known = async (sql: ISql, id: string) => {
    const [row] = await sql`
      select private.count_sign_ups(${id}) as count, private.is_proven(${id}) as proven`;
    return row;
  };
  const unproven = (count: number) => ({ count, proven: false });
  const proven = { count: 0, proven: true };

  it("are those that wait with a password; each sign-up counts, and a change of address begins anew", async () => {
    await within(async (sql) => {
      const [id, other] = [await signUp(sql), await signUp(sql)];
      expect(await known(sql, id)).toEqual(unproven(1));
      for (const times of [2, 3]) {
        await sql`update auth.users set encrypted_password = ${`y${times}`} where id = ${id}`;
        expect(await known(sql, id)).toEqual(unproven(times));
      }
      await sql`update auth.users set email = 'autre@exemple.fr' where id = ${id}`;
      expect(await known(sql, id)).toEqual(unproven(0));
      expect(await known(sql, other)).toEqual(unproven(1));
      await sql`select private.prove_account(${id})`;
      expect(await known(sql, id)).toEqual(proven);
      expect(await known(sql, other)).toEqual(unproven(1));
      await sql`update auth.users set email = 'encore@exemple.fr' where id = ${id}`;
      expect(await known(sql, id)).toEqual(unproven(0));
    });
  });

  it("were signed up without a password first: the next sign-up is the second", async () => {
    await within(async (sql) => {
      const id = await signUp(sql, { encrypted_password: "" });
      expect(await known(sql, id)).toEqual(proven);
      await sql`update auth.users set encrypted_password = 'x' where id = ${id}`;
      expect(await known(sql, id)).toEqual(unproven(2));
    });
  });

  it("are none that were confirmed", async () => {
    await within(async (sql) => {
      for (const confirmed of ["email_confirmed_at", "phone_confirmed_at"]) {
        const id = await signUp(sql, { [confirmed]: new Date(0) });
        await sql`update auth.users set encrypted_password = 'z' where id = ${id}`;
        expect(await known(sql, id)).toEqual(proven);
      }
    });
  });
});
